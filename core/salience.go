package core

import (
	"cmp"
	"context"
	"math"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/internal/lexical"
	"github.com/cerasum/cerasum/internal/salience"
)

// salienceParams are the hyperparameters of method salience, chosen on development
// sets; see docs/benchmarks.md, which also has an ablation.
type salienceParams struct {
	// coverageWeight is the share of predicted coverage in the objective. The rest
	// is the cosine to the centroid, which makes the method robust on clusters
	// unlike the training data. It grows from coverageWeight[0], where the text has
	// twice the words of the budget, to coverageWeight[1], where it has six times as
	// many: what is to be said of a long text the networks know best.
	coverageWeight [2]float64
	// longCoverageWeight takes its place where the long-budget expert is used.
	longCoverageWeight float64
	// sharpness: the centroid weight of sentence k is that of instant times
	// e^(sharpness · z_k), where z_k is its predicted log-odds.
	sharpness float64
	// densityExponents, swapExponent and replacements are those of
	// selection.LocalSearchParams.
	// maxCosine of the wording of two quotes: below nearDuplicate, as sentences that
	// share most of their words rarely both have something to say.
	maxCosine        float64
	densityExponents []float64
	swapExponent     float64
	replacements     int
	// longShare replaces salience.LongShare, and support is whether pairs are
	// weighted by salience.Features.Support, in the ablation.
	longShare func(documents int, ratio float64) float64
	support   bool
}

var salienceDefaults = salienceParams{
	coverageWeight:     [2]float64{0.2, 0.7},
	longCoverageWeight: 0.7,
	sharpness:          0.25,
	maxCosine:          0.6,
	densityExponents:   []float64{0, 0.3, 0.5, 0.7, 1},
	swapExponent:       0.3,
	replacements:       5,
	longShare:          salience.LongShare,
	support:            true,
}

// runSalience selects sentences that cover the word pairs a human summary is
// likely to contain, as predicted by small networks, and that are near a centroid
// in which salient sentences weigh more.
//
// A summary of several documents that is instantWords or longer, and almost half as long
// as they are, is better made by instant than by what was learned from short summaries:
// it has to cover everything. The long-budget expert was learned from such summaries.
func runSalience(ctx context.Context, j *job) (choice, error) {
	if j.options.Licence != LicenceAny && j.options.Experts == nil && j.documentsWithSentences() > 1 &&
		j.ratio() < instantRatio && j.budgetInWords() >= instantWords {
		return runInstant(ctx, j)
	}
	return j.runSalienceWith(ctx, salienceDefaults)
}

// instantRatio is in words of the documents per word of the budget (docs/benchmarks.md).
const (
	instantRatio = 2.1
	instantWords = 100
)

func (j *job) runSalienceWith(ctx context.Context, params salienceParams) (choice, error) {
	a, err := j.salienceTarget(ctx, params)
	if err != nil {
		return choice{}, err
	}
	search := func(maxCosine float64) (selection.Result, error) {
		return j.searchAndFill(a.rows, a.centroid, a.has, a.pair, instantParams, a.coverageWeight, func(p *selection.Problem, con *selection.Concepts) (selection.Result, error) {
			return selection.LocalSearch(ctx, p, con, selection.LocalSearchParams{
				Budget:           j.measure.budget,
				CoverageWeight:   a.coverageWeight,
				ConceptCapacity:  j.conceptCapacity(instantParams),
				MaxCosine:        maxCosine,
				DensityExponents: params.densityExponents,
				SwapExponent:     params.swapExponent,
				Replacements:     params.replacements,
				Values:           j.answerValues(p, a.query),
			})
		})
	}
	r, err := search(params.maxCosine)
	if err == nil && j.measure.used(r.Rows) < j.measure.budget/2 {
		// Most sentences are alike, as in lists: each may have something to say.
		r, err = search(nearDuplicate)
	}
	if err != nil {
		return choice{}, err
	}
	return choice{r, a.rows, a.centroid, attention(a.rows, a.weights), nil, nil}, nil
}

// salienceTarget is the objective of method salience for one cluster.
type salienceTarget struct {
	// rows are the N sentence vectors, weights those of the centroid before it is
	// biased to the query.
	rows     linalg.Rows
	weights  []float64
	centroid []float64
	// has lists the word pairs of each sentence; pair are their weights, and
	// coverageWeight that of covering them.
	has            [][]int32
	pair           []float64
	coverageWeight float64
	query          *query
}

// queriedSupport: with a query of weight w, salience.Features.Support counts once more
// to the power of w times this, as word pairs of the question in one document only
// would otherwise displace what documents agree on. Chosen on DUC 2006.
const queriedSupport = 0.3

func (j *job) salienceTarget(ctx context.Context, params salienceParams) (*salienceTarget, error) {
	rows := j.blend(j.dense, j.tfidf(instantParams.weighting))
	f := j.features(j.tfidf(instantParams.weighting))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	general, long := j.options.experts()
	share := 0.0
	if j.options.Licence == LicenceAny || j.options.Experts != nil && j.options.Experts.LongBudget != nil {
		share = params.longShare(f.Documents, j.ratio())
	}
	predicted := salience.Predict(f, general, long, share)
	if params.support {
		// The long-budget expert learned from clusters how much agreement counts.
		for m, v := range f.Support() {
			predicted.Pair[m] *= math.Pow(v, 1-share)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	weights := j.sharpWeights(rows, instantParams)
	for k, z := range predicted.Sentence {
		weights[k] *= math.Exp(params.sharpness * z)
	}
	q, err := j.query(ctx, j.blend, instantParams.weighting)
	if err != nil {
		return nil, err
	}
	if q != nil && params.support {
		for m, v := range f.Support() {
			predicted.Pair[m] *= math.Pow(v, queriedSupport*q.weight)
		}
	}
	c := q.biasCentroid(centroid.Weighted(rows, weights))
	return &salienceTarget{
		rows, weights, c, f.Of, q.biasWeights(f.Of, predicted.Pair),
		float64(share*params.longCoverageWeight) + float64((1-share)*j.coverageWeight(params)), q,
	}, nil
}

// coverageWeight is that of the general expert.
func (j *job) coverageWeight(params salienceParams) float64 {
	const from, to = 2, 6 // words of the cluster per word of the budget
	t := max(0, min(1, (j.ratio()-from)/(to-from)))
	return params.coverageWeight[0] + float64(t*(params.coverageWeight[1]-params.coverageWeight[0]))
}

// checkExperts refuses malformed experts.
func (o *Options) checkExperts() error {
	if o.Experts == nil {
		return nil
	}
	for _, e := range []*salience.Expert{o.Experts.General, o.Experts.LongBudget} {
		if e == nil {
			continue
		}
		if err := e.Check(); err != nil {
			return optionError("experts", "%s", err.Error())
		}
	}
	return nil
}

// experts returns the given experts, and the shipped ones for those not given.
func (o *Options) experts() (general, long *salience.Expert) {
	general, long = salience.General(), salience.LongBudget()
	if s := o.Experts; s != nil {
		general, long = cmp.Or(s.General, general), cmp.Or(s.LongBudget, long)
	}
	return general, long
}

// ratio is the number of words of the cluster per word of the budget.
func (j *job) ratio() float64 {
	total := 0
	for _, n := range j.words {
		total += n
	}
	return float64(total) / max(1, j.budgetInWords())
}

// features returns the inputs of the networks. All but those that depend on the
// budget are computed once per session.
func (j *job) features(rows linalg.Rows) *salience.Features {
	f := j.cache.features
	if f == nil || j.translated() {
		f = salience.Read(&salience.Source{
			Analysis: j.analysis, Texts: j.texts, Words: j.words,
			Cosine: centroid.Cosines(rows, centroid.Mean(rows)),
		})
	}
	if !j.translated() {
		j.cache.features = f
	}
	f.SetBudget(j.budgetInWords())
	return f
}

// translated reports whether Options.Translations replace the texts.
func (j *job) translated() bool { return j.options.Translations != nil }

// SalienceFeatures returns the inputs of method salience for a summary of that
// budget, for training, and the analysis that defines their terms. They are valid
// until the next summary. Without a sentence it returns [ErrNoText].
func (s *Session) SalienceFeatures(b Budget) (*salience.Features, *lexical.Analysis, error) {
	if s.closed() {
		return nil, nil, ErrClosed
	}
	if err := b.check(); err != nil {
		return nil, nil, err
	}
	if len(s.refs) == 0 {
		return nil, nil, ErrNoText
	}
	j := &job{Session: s, options: &Options{}, texts: s.texts}
	j.measure = j.measureOf(b)
	return j.features(s.tfidf(instantParams.weighting)), s.analysis, nil
}
