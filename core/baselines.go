package core

import (
	"context"
	"slices"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/internal/lexical"
)

// plainWeighting makes the vectors of all methods but instant: single words,
// with the document frequencies of general text mixed in.
var plainWeighting = lexical.Weighting{Background: 1}

// runBeam is the paper's beam search to the letter, without the greedy search.
func runBeam(ctx context.Context, j *job) (choice, error) {
	params := j.options.override(selection.PaperParams())
	params.Patience = 0
	p := j.plain()
	r, err := j.search(ctx, p, params)
	return chosen(r, p, j.even()), err
}

// runBeamGreedy is the paper's BS+GS to the letter.
func runBeamGreedy(ctx context.Context, j *job) (choice, error) {
	p := j.plain()
	r, err := j.search(ctx, p, j.options.override(selection.PaperParams()))
	return chosen(r, p, j.even()), err
}

// runOracle is the paper's BS+GS towards the oracle centroid: the mean vector
// of the sentences of all reference summaries, in the vector space of the
// cluster. It is no method but the upper bound of those with a centroid. Where
// the references share no word with the documents every score is 0.
func runOracle(ctx context.Context, j *job) (choice, error) {
	references, err := j.readReferences(ctx, j.options.References)
	if err != nil {
		return choice{}, err
	}
	if len(references.Refs()) == 0 {
		return choice{}, optionError("references", "want at least one sentence")
	}
	read, err := lexical.Analyze(ctx, references)
	if err != nil {
		return choice{}, err
	}
	var dense *linalg.Dense[float32]
	if j.weight > 0 {
		o := j.options
		if err := checkRows("referenceEmbeddings", o.ReferenceEmbeddings, len(references.Refs()), j.dimensions); err != nil {
			return choice{}, err
		}
		dense = &linalg.Dense[float32]{Data: o.ReferenceEmbeddings, Cols: j.dimensions}
	}
	p := j.plain()
	p.Centroid = centroid.Mean(j.centred(dense, j.analysis.Project(read, plainWeighting)))
	r, err := j.search(ctx, p, j.options.override(selection.PaperParams()))
	return choice{r, p.Rows, p.Centroid, nil}, err
}

// byBudget is a method of package selection that takes a budget alone.
type byBudget func(context.Context, *selection.Problem, int) (selection.Result, error)

// nearMean runs a method that ranks sentences by their nearness to the mean.
func nearMean(choose byBudget) runner {
	return func(ctx context.Context, j *job) (choice, error) {
		p := j.plain()
		r, err := choose(ctx, p, j.measure.budget)
		return chosen(r, p, j.even()), err
	}
}

// published runs a method that goes by something else than weights in the
// centroid: by none, or by those of its result.
func published(choose byBudget) runner {
	return func(ctx context.Context, j *job) (choice, error) {
		p := j.plain()
		r, err := choose(ctx, p, j.measure.budget)
		return byCentrality(r, p), err
	}
}

// byCentrality is the choice of a method that ranks sentences by r.Centrality;
// nil: by something else.
func byCentrality(r selection.Result, p *selection.Problem) choice {
	var weights []float64
	if r.Centrality != nil {
		weights = slices.Clone(r.Centrality)
		scaleToOne(weights)
	}
	return choice{r, p.Rows, p.Centroid, weights}
}

func runGholipour(ctx context.Context, j *job) (choice, error) {
	params := selection.PaperParams()
	params.Preselect = selection.All
	params = j.options.override(params)
	params.Budget = j.measure.budget
	p := j.plain()
	r, err := selection.Gholipour(ctx, p, params)
	return chosen(r, p, j.even()), err
}

// runTextRank counts the stems that are no stop words: the overlap that the
// authors run through a filter of open-class words.
func runTextRank(ctx context.Context, j *job) (choice, error) {
	p := j.plain()
	r, err := selection.TextRank(ctx, p, j.analysis.Words(), j.measure.budget)
	return byCentrality(r, p), err
}
