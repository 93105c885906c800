//go:build wasm

package linalg

// gemv32To writes dst[k] = a_k · x for the rows a_k of a, each as long as x.
// gonum has no assembly here.
func gemv32To(dst []float64, a, x []float32) { kernel.GemvTo(dst, a[:len(dst)*len(x)], x) }

func gemv64To(dst, a, x []float64) { gemvTo(dst, a, x) }
