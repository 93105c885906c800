package core

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/internal/lexical"
	"github.com/cerasum/cerasum/internal/text"
)

// DefaultQueryWeight is the default of Options.QueryWeight. ROUGE-2 recall with
// salience: DUC 2006 10.74 (10.00 without the question), QMSum train 8.08 (3.91), on
// which the constants here and in internal/lexical were chosen; DUC 2007 13.34 (13.07),
// QMSum dev 7.31 (3.72). See docs/benchmarks.md.
const DefaultQueryWeight = 0.6

// query is a query as a vector, and what it says of the sentences; nil means none.
type query struct {
	vector []float64 // of unit length
	weight float64   // 0..1
	// relevance of each sentence, in 0..1; nil: its cosine to vector.
	relevance []float64
	// answer is what the value of the most relevant sentence rises by, as the answer to a
	// question; 0 without embeddings.
	answer float64
}

// query returns Options.Query in the space of blend's rows for TF-IDF vectors with
// this weighting, or nil if there is none or if it does not ask for anything that the
// documents have: see [lexical.Analysis.Answers]. With an embedding, a question mark is
// enough.
func (j *job) query(ctx context.Context, blend func(*linalg.Dense[float32], *linalg.Sparse) linalg.Rows, weighting lexical.Weighting) (*query, error) {
	if j.options.Query == "" {
		return nil, nil
	}
	question := j.queryCluster()
	read, err := lexical.Analyze(ctx, question)
	if err != nil {
		return nil, err
	}
	sparse := j.analysis.Project(read, weighting)
	var dense *linalg.Dense[float32]
	if j.weight > 0 {
		dense = &linalg.Dense[float32]{Cols: j.dimensions}
		for range sparse.Len() {
			dense.Data = append(dense.Data, j.options.QueryEmbedding...)
		}
	}
	q := &query{vector: centroid.Mean(blend(dense, sparse)), weight: DefaultQueryWeight}
	if j.options.QueryWeight != nil {
		q.weight = *j.options.QueryWeight
	}
	var languages []string
	for _, d := range question.Documents {
		languages = append(languages, d.Language)
	}
	if l := text.Detect(j.options.Query); l != "" && !slices.Contains(languages, l) {
		languages = append(languages, l)
	}
	relevance, held, err := j.analysis.Answers(ctx, j.options.Query, languages)
	if err != nil {
		return nil, err
	}
	q.relevance = relevance
	if near := j.nearness(relevance, wordsBeside*min(1, held/usualHeld)); near != nil {
		q.relevance = near
		// What the relevant sentences say stands for the question, which may be in other words
		// or in another language.
		q.vector = centroid.Weighted(blend(j.dense, j.tfidf(weighting)), near)
		if asks(j.options.Query) {
			if j.options.QueryWeight == nil {
				q.weight = askedWeight
			}
			held = usualHeld // the documents may answer in other words
			q.answer = answerValue * q.weight
			j.answers = near
		}
	}
	if held == 0 {
		return nil, nil
	}
	q.weight = math.Pow(q.weight, usualHeld/held)
	if !scaleToUnit(q.vector) || q.weight == 0 {
		return nil, nil
	}
	return q, nil
}

// usualHeld is the share of a question in one sentence at which Options.QueryWeight w
// counts as it is. Where the best sentence holds the share h, it counts as
// w^(usualHeld/h): a question that has its answer in one place decides more than one
// about all of the documents, and a word or two by chance decide nothing. It was chosen on
// DUC 2006, QMSum train and questions on clusters in several languages (docs/benchmarks.md).
//
// With embeddings, a sentence that has most of the words of the query has wordsBeside added
// to its cosine, a question has the weight askedWeight unless one is given, and answerValue
// is what its answer is worth. They were chosen on the training part of research/questions,
// wordsBeside on 1,934 of its questions that the encoder had not been trained on: there,
// as on the others, words of this weight never rank the answer lower than the embeddings
// alone do, in the language of the documents or in another.
const (
	usualHeld   = 0.3
	wordsBeside = 0.12
	askedWeight = 0.97
	answerValue = 4
)

// biasCentroid moves the centroid c towards the query: (1−w) · c/|c| + w · q.
func (q *query) biasCentroid(c []float64) []float64 {
	if q == nil {
		return c
	}
	mixed := slices.Clone(c)
	scaleToUnit(mixed)
	for i := range mixed {
		mixed[i] = float64((1-q.weight)*mixed[i]) + float64(q.weight*q.vector[i])
	}
	return mixed
}

// biasWeights multiplies the weights of concepts by the relevance of the most relevant
// sentence that has them. has lists the concepts of each sentence. The product keeps what
// is salient among the relevant; of a query of weight w, (1−w)^8 of the weight of a
// concept is left where no sentence is relevant.
func (q *query) biasWeights(has [][]int32, weight []float64) []float64 {
	if q == nil {
		return weight
	}
	relevance := make([]float64, len(weight)) // of the concepts
	for k, r := range q.relevance {
		for _, m := range has[k] {
			relevance[m] = max(relevance[m], r)
		}
	}
	left := math.Pow(1-q.weight, 8)
	biased := make([]float64, len(weight))
	for m, v := range weight {
		biased[m] = v * (left + float64((1-left)*relevance[m]))
	}
	return biased
}

// nearness returns the relevance of each sentence by its embedding, in 0..1: the square of
// how much nearer than the mean sentence it is to the query, relative to the nearest, where
// weight times the relevance of its words, if there are any, is added to its cosine. A
// sentence without embedding counts as a mean one. It returns nil without embeddings, and
// if no sentence is nearer than another.
func (j *job) nearness(words []float64, weight float64) []float64 {
	if j.asked == nil {
		return nil
	}
	embedding := make([]float64, j.dimensions)
	for i, v := range j.options.QueryEmbedding {
		embedding[i] = float64(v)
	}
	near := centroid.Cosines(j.asked, embedding)
	norm2 := linalg.SquaredLengths(j.asked)
	sum, embedded, nearest := 0.0, 0, math.Inf(-1)
	for k, v := range near {
		if norm2[k] > 0 {
			sum += v
			embedded++
			nearest = max(nearest, v)
		}
	}
	mean := sum / float64(max(1, embedded))
	if !(nearest > mean) {
		return nil
	}
	for k := range near {
		if norm2[k] == 0 {
			near[k] = mean
		}
		if words != nil {
			near[k] += float64(weight * words[k])
		}
	}
	highest := slices.Max(near)
	for k, v := range near {
		e := max(0, v-mean) / (highest - mean)
		near[k] = float64(e * e)
	}
	return near
}

// asks reports whether a query is a question to be answered by embeddings. Japanese ones
// need no question mark.
func asks(query string) bool {
	return lexical.Asks(query) || strings.HasSuffix(strings.TrimRight(query, "。 "), "か")
}

// answerValues returns what each sentence is worth as the answer to a question; nil if no
// embeddings tell it.
func (q *query) answerValues() []float64 {
	if q == nil || q.answer == 0 {
		return nil
	}
	value := make([]float64, len(q.relevance))
	for k, r := range q.relevance {
		value[k] = float64(q.answer * r * r * r)
	}
	return value
}

// answerValues returns those of the rows that a problem consists of, as values of a search.
func (j *job) answerValues(p *selection.Problem, q *query) *selection.Values {
	value := q.answerValues()
	if value == nil {
		return nil
	}
	v := &selection.Values{Each: make([]float64, len(p.Refs)), After: make([]float64, len(p.Refs))}
	for i, k := range j.rowsOf(p) {
		v.Each[i] = value[k]
	}
	return v
}

// biasOdds adds what the relevance of each sentence says to log-odds that it is quoted:
// 4w for the most relevant, −4w for one that is not, with a query of weight w.
func (q *query) biasOdds(odds []float64) []float64 {
	if q == nil {
		return odds
	}
	biased := make([]float64, len(odds))
	for k, r := range q.relevance {
		biased[k] = odds[k] + float64(8*q.weight*(r-0.5))
	}
	return biased
}

// unanswered is 1 without a query and 0 with a question that the documents answer, as the
// answer then opens the summary, not the event. The more of a query the documents have, the
// lower it is.
func (q *query) unanswered() float64 {
	if q == nil {
		return 1
	}
	return max(0, 1-q.weight/DefaultQueryWeight)
}

// queryCluster returns the query as a cluster with one document per language of the
// documents, so that it is stemmed like them.
func (j *job) queryCluster() *cluster.Cluster {
	c := &cluster.Cluster{}
	seen := map[string]bool{}
	for i := range j.cluster.Documents {
		d := &j.cluster.Documents[i]
		if len(d.Sentences) == 0 || seen[d.Language] {
			continue
		}
		seen[d.Language] = true
		c.Documents = append(c.Documents, cluster.Document{
			Text: j.options.Query, Language: d.Language,
			Sentences: []cluster.Sentence{{Text: j.options.Query, End: len(j.options.Query)}},
		})
	}
	return c
}

// scaleToUnit scales v to unit length, and reports whether it is not all zeros.
func scaleToUnit(v []float64) bool {
	square := 0.0
	for _, x := range v {
		square += float64(x * x)
	}
	if square == 0 {
		return false
	}
	length := math.Sqrt(square)
	for i := range v {
		v[i] /= length
	}
	return true
}
