package selection

import (
	"math"
	"slices"
	"sort"
)

// naiveProblem is a problem with its embeddings as plain slices.
type naiveProblem struct {
	p      *Problem
	emb    [][]float64
	budget int
	usable []int
}

// relevance returns the relevance of row k.
func (n *naiveProblem) relevance(k int) float64 { return cosineOf(n.emb[k], n.p.Centroid) }

// whole returns the cosine between the sum of the rows and the centroid.
func (n *naiveProblem) whole(rows []int) float64 {
	sum := make([]float64, len(n.p.Centroid))
	for _, k := range rows {
		for i, x := range n.emb[k] {
			sum[i] += x
		}
	}
	return cosineOf(sum, n.p.Centroid)
}

func (n *naiveProblem) length(rows []int) (total int) {
	for _, k := range rows {
		total += n.p.Length[k]
	}
	return total
}

// sorted returns the usable rows by decreasing score.
func (n *naiveProblem) sorted(score func(k int) float64) []int {
	rows := slices.Clone(n.usable)
	sort.SliceStable(rows, func(a, b int) bool { return score(rows[a]) > score(rows[b]) })
	return rows
}

func (n *naiveProblem) thoseThatFit(rows []int, refuse func(taken []int, k int) bool) (taken []int) {
	for _, k := range rows {
		if n.length(taken)+n.p.Length[k] <= n.budget && !refuse(taken, k) {
			taken = append(taken, k)
		}
	}
	return taken
}

func never([]int, int) bool { return false }

// newNaive omits the sentences that all methods omit.
func newNaive(p *Problem, emb [][]float64, budget int, zeros bool) *naiveProblem {
	n := &naiveProblem{p: p, emb: emb, budget: budget}
	for k := range p.Refs {
		repeated := false
		for q := range k {
			repeated = repeated || p.Texts[q] == p.Texts[k]
		}
		empty := !slices.ContainsFunc(emb[k], func(x float64) bool { return x != 0 })
		if !repeated && p.Length[k] <= budget && (zeros || !empty) {
			n.usable = append(n.usable, k)
		}
	}
	return n
}

func naiveLead(n *naiveProblem) []int {
	var order []int
	for turn := range n.usable {
		seen := map[int]int{}
		for _, k := range n.usable {
			d := n.p.Refs[k].Document
			if seen[d] == turn {
				order = append(order, k)
			}
			seen[d]++
		}
	}
	return n.thoseThatFit(order, never)
}

func naiveRadev(n *naiveProblem) []int {
	return n.thoseThatFit(n.sorted(n.relevance), never)
}

func naiveRossiello(n *naiveProblem) []int {
	return n.thoseThatFit(n.sorted(n.relevance), func(taken []int, k int) bool {
		return slices.ContainsFunc(taken, func(t int) bool { return cosineOf(n.emb[t], n.emb[k]) > 0.95 })
	})
}

func naiveGholipour(n *naiveProblem) (taken []int) {
	for {
		best := -1
		for _, k := range n.usable {
			if !slices.Contains(taken, k) && (best < 0 || n.whole(append(slices.Clone(taken), k)) > n.whole(append(slices.Clone(taken), best))) {
				best = k
			}
		}
		if best < 0 || n.length(taken)+n.p.Length[best] > n.budget {
			return taken
		}
		taken = append(taken, best)
	}
}

func naiveLamsiyah(n *naiveProblem) (taken []int) {
	score := func(k int) float64 {
		novelty, m := 0.0, math.Inf(-1)
		for _, j := range n.usable {
			if v := cosineOf(n.emb[k], n.emb[j]); j != k && v > m {
				m = v
				switch {
				case m < 0.95, n.relevance(k) > n.relevance(j):
					novelty = 1
				default:
					novelty = 1 - m
				}
			}
		}
		place, size := 0, 0
		for _, j := range n.usable {
			if n.p.Refs[j].Document == n.p.Refs[k].Document {
				size++
				if j <= k {
					place++
				}
			}
		}
		return 0.6*n.relevance(k) + 0.2*novelty + 0.2*max(0.5, math.Exp(-float64(place)/math.Pow(float64(size), 1./3)))
	}
	for _, k := range n.sorted(score) {
		if n.length(taken)+n.p.Length[k] > n.budget {
			break
		}
		taken = append(taken, k)
	}
	return taken
}

func naiveMMR(n *naiveProblem) (taken []int) {
	for {
		best, at := math.Inf(-1), -1
		for _, k := range n.usable {
			if slices.Contains(taken, k) || n.length(taken)+n.p.Length[k] > n.budget {
				continue
			}
			nearest := math.Inf(-1)
			for _, t := range taken {
				nearest = max(nearest, cosineOf(n.emb[k], n.emb[t]))
			}
			if len(taken) == 0 {
				nearest = 0
			}
			if v := 0.7*n.relevance(k) - 0.3*nearest; v > best+1e-12 {
				best, at = v, k
			}
		}
		if at < 0 {
			return taken
		}
		taken = append(taken, at)
	}
}

// naiveCentrality is a random walk: with probability 0.15 to any sentence, else along a
// link; from a sentence without links, to any sentence.
func naiveCentrality(n *naiveProblem, link func(a, b int) float64) []int {
	m := len(n.usable)
	p := make([]float64, m)
	for i := range p {
		p[i] = 1 / float64(m)
	}
	for range 500 {
		next := make([]float64, m)
		for j, b := range n.usable {
			out := 0.0
			for _, a := range n.usable {
				out += link(a, b)
			}
			for i, a := range n.usable {
				step := 1 / float64(m)
				if out > 0 {
					step = link(a, b) / out
				}
				next[i] += p[j] * (0.15/float64(m) + 0.85*step)
			}
		}
		p = next
	}
	score := map[int]float64{}
	for i, k := range n.usable {
		score[k] = math.Round(p[i] * float64(m) * 1e6) // scores that differ by rounding only are ties
	}
	return n.thoseThatFit(n.sorted(func(k int) float64 { return score[k] }), never)
}

func naiveLexRank(n *naiveProblem) []int {
	return naiveCentrality(n, func(a, b int) float64 { return max(0, cosineOf(n.emb[a], n.emb[b])) })
}

func naiveTextRank(n *naiveProblem, words [][]int32) []int {
	return naiveCentrality(n, func(a, b int) float64 {
		shared := 0
		for _, w := range words[a] {
			if slices.Contains(words[b], w) {
				shared++
			}
		}
		sum := math.Log(float64(len(words[a]))) + math.Log(float64(len(words[b])))
		if a == b || shared == 0 || sum == 0 {
			return 0
		}
		return float64(shared) / sum
	})
}
