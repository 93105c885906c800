package linalg

import (
	"math"
	"math/rand/v2"
	"testing"
)

// concatNaive copies the rows of a Concat.
func concatNaive(a, b Rows, w float64) [][]float64 {
	rows := make([][]float64, a.Len())
	add := func(parts [][]float64, length float64) {
		for k, part := range parts {
			norm := math.Sqrt(dotNaive(part, part))
			for _, v := range part {
				if norm > 0 {
					v *= length / norm
				}
				rows[k] = append(rows[k], v)
			}
		}
	}
	add(toNaive(a), math.Sqrt(w))
	add(toNaive(b), math.Sqrt(1-w))
	return rows
}

func TestConcatAgreesWithNaiveTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 2))
	for range 40 {
		n, d1, d2, w := 1+r.IntN(20), 1+r.IntN(40), 1+r.IntN(60), r.Float64()
		dense, sparse := randomDense[float32](r, n, d1), randomSparse(r, n, d2)
		clear(dense.Row(r.IntN(n)))
		some := make([]int, 1+r.IntN(n))
		for i := range some {
			some[i] = r.IntN(n)
		}
		whole, want := NewConcat(dense, sparse, w), concatNaive(dense, sparse, w)
		compareRows(t, "whole", whole, want)
		var picked [][]float64
		for _, k := range some {
			picked = append(picked, want[k])
		}
		compareRows(t, "subset", Subset(whole, some), picked)
	}
}

func compareRows(t *testing.T, name string, m Rows, want [][]float64) {
	t.Helper()
	if m.Len() != len(want) || m.Dims() != len(want[0]) {
		t.Fatalf("%s: %d×%d, want %d×%d", name, m.Len(), m.Dims(), len(want), len(want[0]))
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) < 1e-9) {
			t.Errorf("%s: %s is %v, want %v", name, what, got, want)
		}
	}
	v := make([]float64, m.Dims())
	for i := range v {
		v[i] = math.Sin(float64(i))
	}
	got := make([]float64, m.Len())
	m.MulVecTo(got, v)
	for k := range got {
		near("row · v", got[k], dotNaive(want[k], v))
	}
	for i, row := range toNaive(m) {
		for c := range row {
			near("component", row[c], want[i][c])
		}
		m.GramRowTo(got, i)
		for k := range got {
			near("row · row", got[k], dotNaive(want[i], want[k]))
		}
		near("squared length", SquaredLengths(m)[i], dotNaive(want[i], want[i]))
	}
}

func TestConcatProductIsTheBlendOfCosines(t *testing.T) {
	a := &Dense[float32]{Data: []float32{3, 4, 4, 3}, Cols: 2} // cosine 24/25
	b := &Dense[float32]{Data: []float32{2, 0, 1, 1}, Cols: 2} // cosine √½
	got := make([]float64, 2)
	NewConcat(a, b, 0.25).GramRowTo(got, 0)
	if math.Abs(got[0]-1) > 1e-12 || math.Abs(got[1]-(0.25*0.96+0.75*math.Sqrt2/2)) > 1e-12 {
		t.Errorf("got %v", got)
	}
}

func TestConcatWantsFittingParts(t *testing.T) {
	one, two := &Dense[float32]{Data: []float32{1}, Cols: 1}, &Dense[float32]{Data: []float32{1, 2}, Cols: 1}
	for name, f := range map[string]func(){
		"lengths":          func() { NewConcat(one, two, 0.5) },
		"weight over 1":    func() { NewConcat(one, one, 1.1) },
		"weight NaN":       func() { NewConcat(one, one, math.NaN()) },
		"vector too long":  func() { NewConcat(one, one, 0.5).MulVecTo([]float64{0}, []float64{1, 2, 3}) },
		"vector too short": func() { NewConcat(one, one, 0.5).AddScaledTo([]float64{0}, 1, 0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func BenchmarkConcat(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	sparse := &Sparse{RowPtr: []int{0}, Cols: 8000}
	for range 1000 {
		for c := r.IntN(800); c < 8000; c += 1 + r.IntN(800) {
			sparse.Col, sparse.Val = append(sparse.Col, int32(c)), append(sparse.Val, 0.2)
		}
		sparse.RowPtr = append(sparse.RowPtr, len(sparse.Col))
	}
	m := NewConcat(randomDense[float32](r, 1000, 256), sparse, 0.3)
	dst := make([]float64, 1000)
	b.Run("GramRowTo/1000x256", func(b *testing.B) {
		for b.Loop() {
			m.GramRowTo(dst, 7)
		}
	})
}
