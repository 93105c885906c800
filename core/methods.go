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
	// dense holds the embeddings; nil if there are none or the method does not use
	// them. weight is their share in the sentence vectors, 0 without embeddings.
	dense  *linalg.Dense[float32]
	weight float64
}

// methods in the order of [Methods], after "auto".
var methods = []method{
	{MethodInfo{Name: "salience", Title: "Salience", Description: "Covers what a human summary would be likely to say, as predicted by small networks trained on human summaries; they are part of the program and work in any language. Needs no model.", Embeddings: EmbeddingsNone, Query: true}, runSalience, 0, 0},
	{MethodInfo{Name: "instant", Title: "Instant", Description: "TF-IDF vectors of words and word pairs, a centroid weighted towards early and central sentences, and coverage of what several documents say. Needs no model.", Embeddings: EmbeddingsNone, Query: true}, runInstant, 0, 0},
	{MethodInfo{Name: "multilingual", Title: "Multilingual", Description: "Like instant, for documents in several languages: embeddings find what they have in common, and exclude repetition in another language. Needs a model.", Embeddings: EmbeddingsRequired, Query: true}, runMultilingual, multilingualWeight, 0},
	{MethodInfo{Name: "mean", Title: "Mean centroid", Description: "The paper's beam search and greedy search (BS+GS) with the mean of all sentence vectors as the centroid: embeddings, or TF-IDF vectors without a model.", Embeddings: EmbeddingsOptional, Query: true}, runMean, 1, fullSearch},
	{MethodInfo{Name: "hybrid", Title: "Hybrid", Description: "Like mean, with embeddings and TF-IDF vectors together. Needs a model.", Embeddings: EmbeddingsRequired, Query: true}, runMean, DefaultDenseWeight, fullSearch},
	{MethodInfo{Name: "cera", Title: "CeRA", Description: "Like mean, with a centroid estimated by a small network trained on human summaries (Gonçalves et al. 2023). Needs a model and its weights.", Embeddings: EmbeddingsRequired, Weights: WeightsRequired, Query: true}, runEstimated, 1, fullSearch},
	{MethodInfo{Name: "cerai", Title: "CeRAI", Description: "Like cera, with weights that also interpolate between the estimated and the mean centroid. Needs a model and its weights.", Embeddings: EmbeddingsRequired, Weights: WeightsRequired, Query: true}, runEstimated, 1, fullSearch},
	{MethodInfo{Name: "position", Title: "Position-weighted centroid", Description: "Like mean, but earlier sentences of each document weigh more in the centroid.", Embeddings: EmbeddingsOptional, Query: true}, runPosition, 1, fullSearch},
	{MethodInfo{Name: "bs+gs", Title: "Beam and greedy search", Description: "The paper's beam search and greedy search (BS+GS) with the mean centroid.", Embeddings: EmbeddingsOptional}, runBeamGreedy, 1, fullSearch},
	{MethodInfo{Name: "bs", Title: "Beam search", Description: "The paper's beam search (BS) only, with the mean centroid.", Embeddings: EmbeddingsOptional}, runBeam, 1, preselection | beamSearch},
	{MethodInfo{Name: "gholipour", Title: "Gholipour 2017", Description: "Greedy: adds the sentence that brings the whole summary nearest to the mean centroid.", Embeddings: EmbeddingsOptional}, runGholipour, 1, preselection},
	{MethodInfo{Name: "lamsiyah", Title: "Lamsiyah et al. 2021", Description: "Ranks sentences by relevance to the mean centroid, novelty and position.", Embeddings: EmbeddingsOptional}, nearMean(selection.Lamsiyah), 1, 0},
	{MethodInfo{Name: "rossiello", Title: "Rossiello et al. 2017", Description: "Ranks sentences by relevance to the mean centroid, and skips redundant ones.", Embeddings: EmbeddingsOptional}, nearMean(selection.Rossiello), 1, 0},
	{MethodInfo{Name: "radev", Title: "Radev et al. 2000", Description: "Ranks sentences by relevance to the mean centroid.", Embeddings: EmbeddingsOptional}, nearMean(selection.Radev), 1, 0},
	{MethodInfo{Name: "lexrank", Title: "LexRank", Description: "Ranks sentences by their centrality in the graph of similar sentences.", Embeddings: EmbeddingsOptional}, published(selection.LexRank), 1, 0},
	{MethodInfo{Name: "textrank", Title: "TextRank", Description: "Ranks sentences by their centrality in the graph of sentences that share words.", Embeddings: EmbeddingsNone}, runTextRank, 0, 0},
	{MethodInfo{Name: "concepts", Title: "Concepts", Description: "Covers the word pairs that several documents have, those of more documents and earlier sentences first (Gillick and Favre 2009).", Embeddings: EmbeddingsNone}, runConcepts, 0, 0},
	{MethodInfo{Name: "mmr", Title: "MMR", Description: "Adds the sentence that is near the mean centroid and unlike those already selected.", Embeddings: EmbeddingsOptional}, published(selection.MMR), 1, 0},
	{MethodInfo{Name: "lead", Title: "Lead", Description: "The first sentences of the documents in turn.", Embeddings: EmbeddingsNone}, published(selection.Lead), 0, 0},
}

// oracle uses the references. It is for comparison and not among [Methods].
var oracle = method{MethodInfo{Name: "oracle", Title: "Oracle centroid", Description: "The paper's BS+GS with the mean of the reference sentences as the centroid: the upper bound of methods with a centroid.", Embeddings: EmbeddingsOptional}, runOracle, 1, fullSearch}

// automatic selects a method by the documents.
var automatic = method{MethodInfo: MethodInfo{Name: "auto", Title: "Automatic", Description: "Multilingual for documents in several languages if there is a model, otherwise Salience; Instant for summaries of about half of several documents.", Embeddings: EmbeddingsOptional, Query: true}}

// A summary of several documents that is instantWords or longer, where they have
// fewer than instantRatio words for each of its own, is better made by instant than
// by salience with the general expert (docs/benchmarks.md).
const (
	instantRatio = 2.1
	instantWords = 100
)

// automatic returns the method that auto selects.
func (j *job) automatic() *method {
	name := "salience"
	switch {
	case j.dense != nil && j.multilingual():
		name = "multilingual"
	case j.options.Licence != LicenceAny && len(j.cluster.Documents) > 1 && j.ratio() < instantRatio && j.budgetInWords() >= instantWords:
		// Only the long-budget expert, whose corpus is not free, is better there.
		name = "instant"
	}
	m, _ := lookUpMethod(name)
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

// Method describes a method, also one that [Methods] does not list; empty means
// "auto".
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
