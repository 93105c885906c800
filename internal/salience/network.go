package salience

import "math"

// Network has one hidden layer:
//
//	z = b + Σ_h o_h tanh(c_h + Σ_i W_hi · clip((x_i − mean_i) · scale_i))
//
// clip limits values to ±[Clip], so that inputs outside the range of the training
// data are treated as its nearest values.
type Network struct {
	// Mean and Scale, of length I: Scale is 1 over the standard deviation, or 0
	// for an input that is constant in the training data.
	Mean, Scale []float32
	// Weight W is H×I, Bias c and Output o have length H.
	Weight, Bias, Output []float32
	// OutputBias is b.
	OutputBias float32
}

// Clip is in standard deviations.
const Clip = 3

// NewNetwork returns a network of zeros.
func NewNetwork(inputs, hidden int) *Network {
	return &Network{
		Mean: make([]float32, inputs), Scale: make([]float32, inputs),
		Weight: make([]float32, hidden*inputs), Bias: make([]float32, hidden), Output: make([]float32, hidden),
	}
}

// Run returns z for the inputs x, of length I.
func (n *Network) Run(x []float32) float64 {
	var buffer [max(SentenceInputs, PairInputs)]float64
	in := buffer[:len(x)]
	for i, v := range x {
		in[i] = max(-Clip, min(Clip, float64(v-n.Mean[i])*float64(n.Scale[i])))
	}
	z := float64(n.OutputBias)
	for h, o := range n.Output {
		s := float64(n.Bias[h])
		w := n.Weight[h*len(in) : (h+1)*len(in)]
		for i, v := range in {
			s += float64(float64(w[i]) * v)
		}
		z += float64(float64(o) * math.Tanh(s))
	}
	return z
}
