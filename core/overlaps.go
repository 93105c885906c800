package core

import "slices"

// contentTerms are the terms of each row, stop words aside, and the rows that have each.
type contentTerms struct {
	of     [][]int32 // ascending, each once
	having [][]int32
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
	s.cache.contentTerms = c
	return c
}

// overlaps returns a function that lists, for each of the rows, ascending, the others that
// share more than params.overlap of the content terms of the sentence with fewer.
func (j *job) overlaps(rows []int, params editorParams) func(k int) []int {
	deaths, terms := j.deaths(), j.contentTerms()
	shared := make([]int, len(j.refs))
	return func(k int) (list []int) {
		clear(shared)
		this := rows[k]
		for _, t := range terms.of[this] {
			for _, i := range terms.having[t] {
				shared[i]++
			}
		}
		for i, row := range rows {
			least := params.overlap
			if deaths[j.refs[this]] && deaths[j.refs[row]] {
				least = params.deathOverlap
			}
			if i != k && float64(shared[row]) > least*float64(max(1, min(len(terms.of[this]), len(terms.of[row])))) {
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
