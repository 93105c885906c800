package centroid

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestViewWeights(t *testing.T) {
	for _, interpolation := range []bool{false, true} {
		want := someWeights[float32](3, 2, interpolation)
		got, err := ViewWeights(3, 2, interpolation, want.Data)
		if err != nil {
			t.Fatal(err)
		}
		if &got.Data[0] != &want.Data[0] || &got.OutputBias[2] != &want.OutputBias[2] || &got.PositionEmbeddings[8] != &want.PositionEmbeddings[8] {
			t.Error("they are no view of the numbers")
		}
		if (got.InterpolationOutputBias != nil) != interpolation {
			t.Errorf("interpolation %v: %v", interpolation, got.InterpolationOutputBias)
		}
	}
}

func TestViewWeightsRefuses(t *testing.T) {
	data := someWeights[float32](2, 1, false).Data
	with := func(at int, v float64) []float32 {
		changed := append([]float32(nil), data...)
		changed[at] = float32(v)
		return changed
	}
	for _, test := range []struct {
		dimensions, positions int
		interpolation         bool
		data                  []float32
		want                  string
	}{
		{0, 1, false, data, "dimensions is 0: want 1 to 16384"},
		{-2, 1, false, data, "dimensions is -2"},
		{math.MaxInt, 1, false, data, "want 1 to 16384"},
		{2, 0, false, data, "positions is 0: want 1 to 65536"},
		{2, math.MaxInt, false, data, "want 1 to 65536"},
		{2, 1, true, data, "31 numbers for 2 dimensions and 1 positions with interpolation: want 47"},
		{2, 2, false, data, "31 numbers for 2 dimensions and 2 positions without interpolation: want 33"},
		{2, 1, false, nil, "0 numbers for 2 dimensions"},
		{2, 1, false, with(1, math.NaN()), "number 1 of input_norm.gain is NaN: want a finite number"},
		{2, 1, false, with(30, math.Inf(-1)), "number 1 of output.bias is -Inf"},
	} {
		_, err := ViewWeights(test.dimensions, test.positions, test.interpolation, test.data)
		if !errors.Is(err, ErrWeights) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("want %q, got %v", test.want, err)
		}
	}
}
