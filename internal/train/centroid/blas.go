package centroid

import (
	"github.com/cerasum/cerasum/core/linalg"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// The BLAS operations used by a step, for both precisions. Matrices are row-major;
// ld is the distance between two rows.
var implementation gonum.Implementation

// gemm computes C = alpha op(A) op(B) + C, op(A) m×k and op(B) k×n; if set, C is
// replaced instead.
func gemm[T linalg.Float](transA, transB blas.Transpose, m, n, k int, a []T, lda int, b []T, ldb int, set bool, c []T, ldc int) {
	beta := 1.0
	if set {
		beta = 0
	}
	switch a := any(a).(type) {
	case []float32:
		implementation.Sgemm(transA, transB, m, n, k, 1, a, lda, any(b).([]float32), ldb, float32(beta), any(c).([]float32), ldc)
	case []float64:
		implementation.Dgemm(transA, transB, m, n, k, 1, a, lda, any(b).([]float64), ldb, beta, any(c).([]float64), ldc)
	}
}

// gemv computes y = op(A) x + y, A m×n.
func gemv[T linalg.Float](trans blas.Transpose, m, n int, a []T, lda int, x, y []T) {
	switch a := any(a).(type) {
	case []float32:
		implementation.Sgemv(trans, m, n, 1, a, lda, any(x).([]float32), 1, 1, any(y).([]float32), 1)
	case []float64:
		implementation.Dgemv(trans, m, n, 1, a, lda, any(x).([]float64), 1, 1, any(y).([]float64), 1)
	}
}

// ger computes A = A + x yᵀ, A len(x)×len(y).
func ger[T linalg.Float](x, y, a []T, lda int) {
	switch a := any(a).(type) {
	case []float32:
		implementation.Sger(len(x), len(y), 1, any(x).([]float32), 1, any(y).([]float32), 1, a, lda)
	case []float64:
		implementation.Dger(len(x), len(y), 1, any(x).([]float64), 1, any(y).([]float64), 1, a, lda)
	}
}

func dot[T linalg.Float](x, y []T) T {
	switch x := any(x).(type) {
	case []float32:
		return T(implementation.Sdot(len(x), x, 1, any(y).([]float32), 1))
	case []float64:
		return T(implementation.Ddot(len(x), x, 1, any(y).([]float64), 1))
	}
	return 0
}

// axpy computes y = alpha x + y.
func axpy[T linalg.Float](alpha T, x, y []T) {
	switch x := any(x).(type) {
	case []float32:
		implementation.Saxpy(len(x), float32(alpha), x, 1, any(y).([]float32), 1)
	case []float64:
		implementation.Daxpy(len(x), float64(alpha), x, 1, any(y).([]float64), 1)
	}
}
