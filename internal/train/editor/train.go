// Package editor trains the model of method editor: a logistic regression of which
// sentences an editor quotes.
//
// Start with [Train].
package editor

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/cerasum/cerasum/internal/reading"
)

// Example is a cluster of N sentences.
type Example struct {
	// Features is N×reading.Inputs.
	Features []float32
	// Weight is positive for a sentence that the editor quotes or would also quote, and
	// negative for the others. Its size is what the sentence counts in the loss.
	Weight []float64
}

// Weights of the sentences of an [Example].
const (
	Quoted    = 1.5 // in the editor's summary
	Good      = 1   // would also do
	NotQuoted = -1
)

// settings are weights that are not learned but chosen on newswire that is not for
// learning (docs/reading.md): where the best sentence of a document stands, and how
// long the documents are that it comes from, depends on who wrote them, and the
// self-written clusters say little of it.
var settings = map[string]float64{"log-position": -0.5, "undated-position": -0.5}

// added is added to learned weights, chosen likewise.
var added = map[string]float64{"share": 0.6, "unusual-length": -0.4}

// unlearned are inputs of position.
var unlearned = map[string]bool{"first": true, "log-position": true, "undated-position": true}

const (
	// penalty of the squared weights, in units of standard deviations, per unit of loss.
	penalty = 50
	// iterations of Newton's method; it converges in fewer than ten.
	iterations = 25
	tolerance  = 1e-8
)

// Train fits the model by Newton's method and returns it in the form of
// internal/reading/model.txt: a line for each input with a weight. The same examples
// give the same bytes.
func Train(ctx context.Context, examples []Example) ([]byte, error) {
	d := collect(examples)
	if d.positives == 0 || d.positives == len(d.label) {
		return nil, errors.New("want sentences that the editor quotes, and others")
	}
	w, err := d.fit(ctx)
	if err != nil {
		return nil, err
	}
	return d.encode(w), nil
}

// data are the examples as rows of learned inputs, standardized.
type data struct {
	inputs          []int // of reading.InputNames, that are learned
	x               [][]float64
	label           []float64 // 1 or 0
	weight          []float64
	mean, deviation []float64
	positives       int
}

func collect(examples []Example) *data {
	d := &data{}
	for i, name := range reading.InputNames() {
		if !unlearned[name] {
			d.inputs = append(d.inputs, i)
		}
	}
	for _, e := range examples {
		for k, w := range e.Weight {
			row := make([]float64, len(d.inputs))
			for at, i := range d.inputs {
				row[at] = float64(e.Features[k*reading.Inputs+i])
			}
			d.x = append(d.x, row)
			d.weight = append(d.weight, math.Abs(w))
			label := 0.0
			if w > 0 {
				label = 1
				d.positives++
			}
			d.label = append(d.label, label)
		}
	}
	d.standardize()
	return d
}

func (d *data) standardize() {
	n := float64(max(1, len(d.x)))
	d.mean, d.deviation = make([]float64, len(d.inputs)), make([]float64, len(d.inputs))
	for at := range d.inputs {
		for _, row := range d.x {
			d.mean[at] += row[at] / n
		}
		for _, row := range d.x {
			d.deviation[at] += (row[at] - d.mean[at]) * (row[at] - d.mean[at]) / n
		}
		d.deviation[at] = math.Sqrt(d.deviation[at]) + 1e-6
		for _, row := range d.x {
			row[at] = (row[at] - d.mean[at]) / d.deviation[at]
		}
	}
}

// fit returns the bias and the weights of the standardized inputs.
func (d *data) fit(ctx context.Context) ([]float64, error) {
	n := len(d.inputs) + 1
	w := make([]float64, n)
	row := make([]float64, n)
	row[0] = 1
	for range iterations {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		gradient, hessian := make([]float64, n), mat.NewSymDense(n, nil)
		for i := 1; i < n; i++ { // the bias is not penalized
			gradient[i] = penalty * w[i]
			hessian.SetSym(i, i, penalty)
		}
		for k, x := range d.x {
			copy(row[1:], x)
			z := 0.0
			for i, v := range row {
				z += w[i] * v
			}
			p := 1 / (1 + math.Exp(-z))
			for i, v := range row {
				gradient[i] += d.weight[k] * (p - d.label[k]) * v
				for j := i; j < n; j++ {
					hessian.SetSym(i, j, hessian.At(i, j)+d.weight[k]*p*(1-p)*v*row[j])
				}
			}
		}
		var factor mat.Cholesky
		if !factor.Factorize(hessian) {
			return nil, errors.New("the inputs are linearly dependent")
		}
		step := mat.NewVecDense(n, nil)
		if err := factor.SolveVecTo(step, mat.NewVecDense(n, gradient)); err != nil {
			return nil, err
		}
		largest := 0.0
		for i := range w {
			w[i] -= step.AtVec(i)
			largest = max(largest, math.Abs(step.AtVec(i)))
		}
		if largest < tolerance {
			break
		}
	}
	return w, nil
}

// encode writes the weights for inputs that are not standardized.
func (d *data) encode(w []float64) []byte {
	bias := w[0]
	weight := map[string]float64{}
	names := reading.InputNames()
	for at, i := range d.inputs {
		v := w[at+1] / d.deviation[at]
		bias -= v * d.mean[at]
		weight[names[i]] = v + added[names[i]]
	}
	for name, v := range settings {
		weight[name] = v
	}
	var out bytes.Buffer
	line := func(name string, v float64) {
		out.WriteString(name + " " + strconv.FormatFloat(v, 'g', 4, 64) + "\n")
	}
	line("bias", bias)
	for _, name := range names {
		if v := weight[name]; v != 0 {
			line(name, v)
		}
	}
	return out.Bytes()
}
