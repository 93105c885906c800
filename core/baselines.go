package core

import (
	"context"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/lexical"
	"github.com/cerasum/cerasum/core/selection"
)

// plainWeighting makes the vectors of all methods but instant: single words,
// with the document frequencies of general text mixed in.
var plainWeighting = lexical.Weighting{Background: 1}

// plain is the cluster as the selection sees it, with the mean centroid.
func (j *job) plain() *selection.Problem {
	rows := j.analysis.TFIDF(plainWeighting)
	return &selection.Problem{Rows: rows, Centroid: centroid.Mean(rows), Refs: j.refs, Texts: j.texts, Length: j.measure.cost}
}

// runBeam is the paper's beam search to the letter, without the greedy search.
func runBeam(ctx context.Context, j *job) (selection.Result, *selection.Problem, error) {
	params := j.options.override(selection.PaperParams())
	params.Candidates = 0
	return j.search(ctx, j.plain(), params)
}

// runBeamGreedy is the paper's BS+GS to the letter.
func runBeamGreedy(ctx context.Context, j *job) (selection.Result, *selection.Problem, error) {
	return j.search(ctx, j.plain(), j.options.override(selection.PaperParams()))
}
