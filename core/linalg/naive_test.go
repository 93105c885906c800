package linalg

// Naive versions: the oracles of the tests.

func dotNaive(a, b []float64) float64 {
	s := 0.0
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

// toNaive copies any matrix into plain rows of float64.
func toNaive(m Rows) [][]float64 {
	rows := make([][]float64, m.Len())
	for i := range rows {
		rows[i] = make([]float64, m.Dims())
		m.AddScaledTo(rows[i], 1, i)
	}
	return rows
}
