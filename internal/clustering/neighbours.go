package clustering

import (
	"cmp"
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
			if e.similarity = Above(e.similarity, levels[i], levels[e.doc]); e.similarity > 0 {
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
	own     lookup    // of the document
	order   []uint32
	found   []neighbour
}

func newSearcher(f *Finder, x *index) *searcher {
	return &searcher{f: f, x: x, scores: make([]float32, len(f.docs))}
}

// surroundings are the ranks, from 0, of the neighbours that a document has in its topic,
// but not in its event: in that it has one less than the event has documents.
func (f *Finder) surroundings() (from, to int) {
	from = f.options.EventSize - 1
	return from, max(2*from, from+8)
}

// search returns the neighbours of a document with their cosines, nearest first, and the
// its background.
func (s *searcher) search(i int32) (list []neighbour, level float32) {
	x := s.x
	terms, weights := x.vector(i)
	s.order = append(s.order[:0], terms...)
	slices.SortFunc(s.order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(len(x.documents(a)), len(x.documents(b))), cmp.Compare(a, b))
	})
	read := 0
	for _, t := range s.order {
		if read += len(x.documents(t)); read > visits {
			break
		}
		s.visit(t, x.squares[t])
	}
	s.collect(i, &s.f.docs[i])
	s.cosines(terms, weights)
	from, to := s.f.surroundings()
	s.found = best(s.found, to)
	level = background(func(k int) float32 { return s.found[k].similarity }, len(s.found), from, to)
	return slices.Clone(s.found[:min(kept, len(s.found))]), level
}

// visit adds a number to the scores of the documents that have a term.
func (s *searcher) visit(t uint32, square float32) {
	for _, j := range s.x.documents(t) {
		if s.scores[j] == 0 {
			s.touched = append(s.touched, j)
		}
		s.scores[j] += square
	}
}

// collect finds the documents with the highest scores, with these as their similarities, and
// resets the scores.
func (s *searcher) collect(i int32, own *document) {
	s.found = s.found[:0]
	for _, j := range s.touched {
		e := neighbour{j, s.scores[j]}
		s.scores[j] = 0
		// The checks that read memory at random come last: few documents pass the first.
		if (len(s.found) < candidates || order(e, s.found[0]) < 0) && j != i && !s.f.notice(j) && s.f.near(own, &s.f.docs[j]) {
			s.found = keep(s.found, e, candidates)
		}
	}
	s.touched = s.touched[:0]
}

// cosines sets the similarities of the documents found to their cosines with a vector.
func (s *searcher) cosines(terms []uint32, weights []float32) {
	s.own.set(terms, weights)
	for k := range s.found {
		s.found[k].similarity = s.own.cosine(s.x.vector(s.found[k].doc))
	}
}

// order sorts the most similar document first, and equal ones by number.
func order(a, b neighbour) int { return nearer(a.similarity, b.similarity, a.doc, b.doc) }

// nearer compares documents by their similarities, and equal ones by their numbers.
func nearer[N int32 | int64](a, b float32, i, j N) int {
	return cmp.Or(cmp.Compare(b, a), cmp.Compare(i, j))
}

// best returns the n most similar documents, sorted.
func best(found []neighbour, n int) []neighbour {
	slices.SortFunc(found, order)
	return found[:min(n, len(found))]
}

// keep adds a document that [order] puts before the last of the n most similar ones, a heap
// with the least similar first.
func keep(found []neighbour, e neighbour, n int) []neighbour {
	if len(found) < n {
		found = append(found, e)
		i := len(found) - 1
		for i > 0 && order(e, found[(i-1)/2]) > 0 {
			found[i] = found[(i-1)/2]
			i = (i - 1) / 2
		}
		found[i] = e
		return found
	}
	i := 0
	for {
		child := 2*i + 1
		if child+1 < n && order(found[child+1], found[child]) > 0 {
			child++
		}
		if child >= n || order(e, found[child]) > 0 {
			break
		}
		found[i] = found[child]
		i = child
	}
	found[i] = e
	return found
}
