package core

import (
	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/core/selection"
)

// EmbeddingUse says whether a method uses embeddings.
type EmbeddingUse string

const (
	// EmbeddingsNone: the method uses words only.
	EmbeddingsNone EmbeddingUse = "none"
	// EmbeddingsOptional: the method uses embeddings if there are any, and TF-IDF
	// vectors otherwise.
	EmbeddingsOptional EmbeddingUse = "optional"
	// EmbeddingsRequired: the method is refused without embeddings.
	EmbeddingsRequired EmbeddingUse = "required"
)

// WeightUse says whether a method uses weights.
type WeightUse string

const (
	// WeightsNone: the method does not use weights.
	WeightsNone WeightUse = ""
	// WeightsRequired: the method is refused without weights.
	WeightsRequired WeightUse = "required"
)

// DefaultDenseWeight is the default dense weight of method hybrid: the highest that
// loses nothing on validation and training sets in three languages
// (docs/benchmarks.md).
const DefaultDenseWeight = 0.3

// blend concatenates embeddings and TF-IDF vectors of the same sentences by the job's
// weight. At 0 and 1 it returns the vectors themselves, unscaled: the published
// methods use sums of them.
func (j *job) blend(dense *linalg.Dense[float32], sparse *linalg.Sparse) linalg.Rows {
	switch j.weight {
	case 0:
		return sparse
	case 1:
		return dense
	}
	return linalg.NewConcat(dense, sparse, j.weight)
}

// centred is blend after subtracting the mean direction of the cluster's embeddings.
// Embeddings of sentences about one subject are similar, and what they have in common
// does not help to select among them. TF-IDF vectors have little in common: without
// centring, the embeddings would outweigh them.
func (j *job) centred(dense *linalg.Dense[float32], sparse *linalg.Sparse) linalg.Rows {
	if j.weight > 0 && j.weight < 1 {
		dense = linalg.Centred(dense, linalg.MeanDirection(j.dense))
	}
	return j.blend(dense, sparse)
}

// plain returns the cluster as a selection problem with the mean centroid.
func (j *job) plain() *selection.Problem {
	rows := j.centred(j.dense, j.tfidf(plainWeighting))
	return &selection.Problem{Rows: rows, Centroid: centroid.Mean(rows), Refs: j.refs, Texts: j.texts, Length: j.measure.cost, Support: j.support}
}

// leaveOutUnread keeps sentences without embedding from being quoted if others of their
// document have one: an encoder has read only some, see [Session.ToEmbed], and vectors of
// words alone cannot be compared with blends. Documents in a language that the encoder does
// not know have no embeddings at all, and stay. So do all sentences if those with
// embeddings are not longer than the budget.
func (j *job) leaveOutUnread() {
	norm2 := linalg.SquaredLengths(j.dense)
	read, length := make([]bool, len(j.cluster.Documents)), 0
	for k, v := range norm2 {
		if v > 0 {
			read[j.refs[k].Document] = true
			if !j.supports(k) {
				length += j.measure.cost[k]
			}
		}
	}
	if length <= j.measure.budget {
		return
	}
	var support []bool
	for k, v := range norm2 {
		if v == 0 && read[j.refs[k].Document] {
			if support == nil {
				support = make([]bool, len(norm2))
				copy(support, j.support)
			}
			support[k] = true
		}
	}
	if support != nil {
		j.support = support
	}
}
