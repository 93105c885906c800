package lexical

import (
	"math"
	"slices"

	"github.com/cerasum/cerasum/core/linalg"
)

// Wording returns an N×D matrix of unit rows in which every distinct term of a sentence
// that is not a stop word has the same weight: the cosine of two rows measures how much
// wording two sentences share, however rare the words are. Columns are indices of
// Terms.
func (a *Analysis) Wording() *linalg.Sparse {
	m := &linalg.Sparse{RowPtr: make([]int, 1, len(a.Sentences)+1), Cols: len(a.Terms)}
	var row []int32
	for _, terms := range a.Sentences {
		row = row[:0]
		for _, t := range terms {
			if !a.Terms[t].Stop {
				row = append(row, t)
			}
		}
		slices.Sort(row)
		row = slices.Compact(row)
		v := float32(1 / math.Sqrt(float64(len(row))))
		for _, t := range row {
			m.Col = append(m.Col, t)
			m.Val = append(m.Val, v)
		}
		m.RowPtr = append(m.RowPtr, len(m.Col))
	}
	return m
}
