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

// slotBits returns the number of bits of a slot, by the number of features.
func slotBits(features int64) int { return min(max(bits.Len64(uint64(features)), minSlots), maxSlots) }

// checkPostings refuses a number of postings that is too large.
func checkPostings(n int64) error {
	if n > maxPostings {
		return fmt.Errorf("too many documents to compare at once: their vectors have %d terms, want at most %d; divide the corpus, for example by date", n, int64(maxPostings))
	}
	return nil
}

// index builds the vectors. The weight of a term is √n · ln((N + 1) / df), n times
// in the document and in df of N documents. Vectors have unit length before all
// but the terms of most weight are dropped, and those of one document, which nothing
// can match.
func (f *Finder) index(ctx context.Context) (*index, error) {
	size := slotBits(f.features)
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
	w := weigher{size: size, n: int64(n), df: func(slot uint32) uint32 { return df[slot] }}
	used := make([]uint32, 1<<size) // postings of a slot
	err = f.each(ctx, func(_ int, terms []feature) {
		entries, length := w.entries(terms)
		for _, e := range entries {
			x.terms = append(x.terms, e.term)
			x.weights = append(x.weights, e.weight/length)
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
			x.squares = append(x.squares, w.square(uint32(s)))
			df[s] = count
			count++
		}
	}
	for k, s := range x.terms {
		x.terms[k] = df[s]
	}
	x.post(count)
	return x, nil
}

// post makes the postings of the vectors, whose terms are below count.
func (x *index) post(count uint32) {
	x.begins = make([]uint32, count+1)
	for _, t := range x.terms {
		x.begins[t+1]++
	}
	for t := range count {
		x.begins[t+1] += x.begins[t]
	}
	x.postings = make([]int32, len(x.terms))
	next := slices.Clone(x.begins)
	for i := range int32(len(x.starts) - 1) {
		terms, _ := x.vector(i)
		for _, t := range terms {
			x.postings[next[t]] = i
			next[t]++
		}
	}
}

// weigher makes vectors of terms.
type weigher struct {
	size int   // bits of a slot
	n    int64 // texts
	df   func(slot uint32) uint32
	kept []entry
}

// entry is a term of a vector.
type entry struct {
	term   uint32 // slot
	weight float32
}

// idf returns the inverse document frequency of a slot.
func (w *weigher) idf(df uint32) float64 { return math.Log((float64(w.n) + 1) / float64(df)) }

// square returns its square.
func (w *weigher) square(slot uint32) float32 {
	idf := w.idf(w.df(slot))
	return float32(idf * idf)
}

// entries returns those of a text, ascending and valid until the next call, and the length
// of its vector before terms were dropped.
func (w *weigher) entries(terms []feature) ([]entry, float32) {
	entries := w.kept[:0]
	squares := 0.0
	for k := range terms {
		t := &terms[k]
		s := t.hash >> (32 - w.size)
		df := w.df(s)
		weight := termWeight(t.count, w.idf(df))
		squares += weight * weight
		if df > 1 && weight > 0 {
			entries = append(entries, entry{s, float32(weight)})
		}
	}
	w.kept = entries
	if len(entries) > maxTerms {
		slices.SortFunc(entries, func(a, b entry) int {
			return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.term, b.term))
		})
		entries = entries[:maxTerms]
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.term, b.term), cmp.Compare(b.weight, a.weight))
	})
	entries = slices.CompactFunc(entries, func(a, b entry) bool { return a.term == b.term })
	return entries, float32(math.Sqrt(squares))
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
