package core

import (
	"math"
	"slices"
)

// contentTerms are the terms of each row, stop words aside, and the rows that have each.
type contentTerms struct {
	of     [][]int32 // ascending, each once
	having [][]int32
	weight []float64 // of each term in an overlap
	sum    []float64 // of the weights of each row
}

// contentTerms returns those of the session's sentences, computed once.
func (s *Session) contentTerms() *contentTerms {
	if s.cache.contentTerms != nil {
		return s.cache.contentTerms
	}
	c := &contentTerms{having: make([][]int32, len(s.analysis.Terms))}
	for k, terms := range s.analysis.Sentences {
		own := slices.Clone(terms)
		slices.Sort(own)
		own = slices.DeleteFunc(slices.Compact(own), func(t int32) bool { return s.analysis.Terms[t].Stop })
		c.of = append(c.of, own)
		for _, t := range own {
			c.having[t] = append(c.having[t], int32(k))
		}
	}
	c.weight, c.sum = make([]float64, len(c.having)), make([]float64, len(c.of))
	for t, rows := range c.having {
		if len(rows) > 0 {
			c.weight[t] = math.Pow(math.Log(float64(len(c.of)+1)/float64(len(rows))), s.rarenessCounts())
		}
		for _, k := range rows {
			c.sum[k] += c.weight[t]
		}
	}
	s.cache.contentTerms = c
	return c
}

// rarenessCounts is how much more rare words count in an overlap, in 0..1. What many sentences
// name, such as the place of the event, makes no repetition. In documents of a few sentences
// the counts say little, and in several languages names are the only words in common: there
// all words count the same.
func (s *Session) rarenessCounts() float64 {
	if s.multilingual() {
		return 0
	}
	return s.detail()
}

// epsilon keeps rounding from deciding: shares are often simple fractions.
const epsilon = 1e-9

// overlaps returns a function that lists, for each of the rows, ascending, the others that
// share more than params.overlap of the content terms of the sentence with fewer, by weight.
func (j *job) overlaps(rows []int, params editorParams) func(k int) []int {
	deaths, terms := j.deaths(), j.contentTerms()
	shared := make([]float64, len(j.refs))
	overlap := params.overlap + float64(j.rarenessCounts()*(params.overlapByWeight-params.overlap))
	return func(k int) (list []int) {
		clear(shared)
		this := rows[k]
		for _, t := range terms.of[this] {
			for _, i := range terms.having[t] {
				shared[i] += terms.weight[t]
			}
		}
		for i, row := range rows {
			least := overlap
			if deaths[j.refs[this]] && deaths[j.refs[row]] {
				least *= params.deathOverlap
			}
			if i != k && shared[row] > float64(least*min(terms.sum[this], terms.sum[row]))+epsilon {
				list = append(list, i)
			}
		}
		return list
	}
}

// both joins two lists of the rows that exclude row k.
func both(a, b func(int) []int) func(int) []int {
	if a == nil {
		return b
	}
	return func(k int) []int { return append(a(k), b(k)...) }
}
