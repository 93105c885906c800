package core

import (
	"context"
	"math"
	"slices"

	"github.com/cerasum/cerasum/core/selection"
)

// editorParams are the hyperparameters of method editor. Those of its objective are in units of
// what the documents' agreement is worth in all (see salienceTarget), and were chosen on
// the development part of research/choices and by reading; see docs/reading.md.
type editorParams struct {
	salience salienceParams
	// value is the worth of a summary whose every sentence an editor would certainly quote;
	// fillValue that of each such sentence if Options.Fill is set.
	value, fillValue float64
	// evenly is how much quotes count alike, in 0..1, rather than by their length.
	evenly float64
	// least is the probability of being quoted that is worth its room, and never what is
	// taken from it for a sentence that is certainly never to be quoted.
	least, never float64
	// overlap is the share of the words of the shorter of two sentences from which on
	// they are about the same thing, overlapByWeight the same in long documents, where
	// rare words weigh more; see contentTerms.
	overlap, overlapByWeight float64
	// deathOverlap is the part of this share that is enough between sentences that say how
	// many people died: a death toll is given once, in one version.
	deathOverlap float64
	// leaning is what a sentence costs that certainly leans on the one before, which is
	// not quoted, and opener what it costs besides if it begins with a word that points
	// back. outdated is what one costs with a figure that a newer document corrects. These
	// and the following are fractions of unit; see editorSearch.values.
	leaning, opener, outdated float64
	// documentCost is what each quoted document costs, except the first: sentences of one
	// document go together.
	documentCost float64
	// opening is what the likeliest opening adds; others add it times their probability,
	// relative to the likeliest.
	opening float64
}

var editorDefaults = editorParams{
	salience:  salienceDefaults,
	value:     4,
	fillValue: 0.06,
	evenly:    0.5,
	least:     0.15,
	never:     0.4,
	overlap:   1. / 3, overlapByWeight: 0.28,
	deathOverlap: 0.6,
	leaning:      0.5,
	opener:       0.8,
	outdated:     0.5,
	documentCost: 0.1,
	opening:      0.4,
}

// maxRelaxed is how often a search is repeated with lower demands; see editorSearch.run.
const maxRelaxed = 3

// muchText is the number of words per word of the budget from which on several documents
// are much text.
const muchText = 20

// longDocument is the number of sentences from which on a document costs all of
// editorParams.documentCost, and its opening adds all of editorParams.opening.
const longDocument = 10

// runEditor selects what an editor would quote: sentences that a model of editors'
// choices finds likely, and that together cover what the documents say.
func runEditor(ctx context.Context, j *job) (choice, error) {
	parts, err := j.parts(ctx)
	if err != nil {
		return choice{}, err
	}
	if r, err := j.runParts(ctx, parts, editorDefaults); err != nil || len(r.Rows) > 0 {
		return r, err
	}
	return j.runEditorWith(ctx, editorDefaults)
}

func (j *job) runEditorWith(ctx context.Context, params editorParams) (choice, error) {
	a, err := j.salienceTarget(ctx, params.salience)
	if err != nil {
		return choice{}, err
	}
	judged, err := j.judge(ctx)
	if err != nil {
		return choice{}, err
	}
	odds, opening := a.query.biasOdds(judged.Quote), a.query.biasOdds(judged.Opening)
	value := j.quotability(odds, judged.Never)
	var opens []float64
	if !j.options.Fill {
		opens = openingValues(opening, a.query.unanswered()*j.detail())
	}
	lexical := instantParams
	lexical.splitSpeech = j.options.Fill
	r, err := j.searchAndFill(a.rows, a.centroid, a.has, a.pair, lexical, a.coverageWeight, func(p *selection.Problem, con *selection.Concepts) (selection.Result, error) {
		s := editorSearch{job: j, problem: p, concepts: con, target: a, rows: j.rowsOf(p), quotability: value, unasked: probabilities(judged.Quote), opens: opens, answers: a.query.answerValues()}
		return s.run(ctx, params)
	})
	if err != nil {
		return choice{}, err
	}
	return choice{r, a.rows, a.centroid, attention(a.rows, a.weights), opening, nil}, nil
}

// editorSearch is the search of method editor among candidates.
type editorSearch struct {
	*job
	problem  *selection.Problem
	concepts *selection.Concepts
	target   *salienceTarget
	rows     []int // of the cluster, for each of the problem
	quotability
	unasked []float64 // likely without the query
	opens   []float64 // how well each row of the cluster opens, in 0..1; or nil
	answers []float64 // what each is worth as the answer to a question; or nil
}

// run searches, and up to maxRelaxed times again if the summary uses too little of the
// budget: with lower params.least and documentCost, at last without params.least, and
// where little was found with less cost of leaning sentences and fewer overlaps.
func (s *editorSearch) run(ctx context.Context, params editorParams) (selection.Result, error) {
	searcher, err := s.searcher(params)
	if err != nil {
		return selection.Result{}, err
	}
	search := func() (selection.Result, error) {
		return searcher.Search(ctx, s.values(params))
	}
	r, err := search()
	// Where little is likely to be quoted, this much of the budget is worth a try.
	enough := int(s.enough() * float64(s.measure.budget))
	for relaxed := range maxRelaxed {
		used := s.used(r.Rows)
		if err != nil || s.options.Fill || used >= enough {
			break
		}
		params.documentCost /= 2
		last := relaxed == maxRelaxed-1
		if params.least /= 2; last {
			params.least = 0
		}
		if last && 2*used < s.measure.budget {
			// Notes and lists leave out the subjects of their sentences. Beside the answer to a
			// question there is room for what the documents are about.
			params.leaning /= 4
			params.never = 0
			if s.answers != nil {
				s.likely = s.unasked
			}
		}
		if last && 4*used < s.measure.budget {
			// Nearly all sentences are alike, as in lists: each may have something to say.
			params.overlap, params.overlapByWeight, params.salience.maxCosine = nearDuplicate, nearDuplicate, nearDuplicate
			params.deathOverlap = 1
			if searcher, err = s.searcher(params); err != nil {
				break
			}
		}
		r, err = search()
	}
	return r, err
}

// used is the part of the budget that rows of the problem use.
func (s *editorSearch) used(rows []int) int {
	of := make([]int, len(rows))
	for i, k := range rows {
		of[i] = s.rows[k]
	}
	return s.measure.used(of)
}

func (s *editorSearch) searcher(params editorParams) (*selection.LocalSearcher, error) {
	p := *s.problem
	if !s.options.Fill {
		p.Translations = both(p.Translations, s.overlaps(s.rows, params))
	}
	return selection.NewLocalSearcher(&p, s.concepts, selection.LocalSearchParams{
		Budget:           s.measure.budget,
		CoverageWeight:   s.target.coverageWeight,
		ConceptCapacity:  s.conceptCapacity(instantParams),
		MaxCosine:        params.salience.maxCosine,
		DensityExponents: params.salience.densityExponents,
		SwapExponent:     params.salience.swapExponent,
		Replacements:     params.salience.replacements,
	})
}

// enough is the share of the budget that a summary should use. Of several short documents
// it is less, as they say the same. Chosen by blind reading; see docs/reading.md.
func (j *job) enough() float64 {
	if j.documentsWithSentences() > 1 && j.ratio() < muchText {
		return 0.7
	}
	return 0.85
}

// detail is how long the documents are, in 0..1: of short ones, such as reviews and
// headlines, many are quoted, and none has to open the summary.
func (s *Session) detail() float64 {
	return min(1, float64(len(s.refs))/float64(s.documentsWithSentences()*longDocument))
}

// values returns the values of the rows of the problem. A sentence costs in proportion to the
// probability that it leans on the one before, unless that one is quoted too.
func (s *editorSearch) values(params editorParams) *selection.Values {
	standing, outdated := s.standing(), s.outdated()
	v := &selection.Values{Each: make([]float64, len(s.rows)), After: make([]float64, len(s.rows))}
	// What a probability of 1 is worth in a quote of usual length.
	unit := params.value * s.usual
	if !s.options.Fill {
		v.DocumentCost = unit * params.documentCost * s.detail()
	}
	if s.opens != nil {
		v.Opening = make([]float64, len(s.rows))
	}
	for i, k := range s.rows {
		if s.answers != nil {
			v.Each[i] = s.answers[k]
		}
		if s.options.Fill {
			v.Each[i] += float64(params.fillValue * s.likely[k])
			continue
		}
		share := float64(params.evenly*s.usual) + float64((1-params.evenly)*s.share[k])
		v.Each[i] += float64(params.value * share * (s.likely[k] - min(params.least, s.likeliest/2) - float64(params.never*s.never[k])))
		if s.opens != nil {
			v.Opening[i] = float64(unit * params.opening * s.opens[k])
		}
		ref := s.refs[k]
		lean := &standing[ref.Document][ref.Sentence]
		v.After[i] = float64(params.leaning * (1 - lean.Alone))
		if lean.Opener {
			v.After[i] += params.opener
		}
		v.After[i] = float64(v.After[i] * unit)
		v.Each[i] -= v.After[i]
		if outdated[ref] {
			v.Each[i] -= float64(unit * params.outdated)
		}
	}
	return v
}

// quotability is what the models say of the rows of the cluster, and their lengths.
type quotability struct {
	likely, never []float64 // probabilities of being quoted, and of never being quoted
	likeliest     float64   // the largest that may be quoted
	share         []float64 // of the budget that each row takes
	usual         float64   // the mean share, weighted by likely
}

func (j *job) quotability(odds, never []float64) quotability {
	q := quotability{likely: probabilities(odds), never: probabilities(never), share: make([]float64, len(odds))}
	weighted, sum := 0.0, 0.0
	for k, p := range q.likely {
		q.share[k] = float64(j.measure.cost[k]) / float64(j.measure.budget)
		weighted += float64(p * q.share[k])
		sum += p
		if !j.supports(k) {
			q.likeliest = max(q.likeliest, p)
		}
	}
	q.usual = min(1, weighted/max(1e-9, sum))
	return q
}

// probabilities returns those of log-odds.
func probabilities(odds []float64) []float64 {
	p := make([]float64, len(odds))
	for k, z := range odds {
		p[k] = 1 / (1 + math.Exp(-z))
	}
	return p
}

// openingValues is weight times how likely each sentence is to open a summary, by its logit,
// relative to the likeliest.
func openingValues(logits []float64, weight float64) []float64 {
	value := make([]float64, len(logits))
	highest := slices.Max(logits)
	for k, z := range logits {
		value[k] = float64(weight * math.Exp(z-highest))
	}
	return value
}

// rowsOf returns the rows of the cluster that a problem consists of.
func (j *job) rowsOf(p *selection.Problem) []int {
	first := j.firstRows()
	rows := make([]int, len(p.Refs))
	for i, r := range p.Refs {
		rows[i] = first[r.Document] + r.Sentence
	}
	return rows
}

// firstRows returns the row of the first sentence of each document, and the number of rows.
func (s *Session) firstRows() []int {
	first := make([]int, len(s.cluster.Documents)+1)
	for i := range s.cluster.Documents {
		first[i+1] = first[i] + len(s.cluster.Documents[i].Sentences)
	}
	return first
}
