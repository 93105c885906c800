package selection

import (
	"context"
	"math"
	"slices"

	"github.com/cerasum/cerasum/internal/errorf"
)

// Concepts are what a summary should mention, besides pointing the way of the
// centroid: word bigrams on which documents agree (Gillick and Favre 2009, "A
// scalable global model for summarization").
type Concepts struct {
	// Sentence holds for each of the N rows its concepts, ascending, each once.
	Sentence [][]int32
	// Weight of each concept, not negative.
	Weight []float64
}

// check wants concepts of n sentences.
func (c *Concepts) check(n int) error {
	if len(c.Sentence) != n {
		return errorf.Errorf("selection: concepts of %d sentences, embeddings of %d", len(c.Sentence), n)
	}
	for id, w := range c.Weight {
		if !(w >= 0) || math.IsInf(w, 0) {
			return errorf.Errorf("selection: the weight of concept %d is %v: want a finite number, 0 or more", id, w)
		}
	}
	for k, ids := range c.Sentence {
		for _, id := range ids {
			if id < 0 || int(id) >= len(c.Weight) {
				return errorf.Errorf("selection: sentence %d has concept %d of %d", k, int(id), len(c.Weight))
			}
		}
	}
	return nil
}

// CoverParams of [SelectCover].
type CoverParams struct {
	// Budget in the unit of Problem.Length, at least 1.
	Budget int
	// BeamWidth is B, at least 1.
	BeamWidth int
	// CoverShare is the share λ of coverage in the score, in 0..1.
	CoverShare float64
	// Room is about how many concepts a summary within the budget can hold: a
	// coverage of 1 is that of the Room heaviest concepts. At least 1.
	Room int
	// MaxCosine is that of Params.
	MaxCosine float64
}

func (o CoverParams) check() error {
	switch {
	case o.BeamWidth < 1:
		return errorf.Errorf("%w: beam_width is %d: want at least 1", ErrParams, o.BeamWidth)
	case o.Budget < 1:
		return errorf.Errorf("%w: budget is %d: want at least 1", ErrParams, o.Budget)
	case o.Room < 1:
		return errorf.Errorf("%w: room is %d: want at least 1", ErrParams, o.Room)
	case !(o.CoverShare >= 0 && o.CoverShare <= 1):
		return errorf.Errorf("%w: cover_share is %v: want 0 to 1", ErrParams, o.CoverShare)
	}
	return nil
}

// SelectCover maximises over the sets S within the budget
//
//	(1−λ) cos(e_S, ĉ) + λ covered(S)
//
// by beam search, covered(S) being the weight of the concepts in S, each once,
// in parts of the heaviest Room concepts. Only extensions that fit are made;
// states of the same set count once; the best state of any length wins. Ties
// break by (document, sentence).
func SelectCover(ctx context.Context, p *Problem, con *Concepts, o CoverParams) (Result, error) {
	if err := o.check(); err != nil {
		return Result{}, err
	}
	c, answer, err := newCoverSearch(p, con, o)
	if c == nil {
		return answer, err
	}
	best, err := c.run(ctx)
	if err != nil {
		return Result{}, err
	}
	return c.result(best, c.gram, c), nil
}

// newCoverSearch makes ready to search. The search is nil where there is nothing
// to search, and the answer is what there is.
func newCoverSearch(p *Problem, con *Concepts, o CoverParams) (*coverSearch, Result, error) {
	if err := p.check(); err != nil {
		return nil, Result{}, err
	}
	if err := con.check(p.Rows.Len()); err != nil {
		return nil, Result{}, err
	}
	if p.Rows.Len() == 0 {
		return nil, Result{}, nil
	}
	sc, err := newScorer(p, 0)
	if err != nil {
		return nil, Result{}, err
	}
	usable := removeRepeatsAndTooLong(p, o.Budget)
	if len(usable) == 0 {
		return nil, sc.nearest(), nil
	}
	return &coverSearch{
		scorer: sc, concepts: con, params: o, candidates: sc.dropZeros(usable),
		gram: newGramCache(p.Rows), twins: newTwins(p, o.MaxCosine),
		unit: heaviest(con.Weight, o.Room),
	}, Result{}, nil
}

// heaviest is the sum of the room largest weights.
func heaviest(weights []float64, room int) float64 {
	w := slices.Clone(weights)
	slices.Sort(w)
	sum := 0.0
	for _, v := range w[max(0, len(w)-room):] {
		sum += v
	}
	return sum
}

type coverSearch struct {
	*scorer
	concepts   *Concepts
	params     CoverParams
	candidates []int // rows, ascending
	gram       *gramCache
	twins      *twins
	unit       float64 // weight that counts as a coverage of 1
}

// coverState is a state with the concepts that it covers.
type coverState struct {
	state
	seen  []uint64 // bit c: concept c is covered
	cover float64  // weight covered
}

// blend is the objective. Where there are no concepts the cosine is all.
func (c *coverSearch) blend(cosine, cover float64) float64 {
	if c.unit == 0 {
		return cosine
	}
	return float64((1-c.params.CoverShare)*cosine) + float64(c.params.CoverShare*cover/c.unit)
}

// newCover is the weight of the concepts that row k would add to st.
func (c *coverSearch) newCover(st *coverState, k int) float64 {
	sum := 0.0
	for _, id := range c.concepts.Sentence[k] {
		if st.seen[id>>6]&(1<<(id&63)) == 0 {
			sum += c.concepts.Weight[id]
		}
	}
	return sum
}

func (c *coverSearch) empty() *coverState {
	s := search{scorer: c.scorer}
	return &coverState{state: *s.empty(), seen: make([]uint64, (len(c.concepts.Weight)+63)/64)}
}

func (c *coverSearch) extend(st *coverState, k int) *coverState {
	s := search{scorer: c.scorer, gram: c.gram, twins: c.twins}
	nx := &coverState{state: *s.extend(&st.state, k), seen: slices.Clone(st.seen)}
	nx.cover = st.cover
	c.mark(nx, k)
	nx.score = c.blend(nx.score, nx.cover)
	return nx
}

// mark counts the concepts of row k as covered.
func (c *coverSearch) mark(st *coverState, k int) {
	st.cover += c.newCover(st, k)
	for _, id := range c.concepts.Sentence[k] {
		st.seen[id>>6] |= 1 << (id & 63)
	}
}

// offers appends the B best extensions of st that fit, best first.
func (c *coverSearch) offers(dst []extension, st *coverState, parent int) []extension {
	start, width := len(dst), c.params.BeamWidth
	for _, k := range c.candidates {
		length := st.length + c.p.Length[k]
		if st.closed[k] || length > c.params.Budget {
			continue
		}
		cosine := c.scorer.score(st.dot+c.dot[k], st.norm2+2*st.gram[k]+c.norm2[k], length)
		score := c.blend(cosine, st.cover+c.newCover(st, k))
		dst = offer(dst, start, width, extension{parent, k, length, score})
	}
	return dst
}

func (c *coverSearch) run(ctx context.Context) (*state, error) {
	current := []*coverState{c.empty()}
	var best *state
	var offers []extension
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		offers = offers[:0]
		for i, st := range current {
			offers = c.offers(offers, st, i)
		}
		if len(offers) == 0 {
			return best, nil
		}
		bestFirst(offers, func(o extension) float64 { return o.score })
		offers = dropSameSets(offers, func(parent int) []int { return current[parent].rows }, c.params.BeamWidth)
		next := make([]*coverState, 0, len(offers))
		for _, o := range offers {
			st := c.extend(current[o.parent], o.row)
			next = append(next, st)
			if best == nil || st.score > best.score {
				best = &st.state
			}
		}
		current = next
	}
}
