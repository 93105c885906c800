package lexical

import (
	"math"
	"slices"
)

// Concepts are the bigrams shared by documents.
type Concepts struct {
	// Sentence[k] lists the concepts of sentence k, ascending, without duplicates.
	Sentence [][]int32
	// Weight[c] is the weight of concept c: the sum over the documents that have it of
	// exp(−p/10), p the index of its first sentence there. Concepts in many documents,
	// and early ones, have the largest weights.
	Weight []float64
	// Documents[c] is the number of documents that have concept c.
	Documents []int32
}

// positionScale is the index at which a document's first mention of a concept weighs
// 1/e of one in its first sentence.
const positionScale = 10

// Concepts returns the bigrams of neighbouring terms (stems), at most one of them a
// stop word, that occur in at least two documents; in a cluster of one document, in
// at least two of its sentences. They are numbered in order of first appearance.
func (a *Analysis) Concepts() *Concepts {
	return a.pairs(positionScale, func(documents, sentences int32) bool {
		return documents >= 2 || a.documents == 1 && sentences >= 2
	})
}

// Pairs returns all bigrams of neighbouring terms, at most one of them a stop word.
// They weigh as in [Analysis.Concepts], with exp(−p/scale); with a scale of 0 each
// weighs the number of documents that have it.
func (a *Analysis) Pairs(scale float64) *Concepts {
	return a.pairs(scale, func(_, _ int32) bool { return true })
}

// pairs returns the bigrams that keep accepts.
func (a *Analysis) pairs(scale float64, keep func(documents, sentences int32) bool) *Concepts {
	type mention struct {
		id        int32 // concept + 1, or 0
		sentence  int32 // last sentence that has it, from 1
		document  int32 // last document that has it, from 1
		sentences int32
		documents int32
		weight    float64
	}
	var all []mention
	index := map[uint64]int32{}
	flat := make([]int32, 0, len(a.Sentences))
	ends := make([]int, len(a.Sentences))
	for k, terms := range a.Sentences {
		ref := a.Refs[k]
		for i := 1; i < len(terms); i++ {
			if a.Terms[terms[i-1]].Stop && a.Terms[terms[i]].Stop {
				continue
			}
			pair := key(terms[i-1], terms[i])
			m, ok := index[pair]
			if !ok {
				m = int32(len(all))
				all = append(all, mention{})
				index[pair] = m
			}
			x := &all[m]
			if x.sentence == int32(k)+1 {
				continue
			}
			x.sentence = int32(k) + 1
			x.sentences++
			if x.document != int32(ref.Document)+1 {
				x.document = int32(ref.Document) + 1
				x.documents++
				if scale > 0 {
					x.weight += math.Exp(-float64(ref.Sentence) / scale)
				} else {
					x.weight++
				}
			}
			flat = append(flat, m)
		}
		ends[k] = len(flat)
	}

	c := &Concepts{Sentence: make([][]int32, len(a.Sentences))}
	for m := range all {
		x := &all[m]
		if keep(x.documents, x.sentences) {
			c.Weight = append(c.Weight, x.weight)
			c.Documents = append(c.Documents, x.documents)
			x.id = int32(len(c.Weight))
		}
	}
	kept, start := flat[:0], 0
	for k, end := range ends {
		first := len(kept)
		for _, m := range flat[start:end] {
			if id := all[m].id; id > 0 {
				kept = append(kept, id-1)
			}
		}
		start = end
		c.Sentence[k] = kept[first:len(kept):len(kept)]
		slices.Sort(c.Sentence[k])
	}
	return c
}
