package lexical

import "github.com/cerasum/cerasum/core/linalg"

// Project returns the vectors of the sentences of another text, such as a reference
// summary, in the columns and with the weights of a.TFIDF(w): an M×D matrix, M the
// sentences of other. Terms and bigrams that the cluster lacks are dropped before rows
// are scaled to unit length.
func (a *Analysis) Project(other *Analysis, w Weighting) *linalg.Sparse {
	columns := a.columns(w.Bigrams)
	column := make(map[uint64]int32, len(columns.of))
	for c, g := range columns.of {
		column[g.key()] = int32(c)
	}
	index := make(map[termKey]int32, len(a.Terms))
	for t, term := range a.Terms {
		index[termKey{term.Text, term.Stop}] = int32(t)
	}
	own := make([]int32, len(other.Terms)) // the term in a, or none
	for t, term := range other.Terms {
		own[t] = none
		if id, ok := index[termKey{term.Text, term.Stop}]; ok {
			own[t] = id
		}
	}
	theirs := other.columns(w.Bigrams)
	ours := &grams{of: columns.of, ends: make([]int, len(theirs.ends))}
	for k := range theirs.ends {
		for _, c := range theirs.in(k) {
			g := theirs.of[c]
			first, second := own[g.first], int32(none)
			if g.second != none {
				second = own[g.second]
			}
			if first == none || g.second != none && second == none {
				continue
			}
			if c, ok := column[gram{first, second}.key()]; ok {
				ours.flat = append(ours.flat, c)
			}
		}
		ours.ends[k] = len(ours.flat)
	}
	return ours.matrix(a.weights(columns, w), w)
}

// key tells columns apart.
func (g gram) key() uint64 { return uint64(uint32(g.first))<<32 | uint64(uint32(g.second)) }
