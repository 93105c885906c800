package clustering

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// index are the vectors of N documents, and the documents of each of T terms.
type index struct {
	starts   []int64   // N+1: document i has the entries starts[i]..starts[i+1]
	terms    []uint32  // of the entries, ascending in a document
	weights  []float32 // of the entries
	begins   []uint32  // T+1: term t has the postings begins[t]..begins[t+1]; see maxPostings
	postings []int32   // documents, ascending for a term
	squares  []float32 // T: squared inverse document frequencies
}

// vector returns the entries of a document.
func (x *index) vector(i int32) ([]uint32, []float32) {
	a, b := x.starts[i], x.starts[i+1]
	return x.terms[a:b], x.weights[a:b]
}

// documents returns those that have a term.
func (x *index) documents(t uint32) []int32 { return x.postings[x.begins[t]:x.begins[t+1]] }

// The number of slots of the table of document frequencies is a power of two, at least
// the number of features. Terms that share a slot count as one.
const (
	minSlots = 10
	maxSlots = 26 // 256 MiB
)

// maxPostings is the largest number of postings that [index.begins] can address.
const maxPostings = math.MaxUint32

// checkPostings refuses a number of postings that is too large.
func checkPostings(n int64) error {
	if n > maxPostings {
		return fmt.Errorf("too many documents to compare at once: their vectors have %d terms, want at most %d; divide the corpus, for example by date", n, int64(maxPostings))
	}
	return nil
}

// index builds the vectors. The weight of a term is (1 + ln n) · ln((N + 1) / df), n
// times in the document and in df of N documents. Vectors have unit length before all
// but the terms of most weight are dropped, and those of one document, which nothing
// can match.
func (f *Finder) index(ctx context.Context) (*index, error) {
	size := min(max(bits.Len64(uint64(f.features)), minSlots), maxSlots)
	slot := func(t *feature) uint32 { return t.hash >> (32 - size) }
	df := make([]uint32, 1<<size)
	err := f.each(ctx, func(_ int, terms []feature) {
		for k := range terms {
			df[slot(&terms[k])]++
		}
	})
	if err != nil {
		return nil, err
	}
	n := len(f.docs)
	// At least as many as there will be, so that they are never copied.
	x := &index{starts: make([]int64, 1, n+1), terms: make([]uint32, 0, f.entries), weights: make([]float32, 0, f.entries)}
	idf := func(d uint32) float64 { return math.Log((float64(n) + 1) / float64(d)) }
	type entry struct {
		term   uint32
		weight float32
	}
	var entries []entry
	used := make([]uint32, 1<<size) // postings of a slot
	err = f.each(ctx, func(_ int, terms []feature) {
		entries = entries[:0]
		squares := 0.0
		for k := range terms {
			t := &terms[k]
			s := slot(t)
			w := idf(df[s]) * (1 + math.Log(float64(t.count)))
			squares += w * w
			if df[s] > 1 && w > 0 {
				entries = append(entries, entry{s, float32(w)})
			}
		}
		if len(entries) > maxTerms {
			slices.SortFunc(entries, func(a, b entry) int {
				return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.term, b.term))
			})
			entries = entries[:maxTerms]
		}
		slices.SortFunc(entries, func(a, b entry) int {
			return cmp.Or(cmp.Compare(a.term, b.term), cmp.Compare(b.weight, a.weight))
		})
		for k, e := range entries {
			if k > 0 && e.term == entries[k-1].term {
				continue
			}
			x.terms = append(x.terms, e.term)
			x.weights = append(x.weights, e.weight/float32(math.Sqrt(squares)))
			used[e.term]++
		}
		x.starts = append(x.starts, int64(len(x.terms)))
	})
	if err != nil {
		return nil, err
	}
	if err := checkPostings(int64(len(x.terms))); err != nil {
		return nil, err
	}
	// Slots are numbered anew, without unused ones; df becomes their new number.
	count := uint32(0)
	for s, n := range used {
		if n > 0 {
			x.squares = append(x.squares, float32(idf(df[s])*idf(df[s])))
			df[s] = count
			count++
		}
	}
	x.begins = make([]uint32, count+1)
	for k, s := range x.terms {
		x.terms[k] = df[s]
		x.begins[df[s]+1]++
	}
	for t := range count {
		x.begins[t+1] += x.begins[t]
	}
	x.postings = make([]int32, len(x.terms))
	next := slices.Clone(x.begins)
	for i := range int32(n) {
		terms, _ := x.vector(i)
		for _, t := range terms {
			x.postings[next[t]] = i
			next[t]++
		}
	}
	return x, nil
}

// lookup finds the weights of a vector by their terms. A hash table of a few kB is faster
// than walking two vectors, whose branches a processor cannot predict.
type lookup struct {
	terms   [8 * maxTerms]uint32
	weights [8 * maxTerms]float32 // 0: a free slot
}

func (l *lookup) set(terms []uint32, weights []float32) {
	clear(l.weights[:])
	for k, t := range terms {
		at := t % uint32(len(l.terms))
		for l.weights[at] != 0 {
			at = (at + 1) % uint32(len(l.terms))
		}
		l.terms[at], l.weights[at] = t, weights[k]
	}
}

// cosine returns that of the vector and another one; both have unit length.
func (l *lookup) cosine(terms []uint32, weights []float32) (sum float32) {
	for k, t := range terms {
		for at := t % uint32(len(l.terms)); l.weights[at] != 0; at = (at + 1) % uint32(len(l.terms)) {
			if l.terms[at] == t {
				sum += l.weights[at] * weights[k]
				break
			}
		}
	}
	return sum
}
