package reading

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cerasum/cerasum/core/cluster"
)

// Kind is a kind of input of which an editor quotes other sentences than of the others.
type Kind int

const (
	Several   Kind = iota // several documents
	Single                // one document
	Scholarly             // one document that cites: a paper
	Spoken                // transcripts of conversations
	Sectioned             // several documents with headings: guides, posts, manuals

	Kinds = iota
)

// A document is scholarly from this many citing sentences on, if they are at least this
// share of its sentences.
const (
	citing      = 3
	citingShare = 0.02
)

// Several documents are sectioned if at least half of them have this many headings.
const headingsOfSectioned = 2

// KindOf returns the kind of documents with N sentences; features is N×Inputs. Documents
// without sentences do not count.
func KindOf(documents []cluster.Document, features []float32) Kind {
	present, spoken, sectioned := 0, 0, 0
	for i := range documents {
		if len(documents[i].Sentences) > 0 {
			present++
			if Transcript(&documents[i]) {
				spoken++
			}
			if headings(&documents[i]) >= headingsOfSectioned {
				sectioned++
			}
		}
	}
	switch {
	case present > 0 && spoken == present:
		return Spoken
	case present > 1 && 2*sectioned >= present:
		return Sectioned
	case present != 1:
		return Several
	}
	n := 0
	for at := slices.Index(InputNames(), "citation"); at < len(features); at += Inputs {
		if features[at] > 0 {
			n++
		}
	}
	if n >= citing && float64(n) >= citingShare*float64(len(features)/Inputs) {
		return Scholarly
	}
	return Single
}

// The models are logistic regressions, one for each kind: a line with a name and the weights
// for each input, and for "bias". CERASUM_SHARED is the folder with the corpora,
// CERASUM_PAGES that with the repositories: see DATA.md.
//
//go:generate go run ../../cmd/cerasum train editor --train ${CERASUM_SHARED}/data/own/clusters.jsonl.gz,skip=3 --train ../train/editor/clusters.jsonl.gz --papers ${CERASUM_SHARED}/data/genres/scisumm-train.jsonl.gz --meetings ${CERASUM_SHARED}/data/genres/qmsum-train.jsonl.gz --pages ${CERASUM_PAGES} --out model.txt --overwrite
//go:embed model.txt
var modelText string

type model struct {
	bias   float64
	weight [Inputs]float64
}

// models are those of the kinds.
type models [Kinds]model

var shipped = sync.OnceValue(func() *models {
	m := &models{}
	for line := range strings.Lines(modelText) {
		fields := strings.Fields(line)
		if len(fields) != 1+len(m) {
			panic("reading: model.txt: " + line)
		}
		for i, value := range fields[1:] {
			v, err := strconv.ParseFloat(value, 64)
			if err != nil || !m[i].set(fields[0], v) {
				panic("reading: model.txt: " + line)
			}
		}
	}
	return m
})

func (m *model) set(name string, v float64) bool {
	if name == "bias" {
		m.bias = v
		return true
	}
	for i, n := range inputNames {
		if n == name {
			m.weight[i] = v
			return true
		}
	}
	return false
}

// Odds returns for each of N sentences the log-odds that an editor would quote it;
// features is N×Inputs.
func Odds(features []float32, kind Kind) []float64 {
	m := &shipped()[kind]
	z := make([]float64, len(features)/Inputs)
	for k := range z {
		sum := m.bias
		for i, v := range features[k*Inputs : (k+1)*Inputs] {
			sum += float64(m.weight[i] * float64(v))
		}
		z[k] = sum
	}
	return z
}

// titledOpening is what an opening sentence has beside the odds where titles have words in
// common: these words, full names, and a new, central and long document. A conditional
// logit of the first sentences of editors' choices, rounded.
var titledOpening = []inputWeight{{"central", 0.7}, {"two-capitals", 1.1}, {"events", -1.1}, {"titles", 3.5}, {"recency", 0.9}, {"share", 0.7}}

// opening is the same without such titles: an opening says what the documents have in
// common, is one with which a document begins, and of a central document. That a document
// is new does not count: the event may be older. Chosen on the development sets.
var opening = []inputWeight{{"first", 0.3}, {"mean", 0.3}, {"recency", -1.3}, {"document-central", 0.3}}

// inputWeight is the weight of the input of a name.
type inputWeight struct {
	name   string
	weight float64
}

// mostDeviation is the largest standardized input that counts for an opening: of hundreds of
// sentences, one is more central than any of the clusters that the weights were fitted on.
const mostDeviation = 3

// Openings returns for each of N sentences how well it opens a summary, on the scale of
// odds, the answer of [Odds] for the same features; titled says that the titles of the
// documents have words in common, and so tell the event.
func Openings(features []float32, odds []float64) (z []float64, titled bool) {
	at := slices.Index(InputNames(), "titles")
	for ; at < len(features) && !titled; at += Inputs {
		titled = features[at] > 0
	}
	z, weights := slices.Clone(odds), opening
	if titled {
		weights = titledOpening
	}
	for _, w := range weights {
		i := slices.Index(InputNames(), w.name)
		for k := range z {
			z[k] += float64(w.weight * min(mostDeviation, float64(features[k*Inputs+i])))
		}
	}
	return z, titled
}

// leading is what tells, beside leadingOdds of the odds, the first sentence that an editor
// quotes of a single document, or of a sectioned one: it is of the beginning and says what
// the title says. A conditional logit of editors' choices, rounded.
var leading = [Kinds][]inputWeight{
	Single:    {{"log-position", -1.25}, {"title", 2}, {"leans", -0.9}},
	Sectioned: {{"log-position", -0.75}, {"title", 1}, {"leans", -0.7}},
}

const leadingOdds = 0.75

// Leads returns for each of N sentences the probability that an editor's quotes of its
// document begin with it, and 0 for all where that is not modelled; odds is the answer of
// [Odds] for the same features and kind, first[i] the first sentence of document i and
// first[len(first)-1] = N.
func Leads(features []float32, odds []float64, kind Kind, first []int) []float64 {
	lead := make([]float64, len(odds))
	if leading[kind] == nil {
		return lead
	}
	for k, z := range odds {
		lead[k] = leadingOdds * z
		for _, w := range leading[kind] {
			lead[k] += float64(w.weight * float64(features[k*Inputs+slices.Index(InputNames(), w.name)]))
		}
	}
	for i, start := range first[:len(first)-1] {
		if document := lead[start:first[i+1]]; len(document) > 0 {
			softmax(document)
		}
	}
	return lead
}

func softmax(z []float64) {
	highest, sum := slices.Max(z), 0.0
	for k := range z {
		z[k] = math.Exp(z[k] - highest)
		sum += z[k]
	}
	for k := range z {
		z[k] /= sum
	}
}
