package core

import (
	"context"
	"slices"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/internal/lexical"
)

// plainWeighting is the weighting of all methods but instant and salience: single
// words, with document frequencies smoothed by those of general text.
var plainWeighting = lexical.Weighting{Background: 1}

// runBeam is the paper's beam search without the greedy search.
func runBeam(ctx context.Context, j *job) (choice, error) {
	params := j.options.override(selection.PaperParams())
	params.Patience = 0
	p := j.plain()
	r, err := j.search(ctx, p, params)
	return chosen(r, p, j.uniformWeights()), err
}

// runBeamGreedy is the paper's BS+GS.
func runBeamGreedy(ctx context.Context, j *job) (choice, error) {
	p := j.plain()
	r, err := j.search(ctx, p, j.options.override(selection.PaperParams()))
	return chosen(r, p, j.uniformWeights()), err
}

// runOracle is the paper's BS+GS with the oracle centroid: the mean vector of the
// sentences of all references, in the vector space of the cluster. It is the upper
// bound of the methods with a centroid. If the references share no word with the
// documents, every score is 0.
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
	return choice{r, p.Rows, p.Centroid, nil, nil, nil}, err
}

// byBudget is a method of package selection whose only parameter is the budget.
type byBudget func(context.Context, *selection.Problem, int) (selection.Result, error)

// nearMean runs a method that ranks sentences by their cosine to the mean centroid.
func nearMean(choose byBudget) runner {
	return func(ctx context.Context, j *job) (choice, error) {
		p := j.plain()
		r, err := choose(ctx, p, j.measure.budget)
		return chosen(r, p, j.uniformWeights()), err
	}
}

// published runs a method without centroid weights. Its attention is the centrality of
// its result, if it has one.
func published(choose byBudget) runner {
	return func(ctx context.Context, j *job) (choice, error) {
		p := j.plain()
		r, err := choose(ctx, p, j.measure.budget)
		return byCentrality(r, p), err
	}
}

// byCentrality returns the choice of a method that may rank by r.Centrality.
func byCentrality(r selection.Result, p *selection.Problem) choice {
	var weights []float64
	if r.Centrality != nil {
		weights = slices.Clone(r.Centrality)
		scaleToOne(weights)
	}
	return choice{r, p.Rows, p.Centroid, weights, nil, nil}
}

func runGholipour(ctx context.Context, j *job) (choice, error) {
	params := selection.PaperParams()
	params.Preselect = selection.All
	if j.options.N > 0 {
		params.Preselect = selection.First
	}
	params = j.options.override(params)
	params.Budget = j.measure.budget
	p := j.plain()
	r, err := selection.Gholipour(ctx, p, params)
	return chosen(r, p, j.uniformWeights()), err
}

// runTextRank measures overlap by stems except stop words, where the authors use a
// filter of open-class words.
func runTextRank(ctx context.Context, j *job) (choice, error) {
	p := j.plain()
	r, err := selection.TextRank(ctx, p, j.analysis.Words(), j.measure.budget)
	return byCentrality(r, p), err
}
