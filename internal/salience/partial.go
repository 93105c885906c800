package salience

import "math"

// partial holds what the networks of an expert compute from the inputs that do
// not depend on the budget: Network.Run starts from it, so that another budget
// costs a fraction of the first.
type partial struct {
	sentence, pair *partialNetwork
}

// partialFor returns the partial results of an expert on these features; those of
// the shipped experts are computed once.
func (f *Features) partialFor(e *Expert) *partial {
	if p := f.partials[e]; p != nil {
		return p
	}
	p := &partial{
		sentence: newPartial(e.Sentence, f.Sentence, SentenceInputs, SentenceInputs, sentenceRatio),
		pair:     newPartial(e.Pair, f.pair, pairInputs, PairInputs, pairRatio, pairInputs, pairInputs+1),
	}
	// Others may be many, or change.
	if e == General() || e == LongBudget() {
		if f.partials == nil {
			f.partials = map[*Expert]*partial{}
		}
		f.partials[e] = p
	}
	return p
}

// partialNetwork is a network of which all inputs but a few are given for each of
// a number of rows.
type partialNetwork struct {
	*Network
	inputs []int     // those that are not given
	base   []float64 // rows × H: c_h + Σ W_hi · clip(…) over the given inputs
	weight []float64 // W of the inputs that are not given, H × len(inputs)
}

// newPartial computes the given inputs of all rows. x has width numbers per row
// for the first width of the network's inputs; the rest are not given.
func newPartial(n *Network, x []float32, width, inputs int, open ...int) *partialNetwork {
	hidden := len(n.Output)
	p := &partialNetwork{Network: n, inputs: open, base: make([]float64, 0, len(x)/width*hidden)}
	isOpen := make([]bool, inputs)
	for _, i := range open {
		isOpen[i] = true
	}
	for h := range hidden {
		for _, i := range open {
			p.weight = append(p.weight, float64(n.Weight[h*inputs+i]))
		}
	}
	in := make([]float64, width)
	for ; len(x) > 0; x = x[width:] {
		for i, v := range x[:width] {
			if in[i] = 0; !isOpen[i] {
				in[i] = n.scaled(i, v)
			}
		}
		for h := range hidden {
			s := float64(n.Bias[h])
			for i, v := range in {
				s += float64(float64(n.Weight[h*inputs+i]) * v)
			}
			p.base = append(p.base, s)
		}
	}
	return p
}

// scaled is clip((x − mean_i) · scale_i).
func (n *Network) scaled(i int, x float32) float64 {
	return max(-Clip, min(Clip, float64(x-n.Mean[i])*float64(n.Scale[i])))
}

// run returns z for a row; x are the inputs that are not given, scaled. scratch is of
// length H.
func (p *partialNetwork) run(row int, x, scratch []float64) float64 {
	hidden := len(p.Output)
	base, weight := p.base[row*hidden:(row+1)*hidden], p.weight
	for h, s := range base {
		for i, v := range x {
			s += float64(weight[i] * v)
		}
		weight = weight[len(x):]
		scratch[h] = s
	}
	tanh(scratch)
	z := float64(p.OutputBias)
	for h, o := range p.Output {
		z += float64(float64(o) * scratch[h])
	}
	return z
}

// tanh replaces the elements of x by their tanh, within 1e-9: a cubic polynomial for each
// interval of 1/tanhPerUnit. math.Tanh takes several times as long.
func tanh(x []float64) {
	for h, v := range x {
		switch {
		case !(v < tanhEnd):
			x[h] = 1
		case v <= -tanhEnd:
			x[h] = -1
		default:
			at := (v + tanhEnd) * tanhPerUnit
			i := min(int(at), len(tanhPieces)-1) // rounded up just below tanhEnd
			t, c := at-float64(i), &tanhPieces[i]
			x[h] = c[0] + float64(t*(c[1]+float64(t*(c[2]+float64(t*c[3])))))
		}
	}
}

const (
	tanhEnd     = 11 // from where on tanh is 1, within 1e-9
	tanhPerUnit = 64
)

// tanhPieces are the polynomials that have the values and slopes of tanh at both ends of
// their interval.
var tanhPieces = func() (pieces [2 * tanhEnd * tanhPerUnit][4]float64) {
	at := func(i int) (y, slope float64) {
		y = math.Tanh(float64(float64(i)/tanhPerUnit) - tanhEnd)
		return y, (1 - float64(y*y)) / tanhPerUnit
	}
	y, slope := at(0)
	for i := range pieces {
		y1, slope1 := at(i + 1)
		rise := y1 - y
		pieces[i] = [4]float64{y, slope, float64(3*rise) - float64(2*slope) - slope1, slope + slope1 - float64(2*rise)}
		y, slope = y1, slope1
	}
	return pieces
}()
