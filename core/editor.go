package core

import (
	"context"
	"math"
	"slices"

	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/internal/reading"
)

// editorParams are the hyperparameters of method editor, chosen on clusters from which
// an editor had quoted; see docs/reading.md.
type editorParams struct {
	salience salienceParams
	// value is how much the probability that an editor would quote a sentence counts
	// beside the objective of method salience, fillValue the same if Options.Fill is set.
	value, fillValue float64
	// least is the probability that is worth nothing in a summary of leastWords: a
	// sentence that is less likely costs what it lacks. In longer summaries it is
	// lower, as an editor would quote more. leastOfSingle is the same for a single document.
	least, leastOfSingle, leastWords float64
	// overlap is the share of the words of the shorter of two sentences from which on
	// they are about the same thing, overlapByWeight the same in long documents, where
	// rare words weigh more; see contentTerms.
	overlap, overlapByWeight float64
	// deathOverlap is the part of this share that is enough between sentences that say how
	// many people died: a death toll is given once, in one version.
	deathOverlap float64
	// leaning is what a sentence costs that certainly leans on the one before, which is
	// not quoted, and opener what it costs besides if it begins with a word that points
	// back. outdated is what one costs with a figure that a newer document corrects.
	leaning, opener, outdated float64
	// documentCost is what each quoted document costs, except the first: sentences of one
	// document go together. Sectioned documents cost nothing: they differ in what they say.
	documentCost float64
	// opening is what the opening of a summary adds if an editor would certainly choose
	// it, where the titles tell the event; others add it times their probability.
	opening float64
	// lead is what a sentence adds with which an editor's quotes of its document would certainly
	// begin; see reading.Leads. In a summary of fewer than leastWords it is more.
	lead float64
	// definition is what the opening of a summary of one document adds if it is the
	// sentence, one of the first, that defines the subject named by the title.
	definition float64
}

var editorDefaults = editorParams{
	salience:  salienceDefaults,
	value:     2,
	fillValue: 0.06,
	least:     0.25, leastOfSingle: 0.4, leastWords: 100,
	overlap: 1. / 3, overlapByWeight: 0.28,
	deathOverlap: 0.6,
	leaning:      0.4,
	opener:       1,
	outdated:     1,
	documentCost: 0.25,
	opening:      2,
	lead:         1.25,
	definition:   1,
}

// maxRelaxed is how often a search is repeated with lower demands; see editorSearch.run.
const maxRelaxed = 3

// definitionWithin is the number of sentences of which one may be a definition.
const definitionWithin = 3

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
	switch judged.kind {
	case reading.Single:
		params.least = params.leastOfSingle
	case reading.Sectioned:
		params.documentCost = 0
	}
	odds := a.query.biasOdds(judged.odds)
	opening := a.query.biasOdds(judged.opening)
	unanswered := a.query.unanswered()
	detail := j.detail() * unanswered
	var lead, bonus []float64
	if !j.options.Fill {
		lead = scaled(judged.lead, params.lead*unanswered*max(1, params.leastWords/j.budgetInWords()))
	}
	switch {
	case j.options.Fill:
	case judged.titled:
		bonus = openingValues(opening, params.opening*detail)
	case judged.kind == reading.Single:
		bonus = j.definition(params.definition * detail)
	}
	lexical := instantParams
	lexical.splitSpeech = j.options.Fill
	r, err := j.searchAndFill(a.rows, a.centroid, a.has, a.pair, lexical, a.coverageWeight, func(p *selection.Problem, con *selection.Concepts) (selection.Result, error) {
		s := editorSearch{job: j, problem: p, concepts: con, target: a, rows: j.rowsOf(p), odds: odds, lead: lead, bonus: bonus}
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
	rows     []int     // of the cluster, for each of the problem
	odds     []float64 // of the rows of the cluster
	lead     []float64 // what the rows of the cluster add as leads of their documents; or nil
	bonus    []float64 // of the rows of the cluster, as openings; or nil
}

// run searches, and up to maxRelaxed times again if the summary uses too little of the
// budget: with lower params.least and documentCost, at last without params.least, and where
// little was found with less cost of leaning sentences and fewer overlaps.
func (s *editorSearch) run(ctx context.Context, params editorParams) (selection.Result, error) {
	searcher, err := s.searcher(params)
	if err != nil {
		return selection.Result{}, err
	}
	search := func() (selection.Result, error) {
		value := s.quotability(s.odds, params)
		for k, v := range s.lead {
			value[k] += v
		}
		for k, v := range s.target.query.answerValues() {
			value[k] += v
		}
		return searcher.Search(ctx, s.values(s.rows, value, s.bonus, params))
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
			// Notes and lists leave out the subjects of their sentences.
			params.leaning /= 4
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

// values returns the values of the rows of the cluster that a problem consists of. A
// sentence costs in proportion to the probability that it leans on the one before, unless
// that one is quoted too. opening, which may be nil, is what it adds as the opening.
func (j *job) values(rows []int, value, opening []float64, params editorParams) *selection.Values {
	standing, outdated := j.standing(), j.outdated()
	v := &selection.Values{Each: make([]float64, len(rows)), After: make([]float64, len(rows))}
	if !j.options.Fill {
		v.DocumentCost = params.documentCost * j.detail()
	}
	if opening != nil {
		v.Opening = make([]float64, len(rows))
	}
	for i, k := range rows {
		if v.Each[i] = value[k]; j.options.Fill {
			continue
		}
		if opening != nil {
			v.Opening[i] = opening[k]
		}
		ref := j.refs[k]
		lean := &standing[ref.Document][ref.Sentence]
		v.After[i] = params.leaning * (1 - lean.Alone)
		if lean.Opener {
			v.After[i] += params.opener
		}
		v.Each[i] -= v.After[i]
		if outdated[ref] {
			v.Each[i] -= params.outdated
		}
	}
	return v
}

func scaled(values []float64, by float64) []float64 {
	scaled := make([]float64, len(values))
	for k, v := range values {
		scaled[k] = v * by
	}
	return scaled
}

// openingValues is what each sentence adds as the opening of a summary: weight times how
// likely it is, by its log-odds, that an editor opens with it rather than with the likeliest,
// less the mean: of a few short sentences each is likely.
func openingValues(odds []float64, weight float64) []float64 {
	value := make([]float64, len(odds))
	highest, mean := slices.Max(odds), 0.0
	for k, z := range odds {
		value[k] = math.Exp(z - highest)
		mean += value[k] / float64(len(odds))
	}
	for k, v := range value {
		value[k] = weight * max(0, v-mean)
	}
	return value
}

// definition returns weight for the first sentence that defines the subject of its
// document, such as an encyclopedia entry, and 0 for the others.
func (j *job) definition(weight float64) []float64 {
	value := make([]float64, len(j.refs))
	for k, ref := range j.refs {
		if ref.Sentence < definitionWithin && reading.Defines(j.cluster.Documents[ref.Document].Title, j.texts[k]) {
			value[k] = weight
			break
		}
	}
	return value
}

// quotability is what each sentence adds to the objective by itself.
func (j *job) quotability(odds []float64, params editorParams) []float64 {
	scale, least := params.value, params.least*min(1, params.leastWords/j.budgetInWords())
	if j.options.Fill {
		scale, least = params.fillValue, 0
	}
	value := make([]float64, len(odds))
	for k, z := range odds {
		value[k] = 1 / (1 + math.Exp(-z))
	}
	// Where no sentence is likely, the likelier ones have to do.
	likeliest := 0.0
	for k, p := range value {
		if !j.supports(k) {
			likeliest = max(likeliest, p)
		}
	}
	least = min(least, likeliest/2)
	for k, p := range value {
		value[k] = scale * (p - least)
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
