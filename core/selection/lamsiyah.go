package selection

import (
	"context"
	"math"
)

// Weights and threshold of Lamsiyah et al. 2021.
const (
	lamsiyahRelevance = 0.6
	lamsiyahNovelty   = 0.2
	lamsiyahPosition  = 0.2
	// noveltyCosine is the cosine from which the less relevant of two sentences
	// is not novel.
	noveltyCosine = 0.95
)

// Lamsiyah is the method of Lamsiyah, El Mahdaouy, Espinasse and El Alaoui
// Ouatik 2021, "An unsupervised method for extractive multi-document
// summarization based on centroid approach and sentence embeddings". A sentence
// scores
//
//	0.6 relevance + 0.2 novelty + 0.2 position.
//
// Relevance is its cosine to the mean of all sentences; novelty is 1 where the
// highest cosine m to another sentence is below 0.95, or where this sentence is
// the more relevant of the two, else 1 − m; position is max(0.5, exp(−p/∛M))
// for sentence p of the M in its document, counted from 1. Sentences are taken
// by descending score; the first that does not fit ends the summary.
func Lamsiyah(ctx context.Context, p *Problem, budget int) (Result, error) {
	return choose(ctx, p, budget, lamsiyah)
}

func lamsiyah(ctx context.Context, r *ranker) ([]int, error) {
	all := r.dropZeros(r.usable)
	position := make(map[int]float64, len(all))
	for a := 0; a < len(all); {
		b := a
		for b < len(all) && r.p.Refs[all[b]].Document == r.p.Refs[all[a]].Document {
			b++
		}
		for i, k := range all[a:b] {
			position[k] = max(0.5, math.Exp(-float64(i+1)/math.Cbrt(float64(b-a))))
		}
		a = b
	}
	rows := r.candidates()
	gram := make([]float64, len(r.dot))
	score := make(map[int]float64, len(rows))
	for _, k := range rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.p.Rows.GramRowTo(gram, k)
		score[k] = float64(lamsiyahRelevance*r.cosine(k)) + float64(lamsiyahNovelty*r.novelty(k, rows, gram)) + float64(lamsiyahPosition*position[k])
	}
	var taken []int
	length := 0
	for _, k := range byScore(rows, func(k int) float64 { return score[k] }) {
		if length += r.p.Length[k]; length > r.budget {
			break
		}
		taken = append(taken, k)
	}
	return taken, nil
}

// novelty of row k with respect to the other rows; gram is row k of the Gram
// matrix.
func (r *ranker) novelty(k int, rows []int, gram []float64) float64 {
	nearest, m := -1, 0.0
	for _, j := range rows {
		if v := r.cosineBetween(gram, k, j); j != k && (nearest < 0 || v > m) {
			nearest, m = j, v
		}
	}
	switch {
	case nearest < 0:
		return 0
	case m < noveltyCosine || r.cosine(k) > r.cosine(nearest):
		return 1
	}
	return 1 - m
}
