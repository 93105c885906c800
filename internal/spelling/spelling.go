// Package spelling finds the name that a misspelt one was perhaps meant to be.
package spelling

import "strings"

// Nearest returns the known name with the fewest edits from a name, without regard
// to case, if they are at most two, or one in a name of less than five letters; else "".
func Nearest(name string, known []string) string {
	best, distance := "", min(2, 1+len(name)/5)+1
	for _, k := range known {
		if d := edits(strings.ToLower(name), strings.ToLower(k)); d < distance {
			best, distance = k, d
		}
	}
	return best
}

// edits is the Levenshtein distance in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
