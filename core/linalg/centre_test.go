package linalg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestCentredAgreesWithNaiveTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	for range 20 {
		n, d := 3+r.IntN(20), 2+r.IntN(40)
		m := randomDense[float32](r, n, d)
		empty := r.IntN(n)
		clear(m.Row(empty))
		mean, want := make([]float64, d), toNaive(m)
		for k, row := range want {
			norm := math.Sqrt(dotNaive(row, row))
			for i := range row {
				if k != empty {
					row[i] /= norm
					mean[i] += row[i] / float64(n-1)
				}
			}
		}
		before := slices.Clone(m.Data)
		got := Centred(m, MeanDirection(m))
		if !slices.Equal(m.Data, before) {
			t.Fatal("Centred changed its argument")
		}
		for k, row := range want {
			for i, v := range row {
				if k != empty {
					v -= mean[i]
				}
				if math.Abs(float64(got.Row(k)[i])-v) > 1e-6 {
					t.Fatalf("row %d, column %d: %v, want %v", k, i, got.Row(k)[i], v)
				}
			}
		}
		for i, v := range MeanDirection(got) {
			if math.IsNaN(v) {
				t.Fatalf("column %d of the mean is no number", i)
			}
		}
	}
}

// TestCentredLeavesNoRounding: rows of the same direction are zero after centring,
// whatever their lengths.
func TestCentredLeavesNoRounding(t *testing.T) {
	m := &Dense[float32]{Cols: 3}
	for _, f := range []float32{1, 3, 0.1, 1e-3, 7e5} {
		m.Data = append(m.Data, 0.1*f, -0.7*f, 0.3*f)
	}
	for i, v := range Centred(m, MeanDirection(m)).Data {
		if v != 0 {
			t.Errorf("number %d is %v, want 0", i, v)
		}
	}
	none := &Dense[float32]{Data: make([]float32, 6), Cols: 3}
	if got := Centred(none, MeanDirection(none)); slices.ContainsFunc(got.Data, func(v float32) bool { return v != 0 }) {
		t.Errorf("rows of zeros became %v", got.Data)
	}
}
