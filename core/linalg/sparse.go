package linalg

// Sparse is an N×D matrix in compressed sparse rows: the entries of row i are
// Val[RowPtr[i]:RowPtr[i+1]] in the columns Col[...] (ascending within a row).
type Sparse struct {
	RowPtr []int
	Col    []int32
	Val    []float32
	Cols   int

	// byColumn is the transpose, built for the first Gram row: a Gram row then
	// touches only the rows that share a column with row i.
	byColumn *columns
}

// columns is the matrix column by column: column c holds val[ptr[c]:ptr[c+1]]
// in the rows row[...], ascending.
type columns struct {
	ptr []int
	row []int32
	val []float32
}

// Len is N, the number of rows.
func (m *Sparse) Len() int {
	if len(m.RowPtr) == 0 {
		return 0
	}
	return len(m.RowPtr) - 1
}

// Dims is D, the number of columns.
func (m *Sparse) Dims() int { return m.Cols }

// Row returns the columns and values of row i, sharing memory.
func (m *Sparse) Row(i int) ([]int32, []float32) {
	a, b := m.RowPtr[i], m.RowPtr[i+1]
	return m.Col[a:b], m.Val[a:b]
}

func (m *Sparse) transpose() *columns {
	t := &columns{
		ptr: make([]int, m.Cols+1),
		row: make([]int32, len(m.Col)),
		val: make([]float32, len(m.Val)),
	}
	for _, c := range m.Col {
		t.ptr[c+1]++
	}
	for c := range m.Cols {
		t.ptr[c+1] += t.ptr[c]
	}
	next := append([]int(nil), t.ptr[:m.Cols]...)
	for i := range m.Len() {
		cols, vals := m.Row(i)
		for k, c := range cols {
			t.row[next[c]], t.val[next[c]] = int32(i), vals[k]
			next[c]++
		}
	}
	return t
}

// GramRowTo writes dst[k] = row i · row k, k in 0..N-1. The first call builds
// the transpose; calls must not overlap.
func (m *Sparse) GramRowTo(dst []float64, i int) {
	if len(dst) != m.Len() {
		panic("linalg: GramRowTo: destination is not of length N")
	}
	if m.byColumn == nil {
		m.byColumn = m.transpose()
	}
	clear(dst)
	cols, vals := m.Row(i)
	for k, c := range cols {
		a, b := m.byColumn.ptr[c], m.byColumn.ptr[c+1]
		v := float64(vals[k])
		val := m.byColumn.val[a:b]
		for j, r := range m.byColumn.row[a:b] {
			dst[r] += float64(v * float64(val[j]))
		}
	}
}

// MulVecTo writes dst[k] = row k · v, v of length D.
func (m *Sparse) MulVecTo(dst, v []float64) {
	if len(dst) != m.Len() || len(v) != m.Cols {
		panic("linalg: MulVecTo: wrong length")
	}
	for i := range dst {
		cols, vals := m.Row(i)
		s := 0.0
		for k, c := range cols {
			s += float64(float64(vals[k]) * v[c])
		}
		dst[i] = s
	}
}

// AddScaledTo adds alpha × row i to dst, of length D.
func (m *Sparse) AddScaledTo(dst []float64, alpha float64, i int) {
	if len(dst) != m.Cols {
		panic("linalg: AddScaledTo: destination is not of length D")
	}
	cols, vals := m.Row(i)
	for k, c := range cols {
		dst[c] += float64(alpha * float64(vals[k]))
	}
}

// Subset is the matrix of the named rows, in that order, with the same columns.
// The result is a copy.
func (m *Sparse) Subset(rows []int) *Sparse {
	n := 0
	for _, i := range rows {
		n += m.RowPtr[i+1] - m.RowPtr[i]
	}
	s := &Sparse{RowPtr: make([]int, 1, len(rows)+1), Col: make([]int32, 0, n), Val: make([]float32, 0, n), Cols: m.Cols}
	for _, i := range rows {
		cols, vals := m.Row(i)
		s.Col = append(s.Col, cols...)
		s.Val = append(s.Val, vals...)
		s.RowPtr = append(s.RowPtr, len(s.Col))
	}
	return s
}
