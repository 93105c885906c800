package selection

import "slices"

// result puts the rows of a state in reading order, and ranks them. cover is
// nil where the score is the cosine alone.
func (s *scorer) result(st *state, gram *gramCache, cover *coverSearch) Result {
	r := Result{Rows: slices.Clone(st.rows), Score: st.score}
	slices.Sort(r.Rows)
	left := slices.Clone(r.Rows)
	products := make(map[int]float64, len(left)) // e_S · e_k for the rows k left
	var now coverState
	if cover != nil {
		now = *cover.empty()
	}
	score := func(k int) float64 {
		length := now.length + s.p.Length[k]
		v := s.score(now.dot+s.dot[k], now.norm2+2*products[k]+s.norm2[k], length)
		if cover != nil {
			v = cover.blend(v, now.cover+cover.newCover(&now, k))
		}
		return v
	}
	for len(left) > 0 {
		at, best := 0, score(left[0])
		for i, k := range left[1:] {
			if v := score(k); v > best {
				at, best = i+1, v
			}
		}
		k := left[at]
		left = slices.Delete(left, at, at+1)
		r.Rank = append(r.Rank, k)
		r.Gain = append(r.Gain, best-now.score)
		now.score = best
		now.dot += s.dot[k]
		now.norm2 += 2*products[k] + s.norm2[k]
		now.length += s.p.Length[k]
		if cover != nil {
			cover.mark(&now, k)
		}
		row := gram.row(k)
		for _, j := range left {
			products[j] += row[j]
		}
	}
	return r
}
