package main

import "math"

// The forward pass of an encoder in plain float64, written from the papers and
// not from graph.go: what the graph must compute.

// naiveForward returns the T×D last hidden state of one text. Tokens whose
// mask is 0 are left out of every attention.
func naiveForward(c config, w *weights, ids, mask []int64) [][]float64 {
	var x [][]float64
	for t, id := range ids {
		row := make([]float64, c.Width)
		for d := range row {
			row[d] = float64(w.words.values[int(id)*c.Width+d]) +
				float64(w.positions.values[(t+c.firstPosition())*c.Width+d])
			if c.Types > 0 {
				row[d] += float64(w.types.values[d])
			}
		}
		x = append(x, naiveNorm(c, row, w.norm))
	}
	for _, l := range w.layers {
		x = naiveLayer(c, l, x, mask)
	}
	return x
}

func naiveLayer(c config, l layer, x [][]float64, mask []int64) [][]float64 {
	query, key, value := naiveRows(x, l.query), naiveRows(x, l.key), naiveRows(x, l.value)
	size := c.Width / c.Heads
	var out [][]float64
	for t := range x {
		context := make([]float64, c.Width)
		for h := range c.Heads {
			from, to := h*size, (h+1)*size
			var total float64
			for s := range x {
				if mask[s] == 0 {
					continue
				}
				var score float64
				for d := from; d < to; d++ {
					score += query[t][d] * key[s][d]
				}
				weight := math.Exp(score / math.Sqrt(float64(size)))
				total += weight
				for d := from; d < to; d++ {
					context[d] += weight * value[s][d]
				}
			}
			for d := from; d < to; d++ {
				context[d] /= total
			}
		}
		y := naiveNorm(c, naiveSum(naiveLinear(context, l.output), x[t]), l.attentionNorm)
		inner := naiveLinear(y, l.inner)
		for i, v := range inner {
			inner[i] = naiveActivation(c.Activation, v)
		}
		out = append(out, naiveNorm(c, naiveSum(naiveLinear(inner, l.outer), y), l.outputNorm))
	}
	return out
}

func naiveActivation(name string, v float64) float64 {
	switch name {
	case "relu":
		return max(v, 0)
	case "gelu_new":
		return v / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(v+0.044715*v*v*v)))
	}
	return v / 2 * math.Erfc(-v/math.Sqrt2)
}

func naiveRows(x [][]float64, l linear) (out [][]float64) {
	for _, row := range x {
		out = append(out, naiveLinear(row, l))
	}
	return out
}

func naiveLinear(x []float64, l linear) []float64 {
	y := make([]float64, l.weight.shape[0])
	for o := range y {
		if len(l.bias.values) > 0 {
			y[o] = float64(l.bias.values[o])
		}
		for i, v := range x {
			y[o] += v * float64(l.weight.values[o*len(x)+i])
		}
	}
	return y
}

func naiveSum(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] + b[i]
	}
	return out
}

func naiveNorm(c config, x []float64, n layerNorm) []float64 {
	var mean, variance float64
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x))
	}
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = (v-mean)/math.Sqrt(variance+c.Epsilon)*float64(n.scale.values[i]) + float64(n.shift.values[i])
	}
	return out
}

// naiveEmbedding pools, projects and normalizes as the modules say.
func naiveEmbedding(d *description, projection linear, hidden [][]float64, mask []int64) []float64 {
	var out []float64
	var shown [][]float64
	for t, row := range hidden {
		if mask[t] != 0 {
			shown = append(shown, row)
		}
	}
	switch {
	case d.pooling.CLS:
		out = hidden[0]
	case d.pooling.Max:
		out = append(out, shown[0]...)
		for _, row := range shown {
			for i, v := range row {
				out[i] = max(out[i], v)
			}
		}
	default:
		out = make([]float64, len(hidden[0]))
		for _, row := range shown {
			for i, v := range row {
				out[i] += v / float64(len(shown))
			}
		}
	}
	if d.dense != nil {
		out = naiveLinear(out, projection)
		for i, v := range out {
			switch d.dense.kind() {
			case "Tanh":
				out[i] = math.Tanh(v)
			case "ReLU":
				out[i] = max(v, 0)
			}
		}
	}
	if d.normalize {
		var norm float64
		for _, v := range out {
			norm += v * v
		}
		for i := range out {
			out[i] /= math.Sqrt(norm)
		}
	}
	return out
}
