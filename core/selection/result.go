package selection

import "slices"

// result puts the rows of a state in reading order, and ranks them. coverage is
// nil if the score is the cosine alone. value, if not nil, is what each row counts in
// the ranking by itself; scores and gains are without it.
func (s *scorer) result(st *state, gram *gramCache, coverage *coverageSearch, value []float64) Result {
	r := Result{Rows: slices.Clone(st.rows), Score: st.score}
	slices.Sort(r.Rows)
	left := slices.Clone(r.Rows)
	products := make(map[int]float64, len(left)) // e_S · e_k for the rows k left
	var now coverageState                        // holds the rows ranked so far
	if coverage != nil {
		now = *coverage.empty()
	}
	score := func(k int) float64 {
		length := now.length + s.p.Length[k]
		v := s.score(now.dot+s.dot[k], now.norm2+2*products[k]+s.norm2[k], length)
		if coverage != nil {
			v = coverage.objective(v, now.coveredWeight+coverage.newWeight(&now, k))
		}
		return v
	}
	ranked := func(k int) float64 {
		v := score(k)
		if value != nil {
			v += value[k]
		}
		return v
	}
	for len(left) > 0 {
		at, best := 0, ranked(left[0])
		for i, k := range left[1:] {
			if v := ranked(k); v > best {
				at, best = i+1, v
			}
		}
		k := left[at]
		best = score(k)
		left = slices.Delete(left, at, at+1)
		r.Rank = append(r.Rank, k)
		r.Gain = append(r.Gain, best-now.score)
		now.score = best
		now.dot += s.dot[k]
		now.norm2 += 2*products[k] + s.norm2[k]
		now.length += s.p.Length[k]
		if coverage != nil {
			coverage.mark(&now, k)
		}
		row := gram.row(k)
		for _, j := range left {
			products[j] += row[j]
		}
	}
	if value != nil {
		r.Score = now.score
	}
	return r
}
