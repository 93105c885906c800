package linalg

import "math"

// sameDirection is the length below which the remainder of a unit row after
// subtracting the mean direction is rounding error: float32 has 7 digits.
const sameDirection = 1e-5

// MeanDirection is the mean of the rows of m, each scaled to unit length first,
// of length D. Rows of zeros do not count; if all rows are, it is zero.
func MeanDirection(m *Dense[float32]) []float64 {
	mean := make([]float64, m.Cols)
	rows := 0
	scales := unitScales(m, 1)
	for _, scale := range scales {
		if scale > 0 {
			rows++
		}
	}
	AddWeighted(mean, scales, m)
	for i := range mean {
		mean[i] /= float64(max(1, rows))
	}
	return mean
}

// Centred is the N×D matrix of the rows of m, each scaled to unit length, minus
// mean, of length D. A row in the direction of the mean, or of zeros, becomes a
// row of zeros. The result is a copy.
func Centred(m *Dense[float32], mean []float64) *Dense[float32] {
	c := &Dense[float32]{Data: make([]float32, len(m.Data)), Cols: m.Cols}
	for k, scale := range unitScales(m, 1) {
		if scale == 0 {
			continue
		}
		row, norm2 := c.Row(k), 0.0
		for i, v := range m.Row(k) {
			x := float64(scale*float64(v)) - mean[i]
			row[i] = float32(x)
			norm2 += float64(x * x)
		}
		if math.Sqrt(norm2) < sameDirection {
			clear(row)
		}
	}
	return c
}
