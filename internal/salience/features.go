package salience

import (
	"math"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/internal/lexical"
	"github.com/cerasum/cerasum/internal/text"
)

const (
	// SentenceInputs is the number of inputs of the sentence network.
	SentenceInputs = 14
	// pairInputs is the number of a pair's own inputs; two more come from its
	// sentences.
	pairInputs = 21
	// PairInputs is the number of inputs of the pair network.
	PairInputs = pairInputs + 2
)

// Source is the input of [Read].
type Source struct {
	Analysis *lexical.Analysis
	// Texts of the N sentences, and their lengths in words.
	Texts []string
	Words []int
	// Cosine of each sentence to the mean of all.
	Cosine []float64
}

// Features are the inputs of the networks for a cluster.
type Features struct {
	// Sentence is N×SentenceInputs.
	Sentence []float32
	// Of lists the pairs of each sentence, ascending and without duplicates.
	Of [][]int32
	// Terms holds the two terms of each of the M pairs, as indices into
	// Analysis.Terms, in text order.
	Terms [][2]int32
	// pair is M×pairInputs.
	pair []float32
	// Documents is the number of documents with sentences.
	Documents int
	support   []float64
	// words of the cluster, and the logarithm of those per word of the budget.
	words    float64
	ratio    float32
	partials map[*Expert]*partial
}

// The columns that depend on the budget: the logarithm of the words of the
// cluster for a word of the budget.
const (
	sentenceRatio = 8
	pairRatio     = 14
)

// SetBudget fills in what depends on the budget of the summary, in words.
func (f *Features) SetBudget(words float64) {
	ratio := float32(math.Log(f.words / max(1, words)))
	f.ratio = ratio
	for at := sentenceRatio; at < len(f.Sentence); at += SentenceInputs {
		f.Sentence[at] = ratio
	}
	for at := pairRatio; at < len(f.pair); at += pairInputs {
		f.pair[at] = ratio
	}
}

// Sentences is N.
func (f *Features) Sentences() int { return len(f.Of) }

// Pairs is M.
func (f *Features) Pairs() int { return len(f.pair) / pairInputs }

func (f *Features) pairTo(x []float32, m int, highest, mean float64) {
	copy(x, f.pair[m*pairInputs:(m+1)*pairInputs])
	x[pairInputs], x[pairInputs+1] = float32(highest), float32(mean)
}

// Read computes the inputs of the networks, except those that depend on the budget:
// see [Features.SetBudget].
func Read(s *Source) *Features {
	r := newReader(s)
	f := &Features{Of: make([][]int32, len(s.Texts)), words: r.total, Documents: int(r.documents)}
	for k := range s.Texts {
		r.sentence(f, k)
	}
	r.pairs(f)
	return f
}

// reader holds data shared by all inputs.
type reader struct {
	*Source
	central []float64 // cosines, standardized
	// Per document: its number of sentences, and its share of the cluster's
	// words. documents counts those with sentences.
	sentences, share []float64
	documents        float64
	total            float64 // words of the cluster, at least 1
	having           []float64
}

func newReader(s *Source) *reader {
	r := &reader{Source: s, central: Standardize(s.Cosine), having: make([]float64, len(s.Analysis.Terms))}
	last := make([]int, len(s.Analysis.Terms)) // the last document + 1 with the term
	total := 0.0
	for k, ref := range s.Analysis.Refs {
		d := ref.Document
		for len(r.sentences) <= d {
			r.sentences, r.share = append(r.sentences, 0), append(r.share, 0)
		}
		if r.sentences[d] == 0 {
			r.documents++
		}
		r.sentences[d]++
		r.share[d] += float64(s.Words[k])
		total += float64(s.Words[k])
		for _, t := range s.Analysis.Sentences[k] {
			if last[t] != d+1 {
				last[t] = d + 1
				r.having[t]++
			}
		}
	}
	for d := range r.share {
		r.share[d] /= max(1, total)
	}
	r.total = max(1, total)
	return r
}

// Standardize returns the values minus their mean, in units of their standard
// deviation; equal values are 0.
func Standardize(v []float64) []float64 {
	mean, square := 0.0, 0.0
	for _, x := range v {
		mean += x
	}
	mean /= float64(max(1, len(v)))
	for _, x := range v {
		square += float64((x - mean) * (x - mean))
	}
	deviation := math.Sqrt(square/float64(max(1, len(v)))) + 1e-6
	out := make([]float64, len(v))
	for k, x := range v {
		out[k] = (x - mean) / deviation
	}
	return out
}

// sentence appends the inputs of sentence k.
func (r *reader) sentence(f *Features, k int) {
	ref, sentence := r.Analysis.Refs[k], r.Texts[k]
	at := float64(ref.Sentence)
	terms := r.Analysis.Sentences[k]
	stop := 0
	for _, t := range terms {
		if r.Analysis.Terms[t].Stop {
			stop++
		}
	}
	f.add(&f.Sentence, [SentenceInputs]float64{
		math.Exp(-at / 2), math.Exp(-at / 10), at / max(1, r.sentences[ref.Document]-1), one(at == 0),
		math.Log1p(float64(r.Words[k])), r.central[k],
		math.Log(r.documents), r.share[ref.Document], 0,
		one(text.Closed(sentence)), one(strings.ContainsAny(sentence, "0123456789")),
		one(strings.ContainsAny(sentence, `"“”«»`)), float64(stop) / float64(max(1, len(terms))),
		one(strings.ContainsAny(sentence, "?!")),
	})
}

func (f *Features) add(dst *[]float32, values [SentenceInputs]float64) {
	for _, v := range values {
		*dst = append(*dst, float32(v))
	}
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// pair accumulates the data of a pair of neighbouring terms.
type pair struct {
	sentence  int     // the last with the pair, from 1
	document  int     // the last with the pair, from 1
	sentences float64 // number with the pair
	documents float64 // number with the pair
	early     float64 // Σ over documents with the pair of exp(−first/10)
	place     float64 // Σ over documents with the pair of the first position, in 0..1
	first     float64 // lowest position, in sentences
	highest   float64 // highest centrality of the sentences with the pair
	central   float64 // sum of these centralities
	words     float64 // of the longest of these sentences
	share     float64 // of the largest document with the pair
}

// pairs numbers the pairs in order of first appearance and computes their inputs.
func (r *reader) pairs(f *Features) {
	var all []pair
	index := map[uint64]int32{}
	for k, terms := range r.Analysis.Sentences {
		ref := r.Analysis.Refs[k]
		at := float64(ref.Sentence)
		for i := 1; i < len(terms); i++ {
			key := uint64(terms[i-1])<<32 | uint64(terms[i])
			m, ok := index[key]
			if !ok {
				m = int32(len(all))
				index[key] = m
				all = append(all, pair{first: at, highest: r.central[k]})
				f.Terms = append(f.Terms, [2]int32{terms[i-1], terms[i]})
			}
			p := &all[m]
			if p.sentence == k+1 {
				continue
			}
			p.sentence = k + 1
			f.Of[k] = append(f.Of[k], m)
			p.sentences++
			p.highest = max(p.highest, r.central[k])
			p.central += r.central[k]
			p.words = max(p.words, float64(r.Words[k]))
			if p.document != ref.Document+1 {
				p.document = ref.Document + 1
				p.documents++
				p.early += math.Exp(-at / 10)
				p.place += at / max(1, r.sentences[ref.Document]-1)
				p.first = min(p.first, at)
				p.share = max(p.share, r.share[ref.Document])
			}
		}
		slices.Sort(f.Of[k])
	}
	f.pair = make([]float32, 0, len(all)*pairInputs)
	f.support = make([]float64, 0, len(all))
	several := one(r.documents > 1)
	for m := range all {
		p := &all[m]
		f.support = append(f.support, supportOf(p.early, p.documents, r.documents))
		a, b := f.Terms[m][0], f.Terms[m][1]
		first, second := &r.Analysis.Terms[a], &r.Analysis.Terms[b]
		for _, v := range [pairInputs]float64{
			p.documents / r.documents, math.Exp(-p.first / 3), math.Exp(-p.first / 10), p.place / p.documents, p.early / p.documents,
			math.Log(first.Background), math.Log(second.Background), one(first.Stop), one(second.Stop),
			r.having[a] / r.documents, r.having[b] / r.documents,
			p.highest, p.central / p.sentences,
			math.Log(r.documents), 0, math.Log1p(p.words),
			one(number(first.Text)), one(number(second.Text)), p.share, several * p.documents / r.documents, one(p.first == 0),
		} {
			f.pair = append(f.pair, float32(v))
		}
	}
}

// number reports whether a term starts with a digit.
func number(term string) bool { return term != "" && term[0] >= '0' && term[0] <= '9' }
