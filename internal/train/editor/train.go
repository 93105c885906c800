// Package editor trains the model of method editor: a logistic regression of which
// sentences an editor quotes.
//
// Start with [Train].
package editor

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

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
	// Kinds are the models that learn from it.
	Kinds []reading.Kind
	// Written is whether the text was written for this purpose.
	Written bool
}

// Weights of the sentences of an [Example].
const (
	Quoted    = 1.5 // in the editor's summary
	Good      = 1   // would also do
	NotQuoted = -1

	// written is what the weights of a written single document are multiplied by: such texts
	// begin with anecdotes more often than real ones.
	written = 0.15
)

// Papers, Meetings and Pages are an editor's choices in papers of ScisummNet, meetings of QMSum
// and documents of public repositories, a JSON object a line: spans of the text in UTF-16
// units, those of Pages with the number of the document before them.
//
//go:embed papers.jsonl
var Papers string

//go:embed meetings.jsonl
var Meetings string

//go:embed pages.jsonl
var Pages string

// settings are weights that are not learned but chosen. Those of several documents, where the
// best sentence of a document stands, how long it is, and how long the documents are that it
// comes from, depend on who wrote them, and the self-written clusters say little of it: they were
// chosen on newswire that is not for learning (docs/reading.md). What titles have in common
// tells only the opening. Texts with gaps, where formulas were lost, are not among the clusters.
var settings = [reading.Kinds]map[string]float64{
	reading.Several:   without(onlyPages+" pointing rambling breaks first long-position log-to-end off-middle authors titles addresses announces", map[string]float64{"undated-first": 0.4, "log-position": -0.5, "undated-position": -0.7, "symbols": -0.8, "gap": -3, "events": 1.1}),
	reading.Single:    without("rambling breaks", map[string]float64{"symbols": -0.8, "gap": -3}),
	reading.Scholarly: without(onlyPages+" pointing rambling breaks events", map[string]float64{"gap": -3}),
	reading.Spoken:    without(onlyPages, nil),
	reading.Sectioned: without("rambling breaks", map[string]float64{"symbols": -0.8, "gap": -3}),
}

// onlyPages names the inputs that tell what pages such as guides, posts and manuals are about.
const onlyPages = "points states hedges narrates commas opens-section section-title block-quotation"

// without returns settings with inputs that are not used.
func without(names string, settings map[string]float64) map[string]float64 {
	all := maps.Clone(settings)
	if all == nil {
		all = map[string]float64{}
	}
	for name := range strings.FieldsSeq(names) {
		all[name] = 0
	}
	return all
}

// added is added to learned weights, chosen likewise.
var added = [reading.Kinds]map[string]float64{
	reading.Several: {"share": 0.6, "unusual-length": -0.4},
	reading.Spoken:  {"rambling": -0.8, "breaks": -0.2, "bias": 0.5},
}

const (
	// penalty of the squared weights, in units of standard deviations, per unit of loss.
	penalty = 50
	// iterations of Newton's method; it converges in fewer than twenty.
	iterations = 50
	tolerance  = 1e-8
	epsilon    = 1e-6 // deviation of an input that is always the same
)

// Train fits a model for each kind by Newton's method and returns them in the form of
// internal/reading/model.txt: a line for each input with its weights. The same examples
// give the same bytes. Without an example of sectioned documents, their model is that of
// several documents.
func Train(ctx context.Context, examples []Example) ([]byte, error) {
	var weights [reading.Kinds]map[string]float64
	for i := range weights {
		d := collect(examples, reading.Kind(i), settings[i])
		if i == int(reading.Sectioned) && len(d.label) == 0 {
			weights[i] = weights[reading.Several]
			continue
		}
		if d.positives == 0 || d.positives == len(d.label) {
			return nil, fmt.Errorf("want %s, with sentences that the editor quotes and others", kindNames[i])
		}
		w, err := d.fit(ctx)
		if err != nil {
			return nil, err
		}
		weights[i] = d.named(w)
		for name, v := range settings[i] {
			weights[i][name] = v
		}
		for name, v := range added[i] {
			weights[i][name] += v
		}
	}
	return encode(weights), nil
}

var kindNames = [reading.Kinds]string{"clusters of several documents", "clusters of one document", "papers", "transcripts", "sectioned documents"}

// data are the examples as rows of learned inputs, standardized.
type data struct {
	inputs          []int // of reading.InputNames, that are learned
	x               [][]float64
	label           []float64 // 1 or 0
	weight          []float64
	mean, deviation []float64
	positives       int
}

func collect(examples []Example, kind reading.Kind, settings map[string]float64) *data {
	d := &data{}
	for i, name := range reading.InputNames() {
		if _, set := settings[name]; !set {
			d.inputs = append(d.inputs, i)
		}
	}
	for _, e := range examples {
		if !slices.Contains(e.Kinds, kind) {
			continue
		}
		share := 1.0
		if e.Written && kind == reading.Single {
			share = written
		}
		for k, w := range e.Weight {
			row := make([]float64, len(d.inputs))
			for at, i := range d.inputs {
				row[at] = float64(e.Features[k*reading.Inputs+i])
			}
			d.x = append(d.x, row)
			d.weight = append(d.weight, share*math.Abs(w))
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
		d.deviation[at] = math.Sqrt(d.deviation[at]) + epsilon/2
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
		largest := mat.Norm(step, math.Inf(1))
		for i := range w {
			w[i] -= step.AtVec(i) / max(1, largest) // long steps may overshoot
		}
		if largest < tolerance {
			break
		}
	}
	return w, nil
}

// named returns the weights for inputs that are not standardized.
func (d *data) named(w []float64) map[string]float64 {
	weight := map[string]float64{"bias": w[0]}
	names := reading.InputNames()
	for at, i := range d.inputs {
		if d.deviation[at] <= epsilon {
			continue // always the same
		}
		v := w[at+1] / d.deviation[at]
		weight["bias"] -= v * d.mean[at]
		weight[names[i]] = v
	}
	return weight
}

func encode(weights [reading.Kinds]map[string]float64) []byte {
	var out bytes.Buffer
	for _, name := range append([]string{"bias"}, reading.InputNames()...) {
		out.WriteString(name)
		for _, weight := range weights {
			out.WriteString(" " + strconv.FormatFloat(weight[name], 'g', 4, 64))
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}
