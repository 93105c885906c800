package lexical

import (
	"math"
	"slices"
)

const (
	// topicCosine, times the square root of the number of different words (the geometric
	// mean of both), is the cosine of the words of two documents from which on they are
	// about the same topic: long documents have more words in common by chance. Chosen on
	// news clusters and web pages; see docs/reading.md.
	topicCosine = 0.009
	// rareShare is the share of sentences with a word that general text does not have.
	rareShare = 1e-4
)

// Topics groups documents that have many words in common: it returns the topic of each of
// the first documents, numbered from 0, by single linkage over the cosines of their words,
// weighted by how rare they are in general text. Documents without words
// other than stop words are of topic −1.
func (a *Analysis) Topics(documents int) []int {
	terms := make([][]int32, documents)
	for k, ref := range a.Refs {
		if d := ref.Document; d < documents {
			terms[d] = append(terms[d], a.Sentences[k]...)
		}
	}
	topic := make([]int, documents)
	words := make([]documentWords, documents)
	for d := range topic {
		topic[d] = -1
		if len(terms[d]) == 0 {
			continue
		}
		if words[d] = a.documentWords(terms[d]); len(words[d].terms) == 0 {
			continue
		}
		topic[d] = d
		for e := range d {
			if topic[e] < 0 || topic[e] == topic[d] || !words[d].alike(words[e]) {
				continue
			}
			from, to := max(topic[d], topic[e]), min(topic[d], topic[e])
			for i, t := range topic[:d+1] {
				if t == from {
					topic[i] = to
				}
			}
		}
	}
	return topic
}

// documentWords are the words of a document, stop words aside, with their weights.
type documentWords struct {
	terms  []int32 // ascending
	weight []float64
}

// documentWords weighs terms, which it sorts; the weights are of norm 1.
func (a *Analysis) documentWords(terms []int32) (w documentWords) {
	slices.Sort(terms)
	sum := 0.0
	for from := 0; from < len(terms); {
		to := from + 1
		for to < len(terms) && terms[to] == terms[from] {
			to++
		}
		if term := &a.Terms[terms[from]]; !term.Stop {
			rarity := -math.Log(term.Background + rareShare)
			v := (1 + math.Log(float64(to-from))) * float64(rarity*rarity)
			w.terms, w.weight = append(w.terms, terms[from]), append(w.weight, v)
			sum += float64(v * v)
		}
		from = to
	}
	for i := range w.weight {
		w.weight[i] /= math.Sqrt(sum)
	}
	return w
}

// alike reports whether two documents are about the same topic.
func (w documentWords) alike(other documentWords) bool {
	words := math.Sqrt(float64(len(w.terms)) * float64(len(other.terms)))
	return w.cosine(other) >= topicCosine*math.Sqrt(words)
}

func (w documentWords) cosine(other documentWords) float64 {
	sum := 0.0
	for i, j := 0, 0; i < len(w.terms) && j < len(other.terms); {
		switch {
		case w.terms[i] < other.terms[j]:
			i++
		case w.terms[i] > other.terms[j]:
			j++
		default:
			sum += float64(w.weight[i] * other.weight[j])
			i, j = i+1, j+1
		}
	}
	return sum
}
