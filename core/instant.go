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

// recipe holds the numbers of the lexical method. They were searched for
// together, on samples of Multi-News validation, NeuS validation, AbMuSu train,
// OrangeSum validation and Opinosis; docs/benchmarks.md says how.
type recipe struct {
	weighting lexical.Weighting
	// decay of the position weights in the centroid, in sentences.
	decay float64
	// lengthWeight: a sentence weighs words^lengthWeight in the centroid.
	lengthWeight float64
	// sharpness of the centroid: see centroid.Sharpen.
	sharpness float64
	// relief makes the centroid even where the budget is roomy: decay and
	// sharpness are scaled by 1 − relief · budget/length of the cluster, at
	// least by 0.05. A summary of half the text has to say all of it.
	relief float64
	// minWords of a candidate.
	minWords int
	// openWords: in prose, a candidate of fewer words ends with a terminal mark.
	openWords  int
	beam       int
	coverShare float64
	// wordsPerConcept is how many words of the budget a covered concept takes.
	wordsPerConcept float64
}

var instantRecipe = recipe{
	weighting:       lexical.Weighting{Bigrams: true, SingleDocument: 0.7, Background: 30, SublinearTF: true},
	decay:           positionDecay,
	lengthWeight:    0.25,
	sharpness:       3,
	relief:          2,
	minWords:        5,
	openWords:       15,
	beam:            4,
	coverShare:      0.15,
	wordsPerConcept: 2,
}

// runInstant is the lexical method. The centroid is a mean of TF-IDF vectors
// (stems and word pairs) in which early, long and central sentences weigh
// more; the search looks for the set of sentences that points its way and
// covers the word pairs that several documents share.
func runInstant(ctx context.Context, j *job) (choice, error) {
	return j.cover(ctx, instantRecipe)
}

func (j *job) cover(ctx context.Context, rc recipe) (choice, error) {
	rows := j.blend(j.dense, j.tfidf(rc.weighting))
	weights := j.sharpWeights(rows, rc)
	q, err := j.query(ctx, j.blend, rc.weighting)
	if err != nil {
		return choice{}, err
	}
	c := q.lean(centroid.Weighted(rows, weights))
	if err := ctx.Err(); err != nil {
		return choice{}, err
	}
	con := j.concepts()
	r, err := j.among(j.candidates(rows, c, rc), rows, c, con.Sentence, q.expect(rows, con.Sentence, con.Weight), func(p *selection.Problem, con *selection.Concepts) (selection.Result, error) {
		return selection.SelectCoverage(ctx, p, con, selection.CoverageParams{
			Budget:          j.measure.budget,
			BeamWidth:       rc.beam,
			CoverageWeight:  rc.coverShare,
			ConceptCapacity: j.room(rc),
			MaxCosine:       nearDuplicate,
		})
	})
	if err != nil {
		return choice{}, err
	}
	return choice{r, rows, c, attention(rows, weights)}, nil
}

// room is about how many concepts a summary holds.
func (j *job) room(rc recipe) int { return max(1, int(j.budgetInWords()/rc.wordsPerConcept)) }

// among hands a search the kept rows alone, with the concepts that each sentence
// of the cluster has and their weights.
func (j *job) among(kept []int, rows linalg.Rows, c []float64, has [][]int32, weight []float64, search func(*selection.Problem, *selection.Concepts) (selection.Result, error)) (selection.Result, error) {
	p := &selection.Problem{Rows: linalg.Subset(rows, kept), Wording: j.wording().Subset(kept), Translations: j.counterparts().repeats(kept), Centroid: c}
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

// sharpWeights are the weights of the sentences in the centroid.
func (j *job) sharpWeights(rows linalg.Rows, rc recipe) []float64 {
	total := 0
	for _, n := range j.words {
		total += n
	}
	narrow := 1 - min(0.95, rc.relief*j.budgetInWords()/float64(max(1, total)))
	weights := centroid.PositionWeights(j.refs, rc.decay/narrow)
	for k := range weights {
		weights[k] *= math.Pow(float64(j.words[k]), rc.lengthWeight)
	}
	return centroid.Sharpen(rows, weights, rc.sharpness*narrow)
}

// maxCandidates bounds the search in a huge cluster. 2,000 is five times what
// ten long articles give.
const maxCandidates = 2000

// candidates are the rows that may be quoted, ascending: those of a few words
// that fit the budget and are no heading; where there are none, all that fit;
// where none fits, all. Of more than maxCandidates, fairShare keeps some.
func (j *job) candidates(rows linalg.Rows, c []float64, rc recipe) []int {
	prose := j.prose()
	var kept, fit []int
	for k, cost := range j.measure.cost {
		if cost > j.measure.budget {
			continue
		}
		fit = append(fit, k)
		if j.words[k] >= rc.minWords && (!prose[j.refs[k].Document] || j.words[k] >= rc.openWords || text.Closed(j.texts[k])) {
			kept = append(kept, k)
		}
	}
	if len(kept) == 0 {
		kept = fit
	}
	if len(kept) == 0 {
		kept = upTo(len(j.refs))
	}
	if len(kept) > maxCandidates {
		kept = j.fairShare(kept, centroid.Cosines(rows, c))
	}
	return kept
}

// upTo is 0, 1, … n-1.
func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// fairShare keeps maxCandidates of the rows: of each document the one nearest
// the centroid, then of each the second nearest, and so on. One huge document
// cannot crowd out the others.
func (j *job) fairShare(rows []int, cosine []float64) []int {
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(cosine[b], cosine[a]) })
	turn := make([]int, len(j.refs)) // of a row: how many of its document are nearer
	nearer := make([]int, len(j.cluster.Documents))
	for _, k := range rows {
		d := j.refs[k].Document
		turn[k] = nearer[d]
		nearer[d]++
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(turn[a], turn[b]) })
	rows = rows[:maxCandidates]
	slices.Sort(rows)
	return rows
}

// prose tells of each document whether most of its sentences end with a
// terminal mark: a short one that does not is then a heading, a caption or a
// byline, and no sentence to quote. In notes and lists it may be.
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

// budgetInWords is about how many words the budget holds.
func (j *job) budgetInWords() float64 {
	words, cost := 0, 0
	for k := range j.refs {
		words += j.words[k]
		cost += j.measure.cost[k]
	}
	return float64(j.measure.budget) * float64(words) / float64(max(1, cost))
}
