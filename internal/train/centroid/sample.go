package centroid

import (
	"errors"
	"fmt"
	"math"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/linalg"
)

// Example is a training cluster: N sentences, D dimensions.
type Example struct {
	// Embeddings are N×D, row-major, document by document; Documents holds the
	// number of sentences of each. Rows of zeros are ignored.
	Embeddings []float32
	Documents  []int
	// Gold, of length D, is the target centroid: the mean embedding of the
	// sentences of all references.
	Gold []float32
}

// Source is a corpus of examples. Read is called from several goroutines.
type Source interface {
	Len() int
	Read(i int) (Example, error)
}

// ErrExample is wrapped by errors about unusable examples.
var ErrExample = errors.New("bad example")

// sample is an example prepared for the network.
type sample[T linalg.Float] struct {
	n     int
	hat   []T   // N×D: unit length, mean 0, variance 1
	place []int // N: rows of the position embeddings
	share []T   // N: of a sentence in the mean of the documents' means
	mean  []T   // D: ē_D
	gold  []T   // D
}

// newSample prepares an example for P positions.
func newSample[T, F linalg.Float](positions int, embeddings []F, documents []int, gold []F) (*sample[T], error) {
	d := len(gold)
	total := 0
	for _, n := range documents {
		total += n
	}
	if d == 0 || total*d != len(embeddings) {
		return nil, fmt.Errorf("%w: got %d numbers for %d sentences of %d dimensions", ErrExample, len(embeddings), total, d)
	}
	e := &sample[T]{gold: make([]T, d), mean: make([]T, d)}
	length := 0.0
	for j, v := range gold {
		e.gold[j] = T(v)
		length += float64(v) * float64(v)
	}
	if !(length > 0) || math.IsInf(length, 0) {
		return nil, fmt.Errorf("%w: the references' embedding is zero or not finite", ErrExample)
	}
	row, mean := make([]float64, d), make([]float64, d)
	filled := 0
	for _, n := range documents {
		before := e.n
		for range n {
			length := 0.0
			for j, v := range embeddings[:d] {
				row[j] = float64(v)
				length += row[j] * row[j]
			}
			embeddings = embeddings[d:]
			if length == 0 {
				continue
			}
			if math.IsNaN(length) || math.IsInf(length, 0) {
				return nil, fmt.Errorf("%w: an embedding is not finite", ErrExample)
			}
			length = max(math.Sqrt(length), centroid.UnitEpsilon)
			for j, v := range row {
				mean[j] += v
				row[j] = v / length
			}
			normaliseTo(row, row)
			for _, v := range row {
				e.hat = append(e.hat, T(v))
			}
			e.place = append(e.place, min(e.n-before, positions-1))
			e.n++
		}
		if e.n > before {
			filled++
			for range e.n - before {
				e.share = append(e.share, T(1/float64(e.n-before)))
			}
		}
	}
	if e.n == 0 {
		return nil, fmt.Errorf("%w: want at least one embedding that is not all zeros", ErrExample)
	}
	for k := range e.share {
		e.share[k] /= T(filled)
	}
	for j, v := range mean {
		e.mean[j] = T(v / float64(e.n))
	}
	return e, nil
}
