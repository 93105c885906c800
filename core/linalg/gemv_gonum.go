//go:build !wasm

package linalg

import "gonum.org/v1/gonum/blas/gonum"

var blas gonum.Implementation

// gemv32To writes dst[k] = a_k · x for the rows a_k of a, each as long as x.
// Products are summed in float64: an error in the seventh digit could change a
// summary.
func gemv32To(dst []float64, a, x []float32) {
	d := len(x)
	for k := range dst {
		dst[k] = blas.Dsdot(d, a[k*d:(k+1)*d], 1, x, 1)
	}
}

func gemv64To(dst, a, x []float64) {
	d := len(x)
	for k := range dst {
		dst[k] = blas.Ddot(d, a[k*d:(k+1)*d], 1, x, 1)
	}
}
