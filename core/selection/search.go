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
	twins      *twins
}

// state is a partial summary.
type state struct {
	rows   []int     // chosen rows in the order in which they came
	closed []bool    // closed[k]: row k is chosen, or says what a chosen one says; of length N
	gram   []float64 // e_S · every row, of length N
	dot    float64   // e_S · ĉ
	norm2  float64   // |e_S|²
	length int
	score  float64
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
	return &state{closed: make([]bool, n), gram: make([]float64, n)}
}

// extended scores st with row k added, without building it.
func (s *search) extended(st *state, k int) (score float64, length int) {
	length = st.length + s.p.Length[k]
	return s.score(st.dot+s.dot[k], st.norm2+2*st.gram[k]+s.norm2[k], length), length
}

// extend builds the state st ∪ {k}.
func (s *search) extend(st *state, k int) *state {
	row := s.gram.row(k)
	nx := &state{
		rows:   append(slices.Clone(st.rows), k),
		closed: slices.Clone(st.closed),
		gram:   make([]float64, len(row)),
		dot:    st.dot + s.dot[k],
		// st.gram[k] = e_S · e_k
		norm2:  st.norm2 + 2*st.gram[k] + s.norm2[k],
		length: st.length + s.p.Length[k],
	}
	for i, v := range row {
		nx.gram[i] = st.gram[i] + v
	}
	nx.closed[k] = true
	for _, i := range s.twins.of(k) {
		nx.closed[i] = true
	}
	nx.score = s.score(nx.dot, nx.norm2, nx.length)
	return nx
}

// bestExtensions appends to dst the B best extensions of st, best first; of
// equal ones the earlier sentence first.
func (s *search) bestExtensions(dst []extension, st *state, parent int) []extension {
	start, width := len(dst), s.params.BeamWidth
	for _, k := range s.candidates {
		if st.closed[k] {
			continue
		}
		score, length := s.extended(st, k)
		dst = offer(dst, start, width, extension{parent, k, length, score})
	}
	return dst
}

// offer puts x in its place among dst[start:], the best width extensions so
// far, best first; of equal ones the earlier stays ahead.
func offer(dst []extension, start, width int, x extension) []extension {
	if len(dst)-start == width {
		if x.score <= dst[len(dst)-1].score {
			return dst
		}
		dst = dst[:len(dst)-1]
	}
	at := len(dst)
	for at > start && dst[at-1].score < x.score {
		at--
	}
	return slices.Insert(dst, at, x)
}

// beam runs the beam search and returns the B best states within the budget,
// best first. all is true where everything fits, so that nothing is left to
// search for. complete is the best state that had room in the budget but no
// candidate left, as all others are excluded; nil where there is none. States
// become complete at different sizes, while the search goes on with the others.
func (s *search) beam(ctx context.Context) (best []*state, complete *state, all bool, err error) {
	budget, width := s.params.Budget, s.params.BeamWidth
	current := []*state{s.empty()}
	var finals []*state
	var offers []extension
	for {
		if err := ctx.Err(); err != nil {
			return nil, nil, false, err
		}
		offers = offers[:0]
		for i, st := range current {
			if st.length >= budget {
				continue
			}
			before := len(offers)
			offers = s.bestExtensions(offers, st, i)
			if len(offers) == before && (complete == nil || st.score > complete.score) {
				complete = st
			}
		}
		if len(offers) == 0 {
			break
		}
		bestFirst(offers, func(o extension) float64 { return o.score })
		if s.params.Distinct {
			offers = dropSameSets(offers, func(parent int) []int { return current[parent].rows }, width)
		}
		next := make([]*state, 0, min(width, len(offers)))
		for _, o := range offers[:min(width, len(offers))] {
			next = append(next, s.extend(current[o.parent], o.row))
		}
		// From the lowest score up: the first state over the budget makes
		// finals of the previous step, the first that fills it exactly of this
		// one. This is the paper's program, to the letter.
		for i := len(next) - 1; i >= 0; i-- {
			if next[i].length > budget {
				finals = append(finals, current...)
				break
			}
			if next[i].length == budget {
				finals = append(finals, next...)
				break
			}
		}
		current = next
	}
	all = len(finals) == 0
	if all {
		finals = current
	}
	finals = slices.DeleteFunc(finals, func(st *state) bool { return st.length > budget || len(st.rows) == 0 })
	bestFirst(finals, func(st *state) float64 { return st.score })
	if s.params.Distinct {
		finals = distinctStates(finals)
	}
	return finals[:min(width, len(finals))], complete, all, nil
}

// greedy fills up a state: the highest-scoring remaining sentence is added
// where it fits and discarded where not, and with it what says the same; T
// failures in a row, the exact budget or no sentence left end it.
func (s *search) greedy(ctx context.Context, st *state) (*state, error) {
	left := make([]int, 0, len(s.candidates))
	for _, k := range s.candidates {
		if !st.closed[k] {
			left = append(left, k)
		}
	}
	for failures := 0; failures < s.params.Candidates && st.length < s.params.Budget && len(left) > 0; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		at, best := 0, 0.0
		for i, k := range left {
			if score, _ := s.extended(st, k); i == 0 || score > best {
				at, best = i, score
			}
		}
		k := left[at]
		left = slices.Delete(left, at, at+1)
		if st.length+s.p.Length[k] <= s.params.Budget {
			st = s.extend(st, k)
			left = slices.DeleteFunc(left, func(i int) bool { return st.closed[i] })
			failures = 0
		} else {
			failures++
		}
	}
	return st, nil
}

// bestFirst sorts by falling score, equal ones in the order that they have.
// The lists are short or nearly sorted, and every instance of slices.Sort costs
// a page two kilobytes.
func bestFirst[T any](list []T, score func(T) float64) {
	for i := range list {
		x, v, at := list[i], score(list[i]), i
		for ; at > 0 && score(list[at-1]) < v; at-- {
			list[at] = list[at-1]
		}
		list[at] = x
	}
}
