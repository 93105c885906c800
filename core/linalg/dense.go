package linalg

// Float is the element type of a Dense matrix.
type Float interface{ float32 | float64 }

// Dense is an N×D row-major matrix: row i is Data[i*Cols:(i+1)*Cols].
// Encoders give float32; float64 serves references and tests.
type Dense[T Float] struct {
	Data []T
	Cols int
}

// Len is N, the number of rows.
func (m *Dense[T]) Len() int {
	if m.Cols == 0 {
		return 0
	}
	return len(m.Data) / m.Cols
}

// Dims is D, the number of columns.
func (m *Dense[T]) Dims() int { return m.Cols }

// Row returns row i, sharing memory.
func (m *Dense[T]) Row(i int) []T { return m.Data[i*m.Cols : (i+1)*m.Cols] }

// GramRowTo writes dst[k] = row i · row k, k in 0..N-1.
func (m *Dense[T]) GramRowTo(dst []float64, i int) {
	if len(dst) != m.Len() {
		panic("linalg: GramRowTo: destination is not of length N")
	}
	m.GramPartTo(dst, i, 0)
}

// GramPartTo writes dst[k] = row i · row (from + k), for as many k as dst has.
func (m *Dense[T]) GramPartTo(dst []float64, i, from int) {
	switch data := any(m.Data).(type) {
	case []float32:
		gemv32To(dst, data[from*m.Cols:], data[i*m.Cols:(i+1)*m.Cols])
	case []float64:
		gemv64To(dst, data[from*m.Cols:], data[i*m.Cols:(i+1)*m.Cols])
	}
}

// MulVecTo writes dst[k] = row k · v, v of length D.
func (m *Dense[T]) MulVecTo(dst, v []float64) {
	if len(dst) != m.Len() || len(v) != m.Cols {
		panic("linalg: MulVecTo: wrong length")
	}
	switch data := any(m.Data).(type) {
	case []float32:
		kernel.GemvWideTo(dst, data, v)
	case []float64:
		gemvTo(dst, data, v)
	}
}

// AddScaledTo adds alpha × row i to dst, of length D.
func (m *Dense[T]) AddScaledTo(dst []float64, alpha float64, i int) {
	if len(dst) != m.Cols {
		panic("linalg: AddScaledTo: destination is not of length D")
	}
	for j, x := range m.Row(i) {
		dst[j] += float64(alpha * float64(x))
	}
}
