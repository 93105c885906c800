package salience

import (
	"math"
	"testing"
)

func TestStandardize(t *testing.T) {
	got := Standardize([]float64{1, 2, 3})
	if math.Abs(got[0]+math.Sqrt(1.5)) > 1e-5 || math.Abs(got[1]) > 1e-9 || math.Abs(got[2]-math.Sqrt(1.5)) > 1e-5 {
		t.Errorf("got %v", got)
	}
	if got := Standardize([]float64{4, 4}); got[0] != 0 || got[1] != 0 {
		t.Errorf("equal values: got %v", got)
	}
}
