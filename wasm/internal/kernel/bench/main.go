//go:build js

// Command bench is the program that js/bench/kernel.mjs times: the arithmetic
// of the core with the SIMD kernel, with Go's loops and with gonum, all as
// WebAssembly. It sets globalThis.work, which maps the names of a task and an
// implementation to a function that runs it once, and globalThis.hasKernel.
package main

import (
	"context"
	"math"
	"math/rand/v2"
	"syscall/js"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/wasm/internal/kernel"
)

func main() {
	has := kernel.Use()
	js.Global().Set("hasKernel", has)
	work := map[string]any{}
	task := func(name, how string, do func()) {
		work[name+"/"+how] = js.FuncOf(func(js.Value, []js.Value) any {
			do()
			return nil
		})
	}
	// both runs a task with the kernel and with the loops.
	both := func(name string, do func()) {
		if has {
			task(name, "kernel", func() {
				kernel.Use()
				do()
			})
		}
		task(name, "Go", func() {
			linalg.Use(nil)
			do()
		})
	}
	var g gonum.Implementation

	r := rand.New(rand.NewPCG(1, 2))
	numbers := func(n int, size float64) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(r.NormFloat64() * size)
		}
		return x
	}

	const n, d = 1000, 512
	m := &linalg.Dense[float32]{Data: numbers(n*d, 1), Cols: d}
	refs := make([]cluster.Ref, n)
	for k := range refs {
		refs[k] = cluster.Ref{Document: k / 100, Sentence: k % 100}
	}
	w := centroid.NewWeights[float32](d, 35, true)
	copy(w.Data, numbers(len(w.Data), 1/math.Sqrt(d)))
	both("CeRAI", func() {
		if _, _, err := centroid.Estimate(context.Background(), w, m, refs); err != nil {
			panic(err)
		}
	})

	layer, c := numbers(d*d, 1), make([]float32, d*linalg.Lanes)
	both("layer", func() {
		for k := 0; k < n; k += linalg.Lanes {
			linalg.MulTo(c, layer, d, m.Data[k*d:(k+linalg.Lanes)*d])
		}
	})
	all := make([]float32, n*d)
	task("layer", "gonum", func() { g.Sgemm(blas.NoTrans, blas.Trans, n, d, d, 1, m.Data, d, layer, d, 0, all, d) })

	const rows, cols = 10_000, 256
	tall := &linalg.Dense[float32]{Data: numbers(rows*cols, 1), Cols: cols}
	products := make([]float64, rows)
	both("Gram row", func() { tall.GramRowTo(products, 7) })
	task("Gram row", "gonum", func() {
		for k := range products {
			products[k] = g.Dsdot(cols, tall.Row(k), 1, tall.Row(7), 1)
		}
	})
	// The time to copy as many bytes, for comparison with the speed of the
	// memory.
	other := make([]float32, rows*cols)
	task("Gram row", "copy", func() { copy(other, tall.Data) })

	v := make([]float64, cols)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	both("times a vector", func() { tall.MulVecTo(products, v) })
	both("squared lengths", func() { linalg.DotsTo(products, tall.Data, tall.Data) })
	both("weighted mean", func() {
		clear(v)
		linalg.AddWeighted(v, products, tall)
	})
	scores := make([]float64, rows)
	both("softmax", func() {
		for i := range scores {
			scores[i] = float64(i % 97)
		}
		linalg.Softmax(scores)
	})

	js.Global().Set("work", work)
	js.Global().Get("workReady").Invoke()
	select {}
}
