package selection

import (
	"context"
	"math"
	"slices"

	"github.com/cerasum/cerasum/internal/errorf"
)

// ExchangeParams of [SelectExchange].
type ExchangeParams struct {
	// Budget, CoverShare, Room and MaxCosine are those of CoverParams.
	Budget     int
	CoverShare float64
	Room       int
	MaxCosine  float64
	// Exponents r, each 0 or more, of which there is at least one: a greedy
	// search for each takes always the sentence of the highest gain/length^r.
	// 0 takes what says most, 1 what says most for its length.
	Exponents []float64
	// Refill is the r with which an exchange fills up what it made room for.
	Refill float64
	// Offers is how many sentences an exchange tries in the place of those that
	// it takes out; 0: no exchanges.
	Offers int
}

func (o ExchangeParams) check() error {
	c := CoverParams{Budget: o.Budget, BeamWidth: 1, CoverShare: o.CoverShare, Room: o.Room}
	if err := c.check(); err != nil {
		return err
	}
	if len(o.Exponents) == 0 || o.Offers < 0 {
		return errorf.Errorf("%w: %d exponents, %d offers: want at least 1, and 0 or more", ErrParams, len(o.Exponents), o.Offers)
	}
	for _, r := range append([]float64{o.Refill}, o.Exponents...) {
		if !(r >= 0 && r <= 10) {
			return errorf.Errorf("%w: exponent %v: want 0 to 10", ErrParams, r)
		}
	}
	return nil
}

const (
	// maxPairExchange is the most sentences of a summary of which any two are
	// taken out together; of longer ones only one at a time.
	maxPairExchange = 12
	// exchangePool is how many candidates take part in exchanges.
	exchangePool = 256
	// maxExchangeScores bounds the work of the exchanges: so many scores of one
	// sentence, some tenths of a second. It is counted, not timed, so that the
	// answer is the same everywhere.
	maxExchangeScores = 1 << 20
)

// SelectExchange maximises the objective of [SelectCover]. A greedy search for
// each exponent fills the budget; the best set is improved by exchanges, the
// best first: one sentence or two are taken out, another one is put in and the
// budget is filled up again, until no exchange gains (greedy search by density
// under a knapsack constraint: Lin and Bilmes 2010; exchanges: as in local
// search for budgeted maximum coverage). Only sets that fit are made. Ties break
// by (document, sentence).
func SelectExchange(ctx context.Context, p *Problem, con *Concepts, o ExchangeParams) (Result, error) {
	if err := o.check(); err != nil {
		return Result{}, err
	}
	cover := CoverParams{Budget: o.Budget, BeamWidth: 1, CoverShare: o.CoverShare, Room: o.Room, MaxCosine: o.MaxCosine}
	c, answer, err := newCoverSearch(p, con, cover)
	if c == nil {
		return answer, err
	}
	e := &exchange{coverSearch: c, params: o}
	best, err := e.run(ctx)
	if err != nil {
		return Result{}, err
	}
	return c.result(&state{rows: best.rows, score: best.score}, c.gram, c), nil
}

// exchange is one search.
type exchange struct {
	*coverSearch
	params ExchangeParams
	scores int // of single sentences, in exchanges
}

// set is a summary that sentences are put into and taken out of.
type set struct {
	rows   []int     // in the order in which they came
	closed []int32   // how many chosen rows say what row k says, k itself among them
	gram   []float64 // e_S · every row, of length N
	dot    float64   // e_S · ĉ
	norm2  float64   // |e_S|²
	length int
	held   []int32 // of each concept, in how many rows it is
	cover  float64
	score  float64
}

func (e *exchange) none() *set {
	n := len(e.dot)
	return &set{closed: make([]int32, n), gram: make([]float64, n), held: make([]int32, len(e.concepts.Weight))}
}

func (s *set) clone() *set {
	c := *s
	c.rows, c.closed, c.gram, c.held = slices.Clone(s.rows), slices.Clone(s.closed), slices.Clone(s.gram), slices.Clone(s.held)
	return &c
}

// copyTo makes dst equal to s, in dst's memory.
func (s *set) copyTo(dst *set) {
	rows, closed, gram, held := dst.rows, dst.closed, dst.gram, dst.held
	*dst = *s
	dst.rows = append(rows[:0], s.rows...)
	dst.closed, dst.gram, dst.held = closed, gram, held
	copy(closed, s.closed)
	copy(gram, s.gram)
	copy(held, s.held)
}

// with is the score of s with row k.
func (e *exchange) with(s *set, k int) float64 {
	gain := 0.0
	for _, id := range e.concepts.Sentence[k] {
		if s.held[id] == 0 {
			gain += e.concepts.Weight[id]
		}
	}
	cosine := e.scorer.score(s.dot+e.dot[k], s.norm2+2*s.gram[k]+e.norm2[k], s.length)
	return e.blend(cosine, s.cover+gain)
}

// change puts row k in, or takes it out where by is −1.
func (e *exchange) change(s *set, k int, by int32) {
	row, sign := e.gram.row(k), float64(by)
	s.norm2 += float64(sign*2*s.gram[k]) + e.norm2[k]
	for i, v := range row {
		s.gram[i] += float64(sign * v)
	}
	s.dot += float64(sign * e.dot[k])
	s.length += int(by) * e.p.Length[k]
	s.closed[k] += by
	for _, i := range e.twins.of(k) {
		s.closed[i] += by
	}
	for _, id := range e.concepts.Sentence[k] {
		before := s.held[id]
		s.held[id] += by
		if before == 0 || s.held[id] == 0 {
			s.cover += float64(sign * e.concepts.Weight[id])
		}
	}
	if by > 0 {
		s.rows = append(s.rows, k)
	} else {
		at := slices.Index(s.rows, k)
		s.rows = slices.Delete(s.rows, at, at+1)
	}
	s.score = e.blend(e.scorer.score(s.dot, s.norm2, s.length), s.cover)
}

// gain of row k for its length^r; 0 or less where it does not fit, says what s
// says, or takes away.
func (e *exchange) gain(s *set, k int, powers []float64) float64 {
	if s.closed[k] > 0 || s.length+e.p.Length[k] > e.params.Budget {
		return 0
	}
	return (e.with(s, k) - s.score) / powers[k]
}

// powers are length^r of every row.
func (e *exchange) powers(r float64) []float64 {
	list := make([]float64, len(e.dot))
	for k := range list {
		list[k] = math.Pow(float64(max(1, e.p.Length[k])), r)
	}
	return list
}

// fill puts rows of the pool in, always the one of the highest gain, until none
// gains.
func (e *exchange) fill(ctx context.Context, s *set, pool []int, powers []float64) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		best, most := -1, 0.0
		for _, k := range pool {
			if g := e.gain(s, k, powers); g > most {
				best, most = k, g
			}
		}
		e.scores += len(pool)
		if best < 0 {
			return nil
		}
		e.change(s, best, 1)
	}
}

func (e *exchange) run(ctx context.Context) (*set, error) {
	var best *set
	for _, r := range e.params.Exponents {
		s := e.none()
		if err := e.fill(ctx, s, e.candidates, e.powers(r)); err != nil {
			return nil, err
		}
		if best == nil || s.score > best.score {
			best = s
		}
	}
	if len(best.rows) == 0 {
		// Nothing gains, as where the centroid is opposite to all: one sentence
		// has to do.
		at := e.candidates[0]
		for _, k := range e.candidates {
			if e.with(best, k) > e.with(best, at) {
				at = k
			}
		}
		e.change(best, at, 1)
		return best, nil
	}
	e.scores = 0
	pool, powers := e.pool(), e.powers(e.params.Refill)
	for e.params.Offers > 0 && e.scores < maxExchangeScores {
		better, err := e.best(ctx, best, pool, powers)
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

// pool is the candidates that take part in exchanges, ascending: where there are
// many, those that say most for their length.
func (e *exchange) pool() []int {
	if len(e.candidates) <= exchangePool {
		return e.candidates
	}
	s, powers := e.none(), e.powers(e.params.Refill)
	offers := make([]extension, 0, exchangePool+1)
	for _, k := range e.candidates {
		offers = offer(offers, 0, exchangePool, extension{row: k, score: e.gain(s, k, powers)})
	}
	rows := make([]int, len(offers))
	for i, o := range offers {
		rows[i] = o.row
	}
	slices.Sort(rows)
	return rows
}

// best returns the best set that one exchange makes of s, or nil where none is
// better than s.
func (e *exchange) best(ctx context.Context, s *set, pool []int, powers []float64) (*set, error) {
	const least = 1e-9 // below it is rounding
	var best *set
	floor := s.score + least
	without, trial := e.none(), e.none()
	var offers []extension
	for i := range s.rows {
		last := i
		if len(s.rows) <= maxPairExchange {
			last = len(s.rows) - 1
		}
		for j := i; j <= last; j++ {
			if e.scores >= maxExchangeScores {
				return best, nil
			}
			s.copyTo(without)
			e.change(without, s.rows[i], -1)
			if j > i {
				e.change(without, s.rows[j], -1)
			}
			offers = offers[:0]
			for _, k := range pool {
				if slices.Contains(s.rows, k) {
					continue
				}
				if g := e.gain(without, k, powers); g > 0 {
					offers = offer(offers, 0, e.params.Offers, extension{row: k, score: g})
				}
			}
			e.scores += len(pool)
			for _, o := range offers {
				without.copyTo(trial)
				e.change(trial, o.row, 1)
				if err := e.fill(ctx, trial, pool, powers); err != nil {
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
