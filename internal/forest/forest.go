// Package forest evaluates boosted decision trees.
//
// The trees are oblivious (Kohavi 1994, Prokhorenkova et al. 2018): all nodes of a level ask
// the same question, so a tree of depth D is D inputs, D thresholds and 2^D leaves.
package forest

import (
	"math"

	"github.com/cerasum/cerasum/internal/errorf"
)

// Tree is one tree of depth D.
type Tree struct {
	// Inputs and Cuts, of length D, are the questions: is the input greater than the cut?
	Inputs []uint8
	Cuts   []float32
	// Leaves, of length 2^D, are the answers: bit d of a leaf's number is the answer to the
	// d-th question. A leaf is worth Scale times its value.
	Leaves []int8
	Scale  float32
}

// Forest is a sum of trees over vectors of Width inputs.
type Forest struct {
	Width int
	Bias  float32
	Trees []Tree
}

// Values returns the value of each of N vectors; x is N×Width, of finite numbers.
func (f *Forest) Values(x []float32) []float64 {
	values := make([]float64, len(x)/f.Width)
	for k := range values {
		values[k] = f.value(x[k*f.Width : (k+1)*f.Width])
	}
	return values
}

func (f *Forest) value(x []float32) float64 {
	sum := float64(f.Bias)
	for i := range f.Trees {
		t := &f.Trees[i]
		leaf, cuts := 0, t.Cuts[:len(t.Inputs)]
		for d, input := range t.Inputs {
			// The sign of the difference, as half of the branches would be mispredicted.
			leaf |= int(math.Float32bits(cuts[d]-x[input])>>31) << d
		}
		sum += float64(float64(t.Scale) * float64(t.Leaves[leaf]))
	}
	return sum
}

// The encoding, little-endian: u8 number of forests, u8 Width; for each input u8 number of
// cuts and the cuts, ascending; for each forest Bias, u16 number of trees and the trees: u8
// depth, Scale, for each question u8 input and u8 number of its cut, then the leaves. Cuts,
// Bias and Scale are the upper half of a float32.

// maxDepth bounds the leaves of a tree that is read.
const maxDepth = 10

// Decode reads count forests over vectors of width inputs, as internal/train/trees writes them.
func Decode(data []byte, count, width int) ([]Forest, error) {
	r := reader{data: data}
	if n, w := int(r.byte()), int(r.byte()); n != count || w != width {
		return nil, errorf.Errorf("forest: want %d forests of %d inputs, got %d of %d", count, width, n, w)
	}
	forests := make([]Forest, count)
	cuts := make([][]float32, width)
	for i := range cuts {
		cuts[i] = make([]float32, r.byte())
		for c := range cuts[i] {
			cuts[i][c] = r.float()
		}
	}
	for i := range forests {
		f := &forests[i]
		f.Width, f.Bias = width, r.float()
		trees := int(r.byte())
		trees |= int(r.byte()) << 8
		for range trees {
			depth := int(r.byte())
			if depth > maxDepth || r.short {
				return nil, errorf.Errorf("forest: forest %d, tree %d: damaged", i, len(f.Trees))
			}
			t := Tree{Scale: r.float(), Inputs: make([]uint8, depth), Cuts: make([]float32, depth), Leaves: make([]int8, 1<<depth)}
			for d := range depth {
				t.Inputs[d] = r.byte()
				cut := int(r.byte())
				if int(t.Inputs[d]) >= width || cut >= len(cuts[t.Inputs[d]]) {
					return nil, errorf.Errorf("forest: forest %d, tree %d: damaged", i, len(f.Trees))
				}
				t.Cuts[d] = cuts[t.Inputs[d]][cut]
			}
			for leaf := range t.Leaves {
				t.Leaves[leaf] = int8(r.byte())
			}
			f.Trees = append(f.Trees, t)
		}
	}
	if r.short || len(r.data) > 0 {
		return nil, errorf.Errorf("forest: %d bytes are not forests", len(data))
	}
	return forests, nil
}

type reader struct {
	data  []byte
	short bool // there was less than was asked for
}

func (r *reader) byte() byte {
	if len(r.data) == 0 {
		r.short = true
		return 0
	}
	b := r.data[0]
	r.data = r.data[1:]
	return b
}

func (r *reader) float() float32 {
	low := uint32(r.byte())
	return math.Float32frombits(low<<16 | uint32(r.byte())<<24)
}
