package core

import (
	"context"

	"github.com/cerasum/cerasum/core/selection"
)

// rarePair is the factor of the weight of a word pair in too few documents to be a
// concept: such pairs decide between summaries that cover the same concepts, and use
// what these leave of the budget.
const rarePair = 1e-4

// runConcepts covers the word pairs that several documents have (Gillick and Favre
// 2009).
func runConcepts(ctx context.Context, j *job) (choice, error) {
	decay := float64(positionDecay)
	if d := j.options.PositionDecay; d != nil {
		decay = *d
	}
	pairs, least := j.analysis.Pairs(decay), j.conceptDocuments()
	for id, n := range pairs.Documents {
		if n < least {
			pairs.Weight[id] *= rarePair
		}
	}
	p := j.plain()
	r, err := j.searchCandidates(j.candidates(p.Rows, p.Centroid, instantParams), p.Rows, p.Centroid, pairs.Sentence, pairs.Weight, func(p *selection.Problem, con *selection.Concepts) (selection.Result, error) {
		return selection.MaxCoverage(ctx, p, con, j.measure.budget)
	})
	return choice{r, p.Rows, p.Centroid, nil, nil, nil}, err
}

// conceptDocuments is how many documents have a concept at least: three, two of
// fewer than five, and one of one.
func (j *job) conceptDocuments() int32 {
	documents := j.documentsWithSentences()
	if documents >= 5 {
		return 3
	}
	return int32(min(2, documents))
}

// documentsWithSentences counts the documents that have sentences.
func (s *Session) documentsWithSentences() int {
	n := 0
	for _, d := range s.cluster.Documents[:s.titles] {
		if len(d.Sentences) > 0 {
			n++
		}
	}
	return n
}
