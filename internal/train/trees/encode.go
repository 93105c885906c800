package trees

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/cerasum/cerasum/internal/forest"
)

// half keeps the upper half of a float32, which is what is stored. It is never −0.
func half(v float32) float32 { return math.Float32frombits(math.Float32bits(v)&^0xffff) + 0 }

// Encode writes forests of one width, as [Data.Train] makes them. An input may have at most 255
// different cuts.
func Encode(forests []forest.Forest) ([]byte, error) {
	if len(forests) == 0 || len(forests) > math.MaxUint8 {
		return nil, fmt.Errorf("trees: %d forests, want 1 to 255", len(forests))
	}
	cuts := make([][]float32, forests[0].Width)
	for _, f := range forests {
		if len(f.Trees) > math.MaxUint16 {
			return nil, fmt.Errorf("trees: %d trees, want at most 65,535", len(f.Trees))
		}
		for _, t := range f.Trees {
			for d, input := range t.Inputs {
				cuts[input] = append(cuts[input], t.Cuts[d])
			}
		}
	}
	for i := range cuts {
		slices.Sort(cuts[i])
		cuts[i] = slices.Compact(cuts[i])
	}
	data := []byte{byte(len(forests)), byte(len(cuts))}
	float := func(v float32) { data = binary.LittleEndian.AppendUint16(data, uint16(math.Float32bits(v)>>16)) }
	for i, list := range cuts {
		if len(list) > math.MaxUint8 {
			return nil, fmt.Errorf("trees: input %d has %d cuts, want at most 255", i, len(list))
		}
		data = append(data, byte(len(list)))
		for _, v := range list {
			float(v)
		}
	}
	for _, f := range forests {
		float(f.Bias)
		data = binary.LittleEndian.AppendUint16(data, uint16(len(f.Trees)))
		for _, t := range f.Trees {
			data = append(data, byte(len(t.Inputs)))
			float(t.Scale)
			for d, input := range t.Inputs {
				cut, _ := slices.BinarySearch(cuts[input], t.Cuts[d])
				data = append(data, input, byte(cut))
			}
			for _, leaf := range t.Leaves {
				data = append(data, byte(leaf))
			}
		}
	}
	return data, nil
}
