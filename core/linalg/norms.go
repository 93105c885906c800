package linalg

// SquaredLengths returns |row k|² for every k, in float64.
func SquaredLengths(m Rows) []float64 {
	norm2 := make([]float64, m.Len())
	switch m := m.(type) {
	case *Sparse:
		for k := range norm2 {
			_, vals := m.Row(k)
			for _, v := range vals {
				norm2[k] += float64(float64(v) * float64(v))
			}
		}
		return norm2
	case *Dense[float32]:
		DotsTo(norm2, m.Data, m.Data)
		return norm2
	case *Concat:
		return m.squaredLengths()
	}
	row := make([]float64, m.Dims())
	for k := range norm2 {
		m.AddScaledTo(row, 1, k)
		for j, v := range row {
			norm2[k] += float64(v * v)
			row[j] = 0
		}
	}
	return norm2
}
