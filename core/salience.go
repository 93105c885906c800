package core

import (
	"context"
	"math"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/lexical"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/core/salience"
	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/core/text"
)

// The numbers of method salience. They were chosen on validation sets:
// docs/benchmarks.md says how, and what each part gives.
const (
	// salienceCoverShare is the share of what the networks expect of a summary
	// in the objective; the rest is the cosine to the centroid, which holds the
	// choice to what the documents say in clusters unlike those learned from.
	salienceCoverShare = 0.4
	// salienceSharpness: sentence k weighs e^(salienceSharpness · z_k) times what
	// it does with instant, z_k being its predicted log-odds.
	salienceSharpness = 0.25
	// saliencePull: where the budget is narrow a pair weighs also by
	// documents^saliencePull, of which the narrow expert, who learned from single
	// documents, knows nothing.
	saliencePull = 0.5
	// salienceOffers is how many sentences an exchange tries.
	salienceOffers = 5
)

// The densities by which the greedy searches rank, and with which exchanges fill
// up.
var salienceExponents = []float64{0, 0.3, 0.5, 0.7, 1}

const salienceRefill = 0.5

// runSalience looks for the sentences that cover most of the word pairs that a
// human summary is likely to have, as small networks learned, and that point
// the way of a centroid in which salient sentences weigh more.
func runSalience(ctx context.Context, j *job) (choice, error) {
	rows := j.analysis.TFIDF(instantRecipe.weighting)
	roomy, narrow, narrowness := salience.Roomy, salience.Narrow, salience.Narrowness(j.ratio())
	if j.options.Licence == LicenceFree {
		narrowness = 1
	}
	f := j.features(rows)
	if err := ctx.Err(); err != nil {
		return choice{}, err
	}
	predicted := salience.Predict(f, roomy(), narrow(), narrowness)
	if err := ctx.Err(); err != nil {
		return choice{}, err
	}
	weights := j.sharpWeights(rows, instantRecipe)
	for k, z := range predicted.Sentence {
		weights[k] *= math.Exp(salienceSharpness * z)
	}
	for m, n := range f.Documents {
		predicted.Pair[m] *= math.Pow(float64(n), saliencePull*narrowness)
	}
	c := centroid.Weighted(rows, weights)
	r, err := j.among(j.candidates(rows, c, instantRecipe), rows, c, f.Of, predicted.Pair, func(p *selection.Problem, con *selection.Concepts) (selection.Result, error) {
		return selection.SelectExchange(ctx, p, con, selection.ExchangeParams{
			Budget:     j.measure.budget,
			CoverShare: salienceCoverShare,
			Room:       j.room(instantRecipe),
			MaxCosine:  nearDuplicate,
			Exponents:  salienceExponents,
			Refill:     salienceRefill,
			Offers:     salienceOffers,
		})
	})
	if err != nil {
		return choice{}, err
	}
	return choice{r, rows, c, attention(rows, weights)}, nil
}

// ratio is the words of the cluster for a word of the budget.
func (j *job) ratio() float64 {
	total := 0
	for _, n := range j.words {
		total += n
	}
	return float64(total) / max(1, j.budgetInWords())
}

// features are what the networks of salience see; rows are TF-IDF vectors.
func (j *job) features(rows linalg.Rows) *salience.Features {
	return salience.Read(&salience.Source{
		Analysis: j.analysis, Texts: j.texts, Words: j.words, Budget: j.budgetInWords(),
		Cosine: centroid.Cosines(rows, centroid.Mean(rows)),
	})
}

// SalienceFeatures are what method salience sees of a cluster, which it prepares
// (see [Prepare]), for a summary of that budget: to learn from. The analysis
// tells what the terms are. A cluster without a sentence is ErrNoText.
func SalienceFeatures(ctx context.Context, c *cluster.Cluster, b Budget) (*salience.Features, *lexical.Analysis, error) {
	if err := b.check(); err != nil {
		return nil, nil, err
	}
	if err := Prepare(ctx, c); err != nil {
		return nil, nil, err
	}
	j := &job{cluster: c, refs: c.Refs()}
	if len(j.refs) == 0 {
		return nil, nil, ErrNoText
	}
	var err error
	if j.analysis, err = lexical.Analyze(ctx, c); err != nil {
		return nil, nil, err
	}
	for _, r := range j.refs {
		sentence := c.At(r).Text
		j.texts = append(j.texts, sentence)
		j.words = append(j.words, text.CountSegments(sentence))
	}
	j.measure = b.measure(j.texts)
	return j.features(j.analysis.TFIDF(instantRecipe.weighting)), j.analysis, nil
}
