// Package centroid forms the vector that a summary is to resemble.
//
// Legend: N sentences, D dimensions, e_k the embedding of sentence k.
// Sentences whose embedding is all zeros (a TF-IDF row of stop words) count
// nowhere.
package centroid

import (
	"math"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
)

// Mean is ē_D, the mean of all N embeddings: Radev et al. 2000 up to a factor,
// and the paper's unsupervised centroid. It has length D.
func Mean(m linalg.Rows) []float64 {
	w := make([]float64, m.Len())
	for k := range w {
		w[k] = 1
	}
	return Weighted(m, w)
}

// Weighted is Σ w_k e_k / Σ w_k over the sentences whose embedding is not all
// zeros, of length D; weights has length N. Where all weights are zero it is
// the zero vector.
func Weighted(m linalg.Rows, weights []float64) []float64 {
	c := make([]float64, m.Dims())
	total := 0.0
	zero := zeroRows(m)
	for k, w := range weights {
		if w == 0 || zero[k] {
			continue
		}
		m.AddScaledTo(c, w, k)
		total += w
	}
	if total != 0 {
		for j := range c {
			c[j] /= total
		}
	}
	return c
}

// PositionWeights returns exp(−position/decay) for every sentence, the
// position counted from 0 in its document: news says first what matters most.
// A decay of 10 gave up to one point of ROUGE-2 recall on newswire.
func PositionWeights(refs []cluster.Ref, decay float64) []float64 {
	w := make([]float64, len(refs))
	for k, r := range refs {
		w[k] = math.Exp(-float64(r.Sentence) / decay)
	}
	return w
}

// zeroRows tells which rows are all zeros.
func zeroRows(m linalg.Rows) []bool {
	zero := make([]bool, m.Len())
	if s, ok := m.(*linalg.Sparse); ok {
		for k := range zero {
			cols, _ := s.Row(k)
			zero[k] = len(cols) == 0
		}
		return zero
	}
	row := make([]float64, m.Dims())
	for k := range zero {
		m.AddScaledTo(row, 1, k)
		zero[k] = true
		for j, v := range row {
			if v != 0 {
				zero[k], row[j] = false, 0
			}
		}
	}
	return zero
}

// Cosine of row k to a vector of length D, in -1..1; 0 where either is all
// zeros.
func Cosine(m linalg.Rows, k int, v []float64) float64 {
	row := make([]float64, m.Dims())
	m.AddScaledTo(row, 1, k)
	dot, a, b := 0.0, 0.0, 0.0
	for j, x := range row {
		dot += float64(x * v[j])
		a += float64(x * x)
		b += float64(v[j] * v[j])
	}
	if a == 0 || b == 0 {
		return 0
	}
	return dot / math.Sqrt(a*b)
}
