//go:build js

// Package kernel gives core/linalg SIMD instructions, which Go's compiler does
// not generate for WebAssembly. kernel.ts is a separate WebAssembly module. The
// host instantiates it with this program's memory, so that nothing is copied,
// and binds its functions to the imports below (js/src/kernel.ts).
package kernel

import (
	"unsafe"

	"github.com/cerasum/cerasum/core/linalg"
)

// ready is 1 if the host has bound the kernel to the imports, else 0.
//
//go:wasmimport cerasum.kernel ready
func ready() int32

//go:wasmimport cerasum.kernel dots
//go:noescape
func dots(dst, a, b unsafe.Pointer, rows, cols int32)

//go:wasmimport cerasum.kernel gemv
//go:noescape
func gemv(dst, a, x unsafe.Pointer, rows, cols int32)

//go:wasmimport cerasum.kernel gemvWide
//go:noescape
func gemvWide(dst, a, x unsafe.Pointer, rows, cols int32)

//go:wasmimport cerasum.kernel addColumns
//go:noescape
func addColumns(p, x, y, place unsafe.Pointer, rows, n int32)

//go:wasmimport cerasum.kernel gemm
//go:noescape
func gemm(c, a, p unsafe.Pointer, m, n, lda int32)

//go:wasmimport cerasum.kernel tanhSum
//go:noescape
func tanhSum(dst, c, base, o unsafe.Pointer, m int32)

//go:wasmimport cerasum.kernel weightedSum
//go:noescape
func weightedSum(dst, w, x unsafe.Pointer, rows, cols int32)

//go:wasmimport cerasum.kernel softmax
//go:noescape
func softmax(scores unsafe.Pointer, n int32)

//go:wasmimport cerasum.kernel normalize
//go:noescape
func normalize(dst, x, scale, gain, bias unsafe.Pointer, epsilon float64, rows, cols int32)

// Use selects the kernel for core/linalg, and reports whether the host has one.
func Use() bool {
	if ready() == 0 {
		return false
	}
	linalg.Use(simd{})
	return true
}

// simd passes the addresses and lengths of slices. linalg has checked the
// lengths.
type simd struct{}

func at[T linalg.Float](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

func (simd) DotsTo(dst []float64, a, b []float32) {
	if len(dst) > 0 {
		dots(at(dst), at(a), at(b), int32(len(dst)), int32(len(a)/len(dst)))
	}
}

func (simd) GemvTo(dst []float64, a, x []float32) {
	gemv(at(dst), at(a), at(x), int32(len(dst)), int32(len(x)))
}

func (simd) GemvWideTo(dst []float64, a []float32, x []float64) {
	gemvWide(at(dst), at(a), at(x), int32(len(dst)), int32(len(x)))
}

func (simd) AddColumnsTo(p, x, table []float32, place []int32) {
	addColumns(at(p), at(x), at(table), unsafe.Pointer(unsafe.SliceData(place)), int32(len(place)), int32(len(p)/linalg.Lanes))
}

func (simd) MulTo(c, a []float32, lda int, p []float32) {
	gemm(at(c), at(a), at(p), int32(len(c)/linalg.Lanes), int32(len(p)/linalg.Lanes), int32(lda))
}

func (simd) TanhSumTo(dst []float64, c, base, o []float32) {
	tanhSum(at(dst), at(c), at(base), at(o), int32(len(o)))
}

func (simd) AddWeighted(dst, w []float64, x []float32) {
	weightedSum(at(dst), at(w), at(x), int32(len(w)), int32(len(dst)))
}

func (simd) Softmax(x []float64) { softmax(at(x), int32(len(x))) }

func (simd) LayerNormTo(dst, x []float32, scale []float64, gain, bias []float32, epsilon float64) {
	normalize(at(dst), at(x), at(scale), at(gain), at(bias), epsilon, int32(len(scale)), int32(len(gain)))
}
