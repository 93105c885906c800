package core

import (
	"slices"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/core/selection"
)

// embedding lists the methods that use embeddings.
func embedding() []string {
	names := []string{automatic.Name, oracle.Name}
	for i := range methods {
		if methods[i].Embeddings != EmbeddingsNone {
			names = append(names, methods[i].Name)
		}
	}
	return slices.Clip(names)
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

// WeightUse says what a method makes of weights.
type WeightUse string

const (
	// WeightsNone: the method does not look at them.
	WeightsNone WeightUse = ""
	// WeightsRequired: the method is refused without weights.
	WeightsRequired WeightUse = "required"
)

// DefaultDenseWeight is the share of the embeddings in the cosines of method
// hybrid: of the weights that lose nothing on validation and training sets in
// three languages (docs/benchmarks.md), the highest.
const DefaultDenseWeight = 0.3

// blend puts embeddings and TF-IDF vectors of the same sentences together, by
// the job's weight. At 0 and 1 these are the vectors themselves, of whatever
// length: the published methods go by sums of them.
func (j *job) blend(dense *linalg.Dense[float32], sparse *linalg.Sparse) linalg.Rows {
	switch j.weight {
	case 0:
		return sparse
	case 1:
		return dense
	}
	return linalg.NewConcat(dense, sparse, j.weight)
}

// centred is blend of what the embeddings of the cluster have apart: their
// mean direction is taken from each first. Sentences on one subject are all
// alike to an encoder, and a sum of them more so; what is common to all says
// nothing of which to choose. TF-IDF vectors have little in common, so that a
// blend as it is weighs the dense part far beyond its weight.
func (j *job) centred(dense *linalg.Dense[float32], sparse *linalg.Sparse) linalg.Rows {
	if j.weight > 0 && j.weight < 1 {
		dense = linalg.Centred(dense, linalg.MeanDirection(j.dense))
	}
	return j.blend(dense, sparse)
}

// plain is the cluster as the selection sees it, with the mean centroid.
func (j *job) plain() *selection.Problem {
	rows := j.centred(j.dense, j.tfidf(plainWeighting))
	return &selection.Problem{Rows: rows, Centroid: centroid.Mean(rows), Refs: j.refs, Texts: j.texts, Length: j.measure.cost}
}
