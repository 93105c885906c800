package core

import (
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/core/selection"
)

// choice is the selection of a method and the vectors it used.
type choice struct {
	selection.Result
	// rows, one per sentence of the cluster, and centroid are the vectors that the
	// method used.
	rows     linalg.Rows
	centroid []float64
	// attention is DocumentReport.Attention of all sentences of the cluster; nil for a
	// method without sentence weights.
	attention []float64
	// opening says how well each sentence of the cluster opens a summary; nil: the
	// highest rank does.
	opening []float64
	// topics is the topic of each document, if they have none in common; else nil.
	topics []int
}

// chosen returns the choice of a method that used the rows and the centroid of p, the
// mean of the rows with these weights.
func chosen(r selection.Result, p *selection.Problem, weights []float64) choice {
	return choice{r, p.Rows, p.Centroid, attention(p.Rows, weights), nil, nil}
}

// uniformWeights returns the weights of the mean centroid.
func (j *job) uniformWeights() []float64 {
	w := make([]float64, len(j.refs))
	for k := range w {
		w[k] = 1
	}
	return w
}

// attention scales weights to a sum of 1. Rows of zeros get none, as in
// centroid.Weighted.
func attention(rows linalg.Rows, weights []float64) []float64 {
	a := make([]float64, len(weights))
	for k, norm2 := range linalg.SquaredLengths(rows) {
		if norm2 != 0 {
			a[k] = weights[k]
		}
	}
	scaleToOne(a)
	return a
}

// scaleToOne scales non-negative numbers to a sum of 1; zeros stay zeros.
func scaleToOne(a []float64) {
	total := 0.0
	for _, v := range a {
		total += v
	}
	if total > 0 {
		for k := range a {
			a[k] /= total
		}
	}
}
