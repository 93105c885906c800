package lexical

import (
	"math"
	"slices"

	"github.com/cerasum/cerasum/core/linalg"
)

// Weighting selects how [Analysis.TFIDF] weights terms. The zero value is plain TF-IDF
// over single words with document frequencies of the cluster only, with SingleDocument
// off, as at 1.
type Weighting struct {
	// Bigrams adds a column for every pair of neighbouring terms of which at most
	// one is a stop word.
	Bigrams bool
	// SingleDocument, in 0..1, multiplies the weight of terms that only one document
	// of several has. 0 and 1 disable it.
	SingleDocument float64
	// Background is the number of sentences of general text (≥ 0) that are mixed
	// into the cluster's own frequencies.
	Background float64
	// SublinearTF counts a term that occurs n times as 1 + ln n.
	SublinearTF bool
	// Raw keeps the rows' lengths: they are not scaled to unit length.
	Raw bool
}

// TFIDF returns the N×D matrix of the sentences' vectors: row k belongs to
// Refs[k], a column to a term that is not a stop word or to a bigram, in the
// order of first appearance. The weight of column t in a sentence is
//
//	tf(t) · idf(t) · damping(t)
//	tf(t)  = n, or 1 + ln n with SublinearTF, for n occurrences
//	idf(t) = 1 + ln( (N + B + 1) / (df(t) + B·p(t) + 1) )
//
// with N the sentences of the cluster in the languages that have t, df(t)
// those of them that contain it, p(t) its share of sentences in general text
// ([Term].Background; of a bigram the product of its terms' shares) and
// B = Background. damping is SingleDocument for a column that only one document has,
// else 1. Rows are then scaled to unit length; a sentence of only stop words has an
// empty row.
func (a *Analysis) TFIDF(w Weighting) *linalg.Sparse {
	grams := a.columns(w.Bigrams)
	return grams.matrix(a.weights(grams, w), w)
}

// matrix turns the columns that occur in each sentence into its vector.
func (g *grams) matrix(weight []float64, w Weighting) *linalg.Sparse {
	m := &linalg.Sparse{
		RowPtr: make([]int, 1, len(g.ends)+1),
		Col:    make([]int32, 0, len(g.flat)),
		Val:    make([]float32, 0, len(g.flat)),
		Cols:   len(g.of),
	}
	for k := range g.ends {
		row := g.in(k)
		slices.Sort(row)
		first := len(m.Col)
		square := 0.0
		for i := 0; i < len(row); {
			n := 1
			for i+n < len(row) && row[i+n] == row[i] {
				n++
			}
			tf := float64(n)
			if w.SublinearTF {
				tf = 1 + math.Log(tf)
			}
			v := tf * weight[row[i]]
			square += v * v
			m.Col = append(m.Col, row[i])
			m.Val = append(m.Val, float32(v))
			i += n
		}
		if !w.Raw && square > 0 {
			scale := 1 / math.Sqrt(square)
			for i := first; i < len(m.Val); i++ {
				m.Val[i] = float32(float64(m.Val[i]) * scale)
			}
		}
		m.RowPtr = append(m.RowPtr, len(m.Col))
	}
	return m
}

// gram is a column: one term, or two neighbouring ones.
type gram struct {
	first, second int32 // second is none for a single term
}

// key packs a bigram for the map: a map of integers is twice as fast as one of
// structs.
func key(first, second int32) uint64 { return uint64(first)<<32 | uint64(second) }

// grams lists the columns that occur in each sentence, repeated ones repeated.
type grams struct {
	of   []gram
	flat []int32
	ends []int
}

// in returns the columns of sentence k, sharing memory.
func (g *grams) in(k int) []int32 {
	start := 0
	if k > 0 {
		start = g.ends[k-1]
	}
	return g.flat[start:g.ends[k]]
}

// columns numbers the single terms and, if requested, the bigrams.
func (a *Analysis) columns(bigrams bool) *grams {
	g := &grams{ends: make([]int, len(a.Sentences))}
	single := make([]int32, len(a.Terms)) // column + 1 of a term
	double := map[uint64]int32{}
	for k, terms := range a.Sentences {
		for i, t := range terms {
			if !a.Terms[t].Stop {
				if single[t] == 0 {
					g.of = append(g.of, gram{t, none})
					single[t] = int32(len(g.of))
				}
				g.flat = append(g.flat, single[t]-1)
			}
			if !bigrams || i == 0 || a.Terms[t].Stop && a.Terms[terms[i-1]].Stop {
				continue
			}
			pair := key(terms[i-1], t)
			c, ok := double[pair]
			if !ok {
				c = int32(len(g.of))
				g.of = append(g.of, gram{terms[i-1], t})
				double[pair] = c
			}
			g.flat = append(g.flat, c)
		}
		g.ends[k] = len(g.flat)
	}
	return g
}

// weights returns idf · damping of every column.
func (a *Analysis) weights(g *grams, w Weighting) []float64 {
	sentences := a.sentencesIn()
	df := make([]int, len(g.of))
	seen := make([]int32, len(g.of))     // last sentence + 1 with the column
	document := make([]int32, len(g.of)) // its document + 1, or several
	const several = -1
	for k := range a.Sentences {
		d := int32(a.Refs[k].Document) + 1
		for _, c := range g.in(k) {
			if seen[c] == int32(k)+1 {
				continue
			}
			seen[c] = int32(k) + 1
			df[c]++
			switch document[c] {
			case 0:
				document[c] = d
			case d:
			default:
				document[c] = several
			}
		}
	}
	damp := a.documents >= 2 && w.SingleDocument > 0
	weight := make([]float64, len(g.of))
	for c, pair := range g.of {
		p := a.Terms[pair.first].Background
		mask := a.languages[pair.first]
		if pair.second != none {
			p *= a.Terms[pair.second].Background
			mask &= a.languages[pair.second]
		}
		n := sentences(mask)
		weight[c] = 1 + math.Log((n+w.Background+1)/(float64(df[c])+w.Background*p+1))
		if damp && document[c] != several {
			weight[c] *= w.SingleDocument
		}
	}
	return weight
}

// sentencesIn returns a function that counts the sentences in a set of
// languages.
func (a *Analysis) sentencesIn() func(mask uint64) float64 {
	count := map[uint64]int{}
	for _, bit := range a.sentenceLanguage {
		count[bit]++
	}
	sums := map[uint64]float64{}
	return func(mask uint64) float64 {
		n, ok := sums[mask]
		if !ok {
			for bit, k := range count {
				if mask&bit != 0 {
					n += float64(k)
				}
			}
			sums[mask] = n
		}
		return n
	}
}
