package selection

import "github.com/cerasum/cerasum/core/linalg"

// twins finds the rows that say nearly the same as a row, when they are first
// asked for.
type twins struct {
	rows      linalg.Rows
	norm2     []float64
	maxCosine float64
	got       map[int][]int
	products  []float64
}

// newTwins compares p.Wording, or p.Rows where there is none; nil where
// maxCosine is not above 0.
func newTwins(p *Problem, maxCosine float64) *twins {
	if maxCosine <= 0 {
		return nil
	}
	rows := p.Wording
	if rows == nil {
		rows = p.Rows
	}
	return &twins{
		rows: rows, norm2: linalg.SquaredLengths(rows), maxCosine: maxCosine,
		got: map[int][]int{}, products: make([]float64, rows.Len()),
	}
}

// of lists the rows whose cosine to row k is above maxCosine, k left out.
func (t *twins) of(k int) []int {
	if t == nil {
		return nil
	}
	list, ok := t.got[k]
	if ok {
		return list
	}
	t.rows.GramRowTo(t.products, k)
	for i, v := range t.products {
		if i != k && v > 0 && v*v > t.maxCosine*t.maxCosine*t.norm2[i]*t.norm2[k] {
			list = append(list, i)
		}
	}
	t.got[k] = list
	return list
}
