package selection

import (
	"context"
	"math"
	"slices"

	"github.com/cerasum/cerasum/internal/errorf"
)

// LocalSearchParams are the parameters of [LocalSearch].
type LocalSearchParams struct {
	// Budget, CoverageWeight, ConceptCapacity and MaxCosine are those of
	// CoverageParams.
	Budget          int
	CoverageWeight  float64
	ConceptCapacity int
	MaxCosine       float64
	// DensityExponents r, at least one, each in 0..10: for each there is a greedy
	// search that always adds the sentence with the highest gain/length^r. With 0
	// that is the highest gain, with 1 the highest gain for the length.
	DensityExponents []float64
	// SwapExponent is the r of the greedy search that fills up a summary after a
	// swap.
	SwapExponent float64
	// Replacements is how many sentences are tried in place of the removed ones;
	// 0: no swaps.
	Replacements int
	// Values, if not nil, is added to the objective.
	Values *Values
}

// coverage returns the parameters of the objective.
func (o LocalSearchParams) coverage() CoverageParams {
	return CoverageParams{Budget: o.Budget, BeamWidth: 1, CoverageWeight: o.CoverageWeight, ConceptCapacity: o.ConceptCapacity, MaxCosine: o.MaxCosine}
}

func (o LocalSearchParams) check() error {
	if err := o.coverage().check(); err != nil {
		return err
	}
	switch {
	case len(o.DensityExponents) == 0:
		return errorf.Errorf("%w: density_exponents is empty: want at least one", ErrParams)
	case o.Replacements < 0:
		return errorf.Errorf("%w: replacements is %d: want 0 or more", ErrParams, o.Replacements)
	}
	for _, r := range append([]float64{o.SwapExponent}, o.DensityExponents...) {
		if !(r >= 0 && r <= 10) {
			return errorf.Errorf("%w: exponent %v: want 0 to 10", ErrParams, r)
		}
	}
	return nil
}

const (
	// maxPairSwap is the length, in sentences, of the longest summary of which
	// swaps remove pairs of sentences. Of longer ones they remove one sentence.
	maxPairSwap = 12
	// swapPoolPerRow is how many candidates take part in swaps for each sentence of the
	// summary, at least minSwapPool and at most maxSwapPool in all.
	swapPoolPerRow           = 32
	minSwapPool, maxSwapPool = 96, 256
	// maxSwapScores bounds the work of the swaps to this many scores of one
	// sentence, some tenths of a second. The bound is a count, not a time, so
	// that the result is the same on every machine.
	maxSwapScores = 1 << 20
)

// LocalSearch maximises the objective of [SelectCoverage]. Greedy searches, one
// for each density exponent, fill the budget. The best set is then improved by
// swaps until none gains: a swap removes one or two sentences, adds another, and
// fills up the budget; the best swap is made first. See Lin and Bilmes 2010 for
// the greedy search by density under a knapsack constraint; local search for
// budgeted maximum coverage uses such swaps. Only sets that fit are made. Ties
// break by (document, sentence).
func LocalSearch(ctx context.Context, p *Problem, con *Concepts, o LocalSearchParams) (Result, error) {
	l, err := NewLocalSearcher(p, con, o)
	if err != nil {
		return Result{}, err
	}
	return l.Search(ctx, o.Values)
}

// LocalSearcher runs [LocalSearch] on one problem with one or more values of its
// sentences. It must not be used by several goroutines at once.
type LocalSearcher struct {
	*coverageSearch // nil if there is nothing to search, and answer is the result
	answer          Result
	length          int // of the problem
	params          LocalSearchParams
	valuation       *valuation
	scores          int // of single sentences, in swaps
	// rowsWith lists the rows that have each concept, weight is the weight of those of
	// each row.
	rowsWith [][]int32
	weight   []float64
	// The objective is cosineFactor · e_S·ĉ/|e_S| + coverageFactor · the covered weight.
	cosineFactor, coverageFactor float64
}

// NewLocalSearcher prepares searches of a problem. It ignores o.Values: Search is given
// those of each search.
func NewLocalSearcher(p *Problem, con *Concepts, o LocalSearchParams) (*LocalSearcher, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	c, answer, err := newCoverageSearch(p, con, o.coverage())
	if err != nil {
		return nil, err
	}
	l := &LocalSearcher{coverageSearch: c, answer: answer, length: p.Rows.Len(), params: o}
	if c != nil {
		c.concepts = &Concepts{Sentence: con.Sentence, Weight: exactWeights(con.Weight)}
		l.coverageFactor = l.objective(0, 1)
		if l.norm > 0 {
			l.cosineFactor = l.objective(1, 0) / l.norm
		}
		l.rowsWith, l.weight = rowsByConcept(con), make([]float64, p.Rows.Len())
		for k, ids := range con.Sentence {
			for _, id := range ids {
				l.weight[k] += l.concepts.Weight[id]
			}
		}
	}
	return l, nil
}

// Search adds values to the objective, unless they are nil, and searches. Values that are
// not of the length of the problem are an error.
func (l *LocalSearcher) Search(ctx context.Context, values *Values) (Result, error) {
	if err := values.check(l.length); err != nil {
		return Result{}, err
	}
	if l.coverageSearch == nil {
		return l.answer, nil
	}
	l.valuation = newValuation(values, l.p.Refs)
	best, err := l.run(ctx)
	if err != nil {
		return Result{}, err
	}
	return l.result(&state{rows: best.rows, score: best.score}, l.gram, l.coverageSearch, values.each()), nil
}

// exactWeights rounds weights to multiples of a power of two such that their sums are
// exact: a gain has the same bits however a set came about.
func exactWeights(weights []float64) []float64 {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	_, exponent := math.Frexp(sum)
	unit := math.Ldexp(1, exponent-50)
	if sum == 0 || unit == 0 {
		return weights
	}
	rounded := make([]float64, len(weights))
	for id, w := range weights {
		rounded[id] = math.RoundToEven(w/unit) * unit
	}
	return rounded
}

// rowsByConcept lists for each concept the rows that have it, ascending.
func rowsByConcept(con *Concepts) [][]int32 {
	count := make([]int32, len(con.Weight))
	total := 0
	for _, ids := range con.Sentence {
		total += len(ids)
		for _, id := range ids {
			count[id]++
		}
	}
	all, rows := make([]int32, total), make([][]int32, len(con.Weight))
	for id, n := range count {
		rows[id], all = all[:0:n], all[n:]
	}
	for k, ids := range con.Sentence {
		for _, id := range ids {
			rows[id] = append(rows[id], int32(k))
		}
	}
	return rows
}

// set is a summary to which sentences are added and from which they are removed.
type set struct {
	rows          []int     // in the order in which they were added
	excluded      []int32   // how many chosen rows exclude row k, itself among them; of length N
	gram          []float64 // e_S · every row, of length N
	dot           float64   // e_S · ĉ
	norm2         float64   // |e_S|²
	length        int
	holders       []int32   // of each concept, how many rows hold it
	gain          []float64 // weight of the concepts of each row that s does not cover, of length N; exact
	coveredWeight float64   // weight of the covered concepts
	worth
	score float64
}

func (l *LocalSearcher) emptySet() *set {
	n := len(l.dot)
	s := &set{excluded: make([]int32, n), gram: make([]float64, n), holders: make([]int32, len(l.rowsWith)), gain: slices.Clone(l.weight)}
	if l.valuation != nil {
		s.worth = l.valuation.empty()
	}
	return s
}

func (s *set) clone() *set {
	c := *s
	c.rows, c.excluded, c.gram, c.holders, c.gain = slices.Clone(s.rows), slices.Clone(s.excluded), slices.Clone(s.gram), slices.Clone(s.holders), slices.Clone(s.gain)
	c.quoted, c.held = slices.Clone(s.quoted), slices.Clone(s.held)
	return &c
}

// copyTo makes dst equal to s and reuses the memory of dst.
func (s *set) copyTo(dst *set) {
	rows, excluded, gram, holders, gain, quoted, held := dst.rows, dst.excluded, dst.gram, dst.holders, dst.gain, dst.quoted, dst.held
	*dst = *s
	dst.rows = append(rows[:0], s.rows...)
	dst.excluded, dst.gram, dst.holders, dst.gain, dst.quoted, dst.held = excluded, gram, holders, gain, quoted, held
	copy(excluded, s.excluded)
	copy(gram, s.gram)
	copy(holders, s.holders)
	copy(gain, s.gain)
	copy(quoted, s.quoted)
	copy(held, s.held)
}

// scoreWith is the score of s ∪ {k}. It runs very often, and calls few functions, as the
// page's program inlines none.
func (l *LocalSearcher) scoreWith(s *set, k int) float64 {
	score := s.value + float64((s.coveredWeight+s.gain[k])*l.coverageFactor)
	if norm2 := s.norm2 + 2*s.gram[k] + l.norm2[k]; norm2 > 0 {
		score += float64((s.dot + l.dot[k]) / math.Sqrt(norm2) * l.cosineFactor)
	}
	if l.valuation != nil {
		score += l.valuation.gain(&s.worth, k)
	}
	return score
}

func (l *LocalSearcher) add(s *set, k int) {
	l.valuation.add(&s.worth, k)
	s.rows = append(s.rows, k)
	l.update(s, k, 1)
}

func (l *LocalSearcher) remove(s *set, k int) {
	at := slices.Index(s.rows, k)
	s.rows = slices.Delete(s.rows, at, at+1)
	l.valuation.remove(&s.worth, s.rows, k)
	l.update(s, k, -1)
}

// update brings all but s.rows up to date after row k was added (by 1) or
// removed (by −1).
func (l *LocalSearcher) update(s *set, k int, by int32) {
	row, sign := l.gram.row(k), float64(by)
	s.norm2 += float64(sign*2*s.gram[k]) + l.norm2[k]
	for i, v := range row {
		s.gram[i] += float64(sign * v)
	}
	s.dot += float64(sign * l.dot[k])
	s.length += int(by) * l.p.Length[k]
	s.excluded[k] += by
	for _, i := range l.duplicates.of(k) {
		s.excluded[i] += by
	}
	for _, id := range l.concepts.Sentence[k] {
		before := s.holders[id]
		s.holders[id] += by
		if before == 0 || s.holders[id] == 0 {
			w := float64(sign * l.concepts.Weight[id])
			s.coveredWeight += w
			for _, i := range l.rowsWith[id] {
				s.gain[i] -= w
			}
		}
	}
	s.score = s.value + float64(s.coveredWeight*l.coverageFactor)
	if s.norm2 > 0 {
		s.score += float64(s.dot / math.Sqrt(s.norm2) * l.cosineFactor)
	}
}

// density is what row k adds to the score of s, divided by length^r. It is 0 if
// row k is excluded or does not fit.
func (l *LocalSearcher) density(s *set, k int, powers []float64) float64 {
	if s.excluded[k] > 0 || s.length+l.p.Length[k] > l.params.Budget {
		return 0
	}
	return (l.scoreWith(s, k) - s.score) / powers[k]
}

// lengthPowers are length^r of all rows.
func (l *LocalSearcher) lengthPowers(r float64) []float64 {
	list := make([]float64, len(l.dot))
	for k := range list {
		list[k] = math.Pow(float64(max(1, l.p.Length[k])), r)
	}
	return list
}

// fill adds rows of the pool, always the one of the highest density, until none
// gains.
func (l *LocalSearcher) fill(ctx context.Context, s *set, pool []int, powers []float64) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		best, most := -1, 0.0
		for _, k := range pool {
			if d := l.density(s, k, powers); d > most {
				best, most = k, d
			}
		}
		l.scores += len(pool)
		if best < 0 {
			return nil
		}
		l.add(s, best)
	}
}

func (l *LocalSearcher) run(ctx context.Context) (*set, error) {
	var best *set
	for _, r := range l.params.DensityExponents {
		s := l.emptySet()
		if err := l.fill(ctx, s, l.candidates, l.lengthPowers(r)); err != nil {
			return nil, err
		}
		if best == nil || s.score > best.score {
			best = s
		}
	}
	if len(best.rows) == 0 {
		// No sentence gains, for example if all are opposite to the centroid:
		// choose the best one.
		at := l.candidates[0]
		for _, k := range l.candidates {
			if l.scoreWith(best, k) > l.scoreWith(best, at) {
				at = k
			}
		}
		l.add(best, at)
		return best, nil
	}
	l.scores = 0
	pool, powers := l.pool(len(best.rows)), l.lengthPowers(l.params.SwapExponent)
	scratch := [3]*set{l.emptySet(), l.emptySet(), l.emptySet()}
	for l.params.Replacements > 0 && l.scores < maxSwapScores {
		better, err := l.bestSwap(ctx, best, pool, powers, scratch)
		if err != nil {
			return nil, err
		}
		if better == nil {
			break
		}
		best = better
	}
	return best, nil
}

// pool is the candidates that take part in swaps of a summary of n sentences, ascending:
// the densest ones if there are many.
func (l *LocalSearcher) pool(n int) []int {
	size := max(minSwapPool, min(maxSwapPool, swapPoolPerRow*n))
	if len(l.candidates) <= size {
		return l.candidates
	}
	s, powers := l.emptySet(), l.lengthPowers(l.params.SwapExponent)
	densest := make([]extension, 0, size+1)
	for _, k := range l.candidates {
		densest = insertBest(densest, 0, size, extension{row: k, score: l.density(s, k, powers)})
	}
	rows := make([]int, len(densest))
	for i, x := range densest {
		rows[i] = x.row
	}
	slices.Sort(rows)
	return rows
}

// bestSwap returns the best set that is one swap away from s, or nil if none is
// better than s.
func (l *LocalSearcher) bestSwap(ctx context.Context, s *set, pool []int, powers []float64, scratch [3]*set) (*set, error) {
	const minGain = 1e-9 // smaller gains may be rounding errors
	var best *set
	floor := s.score + minGain
	withoutFirst, without, trial := scratch[0], scratch[1], scratch[2]
	var replacements []extension
	for i := range s.rows {
		last := i
		if len(s.rows) <= maxPairSwap {
			last = len(s.rows) - 1
		}
		s.copyTo(withoutFirst)
		l.remove(withoutFirst, s.rows[i])
		for j := i; j <= last; j++ {
			if l.scores >= maxSwapScores {
				return best, nil
			}
			withoutFirst.copyTo(without)
			if j > i {
				l.remove(without, s.rows[j])
			}
			replacements = replacements[:0]
			for _, k := range pool {
				if s.excluded[k] > 0 && slices.Contains(s.rows, k) {
					continue
				}
				if d := l.density(without, k, powers); d > 0 {
					replacements = insertBest(replacements, 0, l.params.Replacements, extension{row: k, score: d})
				}
			}
			l.scores += len(pool)
			for _, x := range replacements {
				without.copyTo(trial)
				l.add(trial, x.row)
				if err := l.fill(ctx, trial, pool, powers); err != nil {
					return nil, err
				}
				if trial.score > floor {
					floor = trial.score
					best = trial.clone()
				}
			}
		}
	}
	return best, nil
}
