package linalg

import "math"

// Concat is the N×(D1+D2) matrix whose row k is
//
//	[ √w · a_k/|a_k| ; √(1−w) · b_k/|b_k| ]
//
// of the rows of A (N×D1) and B (N×D2), without a copy of either: the product
// of two rows is w · cos(a_i, a_k) + (1−w) · cos(b_i, b_k). A part of zeros
// stays zero. Calls of GramRowTo and MulVecTo must not overlap.
type Concat struct {
	a, b Rows
	// scaleA[k] is √w / |a_k|, scaleB[k] √(1−w) / |b_k|; 0 where the row is all
	// zeros.
	scaleA, scaleB []float64
	products       []float64 // scratch, of length N
}

// NewConcat requires A and B of equal length, and a weight w of A in 0..1; otherwise it
// panics.
func NewConcat(a, b Rows, w float64) *Concat {
	if a.Len() != b.Len() {
		panic("linalg: NewConcat: matrices of different lengths")
	}
	if !(w >= 0 && w <= 1) {
		panic("linalg: NewConcat: weight out of 0..1")
	}
	return &Concat{
		a: a, b: b, scaleA: unitScales(a, math.Sqrt(w)), scaleB: unitScales(b, math.Sqrt(1-w)),
		products: make([]float64, a.Len()),
	}
}

// unitScales returns length/|row k| for every k, 0 where the row is all zeros.
func unitScales(m Rows, length float64) []float64 {
	scale := SquaredLengths(m)
	for k, norm2 := range scale {
		if norm2 > 0 {
			scale[k] = length / math.Sqrt(norm2)
		}
	}
	return scale
}

// Len is N, the number of rows.
func (m *Concat) Len() int { return len(m.scaleA) }

// Dims is D1 + D2, the number of columns.
func (m *Concat) Dims() int { return m.a.Dims() + m.b.Dims() }

// GramRowTo writes dst[k] = row i · row k, k in 0..N-1.
func (m *Concat) GramRowTo(dst []float64, i int) {
	m.a.GramRowTo(dst, i)
	m.b.GramRowTo(m.products, i)
	m.addTo(dst, m.scaleA[i], m.scaleB[i])
}

// MulVecTo writes dst[k] = row k · v, v of length D1 + D2.
func (m *Concat) MulVecTo(dst, v []float64) {
	m.a.MulVecTo(dst, v[:m.a.Dims()])
	m.b.MulVecTo(m.products, v[m.a.Dims():])
	m.addTo(dst, 1, 1)
}

// addTo adds the products with the rows of B to those with the rows of A, in
// dst.
func (m *Concat) addTo(dst []float64, scaleA, scaleB float64) {
	for k, y := range m.products {
		dst[k] = float64(scaleA*m.scaleA[k]*dst[k]) + float64(scaleB*m.scaleB[k]*y)
	}
}

// AddScaledTo adds alpha × row i to dst, of length D1 + D2.
func (m *Concat) AddScaledTo(dst []float64, alpha float64, i int) {
	m.a.AddScaledTo(dst[:m.a.Dims()], alpha*m.scaleA[i], i)
	m.b.AddScaledTo(dst[m.a.Dims():], alpha*m.scaleB[i], i)
}

// addWeighted adds Σ w_k row_k to dst.
func (m *Concat) addWeighted(dst, w []float64) {
	scaled := make([]float64, len(w))
	for k, x := range w {
		scaled[k] = x * m.scaleA[k]
	}
	AddWeighted(dst[:m.a.Dims()], scaled, m.a)
	for k, x := range w {
		scaled[k] = x * m.scaleB[k]
	}
	AddWeighted(dst[m.a.Dims():], scaled, m.b)
}

// squaredLengths needs no columns: the lengths of the parts are known.
func (m *Concat) squaredLengths() []float64 {
	a, b := SquaredLengths(m.a), SquaredLengths(m.b)
	for k := range a {
		a[k] = float64(m.scaleA[k]*m.scaleA[k]*a[k]) + float64(m.scaleB[k]*m.scaleB[k]*b[k])
	}
	return a
}

// Subset is the matrix of the named rows, in that order, with the same columns.
// The result is a copy.
func Subset(m Rows, rows []int) Rows {
	switch m := m.(type) {
	case *Sparse:
		return m.Subset(rows)
	case *Dense[float32]:
		s := &Dense[float32]{Data: make([]float32, 0, len(rows)*m.Cols), Cols: m.Cols}
		for _, k := range rows {
			s.Data = append(s.Data, m.Row(k)...)
		}
		return s
	case *Concat:
		s := &Concat{a: Subset(m.a, rows), b: Subset(m.b, rows), products: make([]float64, len(rows))}
		for _, k := range rows {
			s.scaleA = append(s.scaleA, m.scaleA[k])
			s.scaleB = append(s.scaleB, m.scaleB[k])
		}
		return s
	}
	panic("linalg: Subset: a matrix of an unknown kind")
}
