// Package linalg holds the few numerical operations that the method needs, on
// embeddings that are dense (a neural encoder's) or sparse (TF-IDF).
//
// Legend: N rows (sentences), D columns (dimensions). Matrices are row-major.
// Destinations come first and must have the right length: a wrong one is a
// programmer's error and panics.
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
