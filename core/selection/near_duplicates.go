package selection

import "github.com/cerasum/cerasum/core/linalg"

// nearDuplicates finds the near-duplicates and translations of a row, and
// caches them.
type nearDuplicates struct {
	translations func(k int) []int // Problem.Translations
	rows         linalg.Rows       // nil: no cosines are compared
	norm2        []float64
	maxCosine    float64
	cache        map[int][]int
	products     []float64
}

// newNearDuplicates compares p.Wording, or p.Rows if that is nil, provided that
// maxCosine is above 0. It returns nil if p has no translations either.
func newNearDuplicates(p *Problem, maxCosine float64) *nearDuplicates {
	if maxCosine <= 0 && p.Translations == nil {
		return nil
	}
	d := &nearDuplicates{translations: p.Translations, maxCosine: maxCosine, cache: map[int][]int{}}
	if maxCosine > 0 {
		d.rows = p.Wording
		if d.rows == nil {
			d.rows = p.Rows
		}
		d.norm2, d.products = linalg.SquaredLengths(d.rows), make([]float64, d.rows.Len())
	}
	return d
}

// of lists the rows whose cosine to row k is above maxCosine, and the
// translations of row k, without k itself.
func (d *nearDuplicates) of(k int) []int {
	if d == nil {
		return nil
	}
	list, ok := d.cache[k]
	if ok {
		return list
	}
	if d.rows != nil {
		d.rows.GramRowTo(d.products, k)
		for i, v := range d.products {
			if i != k && v > 0 && v*v > d.maxCosine*d.maxCosine*d.norm2[i]*d.norm2[k] {
				list = append(list, i)
			}
		}
	}
	if d.translations != nil {
		list = append(list, d.translations(k)...)
	}
	d.cache[k] = list
	return list
}
