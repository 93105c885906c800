package selection

import (
	"math"
	"slices"
	"sort"

	"github.com/cerasum/cerasum/core/cluster"
)

// naiveLocalSearch is LocalSearch written directly from its documentation:
// every sum of embeddings is formed, every score computed from scratch.
type naiveLocalSearch struct {
	p       *Problem
	emb     [][]float64
	wording [][]float64
	con     *Concepts
	o       LocalSearchParams
	unit    float64
	scores  int
}

func newNaiveLocalSearch(p *Problem, emb [][]float64, con *Concepts, o LocalSearchParams) *naiveLocalSearch {
	n := &naiveLocalSearch{p: p, emb: emb, wording: emb, con: con, o: o}
	weights := slices.Clone(con.Weight)
	sort.Sort(sort.Reverse(sort.Float64Slice(weights)))
	for _, w := range weights[:min(o.ConceptCapacity, len(weights))] {
		n.unit += w
	}
	return n
}

func cosineOf(a, b []float64) float64 {
	dot, x, y := 0.0, 0.0, 0.0
	for i := range a {
		dot += a[i] * b[i]
		x += a[i] * a[i]
		y += b[i] * b[i]
	}
	if x == 0 || y == 0 {
		return 0
	}
	return dot / math.Sqrt(x) / math.Sqrt(y)
}

func (n *naiveLocalSearch) cosine(rows []int) float64 {
	sum := make([]float64, len(n.p.Centroid))
	for _, k := range rows {
		for i, v := range n.emb[k] {
			sum[i] += v
		}
	}
	return cosineOf(sum, n.p.Centroid)
}

// value is the value of a set, by the documentation of Values.
func (n *naiveLocalSearch) value(rows []int) (sum float64) {
	v := n.o.Values
	if v == nil {
		return 0
	}
	documents := map[int]bool{}
	opening := 0.0
	for _, k := range rows {
		sum += v.Each[k]
		if v.Opening != nil {
			opening = max(opening, v.Opening[k])
		}
		documents[n.p.Refs[k].Document] = true
		before := cluster.Ref{Document: n.p.Refs[k].Document, Sentence: n.p.Refs[k].Sentence - 1}
		if slices.ContainsFunc(rows, func(q int) bool { return n.p.Refs[q] == before }) {
			sum += v.After[k]
		}
	}
	return sum + opening - v.DocumentCost*float64(max(0, len(documents)-1))
}

func (n *naiveLocalSearch) score(rows []int) float64 { return n.objective(rows) + n.value(rows) }

func (n *naiveLocalSearch) objective(rows []int) float64 {
	if len(rows) == 0 {
		return 0
	}
	if n.unit == 0 {
		return n.cosine(rows)
	}
	seen, cover := make([]bool, len(n.con.Weight)), 0.0
	for _, k := range rows {
		for _, id := range n.con.Sentence[k] {
			if !seen[id] {
				seen[id] = true
				cover += n.con.Weight[id]
			}
		}
	}
	return (1-n.o.CoverageWeight)*n.cosine(rows) + n.o.CoverageWeight*cover/n.unit
}

func (n *naiveLocalSearch) length(rows []int) (sum int) {
	for _, k := range rows {
		sum += n.p.Length[k]
	}
	return sum
}

// allowed reports whether k can be added to rows.
func (n *naiveLocalSearch) allowed(rows []int, k int) bool {
	if n.length(rows)+n.p.Length[k] > n.o.Budget {
		return false
	}
	for _, q := range rows {
		if q == k || n.p.Translations != nil && slices.Contains(n.p.Translations(q), k) {
			return false
		}
		if n.o.MaxCosine > 0 && cosineOf(n.wording[q], n.wording[k]) > n.o.MaxCosine {
			return false
		}
	}
	return true
}

func (n *naiveLocalSearch) density(rows []int, k int, r float64) float64 {
	if !n.allowed(rows, k) {
		return 0
	}
	gain := n.score(append(rows[:len(rows):len(rows)], k)) - n.score(rows)
	return gain / math.Pow(math.Max(1, float64(n.p.Length[k])), r)
}

// densest returns at most so many sentences of the pool, best first.
func (n *naiveLocalSearch) densest(rows, pool []int, most int) []int {
	pool = slices.Clone(pool)
	density := map[int]float64{}
	for _, k := range pool {
		density[k] = n.density(rows, k, n.o.SwapExponent)
	}
	sort.SliceStable(pool, func(a, b int) bool { return density[pool[a]] > density[pool[b]] })
	return pool[:min(most, len(pool))]
}

func (n *naiveLocalSearch) filled(rows, pool []int, r float64) []int {
	rows = slices.Clone(rows)
	for {
		best, most := -1, 0.0
		for _, k := range pool {
			if d := n.density(rows, k, r); d > most {
				best, most = k, d
			}
		}
		n.scores += len(pool)
		if best < 0 {
			return rows
		}
		rows = append(rows, best)
	}
}

func without(rows []int, out ...int) (left []int) {
	for _, k := range rows {
		if !slices.Contains(out, k) {
			left = append(left, k)
		}
	}
	return left
}

// run returns the rows, ascending, and the score of a problem of at least one
// sentence that fits.
func (n *naiveLocalSearch) run() ([]int, float64) {
	var candidates, nonzero []int
	for k, text := range n.p.Texts {
		if n.p.Length[k] > n.o.Budget || slices.Contains(n.p.Texts[:k], text) {
			continue
		}
		candidates = append(candidates, k)
		if slices.ContainsFunc(n.emb[k], func(v float64) bool { return v != 0 }) {
			nonzero = append(nonzero, k)
		}
	}
	if len(nonzero) > 0 {
		candidates = nonzero
	}
	var best []int
	for i, r := range n.o.DensityExponents {
		if set := n.filled(nil, candidates, r); i == 0 || n.score(set) > n.score(best) {
			best = set
		}
	}
	if len(best) == 0 {
		best = candidates[:1]
		for _, k := range candidates {
			if n.score([]int{k}) > n.score(best) {
				best = []int{k}
			}
		}
		return best, n.objective(best)
	}
	pool := n.densest(nil, candidates, max(minSwapPool, min(maxSwapPool, swapPoolPerRow*len(best))))
	sort.Ints(pool)
	n.scores = 0
	for n.o.Replacements > 0 && n.scores < maxSwapScores {
		better := n.bestSwap(best, pool)
		if better == nil {
			break
		}
		best = better
	}
	score := n.objective(best)
	sort.Ints(best)
	return best, score
}

func (n *naiveLocalSearch) bestSwap(rows, pool []int) (best []int) {
	for i := range rows {
		for j := i; j < len(rows) && (j == i || len(rows) <= maxPairSwap); j++ {
			if n.scores >= maxSwapScores {
				return best
			}
			left := without(rows, rows[i], rows[j])
			n.scores += len(pool)
			for _, k := range n.densest(left, without(pool, rows...), n.o.Replacements) {
				if n.density(left, k, n.o.SwapExponent) <= 0 {
					break
				}
				set := n.filled(append(slices.Clone(left), k), pool, n.o.SwapExponent)
				least := n.score(rows)
				if best != nil {
					least = n.score(best)
				}
				if n.score(set) > least+1e-9 {
					best = set
				}
			}
		}
	}
	return best
}
