package core

import (
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/core/selection"
)

// choice is what a method chose and what it went by.
type choice struct {
	selection.Result
	// rows, one for each sentence of the cluster, and centroid are the vectors
	// that the method went by.
	rows     linalg.Rows
	centroid []float64
	// attention is DocumentReport.Attention of all sentences of the cluster; nil
	// for a method that weighs none.
	attention []float64
}

// chosen is the choice of a method that went by the rows and the centroid of p,
// which is the mean of the rows under the weights.
func chosen(r selection.Result, p *selection.Problem, weights []float64) choice {
	return choice{r, p.Rows, p.Centroid, attention(p.Rows, weights)}
}

// even are the weights of the mean centroid.
func (j *job) even() []float64 {
	w := make([]float64, len(j.refs))
	for k := range w {
		w[k] = 1
	}
	return w
}

// attention scales weights to a sum of 1, as they count in centroid.Weighted:
// rows of zeros take no part.
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

// scaleToOne scales numbers, none negative, to a sum of 1. Zeros stay zeros.
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
