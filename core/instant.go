package core

import (
	"cmp"
	"context"
	"slices"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/lexical"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/core/selection"
)

// recipe holds the numbers of the lexical method. docs/benchmarks.md has the
// table of what each of them gives on validation data.
type recipe struct {
	weighting lexical.Weighting
	// decay of the position weights in the centroid, in sentences; 0: none.
	decay float64
	// first sentences of each document are candidates, if they have minWords.
	first, minWords int
	beam            int
	coverShare      float64
	lengthExponent  float64
	// wordsPerConcept is how many words of the budget a covered concept takes.
	wordsPerConcept float64
}

var instantRecipe = recipe{
	weighting:       lexical.Weighting{Bigrams: true, SingleDocument: 0.25, Background: 100},
	decay:           positionDecay,
	first:           15,
	minWords:        5,
	beam:            6,
	coverShare:      0.3,
	lengthExponent:  0.3,
	wordsPerConcept: 2,
}

func runInstant(ctx context.Context, j *job) (selection.Result, *selection.Problem, error) {
	return j.cover(ctx, instantRecipe)
}

func (j *job) cover(ctx context.Context, rc recipe) (selection.Result, *selection.Problem, error) {
	rows := j.analysis.TFIDF(rc.weighting)
	var c []float64
	if rc.decay > 0 {
		c = centroid.Weighted(rows, centroid.PositionWeights(j.refs, rc.decay))
	} else {
		c = centroid.Mean(rows)
	}
	con := j.analysis.Concepts()
	kept := j.candidates(rows, c, rc)
	p := &selection.Problem{Rows: rows.Subset(kept), Centroid: c}
	sub := &selection.Concepts{Weight: con.Weight}
	for _, k := range kept {
		p.Refs = append(p.Refs, j.refs[k])
		p.Texts = append(p.Texts, j.texts[k])
		p.Length = append(p.Length, j.measure.cost[k])
		sub.Sentence = append(sub.Sentence, con.Sentence[k])
	}
	r, err := selection.SelectCover(ctx, p, sub, selection.CoverParams{
		Budget:         j.measure.budget,
		BeamWidth:      rc.beam,
		CoverShare:     rc.coverShare,
		Room:           max(1, int(j.budgetInWords()/rc.wordsPerConcept)),
		LengthExponent: rc.lengthExponent,
		MaxCosine:      nearDuplicate,
	})
	if err != nil {
		return r, nil, err
	}
	for i, k := range r.Rows {
		r.Rows[i] = kept[k]
	}
	for i, k := range r.Rank {
		r.Rank[i] = kept[k]
	}
	return r, &selection.Problem{Rows: rows, Centroid: c}, nil
}

// candidates are the rows that may be quoted, ascending: the first sentences
// of each document with a few words; where none of these fits the budget, all
// rows that do; where none does, all rows. Of more than maxCandidates, those
// nearest the centroid.
func (j *job) candidates(rows *linalg.Sparse, c []float64, rc recipe) []int {
	var kept, fit []int
	for k, r := range j.refs {
		if j.measure.cost[k] > j.measure.budget {
			continue
		}
		fit = append(fit, k)
		if r.Sentence < rc.first && j.words[k] >= rc.minWords {
			kept = append(kept, k)
		}
	}
	if len(kept) == 0 {
		kept = fit
	}
	if len(kept) == 0 {
		kept = make([]int, len(j.refs))
		for k := range kept {
			kept[k] = k
		}
	}
	if len(kept) > maxCandidates {
		dot := make([]float64, rows.Len())
		rows.MulVecTo(dot, c)
		slices.SortStableFunc(kept, func(a, b int) int { return cmp.Compare(dot[b], dot[a]) })
		kept = kept[:maxCandidates]
		slices.Sort(kept)
	}
	return kept
}

// budgetInWords is about how many words the budget holds.
func (j *job) budgetInWords() float64 {
	words, cost := 0, 0
	for k := range j.refs {
		words += j.words[k]
		cost += j.measure.cost[k]
	}
	return float64(j.measure.budget) * float64(words) / float64(max(1, cost))
}
