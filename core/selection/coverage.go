package selection

import (
	"context"
	"math"
	"slices"

	"github.com/cerasum/cerasum/internal/errorf"
)

// Concepts are what a summary should cover, besides being near the centroid:
// word bigrams that several documents share (Gillick and Favre 2009, "A scalable
// global model for summarization").
type Concepts struct {
	// Sentence holds the concepts of each of the N rows, ascending, each once.
	Sentence [][]int32
	// Weight of each concept, 0 or more; their sum is finite.
	Weight []float64
}

// check returns an error if these are not the concepts of n sentences.
func (c *Concepts) check(n int) error {
	if len(c.Sentence) != n {
		return errorf.Errorf("selection: concepts of %d sentences, embeddings of %d", len(c.Sentence), n)
	}
	sum := 0.0
	for id, w := range c.Weight {
		if sum += w; !(w >= 0) || math.IsInf(sum, 0) {
			return errorf.Errorf("selection: the weight of concept %d is %v: want a number, 0 or more, and a finite sum", id, w)
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

// CoverageParams are the parameters of [SelectCoverage].
type CoverageParams struct {
	// Budget in the unit of Problem.Length, at least 1.
	Budget int
	// BeamWidth is B, at least 1.
	BeamWidth int
	// CoverageWeight is the weight λ of coverage in the score, in 0..1.
	CoverageWeight float64
	// ConceptCapacity is about how many concepts a summary within the budget can
	// hold, at least 1. The weight of that many heaviest concepts is a coverage
	// of 1.
	ConceptCapacity int
	// MaxCosine is that of Params.
	MaxCosine float64
}

func (o CoverageParams) check() error {
	switch {
	case o.BeamWidth < 1:
		return errorf.Errorf("%w: beam_width is %d: want at least 1", ErrParams, o.BeamWidth)
	case o.Budget < 1:
		return errorf.Errorf("%w: budget is %d: want at least 1", ErrParams, o.Budget)
	case o.ConceptCapacity < 1:
		return errorf.Errorf("%w: concept_capacity is %d: want at least 1", ErrParams, o.ConceptCapacity)
	case !(o.CoverageWeight >= 0 && o.CoverageWeight <= 1):
		return errorf.Errorf("%w: coverage_weight is %v: want 0 to 1", ErrParams, o.CoverageWeight)
	}
	return nil
}

// SelectCoverage maximises over the sets S within the budget
//
//	(1−λ) cos(e_S, ĉ) + λ coverage(S)
//
// by beam search. coverage(S) is the weight of the concepts in S, each counted
// once, divided by the weight of the ConceptCapacity heaviest concepts. Only
// extensions that fit are made; one state is kept for each set of sentences; the
// best state of any size wins. Ties break by (document, sentence).
func SelectCoverage(ctx context.Context, p *Problem, con *Concepts, o CoverageParams) (Result, error) {
	if err := o.check(); err != nil {
		return Result{}, err
	}
	c, answer, err := newCoverageSearch(p, con, o)
	if c == nil {
		return answer, err
	}
	best, err := c.run(ctx)
	if err != nil {
		return Result{}, err
	}
	return c.result(best, c.gram, c, nil), nil
}

// newCoverageSearch prepares a search. If there is nothing to search, it returns
// nil and the result.
func newCoverageSearch(p *Problem, con *Concepts, o CoverageParams) (*coverageSearch, Result, error) {
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
	usable := usableRows(p, o.Budget)
	if len(usable) == 0 {
		return nil, sc.nearest(), nil
	}
	return &coverageSearch{
		scorer: sc, concepts: con, params: o, candidates: sc.dropZeros(usable),
		gram: newGramCache(p.Rows), duplicates: newNearDuplicates(p, o.MaxCosine),
		fullCoverage: sumOfHeaviest(con.Weight, o.ConceptCapacity),
	}, Result{}, nil
}

// RankAll quotes all rows and ranks them by the objective of [SelectCoverage], in
// which the concepts of all rows are a coverage of 1.
func RankAll(p *Problem, con *Concepts, coverageWeight float64) (Result, error) {
	o := CoverageParams{Budget: 1, BeamWidth: 1, CoverageWeight: coverageWeight, ConceptCapacity: max(1, len(con.Weight))}
	for _, n := range p.Length {
		o.Budget += n
	}
	if err := o.check(); err != nil {
		return Result{}, err
	}
	c, answer, err := newCoverageSearch(p, con, o)
	if c == nil {
		return answer, err
	}
	all := make([]int, p.Rows.Len())
	for k := range all {
		all[k] = k
	}
	r := c.result(&state{rows: all}, c.gram, c, nil)
	for _, gain := range r.Gain {
		r.Score += gain
	}
	return r, nil
}

// sumOfHeaviest is the sum of the n largest weights, n at least 1.
func sumOfHeaviest(weights []float64, n int) float64 {
	heaviest := weights
	if n < len(weights) && n <= 256 {
		heaviest = make([]float64, 0, n+1) // descending; for few of many faster than sorting
		for _, w := range weights {
			at := len(heaviest)
			for at > 0 && heaviest[at-1] < w {
				at--
			}
			if at < n {
				heaviest = append(heaviest, 0)
				copy(heaviest[at+1:], heaviest[at:])
				heaviest[at] = w
				heaviest = heaviest[:min(n, len(heaviest))]
			}
		}
	}
	w := slices.Clone(heaviest)
	slices.Sort(w)
	sum := 0.0
	for _, v := range w[max(0, len(w)-n):] {
		sum += v
	}
	return sum
}

type coverageSearch struct {
	*scorer
	concepts   *Concepts
	params     CoverageParams
	candidates []int // rows, ascending
	gram       *gramCache
	duplicates *nearDuplicates
	// fullCoverage is the weight of concepts that is a coverage of 1.
	fullCoverage float64
}

// coverageState is a state with the concepts that it covers.
type coverageState struct {
	state
	covered       []uint64 // bit c: concept c is covered
	coveredWeight float64  // weight of the covered concepts
}

// objective is the score of a set with this cosine to the centroid and this
// weight of covered concepts. Without concepts it is the cosine.
func (c *coverageSearch) objective(cosine, coveredWeight float64) float64 {
	if c.fullCoverage == 0 {
		return cosine
	}
	return float64((1-c.params.CoverageWeight)*cosine) + float64(c.params.CoverageWeight*coveredWeight/c.fullCoverage)
}

// newWeight is the weight of the concepts that row k would add to st.
func (c *coverageSearch) newWeight(st *coverageState, k int) float64 {
	sum := 0.0
	for _, id := range c.concepts.Sentence[k] {
		if st.covered[id>>6]&(1<<(id&63)) == 0 {
			sum += c.concepts.Weight[id]
		}
	}
	return sum
}

func (c *coverageSearch) empty() *coverageState {
	s := search{scorer: c.scorer}
	return &coverageState{state: *s.empty(), covered: make([]uint64, (len(c.concepts.Weight)+63)/64)}
}

func (c *coverageSearch) extend(st *coverageState, k int) *coverageState {
	s := search{scorer: c.scorer, gram: c.gram, duplicates: c.duplicates}
	next := &coverageState{state: *s.extend(&st.state, k), covered: slices.Clone(st.covered)}
	next.coveredWeight = st.coveredWeight
	c.mark(next, k)
	next.score = c.objective(next.score, next.coveredWeight)
	return next
}

// mark adds the concepts of row k to those that st covers.
func (c *coverageSearch) mark(st *coverageState, k int) {
	st.coveredWeight += c.newWeight(st, k)
	for _, id := range c.concepts.Sentence[k] {
		st.covered[id>>6] |= 1 << (id & 63)
	}
}

// appendBest appends to dst the B best extensions of st that fit, best first.
func (c *coverageSearch) appendBest(dst []extension, st *coverageState, parent int) []extension {
	start, width := len(dst), c.params.BeamWidth
	for _, k := range c.candidates {
		length := st.length + c.p.Length[k]
		if st.excluded[k] || length > c.params.Budget {
			continue
		}
		cosine := c.scorer.score(st.dot+c.dot[k], st.norm2+2*st.gram[k]+c.norm2[k], length)
		score := c.objective(cosine, st.coveredWeight+c.newWeight(st, k))
		dst = insertBest(dst, start, width, extension{parent, k, length, score})
	}
	return dst
}

func (c *coverageSearch) run(ctx context.Context) (*state, error) {
	current := []*coverageState{c.empty()}
	var best *state
	var extensions []extension
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		extensions = extensions[:0]
		for i, st := range current {
			extensions = c.appendBest(extensions, st, i)
		}
		if len(extensions) == 0 {
			return best, nil
		}
		bestFirst(extensions, func(x extension) float64 { return x.score })
		extensions = dropSameSets(extensions, func(parent int) []int { return current[parent].rows }, c.params.BeamWidth)
		next := make([]*coverageState, 0, len(extensions))
		for _, x := range extensions {
			st := c.extend(current[x.parent], x.row)
			next = append(next, st)
			if best == nil || st.score > best.score {
				best = &st.state
			}
		}
		current = next
	}
}
