package core

import (
	"context"
	"strings"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/internal/errorf"
	"github.com/cerasum/cerasum/internal/lexical"
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

// job is a prepared cluster and what is known of it.
type job struct {
	cluster  *cluster.Cluster
	options  *Options
	refs     []cluster.Ref
	texts    []string
	words    []int // UAX #29 word segments of each sentence
	measure  measure
	analysis *lexical.Analysis
	shared   *linalg.Sparse // see wording
	across   *counterparts  // see counterparts
	// dense holds the embeddings; nil where no sentence has one, and for a
	// method that does not look at them. weight is theirs in the vectors that
	// the method goes by, 0 without embeddings.
	dense  *linalg.Dense[float32]
	weight float64
}

// wording is analysis.Wording, formed once.
func (j *job) wording() *linalg.Sparse {
	if j.shared == nil {
		j.shared = j.analysis.Wording()
	}
	return j.shared
}

// methods in the order in which they are listed, after "auto".
var methods = []method{
	{MethodInfo{"salience", "Salience", "Covers what a human summary would be likely to say: small networks, part of the program, learnt it from human summaries, for any language. Needs no model.", EmbeddingsNone, WeightsNone}, runSalience, 0},
	{MethodInfo{"instant", "Instant", "TF-IDF of words and word pairs; a centroid that early and central sentences draw; covers what several documents say. Needs no model.", EmbeddingsNone, WeightsNone}, runInstant, 0},
	{MethodInfo{"multilingual", "Multilingual", "As instant, for documents in several languages: embeddings tell what they all say, and keep out the same said in another language. Needs a model.", EmbeddingsRequired, WeightsNone}, runMultilingual, multilingualWeight},
	{MethodInfo{"mean", "Mean centroid", "The paper's beam search and greedy search (BS+GS) towards the mean of all sentence vectors: embeddings, or TF-IDF without a model.", EmbeddingsOptional, WeightsNone}, runMean, 1},
	{MethodInfo{"hybrid", "Hybrid", "As mean, over embeddings and TF-IDF vectors together. Needs a model.", EmbeddingsRequired, WeightsNone}, runMean, DefaultDenseWeight},
	{MethodInfo{"cera", "CeRA", "As mean, towards the centroid that a small network (Gonçalves et al. 2023) estimates: it learnt from human summaries which sentences matter. Needs a model and weights for it.", EmbeddingsRequired, WeightsRequired}, runEstimated, 1},
	{MethodInfo{"cerai", "CeRAI", "As cera, with weights that also learnt how far to trust the estimate and how far the mean. Needs a model and weights for it.", EmbeddingsRequired, WeightsRequired}, runEstimated, 1},
	{MethodInfo{"position", "Position-weighted centroid", "As mean, but the first sentences of each document weigh more in the centroid.", EmbeddingsOptional, WeightsNone}, runPosition, 1},
	{MethodInfo{"bs+gs", "Beam and greedy search", "The paper's beam search and greedy search (BS+GS) to the letter, towards the mean centroid.", EmbeddingsOptional, WeightsNone}, runBeamGreedy, 1},
	{MethodInfo{"bs", "Beam search", "The paper's beam search (BS) alone, towards the mean centroid.", EmbeddingsOptional, WeightsNone}, runBeam, 1},
	{MethodInfo{"gholipour", "Gholipour 2017", "Greedy: always the sentence that brings the whole summary nearest the mean centroid.", EmbeddingsOptional, WeightsNone}, runGholipour, 1},
	{MethodInfo{"lamsiyah", "Lamsiyah et al. 2021", "Ranks sentences by nearness to the mean centroid, novelty and position.", EmbeddingsOptional, WeightsNone}, nearMean(selection.Lamsiyah), 1},
	{MethodInfo{"rossiello", "Rossiello et al. 2017", "Ranks sentences by nearness to the mean centroid and leaves out repetitions.", EmbeddingsOptional, WeightsNone}, nearMean(selection.Rossiello), 1},
	{MethodInfo{"radev", "Radev et al. 2000", "Ranks sentences by nearness to the mean centroid.", EmbeddingsOptional, WeightsNone}, nearMean(selection.Radev), 1},
	{MethodInfo{"lexrank", "LexRank", "Ranks sentences by their centrality in the graph of similar sentences.", EmbeddingsOptional, WeightsNone}, published(selection.LexRank), 1},
	{MethodInfo{"textrank", "TextRank", "Ranks sentences by their centrality in the graph of sentences that share words.", EmbeddingsNone, WeightsNone}, runTextRank, 0},
	{MethodInfo{"mmr", "MMR", "Always the sentence that is near the mean centroid and far from those chosen before.", EmbeddingsOptional, WeightsNone}, published(selection.MMR), 1},
	{MethodInfo{"lead", "Lead", "The first sentences of the documents in turn.", EmbeddingsNone, WeightsNone}, published(selection.Lead), 0},
}

// oracle knows the answer: it is for comparisons and not among [Methods].
var oracle = method{MethodInfo{"oracle", "Oracle centroid", "The paper's BS+GS towards the mean of the reference summaries' sentences: the upper bound of what a centroid can do.", EmbeddingsOptional, WeightsNone}, runOracle, 1}

// automatic stands for the best method for what is loaded.
var automatic = method{MethodInfo: MethodInfo{"auto", "Automatic", "The best method for what is loaded: Multilingual for documents in several languages where there is a model, else Salience.", EmbeddingsOptional, WeightsNone}}

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
	return nil, errorf.Errorf("%w: method %q: want %s", ErrOption, name, strings.Join(names, ", "))
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
	p.Repeats = j.counterparts().repeats(upTo(len(j.refs)))
	return j.search(ctx, p, params)
}

func (j *job) search(ctx context.Context, p *selection.Problem, params selection.Params) (selection.Result, error) {
	params.Budget = j.measure.budget
	return selection.Select(ctx, p, params)
}
