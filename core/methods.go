package core

import (
	"context"
	"slices"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/internal/salience"
)

// MethodInfo describes a method to people.
type MethodInfo struct {
	// Name is what Options.Method takes; Title and Description are for people.
	Name, Title, Description string
	// Embeddings says what the method makes of Options.Embeddings.
	Embeddings EmbeddingUse
	// Weights says what it makes of Options.Weights.
	Weights WeightUse
	// Query says whether it looks at Options.Query; see [OptionInfo.UsedBy].
	Query bool
}

// runner chooses sentences.
type runner func(context.Context, *job) (choice, error)

// method is a way to choose sentences.
type method struct {
	MethodInfo
	run runner
	// denseWeight is the weight of embeddings where Options has none.
	denseWeight float64
}

// job is one summary of a session.
type job struct {
	*Session
	options *Options
	// texts are those that budget and near-duplicates count: the session's, or
	// their translations.
	texts   []string
	measure measure
	// dense holds the embeddings; nil where no sentence has one, and for a
	// method that does not use them. weight is theirs in the vectors of the
	// method, 0 without embeddings.
	dense  *linalg.Dense[float32]
	weight float64
}

// methods in the order in which they are listed, after "auto".
var methods = []method{
	{MethodInfo{Name: "salience", Title: "Salience", Description: "Covers what a human summary would be likely to say: small networks, part of the program, learnt it from human summaries, for any language. Needs no model.", Embeddings: EmbeddingsNone}, runSalience, 0},
	{MethodInfo{Name: "instant", Title: "Instant", Description: "TF-IDF of words and word pairs; a centroid that early and central sentences draw; covers what several documents say. Needs no model.", Embeddings: EmbeddingsNone}, runInstant, 0},
	{MethodInfo{Name: "multilingual", Title: "Multilingual", Description: "As instant, for documents in several languages: embeddings tell what they all say, and keep out the same said in another language. Needs a model.", Embeddings: EmbeddingsRequired}, runMultilingual, multilingualWeight},
	{MethodInfo{Name: "mean", Title: "Mean centroid", Description: "The paper's beam search and greedy search (BS+GS) towards the mean of all sentence vectors: embeddings, or TF-IDF without a model.", Embeddings: EmbeddingsOptional}, runMean, 1},
	{MethodInfo{Name: "hybrid", Title: "Hybrid", Description: "As mean, over embeddings and TF-IDF vectors together. Needs a model.", Embeddings: EmbeddingsRequired}, runMean, DefaultDenseWeight},
	{MethodInfo{Name: "cera", Title: "CeRA", Description: "As mean, towards the centroid that a small network (Gonçalves et al. 2023) estimates: it learnt from human summaries which sentences matter. Needs a model and weights for it.", Embeddings: EmbeddingsRequired, Weights: WeightsRequired}, runEstimated, 1},
	{MethodInfo{Name: "cerai", Title: "CeRAI", Description: "As cera, with weights that also learnt how far to trust the estimate and how far the mean. Needs a model and weights for it.", Embeddings: EmbeddingsRequired, Weights: WeightsRequired}, runEstimated, 1},
	{MethodInfo{Name: "position", Title: "Position-weighted centroid", Description: "As mean, but the first sentences of each document weigh more in the centroid.", Embeddings: EmbeddingsOptional}, runPosition, 1},
	{MethodInfo{Name: "bs+gs", Title: "Beam and greedy search", Description: "The paper's beam search and greedy search (BS+GS) to the letter, towards the mean centroid.", Embeddings: EmbeddingsOptional}, runBeamGreedy, 1},
	{MethodInfo{Name: "bs", Title: "Beam search", Description: "The paper's beam search (BS) alone, towards the mean centroid.", Embeddings: EmbeddingsOptional}, runBeam, 1},
	{MethodInfo{Name: "gholipour", Title: "Gholipour 2017", Description: "Greedy: always the sentence that brings the whole summary nearest the mean centroid.", Embeddings: EmbeddingsOptional}, runGholipour, 1},
	{MethodInfo{Name: "lamsiyah", Title: "Lamsiyah et al. 2021", Description: "Ranks sentences by nearness to the mean centroid, novelty and position.", Embeddings: EmbeddingsOptional}, nearMean(selection.Lamsiyah), 1},
	{MethodInfo{Name: "rossiello", Title: "Rossiello et al. 2017", Description: "Ranks sentences by nearness to the mean centroid and leaves out repetitions.", Embeddings: EmbeddingsOptional}, nearMean(selection.Rossiello), 1},
	{MethodInfo{Name: "radev", Title: "Radev et al. 2000", Description: "Ranks sentences by nearness to the mean centroid.", Embeddings: EmbeddingsOptional}, nearMean(selection.Radev), 1},
	{MethodInfo{Name: "lexrank", Title: "LexRank", Description: "Ranks sentences by their centrality in the graph of similar sentences.", Embeddings: EmbeddingsOptional}, published(selection.LexRank), 1},
	{MethodInfo{Name: "textrank", Title: "TextRank", Description: "Ranks sentences by their centrality in the graph of sentences that share words.", Embeddings: EmbeddingsNone}, runTextRank, 0},
	{MethodInfo{Name: "mmr", Title: "MMR", Description: "Always the sentence that is near the mean centroid and far from those chosen before.", Embeddings: EmbeddingsOptional}, published(selection.MMR), 1},
	{MethodInfo{Name: "lead", Title: "Lead", Description: "The first sentences of the documents in turn.", Embeddings: EmbeddingsNone}, published(selection.Lead), 0},
}

// oracle knows the answer: it is for comparisons and not among [Methods].
var oracle = method{MethodInfo{Name: "oracle", Title: "Oracle centroid", Description: "The paper's BS+GS towards the mean of the reference summaries' sentences: the upper bound of what a centroid can do.", Embeddings: EmbeddingsOptional}, runOracle, 1}

// automatic stands for the best method for what is loaded.
var automatic = method{MethodInfo: MethodInfo{Name: "auto", Title: "Automatic", Description: "The best method for what is loaded: Multilingual for documents in several languages where there is a model, else Salience.", Embeddings: EmbeddingsOptional}}

// best is the method that auto stands for.
func (j *job) best() *method {
	name := "salience"
	switch {
	case j.dense != nil && j.multilingual():
		name = "multilingual"
	case j.options.Licence == LicenceFree && salience.ShortShare(j.ratio()) < 0.5:
		// What was learnt under a free licence is for narrow budgets.
		name = "instant"
	}
	m, _ := lookUpMethod(name)
	return m
}

// Methods lists what Options.Method takes, "auto" first. Beside these there is
// "oracle", which needs Options.References, and "headline", which makes no
// summary but a line above one.
func Methods() []MethodInfo {
	list := []MethodInfo{automatic.MethodInfo}
	for _, m := range methods {
		list = append(list, m.MethodInfo)
	}
	for i := range list {
		list[i].Query = slices.Contains(queried, list[i].Name)
	}
	return list
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

// positionDecay is the number of sentences in which the weight of a position
// falls to 1/e.
const positionDecay = 10

func runMean(ctx context.Context, j *job) (choice, error) {
	p := j.plain()
	r, err := j.distinctSearch(ctx, p)
	return chosen(r, p, j.even()), err
}

func runPosition(ctx context.Context, j *job) (choice, error) {
	p := j.plain()
	weights := centroid.PositionWeights(j.refs, positionDecay)
	p.Centroid = centroid.Weighted(p.Rows, weights)
	r, err := j.distinctSearch(ctx, p)
	return chosen(r, p, weights), err
}

// distinctSearch is BS+GS with the paper's n, B and T, but that equal sets of
// sentences count once and near-duplicates exclude each other.
func (j *job) distinctSearch(ctx context.Context, p *selection.Problem) (selection.Result, error) {
	q, err := j.query(ctx, j.centred, plainWeighting)
	if err != nil {
		return selection.Result{}, err
	}
	p.Centroid = q.lean(p.Centroid)
	params := j.options.override(selection.PaperParams())
	params.Distinct = true
	params.MaxCosine = nearDuplicate
	p.Wording = j.wording()
	p.Translations = j.counterparts().repeats(upTo(len(j.refs)))
	return j.search(ctx, p, params)
}

func (j *job) search(ctx context.Context, p *selection.Problem, params selection.Params) (selection.Result, error) {
	params.Budget = j.measure.budget
	return selection.Select(ctx, p, params)
}
