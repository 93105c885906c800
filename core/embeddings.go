package core

import (
	"math"
	"slices"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/internal/errorf"
)

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

// maxDimensions of an embedding: far more than any encoder has.
const maxDimensions = 1 << 16

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
	if o.Dimensions < 1 || o.Dimensions > maxDimensions {
		return errorf.Errorf("%w: dimensions is %d: want 1 to %d", ErrOption, o.Dimensions, maxDimensions)
	}
	return checkRows("embeddings", o.Embeddings, n, o.Dimensions)
}

// checkRows refuses a matrix that is not n × d, or holds what is no number.
func checkRows(name string, data []float32, n, d int) error {
	if len(data) != n*d {
		return errorf.Errorf("%w: %s: %d numbers for %d sentences of %d dimensions: want %d", ErrOption, name, len(data), n, d, n*d)
	}
	for i, v := range data {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return errorf.Errorf("%w: %s: dimension %d of sentence %d is %v: want a finite number", ErrOption, name, i%d, i/d, float64(v))
		}
	}
	return nil
}

// embed takes over the embeddings, with zeros for the sentences in languages
// that the encoder does not know.
func (j *job) embed() {
	o := j.options
	if o.Embeddings == nil {
		return
	}
	m := &linalg.Dense[float32]{Data: o.Embeddings, Cols: o.Dimensions}
	copied := false
	for k, r := range j.refs {
		if o.knows(j.cluster.Documents[r.Document].Language) {
			continue
		}
		if !copied {
			m.Data, copied = slices.Clone(m.Data), true
		}
		clear(m.Row(k))
	}
	if slices.ContainsFunc(m.Data, func(v float32) bool { return v != 0 }) {
		j.dense = m
	}
}

// knows tells whether the encoder knows a language. A text too short to tell
// its language is given the benefit of the doubt.
func (o *Options) knows(language string) bool {
	switch language {
	case "no", "nn": // its written forms have one tag here
		language = "nb"
	}
	return o.EncoderLanguages == nil || language == "" || slices.Contains(o.EncoderLanguages, language)
}

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
	rows := j.centred(j.dense, j.analysis.TFIDF(plainWeighting))
	return &selection.Problem{Rows: rows, Centroid: centroid.Mean(rows), Refs: j.refs, Texts: j.texts, Length: j.measure.cost}
}
