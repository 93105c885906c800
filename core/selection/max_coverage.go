package selection

import (
	"cmp"
	"context"
	"math"
	"slices"
)

const (
	// branchWork bounds one branch and bound search, and coverageWork, for each
	// candidate, all of them together. Both count candidates that are looked at, so
	// that the result is the same on every machine.
	branchWork   = 1 << 12
	coverageWork = 1 << 8
	// coveragePool is how many candidates, the densest ones, replace sentences
	// before all do.
	coveragePool = 64
)

// MaxCoverage maximises the weight of the concepts that a summary within the
// budget covers, each counted once (Gillick and Favre 2009). A branch and bound
// search completes partial summaries: first the empty one, then the best so far
// without each one or two of its sentences. It proves most choices of up to about
// five sentences optimal; for longer summaries it ends after a fixed amount of work,
// mostly within some tenths of a percent of the optimum. The score is the covered
// share of the weight of all concepts. If no candidate has a concept, the one
// nearest the centroid is chosen. Near-duplicates and translations exclude nothing.
// Ties break by (document, sentence).
func MaxCoverage(ctx context.Context, p *Problem, con *Concepts, budget int) (Result, error) {
	o := CoverageParams{Budget: budget, BeamWidth: 1, CoverageWeight: 1, ConceptCapacity: max(1, len(con.Weight))}
	if err := o.check(); err != nil {
		return Result{}, err
	}
	c, answer, err := newCoverageSearch(p, con, o)
	if c == nil {
		return answer, err
	}
	m := newMaxCoverage(c)
	if err := m.run(ctx); err != nil {
		return Result{}, err
	}
	if len(m.best) == 0 {
		m.best = []int{slices.MaxFunc(c.candidates, func(a, b int) int { return cmp.Compare(c.cosine(a), c.cosine(b)) })}
	}
	best := &state{rows: m.best, score: c.objective(c.cosine(m.best[0]), min(float64(m.bestWeight)/m.unit, c.fullCoverage))}
	return c.result(best, c.gram, c, nil), nil
}

// maxCoverage is one search. Weights are whole numbers, so that sums do not depend
// on the order of their terms: a weight w is w·unit.
type maxCoverage struct {
	*coverageSearch
	unit     float64
	has      [][]int32 // the concepts of each candidate
	weight   []int64   // of each concept
	rowsWith [][]int32 // the candidates that have each concept
	// The current summary.
	rows    []int
	length  int
	covered int64   // weight of its concepts
	holders []int32 // of each concept, how many rows have it
	gain    []int64 // of each row, the weight of its concepts that are not covered; of length N
	// The best one so far.
	best       []int
	bestWeight int64
	work, left int        // candidates that this branch and bound search and all may still look at
	options    [][]option // of each depth, reused
}

// option is a row that may be added to the current summary.
type option struct {
	row     int
	gain    int64
	density float64 // gain for the length
}

func newMaxCoverage(c *coverageSearch) *maxCoverage {
	weights := c.concepts.Weight
	m := &maxCoverage{coverageSearch: c, has: make([][]int32, len(c.dot)), weight: make([]int64, len(weights)), holders: make([]int32, len(weights)), gain: make([]int64, len(c.dot)), left: coverageWork * len(c.candidates)}
	if c.fullCoverage > 0 {
		m.unit = (1 << 50) / c.fullCoverage
	}
	for id, w := range weights {
		m.weight[id] = int64(math.Round(w * m.unit))
	}
	for _, k := range c.candidates {
		m.has[k] = c.concepts.Sentence[k]
		for _, id := range m.has[k] {
			m.gain[k] += m.weight[id]
		}
	}
	m.rowsWith = rowsByConcept(&Concepts{Sentence: m.has, Weight: weights})
	return m
}

func (m *maxCoverage) run(ctx context.Context) error {
	all := m.undominated()
	if err := m.complete(ctx, all, branchWork); err != nil || m.work > 0 {
		return err
	}
	for pool := coveragePool; m.left > 0; {
		before := m.bestWeight
		if err := m.improve(ctx, all[:min(pool, len(all))]); err != nil {
			return err
		}
		switch {
		case m.bestWeight > before:
		case pool < len(all):
			pool *= 4
		default:
			return m.complete(ctx, all, m.left)
		}
	}
	return nil
}

// undominated lists the candidates, densest first, except those of which a
// candidate that is not longer has all concepts.
func (m *maxCoverage) undominated() []option {
	var all []option
	for _, k := range m.candidates {
		if m.gain[k] == 0 {
			continue
		}
		rarest := slices.MinFunc(m.has[k], func(a, b int32) int { return len(m.rowsWith[a]) - len(m.rowsWith[b]) })
		if !slices.ContainsFunc(m.rowsWith[rarest], func(j int32) bool { return m.dominates(int(j), k) }) {
			all = append(all, m.option(k))
		}
	}
	densestFirst(all)
	return all
}

func (m *maxCoverage) option(k int) option {
	return option{k, m.gain[k], float64(m.gain[k]) / float64(max(1, m.p.Length[k]))}
}

func densestFirst(list []option) {
	slices.SortFunc(list, func(a, b option) int {
		return cmp.Or(cmp.Compare(b.density, a.density), cmp.Compare(a.row, b.row))
	})
}

// dominates reports whether row j can replace row k in every summary. Of two that
// can replace each other, the first does.
func (m *maxCoverage) dominates(j, k int) bool {
	lengths, gains := cmp.Compare(m.p.Length[j], m.p.Length[k]), cmp.Compare(m.gain[k], m.gain[j])
	if j == k || lengths > 0 || gains > 0 || lengths == 0 && gains == 0 && j > k {
		return false
	}
	for _, id := range m.has[k] {
		if _, ok := slices.BinarySearch(m.has[j], id); !ok {
			return false
		}
	}
	return true
}

// improve completes the best summary without each one or two of its sentences.
func (m *maxCoverage) improve(ctx context.Context, pool []option) error {
	defer m.clear()
	for i := 0; i < len(m.best); i++ {
		for j := i; j < len(m.best) && m.left > 0; j++ {
			m.clear()
			for at, k := range m.best {
				if at != i && at != j {
					m.add(k)
				}
			}
			before := m.bestWeight
			if err := m.complete(ctx, pool, branchWork); err != nil {
				return err
			}
			if m.bestWeight > before {
				j = i
			}
		}
	}
	return nil
}

// complete looks for the best completion of the current summary. If it ends with
// m.work > 0, there is no better one.
func (m *maxCoverage) complete(ctx context.Context, pool []option, work int) error {
	m.work = work
	err := m.branch(ctx, 0, pool)
	m.left -= work - m.work
	return err
}

// branch adds each of the options, densest first, and then those after it.
func (m *maxCoverage) branch(ctx context.Context, depth int, from []option) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if depth == len(m.options) {
		m.options = append(m.options, nil)
	}
	list, free, most := m.options[depth][:0], m.params.Budget-m.length, 0.0
	for _, o := range from {
		if m.gain[o.row] > 0 && m.p.Length[o.row] <= free {
			o = m.option(o.row)
			most = max(most, o.density)
			list = append(list, o)
		}
	}
	m.options[depth] = list
	m.work -= len(from)
	list = slices.DeleteFunc(list, func(o option) bool {
		return float64(m.covered+o.gain)+float64(most*float64(free-m.p.Length[o.row])) <= float64(m.bestWeight)
	})
	densestFirst(list)
	for i, o := range list {
		best := float64(m.bestWeight)
		// The first completion, the greedy one, is always made.
		if i > 0 && m.work <= 0 || m.bound(list[i:], m.covered, free) <= best {
			return nil
		}
		if m.bound(list[i+1:], m.covered+o.gain, free-m.p.Length[o.row]) <= best {
			continue
		}
		m.add(o.row)
		if m.covered > m.bestWeight {
			m.bestWeight, m.best = m.covered, append(m.best[:0], m.rows...)
		}
		if err := m.branch(ctx, depth+1, list[i+1:]); err != nil {
			return err
		}
		m.remove(o.row)
	}
	return nil
}

// bound is what a weight grows to at most when these options, densest first, fill
// what is free of the budget: one of them in part, and each with all of its gain.
func (m *maxCoverage) bound(list []option, weight int64, free int) float64 {
	for _, o := range list {
		m.work--
		length := m.p.Length[o.row]
		if length > free {
			return float64(weight) + float64(o.density*float64(free))
		}
		weight, free = weight+o.gain, free-length
	}
	return float64(weight)
}

func (m *maxCoverage) add(k int) {
	m.rows = append(m.rows, k)
	m.covered += m.gain[k]
	m.update(k, 1)
}

func (m *maxCoverage) remove(k int) {
	at := slices.Index(m.rows, k)
	m.rows = slices.Delete(m.rows, at, at+1)
	m.update(k, -1)
	m.covered -= m.gain[k]
}

func (m *maxCoverage) clear() {
	for len(m.rows) > 0 {
		m.remove(m.rows[len(m.rows)-1])
	}
}

// update brings length, holders and gain up to date after row k was added (by 1)
// or removed (by −1).
func (m *maxCoverage) update(k, by int) {
	m.length += by * m.p.Length[k]
	for _, id := range m.has[k] {
		before := m.holders[id]
		m.holders[id] += int32(by)
		if before == 0 || m.holders[id] == 0 {
			for _, j := range m.rowsWith[id] {
				m.gain[j] -= int64(by) * m.weight[id]
			}
		}
	}
}
