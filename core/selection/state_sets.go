package selection

import "slices"

// dropSameSets keeps the first of the sorted extensions for each set of
// sentences, at most width of them. These are the width best sets: a set among
// them is among the width best extensions of each of its parents. rows returns
// the rows of a parent.
func dropSameSets(extensions []extension, rows func(parent int) []int, width int) []extension {
	var sets [][]int
	kept := extensions[:0]
	for _, x := range extensions {
		set := append(slices.Clone(rows(x.parent)), x.row)
		slices.Sort(set)
		if containsSet(sets, set) {
			continue
		}
		sets = append(sets, set)
		if kept = append(kept, x); len(kept) == width {
			break
		}
	}
	return kept
}

// distinctStates keeps the first state for each set of sentences.
func distinctStates(states []*state) []*state {
	var sets [][]int
	kept := states[:0:0]
	for _, st := range states {
		set := slices.Clone(st.rows)
		slices.Sort(set)
		if !containsSet(sets, set) {
			sets = append(sets, set)
			kept = append(kept, st)
		}
	}
	return kept
}

// containsSet is linear, since there are about B sets.
func containsSet(sets [][]int, set []int) bool {
	return slices.ContainsFunc(sets, func(s []int) bool { return slices.Equal(s, set) })
}
