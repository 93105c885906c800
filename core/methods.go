package core

import (
	"context"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/core/selection"
)

// MethodInfo describes a method.
type MethodInfo struct {
	// Name is the value of Options.Method; Title and Description are for people.
	Name, Title, Description string
	// Embeddings says whether the method uses embeddings.
	Embeddings EmbeddingUse
	// Weights says whether it uses Options.Weights.
	Weights WeightUse
	// Query says whether it uses Options.Query.
	Query bool
	// Fill says whether it uses Options.Fill: without it, the method leaves room unused
	// rather than quote what adds little.
	Fill bool
	// AcrossLanguages says that the method uses embeddings only of documents in several
	// languages.
	AcrossLanguages bool
}

// runner selects sentences.
type runner func(context.Context, *job) (choice, error)

// method is a registered method. What it declares decides which options it uses:
// see [OptionInfo.UsedBy].
type method struct {
	MethodInfo
	run runner
	// denseWeight is the default of Options.DenseWeight.
	denseWeight float64
	search      search
}

// search says which steps of the paper's search a method runs; their parameters
// are options.
type search int

const (
	preselection search = 1 << iota // of candidates in each document
	beamSearch
	greedySearch // after the beam search

	fullSearch = preselection | beamSearch | greedySearch
)

// job is one summary of a session.
type job struct {
	*Session
	options *Options
	// texts are the texts that budget and near-duplicates count: those of the session
	// or their translations.
	texts   []string
	measure measure
	// support marks the sentences that Options.QuoteLanguages or a lack of embeddings keeps
	// from being quoted; nil: none.
	support []bool
	// asked holds the embeddings that answers are found with, by any method; nil if there
	// are none or the query has none.
	asked *linalg.Dense[float32]
	// answers is the relevance of each sentence to a question, where embeddings tell it;
	// else nil. The query sets it.
	answers []float64
	// dense holds the embeddings; nil if there are none or the method does not use
	// them. weight is their share in the sentence vectors, 0 without embeddings.
	dense  *linalg.Dense[float32]
	weight float64
}

// methods in the order of [Methods], after "auto".
var methods = []method{
	{MethodInfo: MethodInfo{Name: "editor", Title: "Editor", Description: "Quotes what an editor would quote, as predicted by a small model of editors' choices: sentences that report the event, stand alone and do not repeat each other. Leaves part of the budget unused rather than quote what adds little. Has word lists for 37 languages; works in others, too, and without an encoder.", Embeddings: EmbeddingsOptional, Query: true, Fill: true, AcrossLanguages: true}, run: runEditor, denseWeight: multilingualWeight},
	{MethodInfo: MethodInfo{Name: "salience", Title: "Salience", Description: "Covers what a human summary would be likely to say, as predicted by small networks trained on human summaries. Works in any language, without an encoder.", Embeddings: EmbeddingsNone, Query: true}, run: runSalience},
	{MethodInfo: MethodInfo{Name: "instant", Title: "Instant", Description: "TF-IDF vectors of words and word pairs, a centroid weighted towards early and central sentences, and coverage of what several documents say. Needs no encoder.", Embeddings: EmbeddingsNone, Query: true}, run: runInstant},
	{MethodInfo: MethodInfo{Name: "multilingual", Title: "Multilingual", Description: "Like instant, for documents in several languages: embeddings find what they have in common, and exclude repetition in another language. Needs an encoder.", Embeddings: EmbeddingsRequired, Query: true}, run: runMultilingual, denseWeight: multilingualWeight},
	{MethodInfo: MethodInfo{Name: "mean", Title: "Mean centroid", Description: "The paper's beam search and greedy search (BS+GS) with the mean of all sentence vectors as the centroid: embeddings, or TF-IDF vectors without an encoder.", Embeddings: EmbeddingsOptional, Query: true}, run: runMean, denseWeight: 1, search: fullSearch},
	{MethodInfo: MethodInfo{Name: "hybrid", Title: "Hybrid", Description: "Like mean, with embeddings and TF-IDF vectors together. Needs an encoder.", Embeddings: EmbeddingsRequired, Query: true}, run: runMean, denseWeight: DefaultDenseWeight, search: fullSearch},
	{MethodInfo: MethodInfo{Name: "cera", Title: "CeRA", Description: "Like mean, with a centroid estimated by a small network trained on human summaries (Gonçalves et al. 2023). Needs an encoder and weights for it.", Embeddings: EmbeddingsRequired, Weights: WeightsRequired, Query: true}, run: runEstimated, denseWeight: 1, search: fullSearch},
	{MethodInfo: MethodInfo{Name: "cerai", Title: "CeRAI", Description: "Like cera, with weights that also interpolate between the estimated and the mean centroid. Needs an encoder and weights for it.", Embeddings: EmbeddingsRequired, Weights: WeightsRequired, Query: true}, run: runEstimated, denseWeight: 1, search: fullSearch},
	{MethodInfo: MethodInfo{Name: "position", Title: "Position-weighted centroid", Description: "Like mean, but earlier sentences of each document weigh more in the centroid.", Embeddings: EmbeddingsOptional, Query: true}, run: runPosition, denseWeight: 1, search: fullSearch},
	{MethodInfo: MethodInfo{Name: "bs+gs", Title: "Beam and greedy search", Description: "The paper's beam search and greedy search (BS+GS) with the mean centroid.", Embeddings: EmbeddingsOptional}, run: runBeamGreedy, denseWeight: 1, search: fullSearch},
	{MethodInfo: MethodInfo{Name: "bs", Title: "Beam search", Description: "The paper's beam search (BS) only, with the mean centroid.", Embeddings: EmbeddingsOptional}, run: runBeam, denseWeight: 1, search: preselection | beamSearch},
	{MethodInfo: MethodInfo{Name: "gholipour", Title: "Gholipour 2017", Description: "Greedy: adds the sentence that brings the whole summary nearest to the mean centroid.", Embeddings: EmbeddingsOptional}, run: runGholipour, denseWeight: 1, search: preselection},
	{MethodInfo: MethodInfo{Name: "lamsiyah", Title: "Lamsiyah et al. 2021", Description: "Ranks sentences by relevance to the mean centroid, novelty and position.", Embeddings: EmbeddingsOptional}, run: nearMean(selection.Lamsiyah), denseWeight: 1},
	{MethodInfo: MethodInfo{Name: "rossiello", Title: "Rossiello et al. 2017", Description: "Ranks sentences by relevance to the mean centroid, and skips redundant ones.", Embeddings: EmbeddingsOptional}, run: nearMean(selection.Rossiello), denseWeight: 1},
	{MethodInfo: MethodInfo{Name: "radev", Title: "Radev et al. 2000", Description: "Ranks sentences by relevance to the mean centroid.", Embeddings: EmbeddingsOptional}, run: nearMean(selection.Radev), denseWeight: 1},
	{MethodInfo: MethodInfo{Name: "lexrank", Title: "LexRank", Description: "Ranks sentences by their centrality in the graph of similar sentences.", Embeddings: EmbeddingsOptional}, run: published(selection.LexRank), denseWeight: 1},
	{MethodInfo: MethodInfo{Name: "textrank", Title: "TextRank", Description: "Ranks sentences by their centrality in the graph of sentences that share words.", Embeddings: EmbeddingsNone}, run: runTextRank},
	{MethodInfo: MethodInfo{Name: "concepts", Title: "Concepts", Description: "Covers the word pairs that several documents share; those of more documents and of earlier sentences weigh more (Gillick and Favre 2009).", Embeddings: EmbeddingsNone}, run: runConcepts},
	{MethodInfo: MethodInfo{Name: "mmr", Title: "MMR", Description: "Adds sentences near the mean centroid and unlike those already selected.", Embeddings: EmbeddingsOptional}, run: published(selection.MMR), denseWeight: 1},
	{MethodInfo: MethodInfo{Name: "lead", Title: "Lead", Description: "The first sentences of the documents in turn.", Embeddings: EmbeddingsNone}, run: published(selection.Lead)},
}

// oracle uses the references. It is for comparison and not among [Methods].
var oracle = method{MethodInfo: MethodInfo{Name: "oracle", Title: "Oracle centroid", Description: "The paper's BS+GS with the mean of the reference sentences as the centroid: the upper bound of methods with a centroid.", Embeddings: EmbeddingsOptional}, run: runOracle, denseWeight: 1, search: fullSearch}

// automatic is the default: method editor, with embeddings only where the documents are
// in several languages.
var automatic = method{MethodInfo: MethodInfo{Name: "auto", Title: "Automatic", Description: "Editor, with embeddings for documents in several languages if there is an encoder.", Embeddings: EmbeddingsOptional, Query: true, Fill: true, AcrossLanguages: true}}

// automatic returns the method that auto selects.
func (j *job) automatic() *method {
	m, _ := lookUpMethod("editor")
	return m
}

// Methods lists the values of Options.Method, "auto" first. Not listed are "oracle",
// which requires Options.References, and "headline", which selects a line to show
// above a summary.
func Methods() []MethodInfo {
	list := []MethodInfo{automatic.MethodInfo}
	for _, m := range methods {
		list = append(list, m.MethodInfo)
	}
	return list
}

// Method describes the method with a name, even if [Methods] does not list it. An
// empty name means "auto".
func Method(name string) (MethodInfo, error) {
	m, err := lookUpMethod(name)
	if err != nil {
		return MethodInfo{}, err
	}
	return m.MethodInfo, nil
}

// lookUpMethod finds a method by name; empty means auto.
func lookUpMethod(name string) (*method, error) {
	switch name {
	case "", automatic.Name:
		return &automatic, nil
	case oracle.Name:
		return &oracle, nil
	case headline.Name:
		return &headline, nil
	}
	for i := range methods {
		if methods[i].Name == name {
			return &methods[i], nil
		}
	}
	var names []string
	for _, m := range Methods() {
		names = append(names, m.Name)
	}
	return nil, optionError("method", "want %s, got %q", OneOf(names), name)
}

// positionDecay is the number of sentences over which the weight of a position falls
// to 1/e.
const positionDecay = 10

func runMean(ctx context.Context, j *job) (choice, error) {
	p := j.plain()
	r, err := j.distinctSearch(ctx, p)
	return chosen(r, p, j.uniformWeights()), err
}

func runPosition(ctx context.Context, j *job) (choice, error) {
	p := j.plain()
	weights := centroid.PositionWeights(j.refs, positionDecay)
	p.Centroid = centroid.Weighted(p.Rows, weights)
	r, err := j.distinctSearch(ctx, p)
	return chosen(r, p, weights), err
}

// distinctSearch is BS+GS with the paper's n, B and T, except that equal sets of
// sentences count once and near-duplicates exclude each other.
func (j *job) distinctSearch(ctx context.Context, p *selection.Problem) (selection.Result, error) {
	q, err := j.query(ctx, j.centred, plainWeighting)
	if err != nil {
		return selection.Result{}, err
	}
	p.Centroid = q.biasCentroid(p.Centroid)
	params := j.options.override(selection.PaperParams())
	params.Distinct = true
	params.MaxCosine = nearDuplicate
	p.Wording = j.wording()
	p.Translations = j.translations().repeats(indices(len(j.refs)))
	return j.search(ctx, p, params)
}

func (j *job) search(ctx context.Context, p *selection.Problem, params selection.Params) (selection.Result, error) {
	params.Budget = j.measure.budget
	return selection.Select(ctx, p, params)
}
