package encoder

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestMultiply(t *testing.T) {
	if !hasTile {
		t.Skip("this processor uses gonum")
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range [][3]int{{1, 1, 1}, {4, 16, 384}, {7, 17, 385}, {9, 40, 32}, {33, 100, 800}} {
		rows, columns, k := c[0], c[1], c[2]
		a, b := make([]float32, rows*k), make([]float32, k*columns)
		for _, m := range [][]float32{a, b} {
			for i := range m {
				m[i] = float32(random.NormFloat64())
			}
		}
		out := make([]float32, rows*columns)
		out[0] = 7 // overwritten
		multiply(out, a, b, rows, columns, k)
		for i := range out {
			want := 0.0
			for j := range k {
				want += float64(a[i/columns*k+j]) * float64(b[j*columns+i%columns])
			}
			if math.Abs(float64(out[i])-want) > 1e-4*math.Sqrt(float64(k)) {
				t.Fatalf("%v: number %d: %v, want %v", c, i, out[i], want)
			}
		}
	}
}

// BenchmarkMultiply is the widest product of a batch of the shipped encoder.
func BenchmarkMultiply(b *testing.B) {
	const rows, columns, k = 512, 1536, 384
	x, y, out := make([]float32, rows*k), make([]float32, k*columns), make([]float32, rows*columns)
	for b.Loop() {
		if err := gemm[int, int, int](1, 0, x, y, 1, rows, columns, k, out, 0, 0, 0); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(2*rows*columns*k*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
