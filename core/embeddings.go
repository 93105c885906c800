package core

import (
	"math"

	"github.com/cerasum/cerasum/core/errorf"
)

// DefaultDenseWeight is the share of the embeddings in the cosines of method
// hybrid.
const DefaultDenseWeight = 0.3

// checkEmbeddings refuses embeddings that cannot be those of n sentences.
func (o *Options) checkEmbeddings(n int) error {
	if w := o.DenseWeight; w != nil && !(*w >= 0 && *w <= 1) {
		return errorf.Errorf("%w: dense weight is %v: want 0 to 1", ErrOption, *w)
	}
	if o.Embeddings == nil {
		switch {
		case o.Dimensions != 0:
			return errorf.Errorf("%w: dimensions is %d, but there are no embeddings", ErrOption, o.Dimensions)
		case o.DenseWeight != nil:
			return errorf.Errorf("%w: a dense weight wants embeddings", ErrOption)
		case o.ReferenceEmbeddings != nil:
			return errorf.Errorf("%w: reference embeddings want embeddings of the documents as well", ErrOption)
		}
		return nil
	}
	if o.Dimensions < 1 {
		return errorf.Errorf("%w: dimensions is %d: want at least 1", ErrOption, o.Dimensions)
	}
	return checkRows("embeddings", o.Embeddings, n, o.Dimensions)
}

// checkRows refuses a matrix that is not n × d, or holds what is no number.
func checkRows(name string, data []float32, n, d int) error {
	// The product of two ints from outside may overflow, the quotient does not.
	if len(data)%d != 0 || len(data)/d != n {
		return errorf.Errorf("%w: %s: %d numbers for %d sentences of %d dimensions: want %d", ErrOption, name, len(data), n, d, n*d)
	}
	for i, v := range data {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return errorf.Errorf("%w: %s: dimension %d of sentence %d is %v: want a finite number", ErrOption, name, i%d, i/d, float64(v))
		}
	}
	return nil
}

// EmbeddingUse says what a method makes of embeddings.
type EmbeddingUse string

const (
	// EmbeddingsNone: the method reads words alone.
	EmbeddingsNone EmbeddingUse = "none"
	// EmbeddingsOptional: the method uses embeddings where there are any, and
	// TF-IDF vectors where not.
	EmbeddingsOptional EmbeddingUse = "optional"
	// EmbeddingsRequired: the method is refused without embeddings.
	EmbeddingsRequired EmbeddingUse = "required"
)
