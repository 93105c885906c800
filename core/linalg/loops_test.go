package linalg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// near compares up to the rounding of float32 in sums of n terms of this size.
func near(t *testing.T, what string, got, want, size float64, n int) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-7*float64(n+1)*size) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestLoopsAgreeWithNaiveTwins(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for range 60 {
		n, d := r.IntN(12), 1+r.IntN(70)
		a, b := randomDense[float32](r, n, d), randomDense[float32](r, n, d)
		rowsA, rowsB := toNaive(a), toNaive(b)
		dst := make([]float64, n)
		DotsTo(dst, a.Data, b.Data)
		for k := range dst {
			near(t, "DotsTo", dst[k], dotNaive(rowsA[k], rowsB[k]), 1, d)
		}

		w, sum := randomDense[float64](r, 1, n+1).Data[:n], randomDense[float64](r, 1, d).Data
		want := append([]float64(nil), sum...)
		AddWeighted(sum, w, a)
		for j := range want {
			for k := range w {
				want[j] += w[k] * rowsA[k][j]
			}
			near(t, "AddWeighted", sum[j], want[j], 1, 0)
		}

		eight, lda := randomDense[float32](r, Lanes, d), d+r.IntN(5)
		wide := randomDense[float32](r, 1, n*lda+1).Data[:max(0, (n-1)*lda+d)]
		p, table := make([]float32, d*Lanes), randomDense[float32](r, 3, d)
		columns := 5 + r.IntN(4)
		AddColumnsTo(p, eight.Data[:columns*d], table.Data, []int32{2, 0, 0, 1, 2, 2, 1, 0}[:columns])
		for k := range Lanes {
			for j := range eight.Row(k) {
				if k >= columns {
					eight.Row(k)[j] = 0
				} else {
					eight.Row(k)[j] += table.Row([]int{2, 0, 0, 1, 2, 2, 1, 0}[k])[j]
				}
			}
		}
		c := make([]float32, n*Lanes)
		MulTo(c, wide, lda, p)
		for i := range n {
			for k, row := range toNaive(eight) {
				other := make([]float64, d)
				for j := range other {
					other[j] = float64(wide[i*lda+j])
				}
				near(t, "MulTo", float64(c[i*Lanes+k]), dotNaive(row, other), 10, d)
			}
		}

		base, o, scores := randomDense[float32](r, 1, n+1).Data[:n], randomDense[float32](r, 1, n+1).Data[:n], make([]float64, Lanes)
		TanhSumTo(scores, c, base, o)
		for k, score := range scores {
			sum := 0.0
			for i := range n {
				sum += float64(o[i]) * math.Tanh(float64(base[i]+c[i*Lanes+k]))
			}
			near(t, "TanhSumTo", score, sum, 20, n)
		}

		gain, bias, scale := randomDense[float32](r, 1, d).Data, randomDense[float32](r, 1, d).Data, randomDense[float64](r, 1, n+1).Data[:n]
		for k := range scale {
			scale[k] /= math.Sqrt(dotNaive(rowsA[k], rowsA[k]))
		}
		normal := make([]float32, len(a.Data))
		LayerNormTo(normal, a.Data, scale, gain, bias, 1e-5)
		LayerNormTo(a.Data, a.Data, scale, gain, bias, 1e-5)
		if !slices.Equal(normal, a.Data) {
			t.Error("LayerNormTo: in place another result")
		}
		for k, row := range rowsA {
			mean, variance := 0.0, 0.0
			for _, v := range row {
				mean += scale[k] * v / float64(d)
			}
			for _, v := range row {
				variance += (scale[k]*v - mean) * (scale[k]*v - mean) / float64(d)
			}
			for j, v := range row {
				want := (scale[k]*v-mean)/math.Sqrt(variance+1e-5)*float64(gain[j]) + float64(bias[j])
				near(t, "LayerNormTo", float64(a.Row(k)[j]), want, 100, 0)
			}
		}
	}
}

func TestSoftmax(t *testing.T) {
	Softmax(nil)
	x := []float64{1000, 1000 + math.Log(3), -1e9}
	Softmax(x)
	if math.Abs(x[0]-0.25) > 1e-12 || math.Abs(x[1]-0.75) > 1e-12 || x[2] != 0 {
		t.Errorf("got %v", x)
	}
}

func TestTanh(t *testing.T) {
	worst := 0.0
	for x := -30.0; x <= 30; x += 1.0 / 1024 {
		worst = max(worst, math.Abs(float64(tanh(float32(x)))-math.Tanh(float64(float32(x)))))
	}
	if worst > 6e-7 {
		t.Errorf("off by %g", worst)
	}
	if x := tanh(float32(math.NaN())); x == x || tanh(float32(math.Inf(-1))) > -1+6e-7 {
		t.Error("the ends")
	}
}

// TestKernelIsUsed: an installed kernel is used until it is removed.
func TestKernelIsUsed(t *testing.T) {
	lent := &counting{}
	Use(lent)
	defer Use(nil)
	m := &Dense[float32]{Data: []float32{1, 2, 3, 4}, Cols: 2}
	two := make([]float64, 2)
	m.MulVecTo(two, []float64{1, 1})
	SquaredLengths(m)
	AddWeighted(two, two, m)
	AddWeighted(make([]float64, 4), two, NewConcat(m, m, 0.5))
	Use(nil)
	Softmax(two)
	m.MulVecTo(two, two)
	if *lent != (counting{wide: 1, dots: 3, weighted: 3}) {
		t.Errorf("calls: %+v", *lent)
	}
}

type counting struct {
	loops
	wide, dots, weighted int
}

func (c *counting) GemvWideTo(dst []float64, a []float32, x []float64) {
	c.wide++
	c.loops.GemvWideTo(dst, a, x)
}

func (c *counting) DotsTo(dst []float64, a, b []float32) {
	c.dots++
	c.loops.DotsTo(dst, a, b)
}

func (c *counting) AddWeighted(dst, w []float64, x []float32) {
	c.weighted++
	c.loops.AddWeighted(dst, w, x)
}

func TestKernelIsNotGivenWrongLengths(t *testing.T) {
	f, w32, w := make([]float32, 48), make([]float32, 64), make([]float64, 48)
	for name, f := range map[string]func(){
		"dots":                   func() { DotsTo(w[:5], f, f) },
		"dots of two":            func() { DotsTo(w[:4], f, f[:44]) },
		"dots of none":           func() { DotsTo(nil, f, f) },
		"product's A":            func() { MulTo(f[:16], f[:11], 6, f) },
		"product's rows":         func() { MulTo(f[:16], f, 5, f) },
		"product's C":            func() { MulTo(f[:15], f, 6, f) },
		"product's P":            func() { MulTo(f[:16], f, 6, f[:47]) },
		"columns":                func() { AddColumnsTo(f, w32[:54], f, make([]int32, 9)) },
		"columns' rows":          func() { AddColumnsTo(f, f[:12], f, make([]int32, 3)) },
		"columns' place":         func() { AddColumnsTo(f, f[:6], f, []int32{8}) },
		"columns' place below":   func() { AddColumnsTo(f, f[:6], f, []int32{-1}) },
		"tanh's sums":            func() { TanhSumTo(w[:7], f, f[:6], f[:6]) },
		"tanh's base":            func() { TanhSumTo(w[:8], f, f[:5], f[:6]) },
		"tanh's hidden":          func() { TanhSumTo(w[:8], f[:47], f[:6], f[:6]) },
		"weighted sum's weights": func() { AddWeighted(w[:6], w[:7], &Dense[float32]{Data: f, Cols: 6}) },
		"weighted sum's end":     func() { AddWeighted(w[:5], w[:8], &Dense[float32]{Data: f, Cols: 6}) },
		"norm's scale":           func() { LayerNormTo(f, f, w[:7], f[:6], f[:6], 0) },
		"norm's bias":            func() { LayerNormTo(f, f, w[:8], f[:6], f[:5], 0) },
		"norm's destination":     func() { LayerNormTo(f[:42], f, w[:8], f[:6], f[:6], 0) },
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
