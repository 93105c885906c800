package clustering

import (
	"cmp"
	"container/heap"
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

const (
	// visits bounds the postings that are read for a document, rarest terms first.
	visits = 20_000
	// candidates is the number of documents, those that share the rarest terms,
	// whose cosine is computed.
	candidates = 128 // at least 2 · MaxEventSize
	// kept is the number of neighbours of a document that it can be merged with.
	kept = 30
)

// neighbour of a document.
type neighbour struct {
	doc        int32
	similarity float32
}

// neighbours returns for each document those that are most similar to it, above their
// surroundings.
func (f *Finder) neighbours(ctx context.Context, x *index) ([][]neighbour, error) {
	n := len(f.docs)
	all := make([][]neighbour, n)
	levels := make([]float32, n)
	var next, done atomic.Int64
	var group sync.WaitGroup
	const part = 64
	for range f.options.Workers {
		group.Go(func() {
			s := newSearcher(f, x)
			for ctx.Err() == nil {
				from := int(next.Add(part)) - part
				if from >= n {
					return
				}
				to := min(from+part, n)
				for i := from; i < to; i++ {
					if !f.notice(int32(i)) {
						all[i], levels[i] = s.search(int32(i))
					}
				}
				if so := int(done.Add(int64(to - from))); f.options.Progress != nil {
					f.options.Progress(so, n)
				}
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for i, list := range all {
		above := list[:0]
		for _, e := range list {
			if e.similarity -= (levels[i] + levels[e.doc]) / 2; e.similarity > 0 {
				above = append(above, e)
			}
		}
		all[i] = above
	}
	return all, nil
}

// searcher finds neighbours. It is not safe for concurrent use.
type searcher struct {
	f       *Finder
	x       *index
	scores  []float32 // of all documents: the sum over shared terms; 0 between searches
	touched []int32   // documents with a score
	order   []uint32
	found   []neighbour
}

func newSearcher(f *Finder, x *index) *searcher {
	return &searcher{f: f, x: x, scores: make([]float32, len(f.docs))}
}

// surroundings are the ranks of the neighbours that a document has in its topic, but
// not in its event.
func (f *Finder) surroundings() (from, to int) {
	from = f.options.EventSize
	return from, max(2*from, from+8)
}

// search returns the neighbours of a document with their cosines, nearest first, and the
// mean cosine of its surroundings.
func (s *searcher) search(i int32) (list []neighbour, level float32) {
	x := s.x
	terms, weights := x.vector(i)
	s.order = append(s.order[:0], terms...)
	slices.SortFunc(s.order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(len(x.documents(a)), len(x.documents(b))), cmp.Compare(a, b))
	})
	read := 0
	for _, t := range s.order {
		documents := x.documents(t)
		if read += len(documents); read > visits {
			break
		}
		for _, j := range documents {
			if s.scores[j] == 0 {
				s.touched = append(s.touched, j)
			}
			s.scores[j] += x.squares[t]
		}
	}
	s.found = s.found[:0]
	own := &s.f.docs[i]
	for _, j := range s.touched {
		if e := (neighbour{j, s.scores[j]}); j != i && !s.f.notice(j) && s.f.near(own, &s.f.docs[j]) {
			s.found = keep(s.found, e, candidates)
		}
		s.scores[j] = 0
	}
	s.touched = s.touched[:0]
	for k := range s.found {
		t, w := x.vector(s.found[k].doc)
		s.found[k].similarity = cosine(terms, weights, t, w)
	}
	from, to := s.f.surroundings()
	s.found = best(s.found, to)
	for _, e := range s.found[min(from, len(s.found)):] {
		level += e.similarity / float32(to-from)
	}
	return slices.Clone(s.found[:min(kept, len(s.found))]), level
}

// order sorts the most similar document first, and equal ones by number.
func order(a, b neighbour) int {
	return cmp.Or(cmp.Compare(b.similarity, a.similarity), cmp.Compare(a.doc, b.doc))
}

// best returns the n most similar documents, sorted.
func best(found []neighbour, n int) []neighbour {
	slices.SortFunc(found, order)
	return found[:min(n, len(found))]
}

// keep adds a document to the n most similar ones, a heap with the least similar first.
func keep(found []neighbour, e neighbour, n int) []neighbour {
	h := (*least)(&found)
	switch {
	case len(found) < n:
		heap.Push(h, e)
	case order(e, found[0]) < 0:
		found[0] = e
		heap.Fix(h, 0)
	}
	return found
}

type least []neighbour

func (h least) Len() int           { return len(h) }
func (h least) Less(i, j int) bool { return order(h[i], h[j]) > 0 }
func (h least) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *least) Push(x any)        { *h = append(*h, x.(neighbour)) }
func (h *least) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
