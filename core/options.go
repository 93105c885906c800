package core

import (
	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/internal/salience"
)

//go:generate go run ../build/options

// Options of a summary. The zero value is the default: method "auto", 100
// words, in the order of a story.
//
// [OptionList] declares each of them once: name, range, default, help, and the
// methods that use it; the other methods refuse it. Every surface (flags,
// bridge, HTTP, TypeScript) uses that list. References, ReferenceEmbeddings,
// Translations and Experts are for evaluation and exist only in Go.
type Options struct {
	// Method is one of [Methods]; empty means "auto".
	Method string
	// Budget; the zero value means [DefaultBudget].
	Budget Budget
	// Order; empty means [OrderStory].
	Order Order
	// Fill uses up the budget, even with sentences that add little.
	Fill bool
	// Query is a question or topic; QueryWeight, in 0..1, is its influence on
	// the summary (nil: [DefaultQueryWeight]). In a session with embeddings,
	// QueryEmbedding is its embedding, of length D.
	Query          string
	QueryWeight    *float64
	QueryEmbedding []float32
	// QuoteLanguages, if not empty, are the tags of the languages to quote from;
	// "und" is an unknown language. Sentences in other languages still help to choose
	// the quotes, and are listed as similar. QuoteOthers is [OthersNever] (the default)
	// or [OthersUntranslated].
	QuoteLanguages []string
	QuoteOthers    string
	// DenseWeight, in 0..1, is the share of the embeddings in a cosine; the
	// rest are TF-IDF vectors. Nil means the method's default: usually 1,
	// DefaultDenseWeight for hybrid. 1 uses only the embeddings, unscaled, 0
	// only the TF-IDF vectors; in between, both are scaled to unit length
	// first, and all methods but multilingual subtract the cluster's mean
	// embedding.
	DenseWeight *float64
	// Weights are those of CeRA or CeRAI, trained on the embeddings of the
	// session. Made by [centroid.NewWeights] or [centroid.ViewWeights].
	Weights *centroid.Weights[float32]
	// Licence selects the shipped weights that may be used: [LicenceFree] (the
	// default) those trained only on corpora under free licences, [LicenceAny] also
	// those for non-commercial use.
	Licence string
	// N, BeamWidth and Patience are n, B and T of the paper's search; 0 means
	// the paper's 9, 5 and 9. Preselect is "n_first" (the default), "n_best" or
	// "all": the candidates of each document.
	N, BeamWidth, Patience int
	Preselect              string
	// LengthExponent r, in 0..10, divides the scores of that search by the
	// length of the summary in words to the power r. Nil means the paper's 0.
	LengthExponent *float64
	// PositionDecay, in 0..1000, is for method concepts: a document that first has a
	// word pair in its sentence k adds exp(−k/PositionDecay) to the weight of the
	// pair, or 1 if PositionDecay is 0. Nil means 10.
	PositionDecay *float64

	// References are the texts of the reference summaries, for method oracle, and
	// ReferenceEmbeddings (M × D) the embeddings of their [ReferenceSentences].
	References          []string
	ReferenceEmbeddings []float32
	// Translations, if not nil, holds a translation of every sentence, in the
	// order of [Session.Texts]: the budget and the check for repeated sentences
	// use the translations; the sentences themselves are quoted.
	Translations []string
	// Experts replace the shipped experts of method salience; nil fields stand
	// for the shipped ones.
	Experts *salience.Experts

	// Progress, if set, is called from the calling goroutine: stage is "split",
	// "encode" or "select", done counts up to total.
	Progress func(stage string, done, total int)
}

// Order is the order of the quoted sentences.
type Order string

const (
	// OrderStory puts the sentence that reports the event first, then the other quotes of
	// its document, then document by document, by date if all that are quoted have one.
	// The answer to a question is first, where embeddings tell it.
	OrderStory Order = "story"
	// OrderDocument follows the order of the documents and of their sentences.
	OrderDocument Order = "document"
	// OrderRank puts the sentence with the highest score first, then the one that
	// adds most to the score, and so on. Methods that rank sentences use their own
	// order.
	OrderRank Order = "rank"
)

// The values of Options.Licence.
const (
	LicenceFree = "free"
	LicenceAny  = "any"
)

// The values of Options.QuoteOthers.
const (
	// OthersNever quotes no sentence in another language.
	OthersNever = "never"
	// OthersUntranslated allows such a sentence if none in the chosen languages
	// translates it.
	OthersUntranslated = "untranslated"
)

// Values of OptionInfo.usedBy.
func usesQuery(m *method) bool        { return m.Query }
func usesEmbeddings(m *method) bool   { return m.Embeddings != EmbeddingsNone }
func usesWeights(m *method) bool      { return m.Weights != WeightsNone }
func usesPreselection(m *method) bool { return m.search&preselection != 0 }
func usesBeamSearch(m *method) bool   { return m.search&beamSearch != 0 }
func usesGreedySearch(m *method) bool { return m.search&greedySearch != 0 }
func usesFill(m *method) bool         { return m.Fill }
func usesPairWeights(m *method) bool  { return m.Name == "concepts" }

// declared is the list of options, in the order in which surfaces list them.
var declared = []OptionInfo{
	{
		Name: "method", Short: "m", Default: "auto",
		Help:  "method that chooses the sentences",
		Field: func(o *Options) any { return &o.Method },
	},
	{
		Name: "budget", Short: "b", Default: "100",
		Help:  "length of the summary in words, sentences, characters or the paper's words",
		Field: func(o *Options) any { return &o.Budget },
	},
	{
		Name: "order", Default: string(OrderStory), Values: []string{string(OrderStory), string(OrderDocument), string(OrderRank)},
		Help:  "order of the sentences: as a story, document by document, or best first",
		Field: func(o *Options) any { return (*string)(&o.Order) },
	},
	{
		Name: "fill", Default: "false",
		Help:   "use up the budget, even with sentences that add little",
		usedBy: usesFill,
		Field:  func(o *Options) any { return &o.Fill },
	},
	{
		Name: "query", Short: "Q",
		Help:   "question or topic to focus the summary on",
		usedBy: usesQuery,
		Field:  func(o *Options) any { return &o.Query },
	},
	{
		Name: "queryWeight", Max: 1, Default: "0.6", Requires: "query",
		Help:   "influence of the query, from 0 (none) to 1 (only the query counts)",
		usedBy: usesQuery,
		Field:  func(o *Options) any { return &o.QueryWeight },
	},
	{
		Name: "queryEmbedding", Requires: "query",
		Help:   "embedding of the query by the encoder of the session",
		usedBy: usesQuery, NoFlag: "--encoder computes it",
		Field: func(o *Options) any { return &o.QueryEmbedding },
	},
	{
		Name:  "quoteLanguages",
		Help:  "languages to quote from; documents in other languages only help to choose the sentences",
		Field: func(o *Options) any { return &o.QuoteLanguages },
	},
	{
		Name: "quoteOthers", Values: []string{OthersNever, OthersUntranslated}, Default: OthersNever, Requires: "quoteLanguages",
		Help:  "when to quote sentences in other languages: never, or if no sentence in the chosen languages translates them",
		Field: func(o *Options) any { return &o.QuoteOthers },
	},
	{
		Name: "denseWeight", Max: 1,
		Help:   "share of the embeddings in the sentence vectors, from 0 to 1; the rest are words",
		usedBy: usesEmbeddings,
		Field:  func(o *Options) any { return &o.DenseWeight },
	},
	{
		Name:   "weights",
		Help:   "weights of CeRA or CeRAI, trained on the embeddings of the session",
		usedBy: usesWeights, NoFlag: "--weights names a folder",
		Field: func(o *Options) any { return &o.Weights },
	},
	{
		Name: "licence", Values: []string{LicenceFree, LicenceAny}, Default: LicenceFree,
		Help:  "shipped weights to use: only those trained on freely licensed corpora, or also those for non-commercial use",
		Field: func(o *Options) any { return &o.Licence },
	},
	{
		Name: "n", Min: 1, Max: maxSearch, Default: "9",
		Help:   "number of candidate sentences of each document",
		usedBy: usesPreselection,
		Field:  func(o *Options) any { return &o.N },
	},
	{
		Name: "beamWidth", Min: 1, Max: maxSearch, Default: "5",
		Help:   "number of states that the beam search keeps",
		usedBy: usesBeamSearch,
		Field:  func(o *Options) any { return &o.BeamWidth },
	},
	{
		Name: "patience", Min: 1, Max: maxSearch, Default: "9",
		Help:   "number of failures in a row that end the greedy search",
		usedBy: usesGreedySearch,
		Field:  func(o *Options) any { return &o.Patience },
	},
	{
		Name: "preselect", Default: string(selection.First),
		Values: []string{string(selection.First), string(selection.Best), string(selection.All)},
		Help:   "candidates of each document: its first n sentences, the n nearest to the centroid, or all",
		usedBy: usesPreselection,
		Field:  func(o *Options) any { return &o.Preselect },
	},
	{
		Name: "lengthExponent", Max: 10, Default: "0",
		Help:   "exponent r: scores are divided by the length of the summary to the power r, which favours short summaries",
		usedBy: usesBeamSearch,
		Field:  func(o *Options) any { return &o.LengthExponent },
	},
	{
		Name: "positionDecay", Max: 1000, Default: "10",
		Help:   "number of sentences over which the weight of a document's word pairs falls to 1/e; 0 gives all the same weight",
		usedBy: usesPairWeights,
		Field:  func(o *Options) any { return &o.PositionDecay },
	},
}

// maxSearch limits n, B and T: no cluster has more sentences.
const maxSearch = 1_000_000_000

// override returns p with the search parameters that are set in o.
func (o *Options) override(p selection.Params) selection.Params {
	if o.N > 0 {
		p.N = o.N
	}
	if o.BeamWidth > 0 {
		p.BeamWidth = o.BeamWidth
	}
	if o.Patience > 0 {
		p.Patience = o.Patience
	}
	if o.Preselect != "" {
		p.Preselect = selection.Preselect(o.Preselect)
	}
	if o.LengthExponent != nil {
		p.LengthExponent = *o.LengthExponent
	}
	return p
}
