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

// salienceRecipe holds the numbers of method salience. They were chosen on
// validation sets: docs/benchmarks.md says how, and what each part gives.
type salienceRecipe struct {
	// coverShare is the share of what the networks expect of a summary in the
	// objective; the rest is the cosine to the centroid, which holds the choice
	// to what the documents say in clusters unlike those learned from.
	coverShare float64
	// sharpness: sentence k weighs e^(sharpness · z_k) times what it does with
	// instant, z_k being its predicted log-odds.
	sharpness float64
	// exponents are the densities by which the greedy searches rank; refill is
	// that with which exchanges fill up, offers how many sentences one tries.
	exponents []float64
	refill    float64
	offers    int
	// narrowness in the place of salience.ShortShare, for the ablation.
	narrowness func(ratio float64) float64
}

var salient = salienceRecipe{
	coverShare: 0.4,
	sharpness:  0.25,
	exponents:  []float64{0, 0.3, 0.5, 0.7, 1},
	refill:     0.5,
	offers:     5,
	narrowness: salience.ShortShare,
}

// runSalience looks for the sentences that cover most of the word pairs that a
// human summary is likely to have, as small networks learned, and that point
// the way of a centroid in which salient sentences weigh more.
func runSalience(ctx context.Context, j *job) (choice, error) {
	return j.salient(ctx, salient)
}

func (j *job) salient(ctx context.Context, rc salienceRecipe) (choice, error) {
	a, err := j.aim(ctx, rc)
	if err != nil {
		return choice{}, err
	}
	r, err := j.among(j.candidates(a.rows, a.centroid, instantRecipe), a.rows, a.centroid, a.has, a.pair, func(p *selection.Problem, con *selection.Concepts) (selection.Result, error) {
		return selection.LocalSearch(ctx, p, con, selection.LocalSearchParams{
			Budget:           j.measure.budget,
			CoverageWeight:   rc.coverShare,
			ConceptCapacity:  j.room(instantRecipe),
			MaxCosine:        nearDuplicate,
			DensityExponents: rc.exponents,
			SwapExponent:     rc.refill,
			Replacements:     rc.offers,
		})
	})
	if err != nil {
		return choice{}, err
	}
	return choice{r, a.rows, a.centroid, attention(a.rows, a.weights)}, nil
}

// aim is what the networks make of a cluster.
type aim struct {
	// rows are the N sentences, weights theirs in the centroid before a query
	// draws it.
	rows     linalg.Rows
	weights  []float64
	centroid []float64
	// has lists for each sentence its word pairs; pair is what is expected of each.
	has  [][]int32
	pair []float64
}

func (j *job) aim(ctx context.Context, rc salienceRecipe) (*aim, error) {
	rows := j.tfidf(instantRecipe.weighting)
	f := j.features(rows)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	roomy, narrow := j.options.experts()
	predicted := salience.Predict(f, roomy, narrow, j.salienceNarrowness(rc))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	weights := j.sharpWeights(rows, instantRecipe)
	for k, z := range predicted.Sentence {
		weights[k] *= math.Exp(rc.sharpness * z)
	}
	q, err := j.query(ctx, j.blend, instantRecipe.weighting)
	if err != nil {
		return nil, err
	}
	c := q.lean(centroid.Weighted(rows, weights))
	return &aim{rows, weights, c, f.Of, q.expect(rows, f.Of, predicted.Pair)}, nil
}

// checkExperts refuses experts that cannot be run.
func (o *Options) checkExperts() error {
	if o.Experts == nil {
		return nil
	}
	for _, e := range []*salience.Expert{o.Experts.LongBudget, o.Experts.ShortBudget} {
		if e == nil {
			continue
		}
		if err := e.Check(); err != nil {
			return optionError("experts", "%s", err.Error())
		}
	}
	return nil
}

// experts are those given, and the shipped ones in the place of the others.
func (o *Options) experts() (roomy, narrow *salience.Expert) {
	roomy, narrow = salience.LongBudget(), salience.ShortBudget()
	if s := o.Experts; s != nil {
		roomy, narrow = cmp.Or(s.LongBudget, roomy), cmp.Or(s.ShortBudget, narrow)
	}
	return roomy, narrow
}

// salienceNarrowness is how far the narrow expert counts, in 0..1.
func (j *job) salienceNarrowness(rc salienceRecipe) float64 {
	if j.options.Licence == LicenceFree {
		return 1 // the roomy expert learned under another licence
	}
	return rc.narrowness(j.ratio())
}

// ratio is the words of the cluster for a word of the budget.
func (j *job) ratio() float64 {
	total := 0
	for _, n := range j.words {
		total += n
	}
	return float64(total) / max(1, j.budgetInWords())
}

// features are what the networks of salience see: read once, but for the
// budget.
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

// translated says whether the texts that count are not the session's.
func (j *job) translated() bool { return j.options.Translations != nil }

// SalienceFeatures are what method salience sees of the session for a summary
// of that budget, to learn from; the analysis tells what the terms are. They
// are good until the next summary. Without a sentence it returns [ErrNoText].
func (s *Session) SalienceFeatures(b Budget) (*salience.Features, *lexical.Analysis, error) {
	if err := b.check(); err != nil {
		return nil, nil, err
	}
	if len(s.refs) == 0 {
		return nil, nil, ErrNoText
	}
	j := &job{Session: s, options: &Options{}, texts: s.texts}
	j.measure = j.measureOf(b)
	return j.features(s.tfidf(instantRecipe.weighting)), s.analysis, nil
}
