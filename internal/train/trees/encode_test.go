package trees

import (
	"slices"
	"testing"

	"github.com/cerasum/cerasum/internal/forest"
)

func sample() []forest.Forest {
	return []forest.Forest{
		{Width: 3, Bias: 0.5, Trees: []forest.Tree{
			{Inputs: []uint8{2, 0}, Cuts: []float32{1.5, -1}, Leaves: []int8{-127, 3, 0, 127}, Scale: 0.25},
			{Inputs: []uint8{2}, Cuts: []float32{0}, Leaves: []int8{1, -1}, Scale: 2},
		}},
		{Width: 3, Bias: -1},
	}
}

func TestDecode(t *testing.T) {
	data, err := Encode(sample())
	if err != nil {
		t.Fatal(err)
	}
	got, err := forest.Decode(data, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Encode(got)
	if err != nil || !slices.Equal(again, data) || len(got[0].Trees) != 2 || !slices.Equal(got[0].Trees[0].Cuts, []float32{1.5, -1}) {
		t.Errorf("got %v, %v", got, err)
	}
	for n := range data {
		if _, err := forest.Decode(data[:n], 2, 3); err == nil {
			t.Errorf("%d of %d bytes: no error", n, len(data))
		}
	}
	if _, err := forest.Decode(append(data, 0), 2, 3); err == nil {
		t.Error("a byte too many: no error")
	}
	if _, err := forest.Decode(data, 2, 4); err == nil {
		t.Error("other width: no error")
	}
}

func FuzzDecode(f *testing.F) {
	data, err := Encode(sample())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		forests, err := forest.Decode(data, 2, 3)
		if err != nil {
			return
		}
		for _, of := range forests {
			of.Values(make([]float32, 3))
		}
	})
}
