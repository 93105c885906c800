//go:build js

package kernel

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
)

// fused says whether gemm fuses products with sums: build/wasm-exec.cjs names the
// kernel that it has started.
var fused = os.Getenv("CERASUM_KERNEL") == "relaxed"

func TestMain(m *testing.M) {
	// go test keeps a result until a file changes that the test has looked at.
	for _, name := range []string{"relaxed", "simd"} {
		if _, err := os.Stat("../../../build/out/wasm/kernel-" + name + ".wasm"); err != nil {
			panic(err)
		}
	}
	if !Use() {
		panic("the host has not tied the kernel to the program")
	}
	linalg.Use(nil)
	os.Exit(m.Run())
}

// both computes with Go's loops and with the kernel.
func both(compute func()) {
	compute()
	Use()
	defer linalg.Use(nil)
	compute()
}

// Shapes around what the kernel takes at once, and some at random.
func shapes(r *rand.Rand) [][2]int {
	var list [][2]int
	for rows := range 10 {
		for cols := 1; cols < 12; cols++ {
			list = append(list, [2]int{rows, cols})
		}
	}
	for range 60 {
		list = append(list, [2]int{r.IntN(70), 1 + r.IntN(600)})
	}
	return list
}

// numbers are n random ones that lie at an address off the usual alignment, and
// between numbers that nothing may read or write.
func numbers[T linalg.Float](r *rand.Rand, n int) []T {
	off := 1 + r.IntN(5)
	all := make([]T, off+n+3)
	for i := range all {
		all[i] = T(math.NaN())
	}
	s := all[off : off+n : off+n]
	for i := range s {
		s[i] = T(r.NormFloat64())
	}
	return s
}

// untouched says whether the numbers after those of numbers are as they were.
func untouched[T linalg.Float](s []T) bool {
	if len(s) == 0 {
		return true // and nobody knows where it lies
	}
	for _, v := range unsafe.Slice((*T)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(s)), len(s)*int(unsafe.Sizeof(s[0])))), 3) {
		if v == v {
			return false
		}
	}
	return true
}

func same[T linalg.Float](a, b []T) bool {
	return slices.EqualFunc(a, b, func(x, y T) bool { return x == y || x != x && y != y })
}

// check compares what compute writes into a vector of length n: the loops'
// answer, and the kernel's.
func check(t *testing.T, r *rand.Rand, what string, n int, compute func(dst []float64)) {
	t.Helper()
	start := numbers[float64](r, n)
	var answers [][]float64
	both(func() {
		dst := numbers[float64](r, n)
		copy(dst, start)
		compute(dst)
		if !untouched(dst) {
			t.Fatalf("%s writes past its end", what)
		}
		answers = append(answers, dst)
	})
	if fused && strings.HasPrefix(what, "tanhSum") {
		for i, v := range answers[0] {
			// At most some 600 terms of about 1, unless one is huge.
			if !same(answers[0][i:i+1], answers[1][i:i+1]) && !(math.Abs(v-answers[1][i]) < 1e-6*(600+math.Abs(v))) {
				t.Errorf("%s: %v, the loop gives %v", what, answers[1], answers[0])
			}
		}
		return
	}
	if !same(answers[0], answers[1]) {
		t.Errorf("%s: %v, the loop gives %v", what, answers[1], answers[0])
	}
}

func TestSameBitsAsTheLoops(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 7))
	for _, shape := range shapes(r) {
		rows, cols := shape[0], shape[1]
		name := func(what string) string { return fmt.Sprintf("%s of %d×%d", what, rows, cols) }
		a, b := numbers[float32](r, rows*cols), numbers[float32](r, rows*cols)
		m := &linalg.Dense[float32]{Data: a, Cols: cols}
		check(t, r, name("dots"), rows, func(dst []float64) { linalg.DotsTo(dst, a, b) })
		for i := range min(rows, 3) {
			check(t, r, name("gemv"), rows, func(dst []float64) { m.GramRowTo(dst, i) })
		}
		if rows > 0 {
			check(t, r, name("part of gemv"), rows/2, func(dst []float64) { m.GramPartTo(dst, 0, rows-rows/2) })
		}
		v := numbers[float64](r, cols)
		check(t, r, name("gemvWide"), rows, func(dst []float64) { m.MulVecTo(dst, v) })
		w := numbers[float64](r, rows)
		check(t, r, name("weightedSum"), cols, func(dst []float64) { linalg.AddWeighted(dst, w, m) })
		hidden, o, base := numbers[float32](r, cols*linalg.Lanes), numbers[float32](r, cols), numbers[float32](r, cols)
		for i := range base {
			base[i] *= 8
		}
		check(t, r, name("tanhSum"), linalg.Lanes, func(dst []float64) { linalg.TanhSumTo(dst, hidden, base, o) })

		gain, bias := numbers[float32](r, cols), numbers[float32](r, cols)
		var normal [][]float32
		both(func() {
			x := numbers[float32](r, len(a))
			linalg.LayerNormTo(x, a, w, gain, bias, 1e-5)
			if !untouched(x) {
				t.Fatal(name("normalize"), "writes past its end")
			}
			normal = append(normal, x)
		})
		if !same(normal[0], normal[1]) {
			t.Errorf("%s: %v, the loop gives %v", name("normalize"), normal[1], normal[0])
		}
	}
}

func TestGemm(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, shape := range append(shapes(r), [2]int{512, 512}) {
		rows, cols := shape[0], shape[1]
		lda := cols + r.IntN(9)
		b, table := numbers[float32](r, linalg.Lanes*cols), numbers[float32](r, 5*cols)
		place := make([]int32, linalg.Lanes-r.IntN(2)*r.IntN(linalg.Lanes))
		for k := range place {
			place[k] = r.Int32N(5)
		}
		a := numbers[float32](r, max(0, (rows-1)*lda+cols))
		var answers [][]float32
		both(func() {
			c, p := numbers[float32](r, rows*linalg.Lanes), numbers[float32](r, len(b))
			clear(p)
			linalg.AddColumnsTo(p, b[:len(place)*cols], table, place)
			linalg.MulTo(c, a, lda, p)
			if !untouched(c) || !untouched(p) {
				t.Fatalf("%d×%d writes past its end", rows, cols)
			}
			answers = append(answers, c)
		})
		if !fused && !same(answers[0], answers[1]) {
			t.Errorf("%d×%d: %v, the loop gives %v", rows, cols, answers[1], answers[0])
		}
		// Against the sums in float64, to what float32 rounds.
		for i := range rows {
			for k := range place {
				want, size := 0.0, 0.0
				for j := range cols {
					p := float64(a[i*lda+j]) * float64(b[k*cols+j]+table[int(place[k])*cols+j])
					want += p
					size += math.Abs(p)
				}
				if got := float64(answers[1][i*linalg.Lanes+k]); !(math.Abs(got-want) <= 1e-7*float64(cols+1)*size) {
					t.Fatalf("%d×%d: row %d, column %d is %v, want %v", rows, cols, i, k, got, want)
				}
			}
		}
	}
}

// TestStrangeNumbers: what is no number, too large or next to nothing comes out
// as of the loops.
func TestStrangeNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	strange := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1e-45, 3e38, -3e38, 5e-324, 1e308, 7.9, -7.91}
	for range 300 {
		n := 1 + r.IntN(20)
		wide, far := numbers[float64](r, n), numbers[float32](r, n*linalg.Lanes)
		wide[r.IntN(n)] = strange[r.IntN(len(strange))]
		far[r.IntN(len(far))] = float32(strange[r.IntN(len(strange))])
		m := &linalg.Dense[float32]{Data: far, Cols: n}
		check(t, r, "gemvWide", linalg.Lanes, func(dst []float64) { m.MulVecTo(dst, wide) })
		check(t, r, "gemv", linalg.Lanes, func(dst []float64) { m.GramRowTo(dst, 0) })
		check(t, r, "tanhSum", linalg.Lanes, func(dst []float64) { linalg.TanhSumTo(dst, far, far[n:2*n], far[:n]) })
		check(t, r, "softmax", n, func(dst []float64) {
			copy(dst, wide)
			linalg.Softmax(dst)
		})
	}
}

func TestSoftmax(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	for range 400 {
		n, spread := r.IntN(40), math.Exp(r.Float64()*20-10)
		check(t, r, "softmax", n, func(dst []float64) {
			for i := range dst {
				dst[i] = spread * math.Sin(float64(i*i))
			}
			linalg.Softmax(dst)
		})
	}
	// The smallest numbers that there are.
	for x := -760.0; x < -690; x += 0.0625 {
		check(t, r, "softmax", 2, func(dst []float64) {
			dst[0], dst[1] = 0, x
			linalg.Softmax(dst)
		})
	}
}

// somewhere are N sentences of five documents, in D dimensions.
func somewhere(r *rand.Rand, n, d int) (*linalg.Dense[float32], []cluster.Ref, *centroid.Weights[float32]) {
	m := &linalg.Dense[float32]{Data: make([]float32, n*d), Cols: d}
	for i := range m.Data {
		m.Data[i] = float32(r.NormFloat64())
	}
	refs := make([]cluster.Ref, n)
	for k := range refs {
		refs[k] = cluster.Ref{Document: k * 5 / n, Sentence: k}
	}
	w := centroid.NewWeights[float32](d, 35, true)
	for i := range w.Data {
		w.Data[i] = float32(r.NormFloat64() / math.Sqrt(float64(d)))
	}
	return m, refs, w
}

func TestEstimate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, shape := range [][2]int{{1, 1}, {3, 5}, {17, 33}, {100, 256}, {1003, 64}} {
		m, refs, w := somewhere(r, shape[0], shape[1])
		var centroids, attentions [][]float64
		both(func() {
			c, beta, err := centroid.Estimate(context.Background(), w, m, refs)
			if err != nil {
				t.Fatal(err)
			}
			centroids, attentions = append(centroids, c), append(attentions, beta)
		})
		for _, pair := range [][][]float64{centroids, attentions} {
			largest, apart := 0.0, 0.0
			for i, v := range pair[0] {
				largest, apart = max(largest, math.Abs(v)), max(apart, math.Abs(v-pair[1][i]))
			}
			if limit := map[bool]float64{true: 1e-5, false: 0}[fused]; apart > limit*largest {
				t.Errorf("%v: %g of the largest number apart", shape, apart/largest)
			}
		}
	}
}
