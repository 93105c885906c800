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

// run returns z for a row; x are the inputs that are not given, scaled.
func (p *partialNetwork) run(row int, x []float64) float64 {
	z := float64(p.OutputBias)
	hidden := len(p.Output)
	base, weight := p.base[row*hidden:(row+1)*hidden], p.weight
	for h, o := range p.Output {
		s := base[h]
		for i, v := range x {
			s += float64(weight[i] * v)
		}
		weight = weight[len(x):]
		z += float64(float64(o) * tanh(s))
	}
	return z
}

// tanh is 1 − 2/(e^2x + 1), within 1e-15 of math.Tanh. Under WebAssembly math's
// takes three times as long.
func tanh(x float64) float64 {
	switch {
	case x > 20:
		return 1
	case x < -20:
		return -1
	}
	return 1 - 2/(exp(2*x)+1)
}

// exp is e^x for |x| ≤ 40: 2^k · e^r with |r| ≤ ln 2/2, e^r by its Taylor series.
func exp(x float64) float64 {
	const high, low = 6.93147180369123816490e-01, 1.90821492927058770002e-10 // of ln 2
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	r := float64(x-float64(k*high)) - float64(k*low)
	e := inverseFactorial[len(inverseFactorial)-1]
	for n := len(inverseFactorial) - 2; n >= 0; n-- {
		e = inverseFactorial[n] + float64(r*e)
	}
	return e * math.Float64frombits(uint64(int64(k)+1023)<<52)
}

// inverseFactorial holds 1/n!, up to where it no longer matters for |r| ≤ ln 2/2.
var inverseFactorial = [...]float64{
	1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800,
	1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800,
}
