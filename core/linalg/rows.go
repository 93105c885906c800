// Package linalg implements the numerical operations of the core on the rows of
// embeddings: dense ones of an encoder ([Dense]), sparse ones of TF-IDF
// ([Sparse]). Start with [Rows]; [Use] installs a faster kernel.
//
// Legend: N rows (sentences), D columns (dimensions). Matrices are row-major.
// Destinations come first; a wrong length is a programming error and panics.
package linalg

// Rows is a matrix of N embeddings of D dimensions, dense or sparse.
type Rows interface {
	// Len is N.
	Len() int
	// Dims is D.
	Dims() int
	// GramRowTo writes dst[k] = row i · row k for every k in 0..N-1.
	GramRowTo(dst []float64, i int)
	// MulVecTo writes dst[k] = row k · v, v of length D.
	MulVecTo(dst, v []float64)
	// AddScaledTo adds alpha × row i to dst, of length D.
	AddScaledTo(dst []float64, alpha float64, i int)
}
