package reading

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/cerasum/cerasum/internal/reading"
)

// Params of [Train].
type Params struct {
	// Decay is the weight of the squared weights in the loss (L2), in log-odds.
	Decay float64
	// Sharpness and Offset turn the log-odds of being a labelled sentence rather than
	// another into those of standing alone. Of the others a share stands alone, too: so
	// the probability of standing alone is that share of the odds, or 1 (Elkan and Noto
	// 2008); a steeper logistic curve is near to that.
	Sharpness, Offset float64
	// Steps of Newton's method.
	Steps int
}

// DefaultParams returns the hyperparameters of the shipped weights.
func DefaultParams() Params { return Params{Decay: 0.0005, Sharpness: 1.7, Offset: 0.8, Steps: 12} }

// ErrParams is wrapped by errors about hyperparameters.
var ErrParams = errors.New("bad hyperparameter")

// Check validates the hyperparameters; the error wraps ErrParams.
func (p Params) Check() error {
	switch {
	case !(p.Decay > 0) || math.IsInf(p.Decay, 0):
		return fmt.Errorf("%w: decay: want more than 0, got %v", ErrParams, p.Decay)
	case !(p.Sharpness > 0) || math.IsInf(p.Sharpness+p.Offset, 0) || math.IsNaN(p.Offset):
		return fmt.Errorf("%w: sharpness and offset: want more than 0 and a finite number, got %v and %v", ErrParams, p.Sharpness, p.Offset)
	case p.Steps < 1:
		return fmt.Errorf("%w: steps: want at least 1, got %d", ErrParams, p.Steps)
	}
	return nil
}

// Weights of a logistic regression, in log-odds: one for each of the signals, in the
// order of reading.SignalNames, and the bias.
type Weights struct {
	Of   []float64
	Bias float64
}

// bounds are the least and the greatest weight of a signal: what grammar tells, where
// first sentences differ from others for a reason of their own. They are long, sum up
// what follows and so repeat it, and name known things with an article, too. Few of
// them are titled or have no verb, so that little is learned of that.
var bounds = map[string][2]float64{
	"pronoun": {-4, -1}, "near": {-4, -0.8}, "far": {-4, -1}, "link": {-4, -1}, "other": {-4, -0.8},
	"time": {-4, -1}, "verb": {-4, -1}, "verbfirst": {-4, -0.1}, "dropped": {-4, -0.2}, "self": {-4, -0.3},
	"early": {-4, -0.3}, "unnamed": {-4, 0}, "named": {-4, 0}, "definite": {-4, -0.2}, "known": {-4, -0.1},
	"surname": {-4, -0.4}, "titled": {-4, -0.4}, "speech": {-4, -0.8}, "inside": {-2, -0.8}, "unbalanced": {-4, -0.5},
	"question": {-4, -0.4}, "fragment": {-1.5, -0.5}, "lower": {-4, -0.5}, "short": {-1.2, -0.5},
	"repeats": {-4, 0}, "fullname": {0, 1}, "digits": {0, 0.3}, "length": {0, 0.8},
}

// Train fits the weights to the corpus, within bounds. Labelled sentences and the
// others have the same total weight in each group, so the fit gives the odds that a
// sentence is one of the labelled rather than one of the others. Train is
// deterministic.
func Train(c *Corpus, p Params) (*Weights, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	rows := c.rows()
	if len(rows) == 0 {
		return nil, errors.New("no group has sentences with and without a label")
	}
	n := len(reading.SignalNames)
	w := make([]float64, n+1) // with the bias
	// Weights that leave their bounds are kept at them, and the others fitted again.
	fixed := make([]bool, n+1)
	for again := true; again; {
		fit(rows, w, fixed, p)
		again = false
		for k, name := range reading.SignalNames {
			if b := bounds[name]; !fixed[k] && (w[k] < b[0] || w[k] > b[1]) {
				w[k] = min(max(w[k], b[0]), b[1])
				fixed[k], again = true, true
			}
		}
	}
	result := &Weights{Of: w[:n], Bias: p.Sharpness*w[n] + p.Offset}
	for k := range result.Of {
		result.Of[k] *= p.Sharpness
	}
	return result, nil
}

// fit fits the weights that are not fixed, the last of which is the bias, by Newton's
// method.
func fit(rows []row, w []float64, fixed []bool, p Params) {
	n := len(w)
	for range p.Steps {
		gradient, hessian := make([]float64, n), make([]float64, n*n)
		total := 0.0
		for _, r := range rows {
			z := w[n-1]
			for k, v := range r.x {
				z += w[k] * v
			}
			q := 1 / (1 + math.Exp(-z))
			d, h := r.weight*(q-r.want), r.weight*q*(1-q)
			total += r.weight
			x := append(r.x[:n-1:n-1], 1)
			for a, v := range x {
				if v == 0 {
					continue
				}
				gradient[a] += d * v
				for b, u := range x[:a+1] {
					hessian[a*n+b] += h * v * u
				}
			}
		}
		for a := range n {
			gradient[a] /= total
			for b := range a + 1 {
				hessian[a*n+b] /= total
				hessian[b*n+a] = hessian[a*n+b]
			}
			if a < n-1 {
				gradient[a] += p.Decay * w[a]
				hessian[a*n+a] += p.Decay
			}
		}
		for a := range n {
			if fixed[a] {
				for b := range n {
					hessian[a*n+b], hessian[b*n+a] = 0, 0
				}
				hessian[a*n+a], gradient[a] = 1, 0
			}
		}
		for k, d := range solve(hessian, gradient) {
			w[k] -= d
		}
	}
}

// solve solves a·x = b for a symmetric, positive definite n×n matrix, by elimination.
func solve(a, b []float64) []float64 {
	n := len(b)
	for k := range n {
		for i := k + 1; i < n; i++ {
			f := a[i*n+k] / a[k*n+k]
			for j := k; j < n; j++ {
				a[i*n+j] -= f * a[k*n+j]
			}
			b[i] -= f * b[k]
		}
	}
	x := make([]float64, n)
	for k := n - 1; k >= 0; k-- {
		x[k] = b[k]
		for j := k + 1; j < n; j++ {
			x[k] -= a[k*n+j] * x[j]
		}
		x[k] /= a[k*n+k]
	}
	return x
}

// Write writes the weights as internal/reading embeds them: "name weight" a line.
func (w *Weights) Write(out io.Writer) error {
	if _, err := fmt.Fprintf(out, "# Written by cerasum train standing: see DATA.md.\nbias %.3f\n", w.Bias); err != nil {
		return err
	}
	for k, name := range reading.SignalNames {
		if _, err := fmt.Fprintf(out, "%s %.3f\n", name, w.Of[k]); err != nil {
			return err
		}
	}
	return nil
}
