package selection

import (
	"context"
	"math"

	"github.com/cerasum/cerasum/internal/errorf"
)

const (
	// damping is the probability of following a link, in both graph methods.
	damping = 0.85
	// settled is the largest change of a sentence's centrality, 1 on average,
	// at which the iteration ends; maxRounds is far more than it takes, since
	// the error falls by damping in each.
	settled   = 1e-9
	maxRounds = 300
	// centralities that differ by less than about 1/distinct are equal, so that
	// rounding, which is not the same for dense and sparse vectors, decides
	// nothing.
	distinct = 1e6
)

// LexRank is continuous LexRank, Erkan and Radev 2004, "LexRank: graph-based
// lexical centrality as salience in text summarization": the sentences by
// falling centrality in the graph whose links weigh the sentences' cosines,
// their own to themselves among them, every one that still fits. Continuous
// means that no cosine is cut off (their other variants make links of all above
// 0.1); those below 0, which TF-IDF does not have, count as 0. The damping is
// 0.85 (their d, the probability of a jump, is 0.15). The filter of
// repetitions in the program around theirs is not part of the method.
func LexRank(ctx context.Context, p *Problem, budget int) (Result, error) {
	return choose(ctx, p, budget, func(ctx context.Context, r *ranker) ([]int, error) {
		gram := make([]float64, len(r.dot))
		return r.byCentrality(ctx, func(links []float32, i int, rows []int) {
			p.Rows.GramRowTo(gram, rows[i])
			for j, k := range rows {
				links[j] = float32(max(0, r.between(gram, rows[i], k)))
			}
		})
	})
}

// TextRank is Mihalcea and Tarau 2004, "TextRank: bringing order into texts":
// the sentences by falling centrality in the graph whose links weigh the number
// of words that two sentences share, divided by the sum of the logarithms of
// their numbers of words, every one that still fits. The damping is 0.85.
// words[k] holds the distinct words of sentence k, in any numbering that starts
// at 0; two sentences of one word each are not linked. The embeddings count
// only in a cluster of more than 4,000 sentences, of which those nearest the
// centroid are candidates.
func TextRank(ctx context.Context, p *Problem, words [][]int32, budget int) (Result, error) {
	if len(words) != len(p.Refs) {
		return Result{}, errorf.Errorf("selection: words of %d sentences, but there are %d", len(words), len(p.Refs))
	}
	return choose(ctx, p, budget, func(ctx context.Context, r *ranker) ([]int, error) {
		var holders [][]int32 // for each word the places in rows that hold it
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

// invert lists for each word the indices into rows of the sentences that hold
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

// byCentrality takes the candidates by falling centrality, those that fit. The
// graph has M candidates as nodes; link adds to links, M zeros, the weights of
// the links between candidate i and each, not negative, the same both ways.
func (r *ranker) byCentrality(ctx context.Context, link func(links []float32, i int, rows []int)) ([]int, error) {
	rows := r.candidates()
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
	return r.fill(byScore(rows, func(k int) float64 { return math.Round(distinct * r.central[k]) })), nil
}

// centrality solves
//
//	x_i = (1 − d) + d Σ_j graph[j,i] / degree[j] · x_j
//
// by power iteration, graph being M×M and symmetric, degree its row sums. A
// node without links passes nothing on. To spread what it has over all nodes,
// as a random walk must, would multiply every x by the same number: the order
// is the same.
func centrality(ctx context.Context, graph []float32, degree []float64) ([]float64, error) {
	m := len(degree)
	x, next, out := make([]float64, m), make([]float64, m), make([]float64, m)
	for i := range x {
		x[i] = 1
	}
	for range maxRounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j, d := range degree {
			out[j] = 0
			if d > 0 {
				out[j] = damping * x[j] / d
			}
		}
		change := 0.0
		for i := range next {
			sum := 1 - damping
			for j, w := range graph[i*m : (i+1)*m] {
				sum += float64(float64(w) * out[j])
			}
			change = max(change, math.Abs(sum-x[i]))
			next[i] = sum
		}
		x, next = next, x
		if change < settled {
			break
		}
	}
	return x, nil
}
