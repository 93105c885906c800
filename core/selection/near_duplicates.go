package selection

import "github.com/cerasum/cerasum/core/linalg"

// twins finds the rows that say nearly the same as a row, when they are first
// asked for.
type twins struct {
	repeats   func(k int) []int // Problem.Repeats
	rows      linalg.Rows       // nil: no cosine is compared
	norm2     []float64
	maxCosine float64
	got       map[int][]int
	products  []float64
}

// newTwins compares p.Wording, or p.Rows where there is none, where maxCosine
// is above 0; nil where there is nothing to go by.
func newTwins(p *Problem, maxCosine float64) *twins {
	if maxCosine <= 0 && p.Repeats == nil {
		return nil
	}
	t := &twins{repeats: p.Repeats, maxCosine: maxCosine, got: map[int][]int{}}
	if maxCosine > 0 {
		t.rows = p.Wording
		if t.rows == nil {
			t.rows = p.Rows
		}
		t.norm2, t.products = linalg.SquaredLengths(t.rows), make([]float64, t.rows.Len())
	}
	return t
}

// of lists the rows that say what row k says: those whose cosine to it is
// above maxCosine, and those that Repeats names; k itself is none of them.
func (t *twins) of(k int) []int {
	if t == nil {
		return nil
	}
	list, ok := t.got[k]
	if ok {
		return list
	}
	if t.rows != nil {
		t.rows.GramRowTo(t.products, k)
		for i, v := range t.products {
			if i != k && v > 0 && v*v > t.maxCosine*t.maxCosine*t.norm2[i]*t.norm2[k] {
				list = append(list, i)
			}
		}
	}
	if t.repeats != nil {
		list = append(list, t.repeats(k)...)
	}
	t.got[k] = list
	return list
}
