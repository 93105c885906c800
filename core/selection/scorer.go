package selection

import (
	"cmp"
	"math"
	"slices"

	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/internal/errorf"
)

// scorer holds the terms of all scores: for each row its dot product with the
// centroid and its squared length.
type scorer struct {
	p        *Problem
	dot      []float64 // e_k · ĉ, of length N
	norm2    []float64 // |e_k|², of length N
	norm     float64   // |ĉ|
	exponent float64
}

// maxNorm2 is the largest squared length of an embedding or a centroid: products of two
// of them, and of their sums, are finite.
const maxNorm2 = 1e150

func newScorer(p *Problem, exponent float64) (*scorer, error) {
	n := p.Rows.Len()
	s := &scorer{p: p, dot: make([]float64, n), norm2: linalg.SquaredLengths(p.Rows), exponent: exponent}
	p.Rows.MulVecTo(s.dot, p.Centroid)
	for k := range n {
		if !(s.norm2[k] <= maxNorm2) {
			r := p.Refs[k]
			return nil, errorf.Errorf("selection: the embedding of document %d, sentence %d is not finite, or too large", r.Document, r.Sentence)
		}
	}
	c := 0.0
	for _, v := range p.Centroid {
		c += float64(v * v)
	}
	if c > maxNorm2 {
		return nil, errorf.Errorf("selection: the centroid is too large")
	}
	s.norm = math.Sqrt(c)
	return s, nil
}

// score of a state with dot = e_S·ĉ, norm2 = |e_S|² and the given length. The
// cosine with a zero vector is 0.
func (s *scorer) score(dot, norm2 float64, length int) float64 {
	if norm2 <= 0 || s.norm == 0 {
		return 0
	}
	v := dot / (math.Sqrt(norm2) * s.norm)
	if s.exponent != 0 && length > 0 {
		v /= math.Pow(float64(length), s.exponent)
	}
	return v
}

// cosine of row k to the centroid.
func (s *scorer) cosine(k int) float64 {
	if s.norm2[k] <= 0 || s.norm == 0 {
		return 0
	}
	return s.dot[k] / (math.Sqrt(s.norm2[k]) * s.norm)
}

// nearest is the result if no sentence fits the budget: the sentence nearest the
// centroid, the first one in a tie.
func (s *scorer) nearest() Result {
	best := -1
	for k := range s.dot {
		if !s.p.supports(k) && (best < 0 || s.cosine(k) > s.cosine(best)) {
			best = k
		}
	}
	if best < 0 {
		return Result{}
	}
	score := s.score(s.dot[best], s.norm2[best], s.p.Length[best])
	return Result{
		Rows:       []int{best},
		Score:      score,
		Rank:       []int{best},
		Gain:       []float64{score},
		OverBudget: true,
	}
}

// dropZeros leaves out the rows whose embedding is all zeros: they add nothing
// and cost words. If nothing else is left, they stay.
func (s *scorer) dropZeros(usable []int) []int {
	kept := make([]int, 0, len(usable))
	for _, k := range usable {
		if s.norm2[k] > 0 {
			kept = append(kept, k)
		}
	}
	if len(kept) == 0 {
		return usable
	}
	return kept
}

// preselect returns the candidates among the usable rows, ascending.
func (s *scorer) preselect(usable []int, params Params) []int {
	if params.Preselect == All {
		return usable
	}
	kept := make([]int, 0, len(usable))
	for a := 0; a < len(usable); {
		b := a
		for b < len(usable) && s.p.Refs[usable[b]].Document == s.p.Refs[usable[a]].Document {
			b++
		}
		doc := usable[a:b]
		if params.Preselect == Best {
			doc = slices.Clone(doc)
			slices.SortStableFunc(doc, func(x, y int) int { return cmp.Compare(s.cosine(y), s.cosine(x)) })
		}
		doc = doc[:min(params.N, len(doc))]
		kept = append(kept, doc...)
		a = b
	}
	slices.Sort(kept)
	return kept
}

// maxCachedProducts bounds the cache to 128 MB.
const maxCachedProducts = 16 << 20

// gramCache computes rows of the Gram matrix on demand.
type gramCache struct {
	rows  linalg.Rows
	cache map[int][]float64
}

func newGramCache(m linalg.Rows) *gramCache {
	return &gramCache{rows: m, cache: map[int][]float64{}}
}

// row returns (e_k · every row), of length N. The caller must not change it.
func (g *gramCache) row(k int) []float64 {
	if r, ok := g.cache[k]; ok {
		return r
	}
	n := g.rows.Len()
	if len(g.cache)*n > maxCachedProducts {
		clear(g.cache)
	}
	r := make([]float64, n)
	g.rows.GramRowTo(r, k)
	g.cache[k] = r
	return r
}
