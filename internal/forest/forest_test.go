package forest

import (
	"slices"
	"testing"
)

func sample() []Forest {
	return []Forest{
		{Width: 3, Bias: 0.5, Trees: []Tree{
			{Inputs: []uint8{2, 0}, Cuts: []float32{1.5, -1}, Leaves: []int8{-127, 3, 0, 127}, Scale: 0.25},
			{Inputs: []uint8{2}, Cuts: []float32{0}, Leaves: []int8{1, -1}, Scale: 2},
		}},
		{Width: 3, Bias: -1},
	}
}

func TestValues(t *testing.T) {
	x := []float32{
		-2, 9, 0, // no, no; no
		0, 9, 2, // yes, yes; yes
		-1, 9, 2, // yes, not greater; yes
	}
	f := sample()
	if got, want := f[0].Values(x), []float64{0.5 - 127*0.25 + 2, 0.5 + 127*0.25 - 2, 0.5 + 3*0.25 - 2}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := f[1].Values(x); !slices.Equal(got, []float64{-1, -1, -1}) {
		t.Errorf("without trees: %v", got)
	}
}
