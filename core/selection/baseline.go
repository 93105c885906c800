package selection

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/cerasum/cerasum/internal/errorf"
)

// maxCandidates bounds the published methods, several of which compare all pairs
// of sentences. Of more sentences, those nearest the centroid are candidates. It
// bounds a graph of sentences to 64 MB.
const maxCandidates = 4000

// ranker runs a published method on a problem. Like the paper's search, all
// methods first leave out repeated sentences and those longer than the budget.
// If no sentence fits, the result is the one nearest the centroid.
type ranker struct {
	*scorer
	budget int
	usable []int // rows, ascending: neither repeated nor too long
	gram   *gramCache
	// central is Result.Centrality.
	central []float64
}

// choose runs a method, which returns the rows in the order in which it chose
// them. The score of the result, and the gains in that order, are those of
// cos(e_S, ĉ), whatever the method maximises.
func choose(ctx context.Context, p *Problem, budget int, method func(context.Context, *ranker) ([]int, error)) (Result, error) {
	if budget < 1 {
		return Result{}, errorf.Errorf("%w: budget is %d: want at least 1", ErrParams, budget)
	}
	if err := p.check(); err != nil {
		return Result{}, err
	}
	if p.Rows.Len() == 0 {
		return Result{}, nil
	}
	sc, err := newScorer(p, 0)
	if err != nil {
		return Result{}, err
	}
	usable := usableRows(p, budget)
	if len(usable) == 0 {
		return sc.nearest(), nil
	}
	r := &ranker{scorer: sc, budget: budget, usable: usable, gram: newGramCache(p.Rows)}
	rows, err := method(ctx, r)
	if err != nil {
		return Result{}, err
	}
	return r.inOrder(ctx, rows)
}

// inOrder is the result for rows that are ranked already, best first.
func (r *ranker) inOrder(ctx context.Context, rows []int) (Result, error) {
	res := Result{Rows: slices.Clone(rows), Rank: rows, Centrality: r.central}
	slices.Sort(res.Rows)
	products := make([]float64, len(rows)) // e_S · e_k for k = rows[i]
	var dot, norm2 float64
	for i, k := range rows {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		dot += r.dot[k]
		norm2 += 2*products[i] + r.norm2[k]
		score := r.score(dot, norm2, 0)
		res.Gain = append(res.Gain, score-res.Score)
		res.Score = score
		row := r.gram.row(k)
		for j := i + 1; j < len(rows); j++ {
			products[j] += row[rows[j]]
		}
	}
	return res, nil
}

// candidates are the usable rows whose embedding is not all zeros, ascending. Of
// more than maxCandidates, they are those nearest the centroid.
func (r *ranker) candidates() []int {
	rows := r.dropZeros(r.usable)
	if len(rows) > maxCandidates {
		rows = byScore(rows, r.cosine)[:maxCandidates]
		slices.Sort(rows)
	}
	return rows
}

// byScore returns the rows by descending score. Ties keep their order.
func byScore(rows []int, score func(k int) float64) []int {
	at := make(map[int]float64, len(rows))
	for _, k := range rows {
		at[k] = score(k)
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(at[b], at[a]) })
	return rows
}

// fill goes through the rows in order and takes each one that still fits.
func (r *ranker) fill(rows []int) []int {
	taken, length := make([]int, 0, len(rows)), 0
	for _, k := range rows {
		if length+r.p.Length[k] <= r.budget {
			taken = append(taken, k)
			length += r.p.Length[k]
		}
	}
	return taken
}

// cosineBetween is the cosine of rows k and j, given row k of the Gram matrix.
func (r *ranker) cosineBetween(row []float64, k, j int) float64 {
	if r.norm2[k] <= 0 || r.norm2[j] <= 0 {
		return 0
	}
	return row[j] / math.Sqrt(r.norm2[k]*r.norm2[j])
}
