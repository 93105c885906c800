package selection

import (
	"context"
	"slices"
)

// search is one run over the candidates.
type search struct {
	*scorer
	params     Params
	candidates []int // rows, ascending
	gram       *gramCache
	duplicates *nearDuplicates
}

// state is a partial summary.
type state struct {
	rows     []int     // chosen rows in the order in which they were added
	excluded []bool    // excluded[k]: row k is chosen, or a near-duplicate of a chosen row; of length N
	gram     []float64 // e_S · every row, of length N
	dot      float64   // e_S · ĉ
	norm2    float64   // |e_S|²
	length   int
	score    float64
}

// extension is a state not yet built: its parent and one more row.
type extension struct {
	parent int // index of the parent state
	row    int
	length int
	score  float64
}

func (s *search) empty() *state {
	n := len(s.dot)
	return &state{excluded: make([]bool, n), gram: make([]float64, n)}
}

// scoreWith scores st ∪ {k} without building it.
func (s *search) scoreWith(st *state, k int) (score float64, length int) {
	length = st.length + s.p.Length[k]
	return s.score(st.dot+s.dot[k], st.norm2+2*st.gram[k]+s.norm2[k], length), length
}

// extend builds the state st ∪ {k}.
func (s *search) extend(st *state, k int) *state {
	row := s.gram.row(k)
	next := &state{
		rows:     append(slices.Clone(st.rows), k),
		excluded: slices.Clone(st.excluded),
		gram:     make([]float64, len(row)),
		dot:      st.dot + s.dot[k],
		// st.gram[k] = e_S · e_k
		norm2:  st.norm2 + 2*st.gram[k] + s.norm2[k],
		length: st.length + s.p.Length[k],
	}
	for i, v := range row {
		next.gram[i] = st.gram[i] + v
	}
	next.excluded[k] = true
	for _, i := range s.duplicates.of(k) {
		next.excluded[i] = true
	}
	next.score = s.score(next.dot, next.norm2, next.length)
	return next
}

// appendBest appends to dst the B best extensions of st, best first. Ties keep
// the order of the sentences.
func (s *search) appendBest(dst []extension, st *state, parent int) []extension {
	start, width := len(dst), s.params.BeamWidth
	for _, k := range s.candidates {
		if st.excluded[k] {
			continue
		}
		score, length := s.scoreWith(st, k)
		dst = insertBest(dst, start, width, extension{parent, k, length, score})
	}
	return dst
}

// insertBest inserts x into dst[start:], which holds the best extensions so
// far, at most width of them, best first. An equal one that is already there
// stays ahead of x.
func insertBest(dst []extension, start, width int, x extension) []extension {
	if len(dst)-start == width {
		if x.score <= dst[len(dst)-1].score {
			return dst
		}
		dst = dst[:len(dst)-1]
	}
	dst = append(dst, x)
	for at := len(dst) - 1; at > start && dst[at-1].score < x.score; at-- {
		dst[at-1], dst[at] = dst[at], dst[at-1]
	}
	return dst
}

// beamResult is what the beam search found.
type beamResult struct {
	// finals are the B best states within the budget, best first.
	finals []*state
	// complete is the best state that had budget left but no candidate, since
	// all others were excluded; nil if there is none. States become complete at
	// different sizes, while the search goes on with the others.
	complete *state
	// exhausted says that no state reached the budget: there is nothing to fill
	// up.
	exhausted bool
}

// beam runs the beam search.
func (s *search) beam(ctx context.Context) (beamResult, error) {
	budget, width := s.params.Budget, s.params.BeamWidth
	current := []*state{s.empty()}
	var r beamResult
	var extensions []extension
	for {
		if err := ctx.Err(); err != nil {
			return beamResult{}, err
		}
		extensions = extensions[:0]
		for i, st := range current {
			if st.length >= budget {
				continue
			}
			before := len(extensions)
			extensions = s.appendBest(extensions, st, i)
			if len(extensions) == before && (r.complete == nil || st.score > r.complete.score) {
				r.complete = st
			}
		}
		if len(extensions) == 0 {
			break
		}
		bestFirst(extensions, func(x extension) float64 { return x.score })
		if s.params.Distinct {
			extensions = dropSameSets(extensions, func(parent int) []int { return current[parent].rows }, width)
		}
		next := make([]*state, 0, min(width, len(extensions)))
		for _, x := range extensions[:min(width, len(extensions))] {
			next = append(next, s.extend(current[x.parent], x.row))
		}
		// As in the paper's program: starting from the lowest score, the first
		// state over the budget makes the previous states final, the first that
		// reaches it exactly makes these states final.
		for i := len(next) - 1; i >= 0; i-- {
			if next[i].length > budget {
				r.finals = append(r.finals, current...)
				break
			}
			if next[i].length == budget {
				r.finals = append(r.finals, next...)
				break
			}
		}
		current = next
	}
	if r.exhausted = len(r.finals) == 0; r.exhausted {
		r.finals = current
	}
	r.finals = slices.DeleteFunc(r.finals, func(st *state) bool { return st.length > budget || len(st.rows) == 0 })
	bestFirst(r.finals, func(st *state) float64 { return st.score })
	if s.params.Distinct {
		r.finals = distinctStates(r.finals)
	}
	r.finals = r.finals[:min(width, len(r.finals))]
	return r, nil
}

// greedy fills up a state: the highest-scoring remaining sentence is added if
// it fits and discarded if not. T failures in a row end it, as do an exhausted
// budget and a lack of sentences.
func (s *search) greedy(ctx context.Context, st *state) (*state, error) {
	left := make([]int, 0, len(s.candidates))
	for _, k := range s.candidates {
		if !st.excluded[k] {
			left = append(left, k)
		}
	}
	for failures := 0; failures < s.params.Patience && st.length < s.params.Budget && len(left) > 0; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		at, best := 0, 0.0
		for i, k := range left {
			if score, _ := s.scoreWith(st, k); i == 0 || score > best {
				at, best = i, score
			}
		}
		k := left[at]
		left = slices.Delete(left, at, at+1)
		if st.length+s.p.Length[k] <= s.params.Budget {
			st = s.extend(st, k)
			left = slices.DeleteFunc(left, func(i int) bool { return st.excluded[i] })
			failures = 0
		} else {
			failures++
		}
	}
	return st, nil
}

// bestFirst sorts by descending score and is stable. The lists are short or
// nearly sorted, and each instance of slices.Sort adds two kilobytes to the
// WebAssembly program.
func bestFirst[T any](list []T, score func(T) float64) {
	for i := range list {
		x, v, at := list[i], score(list[i]), i
		for ; at > 0 && score(list[at-1]) < v; at-- {
			list[at] = list[at-1]
		}
		list[at] = x
	}
}
