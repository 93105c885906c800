package selection

import "slices"

// dropSameSets keeps of the sorted offers the first for each set of sentences,
// and no more than width: those are the width best sets that there are, since
// a set among them stands among the width best of any of its parents. rows
// tells what a parent holds.
func dropSameSets(offers []extension, rows func(parent int) []int, width int) []extension {
	var sets [][]int
	kept := offers[:0]
	for _, o := range offers {
		set := append(slices.Clone(rows(o.parent)), o.row)
		slices.Sort(set)
		if containsSet(sets, set) {
			continue
		}
		sets = append(sets, set)
		if kept = append(kept, o); len(kept) == width {
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

// containsSet compares with every set: there are about B of them.
func containsSet(sets [][]int, set []int) bool {
	return slices.ContainsFunc(sets, func(s []int) bool { return slices.Equal(s, set) })
}
