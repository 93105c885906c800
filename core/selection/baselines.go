package selection

import (
	"context"
	"math"
	"slices"
)

// Lead takes the first sentence of each document, then the second of each, and
// so on, every one that still fits: the usual lead baseline of multi-document
// summarization. It ignores the embeddings.
func Lead(ctx context.Context, p *Problem, budget int) (Result, error) {
	return choose(ctx, p, budget, lead)
}

func lead(_ context.Context, r *ranker) ([]int, error) {
	// place[k] is the place of row k among the usable sentences of its document:
	// if the first sentence is a repetition, the second takes its place.
	place := make(map[int]float64, len(r.usable))
	document, n := -1, 0
	for _, k := range r.usable {
		if d := r.p.Refs[k].Document; d != document {
			document, n = d, 0
		}
		place[k] = float64(n)
		n++
	}
	return r.fill(byScore(r.usable, func(k int) float64 { return -place[k] })), nil
}

// Radev is the centroid method of Radev, Jing and Budzikowska 2000,
// "Centroid-based summarization of multiple documents", as later papers on
// centroid methods describe it: the sentences by descending cosine to the
// centroid, the sum of all TF-IDF vectors (their mean gives the same order),
// every one that still fits. Rows hold TF-IDF vectors, Problem.Centroid their
// mean.
func Radev(ctx context.Context, p *Problem, budget int) (Result, error) {
	return choose(ctx, p, budget, func(_ context.Context, r *ranker) ([]int, error) {
		return r.fill(byScore(r.candidates(), r.cosine)), nil
	})
}

// redundantCosine is the cosine above which Rossiello et al. consider a sentence
// redundant.
const redundantCosine = 0.95

// Rossiello is the method of Rossiello, Basile and Semeraro 2017,
// "Centroid-based text summarization through compositionality of word
// embeddings": the sentences by descending cosine to the centroid, every one
// that still fits and whose cosine to each sentence taken before is at most
// 0.95. Their vectors are sums of word2vec vectors; here they are those of Rows,
// and Problem.Centroid is their mean.
func Rossiello(ctx context.Context, p *Problem, budget int) (Result, error) {
	return choose(ctx, p, budget, rossiello)
}

func rossiello(ctx context.Context, r *ranker) ([]int, error) {
	var taken []int
	length := 0
	nearest := make([]float64, len(r.dot)) // highest cosine to a taken row
	for _, k := range byScore(r.candidates(), r.cosine) {
		if length+r.p.Length[k] > r.budget || nearest[k] > redundantCosine {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		taken = append(taken, k)
		length += r.p.Length[k]
		row := r.gram.row(k)
		for j := range nearest {
			nearest[j] = max(nearest[j], r.cosineBetween(row, k, j))
		}
	}
	return taken, nil
}

// mmrLambda is the weight λ of relevance in MMR.
const mmrLambda = 0.7

// MMR is maximal marginal relevance, Carbonell and Goldstein 1998, "The use of
// MMR, diversity-based reranking for reordering documents and producing
// summaries". Each step takes, of the sentences that fit, the s with the highest
//
//	λ cos(e_s, ĉ) − (1−λ) max over the taken t of cos(e_s, e_t)
//
// with λ = 0.7, one of the values that they report (1, 0.7, 0.3).
// Problem.Centroid, the mean of all sentences, takes the place of their query.
func MMR(ctx context.Context, p *Problem, budget int) (Result, error) {
	return choose(ctx, p, budget, mmr)
}

func mmr(ctx context.Context, r *ranker) ([]int, error) {
	left := r.candidates()
	// Highest cosine to a taken row: 0 for all until one is taken; it may be
	// negative after that.
	nearest := make([]float64, len(r.dot))
	var taken []int
	length := 0
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		left = slices.DeleteFunc(left, func(k int) bool { return length+r.p.Length[k] > r.budget })
		if len(left) == 0 {
			return taken, nil
		}
		at, best := 0, math.Inf(-1)
		for i, k := range left {
			if v := float64(mmrLambda*r.cosine(k)) - float64((1-mmrLambda)*nearest[k]); v > best {
				at, best = i, v
			}
		}
		k := left[at]
		left = slices.Delete(left, at, at+1)
		row := r.gram.row(k)
		for _, j := range left {
			v := r.cosineBetween(row, k, j)
			if len(taken) > 0 {
				v = max(v, nearest[j])
			}
			nearest[j] = v
		}
		taken = append(taken, k)
		length += r.p.Length[k]
	}
}

// Gholipour is the greedy method of Gholipour Ghalandari 2017, "Revisiting the
// centroid-based method: a strong baseline for multi-document summarization":
// each step adds the sentence that gives the summary the highest cosine to the
// centroid, and the first that does not fit ends the summary. It uses Budget,
// Preselect and N of params; in their plain method [All] sentences are
// candidates. Problem.Centroid is the mean of all sentences.
func Gholipour(ctx context.Context, p *Problem, params Params) (Result, error) {
	params.BeamWidth, params.Patience, params.LengthExponent = 1, 1, 0
	if err := params.Check(); err != nil {
		return Result{}, err
	}
	return choose(ctx, p, params.Budget, func(ctx context.Context, r *ranker) ([]int, error) {
		s := &search{scorer: r.scorer, params: params, candidates: r.preselect(r.candidates(), params), gram: r.gram}
		// The first failure ends it: T = 1.
		st, err := s.greedy(ctx, s.empty())
		if err != nil {
			return nil, err
		}
		return st.rows, nil
	})
}
