package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func randomDense[T Float](r *rand.Rand, n, d int) *Dense[T] {
	m := &Dense[T]{Data: make([]T, n*d), Cols: d}
	for i := range m.Data {
		m.Data[i] = T(r.NormFloat64())
	}
	return m
}

// randomSparse fills about a third of the entries; every fifth row is empty.
func randomSparse(r *rand.Rand, n, d int) *Sparse {
	m := &Sparse{RowPtr: []int{0}, Cols: d}
	for i := range n {
		for c := range d {
			if i%5 != 4 && r.IntN(3) == 0 {
				m.Col = append(m.Col, int32(c))
				m.Val = append(m.Val, float32(r.NormFloat64()))
			}
		}
		m.RowPtr = append(m.RowPtr, len(m.Col))
	}
	return m
}

func TestRowsAgreeWithNaiveTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 7, 33} {
		for _, d := range []int{1, 3, 4, 5, 16, 31, 512} {
			for name, m := range map[string]Rows{
				"dense32": randomDense[float32](r, n, d),
				"dense64": randomDense[float64](r, n, d),
				"sparse":  randomSparse(r, n, d),
			} {
				t.Run(fmt.Sprintf("%s/%dx%d", name, n, d), func(t *testing.T) {
					if m.Len() != n || m.Dims() != d {
						t.Fatalf("shape %d×%d, want %d×%d", m.Len(), m.Dims(), n, d)
					}
					rows := toNaive(m)
					v := make([]float64, d)
					for j := range v {
						v[j] = r.NormFloat64()
					}
					got := make([]float64, n)
					check := func(what string, k int, want float64) {
						t.Helper()
						if math.Abs(got[k]-want) > 1e-12*float64(d)*10 {
							t.Errorf("%s: row %d: %v, want %v", what, k, got[k], want)
						}
					}
					m.MulVecTo(got, v)
					for k := range got {
						check("MulVecTo", k, dotNaive(rows[k], v))
					}
					copy(got, SquaredLengths(m))
					for k := range got {
						check("SquaredLengths", k, dotNaive(rows[k], rows[k]))
					}
					for i := range n {
						m.GramRowTo(got, i)
						for k := range got {
							check(fmt.Sprintf("GramRowTo %d", i), k, dotNaive(rows[i], rows[k]))
						}
					}
				})
			}
		}
	}
}

func TestGramPart(t *testing.T) {
	m := randomDense[float32](rand.New(rand.NewPCG(7, 8)), 9, 5)
	whole, part := make([]float64, 9), make([]float64, 4)
	m.GramRowTo(whole, 6)
	m.GramPartTo(part, 6, 3)
	for k, v := range part {
		if v != whole[3+k] {
			t.Errorf("row 6 · row %d: %v, want %v", 3+k, v, whole[3+k])
		}
	}
}

func TestAddScaledTo(t *testing.T) {
	m := &Dense[float32]{Data: []float32{1, 2, 3, 4}, Cols: 2}
	s := &Sparse{RowPtr: []int{0, 2, 3}, Col: []int32{0, 2, 1}, Val: []float32{1, 2, 3}, Cols: 3}
	a, b := []float64{10, 20}, []float64{1, 1, 1}
	m.AddScaledTo(a, 0.5, 1)
	s.AddScaledTo(b, 2, 0)
	if a[0] != 11.5 || a[1] != 22 || b[0] != 3 || b[1] != 1 || b[2] != 5 {
		t.Fatal(a, b)
	}
}

func TestSubset(t *testing.T) {
	m := randomSparse(rand.New(rand.NewPCG(5, 6)), 10, 7)
	all, some := toNaive(m), []int{7, 4, 0}
	for i, row := range toNaive(m.Subset(some)) {
		for c, v := range row {
			if v != all[some[i]][c] {
				t.Fatalf("row %d of the subset differs from row %d", i, some[i])
			}
		}
	}
}

func TestWrongLengthsPanic(t *testing.T) {
	m := &Dense[float32]{Data: make([]float32, 6), Cols: 3}
	s := &Sparse{RowPtr: []int{0, 0}, Cols: 2}
	for name, f := range map[string]func(){
		"dense gram":  func() { m.GramRowTo(make([]float64, 3), 0) },
		"dense mul":   func() { m.MulVecTo(make([]float64, 2), make([]float64, 2)) },
		"dense add":   func() { m.AddScaledTo(make([]float64, 2), 1, 0) },
		"sparse gram": func() { s.GramRowTo(make([]float64, 3), 0) },
		"sparse mul":  func() { s.MulVecTo(make([]float64, 1), make([]float64, 1)) },
		"sparse add":  func() { s.AddScaledTo(make([]float64, 1), 1, 0) },
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

func BenchmarkGramRow(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{100, 1000, 10000} {
		m := randomDense[float32](r, n, 512)
		dst := make([]float64, n)
		b.Run(fmt.Sprintf("float32/%dx512", n), func(b *testing.B) {
			b.SetBytes(int64(n * 512 * 4))
			for b.Loop() {
				m.GramRowTo(dst, 0)
			}
		})
	}
	m := randomDense[float64](r, 1000, 512)
	dst := make([]float64, 1000)
	b.Run("float64/1000x512", func(b *testing.B) {
		for b.Loop() {
			m.GramRowTo(dst, 0)
		}
	})
}
