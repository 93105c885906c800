package lexical

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/core/cluster"
)

// Settings of [Analysis.Answers], chosen on DUC 2006 and QMSum train
// (docs/benchmarks.md).
const (
	// questionBackground is Weighting.Background for the words of a question.
	questionBackground = 30
	// pairShare is the share of their weight that two neighbouring words of the
	// question add if they are neighbours in a sentence, too.
	pairShare = 0.5
	// A sentence next to an answer gets this share (nearby) of the answer's relevance;
	// each further step multiplies it by nearbyStep.
	nearby     = 0.25
	nearbyStep = 0.5
	// Relevances, in 0..1, are raised to relevanceExponent, which lowers the small
	// ones most.
	relevanceExponent = 1.4
	// known is the share of a question's weight that the documents have. A text without a
	// question mark, which may only describe the documents, has no effect below
	// unknownShare and its full effect from knownShare on. One with a question mark
	// certainly asks: its effect is in proportion to known, and full from askingShare on.
	unknownShare = 0.35
	knownShare   = 0.5
	askingShare  = 0.2
	// wordShare is the share of a question's weight that a single word must have to decide
	// by itself in a text without a question mark: of three words that no sentence has
	// together, each is there by chance.
	wordShare = 1. / 3
	// describedShare is the share of the weight that a sentence must have to decide where a
	// text without a question mark names a kind of text: "Notes of a doctor".
	describedShare = 0.5
)

// Asks reports whether a text has a question mark, at the end of a word if it is the Latin
// one: within an address it is none. The Greek mark looks like a semicolon.
func Asks(text string) bool {
	for _, word := range strings.Fields(text) {
		if strings.HasSuffix(strings.TrimRight(word, "\"'”’»)"), "?") {
			return true
		}
	}
	return strings.ContainsAny(text, "？؟՞\u037e") || strings.HasSuffix(text, ";") && strings.ContainsAny(text, "αειουςν")
}

// Answers returns the relevance of each of the N sentences to a question, in 0..1, and
// held, the share of the question that the best sentence contains, in 0..1.
//
// A word weighs more the fewer sentences of the cluster and of general text have it.
// Words that only say what to do ("Discuss …", "Summarize for …") are ignored. Words that
// the documents lack count as unanswered. So do words that describe a text ("This is an
// article about markets"), with twice their weight, since documents contain a word or two
// of a description by chance. A word counts as known in proportion to how much more
// often it occurs than in general text of this length; with a question mark, fewer words
// have to be known. Without one, a sentence must have two of the words, or one that is a
// third of the question. If such a text names a kind of text ("Notes of a doctor"), a
// sentence must have half of it. The question is analysed in each language of the cluster; the
// language that knows most of it decides.
//
// If the documents have no word of the question, relevance is nil and held is 0.
func (a *Analysis) Answers(ctx context.Context, question string, languages []string) (relevance []float64, held float64, err error) {
	c := &cluster.Cluster{}
	for _, l := range languages {
		request, text := askingIn(primary(l))
		c.Documents = append(c.Documents, cluster.Document{Language: l, Sentences: []cluster.Sentence{{Text: question}, {Text: request}, {Text: text}}})
	}
	read, err := Analyze(ctx, c)
	if err != nil {
		return nil, 0, err
	}
	weight, pairs, mass, known, described := a.questionTerms(read)
	best := 0.0
	relevance = make([]float64, len(a.Sentences))
	last := make([]int, len(a.Terms)) // the last sentence + 1 with the term
	for k, terms := range a.Sentences {
		own := 0.0
		for i, t := range terms {
			if last[t] != k+1 {
				last[t] = k + 1
				own += weight[t]
			}
			if i > 0 && pairs[key(terms[i-1], t)] {
				relevance[k] += float64(pairShare / 2 * (weight[terms[i-1]] + weight[t]))
			}
		}
		relevance[k] += own
		best = max(best, own)
	}
	if best == 0 {
		return nil, 0, nil
	}
	a.spread(relevance)
	certain := (known - unknownShare) / (knownShare - unknownShare)
	switch {
	case Asks(question):
		certain = known / askingShare
	case best <= slices.Max(weight) && best < wordShare*mass, described && best < describedShare*mass:
		certain = 0
	}
	certain = max(0, min(1, certain))
	return relevance, min(1, best/mass) * certain, nil
}

// questionTerms returns the weights of the cluster's terms, and of pairs of them, that occur in
// the question; and, for the language that knows most of it, the weight of the whole
// question, the share of it that is known, and whether it names a kind of text.
func (a *Analysis) questionTerms(read *Analysis) (weight []float64, pairs map[uint64]bool, mass, known float64, described bool) {
	index := make(map[termKey]int32, len(a.Terms))
	for t, term := range a.Terms {
		index[termKey{term.Text, term.Stop}] = int32(t)
	}
	df := make([]int, len(a.Terms))
	last := make([]int, len(a.Terms))
	for k, terms := range a.Sentences {
		for _, t := range terms {
			if last[t] != k+1 {
				last[t] = k + 1
				df[t]++
			}
		}
	}
	idf := func(df int, background float64) float64 {
		return math.Log((float64(len(a.Sentences)) + questionBackground + 1) / (float64(df) + float64(questionBackground*background) + 1))
	}
	weight, pairs = make([]float64, len(a.Terms)), map[uint64]bool{}
	for row := 0; row < len(read.Sentences); row += 3 {
		kind := map[int32]int{}
		for i, terms := range read.Sentences[row+1 : row+3] {
			for _, t := range terms {
				kind[t] = i + 1
			}
		}
		const request, text = 1, 2
		all, found, names := 0.0, 0.0, false
		seen := map[int32]bool{}
		before := int32(none)
		for _, t := range read.Sentences[row] {
			term := read.Terms[t]
			id, ok := index[termKey{term.Text, term.Stop}]
			if !ok || term.Stop || kind[t] != 0 {
				id = none
			}
			if before != none && id != none {
				pairs[key(before, id)] = true
			}
			before = id
			if seen[t] || term.Stop || kind[t] == request {
				continue
			}
			seen[t] = true
			switch {
			case kind[t] == text:
				all += float64(2 * idf(0, 0))
				names = true
			case id == none:
				all += idf(0, term.Background)
			default:
				weight[id] = idf(df[id], a.Terms[id].Background)
				all += weight[id]
				expected := float64(len(a.Sentences)) * a.Terms[id].Background
				found += float64(weight[id] * max(0, 1-expected/float64(df[id])))
			}
		}
		if all > 0 && (mass == 0 || found/all > known) {
			mass, known, described = all, found/all, names
		}
	}
	return weight, pairs, mass, known, described
}

// spread adds to each value shares of those before and after it in its document,
// scales the sums to a maximum of 1, and raises them to relevanceExponent.
func (a *Analysis) spread(v []float64) {
	own := append([]float64(nil), v...)
	for _, step := range []int{1, -1} {
		near := 0.0
		for i := range own {
			k := i
			if step < 0 {
				k = len(own) - 1 - i
			}
			if i > 0 && a.Refs[k].Document == a.Refs[k-step].Document {
				near = float64(nearbyStep*near) + float64(nearby*own[k-step])
			} else {
				near = 0
			}
			v[k] += near
		}
	}
	highest := 0.0
	for _, x := range v {
		highest = max(highest, x)
	}
	for k := range v {
		v[k] = math.Pow(v[k]/highest, relevanceExponent)
	}
}
