package core

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/internal/lexical"
	"github.com/cerasum/cerasum/internal/text"
)

// lexicalParams are the hyperparameters of the lexical method. They were searched
// jointly on samples of Multi-News validation, NeuS validation, AbMuSu train,
// OrangeSum validation and Opinosis; see docs/benchmarks.md.
type lexicalParams struct {
	weighting lexical.Weighting
	// decay of the position weights of the centroid, in sentences.
	decay float64
	// lengthWeight: a sentence weighs words^lengthWeight in the centroid.
	lengthWeight float64
	// sharpness of the centroid: see centroid.Sharpen.
	sharpness float64
	// flattening makes the sentence weights more uniform for long budgets: decay
	// and sharpness are scaled by 1 − flattening · budget/length of the cluster, at
	// least 0.05. A summary of half the text has to cover all of it.
	flattening float64
	// minWords of a candidate.
	minWords int
	// splitSpeech: a summary of more than a third of what can be quoted may have
	// parts of quotations (cluster.Sentence.Unquotable), too. Without them, little
	// would be left to choose from.
	splitSpeech bool
	// openWords: in prose, a candidate of fewer words must end with a terminal mark.
	openWords      int
	beam           int
	coverageWeight float64
	// wordsPerConcept is the number of words of the budget per covered concept.
	wordsPerConcept float64
}

var instantParams = lexicalParams{
	weighting:       lexical.Weighting{Bigrams: true, SingleDocument: 0.7, Background: 30, SublinearTF: true},
	decay:           positionDecay,
	lengthWeight:    0.25,
	sharpness:       3,
	flattening:      2,
	minWords:        5,
	splitSpeech:     true,
	openWords:       15,
	beam:            4,
	coverageWeight:  0.15,
	wordsPerConcept: 2,
}

// runInstant is the lexical method. The centroid is a mean of TF-IDF vectors
// (stems and word pairs) in which early, long and central sentences weigh more;
// the search maximizes the cosine to it and the coverage of word pairs that
// several documents share.
func runInstant(ctx context.Context, j *job) (choice, error) {
	return j.cover(ctx, instantParams)
}

func (j *job) cover(ctx context.Context, params lexicalParams) (choice, error) {
	rows := j.blend(j.dense, j.tfidf(params.weighting))
	weights := j.sharpWeights(rows, params)
	q, err := j.query(ctx, j.blend, params.weighting)
	if err != nil {
		return choice{}, err
	}
	c := q.biasCentroid(centroid.Weighted(rows, weights))
	if err := ctx.Err(); err != nil {
		return choice{}, err
	}
	con := j.concepts()
	r, err := j.searchAndFill(rows, c, con.Sentence, q.biasWeights(con.Sentence, con.Weight), params, params.coverageWeight, func(p *selection.Problem, con *selection.Concepts) (selection.Result, error) {
		return selection.SelectCoverage(ctx, p, con, selection.CoverageParams{
			Budget:          j.measure.budget,
			BeamWidth:       params.beam,
			CoverageWeight:  params.coverageWeight,
			ConceptCapacity: j.conceptCapacity(params),
			MaxCosine:       nearDuplicate,
		})
	})
	if err != nil {
		return choice{}, err
	}
	return choice{r, rows, c, attention(rows, weights), nil, nil}, nil
}

// conceptCapacity estimates the number of concepts that a summary covers.
func (j *job) conceptCapacity(params lexicalParams) int {
	return max(1, int(j.budgetInWords()/params.wordsPerConcept))
}

// searchCandidates runs a search on the candidate rows; has lists the concepts
// of each sentence of the cluster, weight holds their weights. The result has
// the rows of the cluster.
func (j *job) searchCandidates(kept []int, rows linalg.Rows, c []float64, has [][]int32, weight []float64, search func(*selection.Problem, *selection.Concepts) (selection.Result, error)) (selection.Result, error) {
	p := &selection.Problem{Rows: linalg.Subset(rows, kept), Wording: j.wording().Subset(kept), Translations: j.translations().repeats(kept), Centroid: c}
	con := &selection.Concepts{Weight: weight}
	for _, k := range kept {
		p.Refs = append(p.Refs, j.refs[k])
		p.Texts = append(p.Texts, j.texts[k])
		p.Length = append(p.Length, j.measure.cost[k])
		con.Sentence = append(con.Sentence, has[k])
	}
	r, err := search(p, con)
	if err != nil {
		return r, err
	}
	for i, k := range r.Rows {
		r.Rows[i] = kept[k]
	}
	for i, k := range r.Rank {
		r.Rank[i] = kept[k]
	}
	return r, nil
}

// sharpWeights returns the weights of the sentences in the centroid.
func (j *job) sharpWeights(rows linalg.Rows, params lexicalParams) []float64 {
	total := 0
	for _, n := range j.words {
		total += n
	}
	return j.weightsFor(rows, params, 1-min(0.95, params.flattening*j.budgetInWords()/float64(max(1, total))))
}

// usualWeights are those of sharpWeights for a summary that is short beside the
// documents.
func (j *job) usualWeights(rows linalg.Rows) []float64 {
	return j.weightsFor(rows, instantParams, 1)
}

func (j *job) weightsFor(rows linalg.Rows, params lexicalParams, scale float64) []float64 {
	weights := centroid.PositionWeights(j.refs, params.decay/scale)
	for k := range weights {
		weights[k] *= math.Pow(float64(j.words[k]), params.lengthWeight)
	}
	return centroid.Sharpen(rows, weights, params.sharpness*scale)
}

// maxCandidates bounds the search in a huge cluster: five times the sentences of
// ten long articles.
const maxCandidates = 2000

// candidates returns the rows that may be quoted, ascending: sentences of minWords or
// more that fit the budget and are neither headings, titles nor unquotable (but see
// lexicalParams.splitSpeech); if there are none, shorter ones; if there are none
// either, all that fit; if none fits, all. roundRobin reduces them to maxCandidates.
func (j *job) candidates(rows linalg.Rows, c []float64, params lexicalParams) []int {
	prose := j.prose()
	quotable := make([]int, len(j.cluster.Documents)) // words of each document
	words := 0
	for k, r := range j.refs {
		if !j.cluster.At(r).Unquotable {
			quotable[r.Document] += j.words[k]
			words += j.words[k]
		}
	}
	splitSpeech := params.splitSpeech && float64(words) < 3*j.budgetInWords()
	var kept, short, fit []int
	for k, cost := range j.measure.cost {
		if cost > j.measure.budget || j.supports(k) {
			continue
		}
		fit = append(fit, k)
		switch {
		case j.title(k) || j.heading(k, prose, params) || j.cluster.At(j.refs[k]).Unquotable && !(splitSpeech && quotable[j.refs[k].Document] > 0):
		case j.words[k] >= params.minWords:
			kept = append(kept, k)
		default:
			short = append(short, k)
		}
	}
	if len(kept) == 0 {
		kept = short
	}
	if len(kept) == 0 {
		kept = fit
	}
	if len(kept) == 0 {
		kept = slices.DeleteFunc(indices(len(j.refs)), j.supports)
	}
	if len(kept) > maxCandidates {
		kept = j.roundRobin(kept, centroid.Cosines(rows, c))
	}
	return kept
}

// indices returns 0, 1, …, n-1.
func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// roundRobin keeps maxCandidates rows: the one nearest to the centroid of each
// document, then the second nearest of each, and so on, so that one huge document
// cannot displace the others.
func (j *job) roundRobin(rows []int, cosine []float64) []int {
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(cosine[b], cosine[a]) })
	rank := make([]int, len(j.refs)) // of a row, within its document
	seen := make([]int, len(j.cluster.Documents))
	for _, k := range rows {
		d := j.refs[k].Document
		rank[k] = seen[d]
		seen[d]++
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(rank[a], rank[b]) })
	rows = rows[:maxCandidates]
	slices.Sort(rows)
	return rows
}

// prose reports for each document whether most of its sentences end with a
// terminal mark. A short one that does not is then a heading, a caption or a
// byline; in notes and lists it may be a sentence.
func (j *job) prose() []bool {
	closed := make([]int, len(j.cluster.Documents))
	for k, r := range j.refs {
		if text.Closed(j.texts[k]) {
			closed[r.Document]++
		}
	}
	prose := make([]bool, len(closed))
	for d, n := range closed {
		prose[d] = 2*n > len(j.cluster.Documents[d].Sentences)
	}
	return prose
}

// budgetInWords estimates the budget in words.
func (j *job) budgetInWords() float64 {
	words, cost := 0, 0
	for k := range j.refs {
		words += j.words[k]
		cost += j.measure.cost[k]
	}
	return float64(j.measure.budget) * float64(words) / float64(max(1, cost))
}
