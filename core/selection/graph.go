package selection

import (
	"context"
	"math"
	"slices"

	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/internal/errorf"
)

const (
	// damping is the probability of following a link, in both graph methods.
	damping = 0.85
	// tolerance is the largest change of a centrality, which is 1 on average, at
	// which the iteration ends. maxIterations is far more than needed, since each
	// iteration multiplies the error by damping.
	tolerance     = 1e-9
	maxIterations = 300
	// centralities are ranked rounded to multiples of 1/resolution, so that the
	// order does not depend on rounding errors, which differ between dense and
	// sparse vectors.
	resolution = 1e6
)

// LexRank is continuous LexRank, Erkan and Radev 2004, "LexRank: graph-based
// lexical centrality as salience in text summarization": the sentences by
// descending centrality, every one that still fits. The graph's links are
// weighted by the cosines of the sentences, including that of each to itself.
// Continuous means without a threshold (their other variants link sentences of a
// cosine above 0.1); negative cosines, which TF-IDF does not have, count as 0.
// The damping is 0.85 (their d, the probability of a jump, is 0.15). The filter
// of redundant sentences in their program is not part of the method.
func LexRank(ctx context.Context, p *Problem, budget int) (Result, error) {
	return choose(ctx, p, budget, func(ctx context.Context, r *ranker) ([]int, error) {
		gram := make([]float64, len(r.dot))
		return r.byCentrality(ctx, func(links []float32, i int, rows []int) {
			p.Rows.GramRowTo(gram, rows[i])
			for j, k := range rows {
				links[j] = float32(max(0, r.cosineBetween(gram, rows[i], k)))
			}
		})
	})
}

// TextRank is Mihalcea and Tarau 2004, "TextRank: bringing order into texts":
// the sentences by descending centrality, every one that still fits. The weight
// of a link is the number of words that two sentences share, divided by the sum
// of the logarithms of their numbers of words. The damping is 0.85. words[k]
// holds the distinct words of sentence k, numbered from 0; two sentences of one
// word each are not linked. The embeddings matter only in a cluster of more than
// 4,000 sentences, of which those nearest the centroid are candidates.
func TextRank(ctx context.Context, p *Problem, words [][]int32, budget int) (Result, error) {
	if len(words) != len(p.Refs) {
		return Result{}, errorf.Errorf("selection: words of %d sentences, want %d", len(words), len(p.Refs))
	}
	return choose(ctx, p, budget, func(ctx context.Context, r *ranker) ([]int, error) {
		var holders [][]int32 // for each word the indices into rows that hold it
		return r.byCentrality(ctx, func(links []float32, i int, rows []int) {
			if holders == nil {
				holders = invert(words, rows)
			}
			for _, w := range words[rows[i]] {
				for _, j := range holders[w] {
					links[j]++
				}
			}
			links[i] = 0
			size := math.Log(float64(len(words[rows[i]])))
			for j, k := range rows {
				if links[j] == 0 {
					continue
				}
				if sum := size + math.Log(float64(len(words[k]))); sum > 0 {
					links[j] = float32(float64(links[j]) / sum)
				} else {
					links[j] = 0
				}
			}
		})
	})
}

// invert lists for each word the indices into rows of the sentences that contain
// it.
func invert(words [][]int32, rows []int) [][]int32 {
	holders := [][]int32{}
	for i, k := range rows {
		for _, w := range words[k] {
			for int(w) >= len(holders) {
				holders = append(holders, nil)
			}
			holders[w] = append(holders[w], int32(i))
		}
	}
	return holders
}

// byCentrality takes the candidates by descending centrality, those that fit.
// The nodes of the graph are M rows, see nodes. link is given M zeros, to which it
// adds the weights of the links of node i: 0 or more, and symmetric.
func (r *ranker) byCentrality(ctx context.Context, link func(links []float32, i int, rows []int)) ([]int, error) {
	rows := r.nodes()
	m := len(rows)
	graph := make([]float32, m*m)
	degree := make([]float64, m)
	for i := range rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		links := graph[i*m : (i+1)*m]
		link(links, i, rows)
		for _, w := range links {
			degree[i] += float64(w)
		}
	}
	central, err := centrality(ctx, graph, degree)
	if err != nil {
		return nil, err
	}
	r.central = make([]float64, len(r.dot))
	for i, k := range rows {
		r.central[k] = central[i]
	}
	ranked := byScore(rows, func(k int) float64 { return math.Round(resolution * r.central[k]) })
	return r.fill(slices.DeleteFunc(ranked, r.p.supports)), nil
}

// nodes are the candidates and, as far as maxCandidates allows, the rows that only
// support them, ascending.
func (r *ranker) nodes() []int {
	rows := r.candidates()
	for k := range r.p.Refs {
		if r.p.supports(k) && r.norm2[k] > 0 && len(rows) < maxCandidates {
			rows = append(rows, k)
		}
	}
	slices.Sort(rows)
	return rows
}

// centrality solves
//
//	x_i = (1 − d) + d Σ_j graph[j,i] / degree[j] · x_j
//
// by power iteration. graph is M×M and symmetric, degree its row sums. A node
// without links passes nothing on. Spreading its centrality over all nodes, as a
// random walk must, would multiply every x by the same number: the order is the
// same.
func centrality(ctx context.Context, graph []float32, degree []float64) ([]float64, error) {
	m := len(degree)
	matrix := &linalg.Dense[float32]{Data: graph, Cols: m}
	x, next, out := make([]float64, m), make([]float64, m), make([]float64, m)
	for i := range x {
		x[i] = 1
	}
	for range maxIterations {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j, d := range degree {
			out[j] = 0
			if d > 0 {
				out[j] = damping * x[j] / d
			}
		}
		matrix.MulVecTo(next, out)
		change := 0.0
		for i := range next {
			next[i] += 1 - damping
			change = max(change, math.Abs(next[i]-x[i]))
		}
		x, next = next, x
		if change < tolerance {
			break
		}
	}
	return x, nil
}
