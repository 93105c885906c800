package core

import (
	"context"
	"math"

	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/core/selection"
)

const (
	// multilingualWeight is the share of the embeddings in the cosines of
	// method multilingual.
	multilingualWeight = 0.5
	// sameMeaning is the cosine of embeddings from which a sentence in another
	// language says the same: only one of them is quoted.
	sameMeaning = 0.6
)

// runMultilingual is runInstant in the space of embeddings and TF-IDF vectors
// together, where what is central in meaning is central in every language.
func runMultilingual(ctx context.Context, j *job) (selection.Result, *selection.Problem, error) {
	return j.cover(ctx, instantRecipe)
}

// repeats is selection.Problem.Repeats for the named rows: what other languages
// have that says the same. It is nil where nothing can be told.
func (j *job) repeats(rows []int) func(k int) []int {
	if !j.multilingual() {
		return nil
	}
	cosines := make([]float64, len(j.refs))
	return func(k int) []int {
		j.acrossTo(cosines, rows[k])
		var list []int
		for i, r := range rows {
			if cosines[r] >= sameMeaning {
				list = append(list, i)
			}
		}
		return list
	}
}

// acrossTo writes the cosines of the embeddings of row k and of every row in
// another language, 0 for the others.
func (j *job) acrossTo(dst []float64, k int) {
	if j.lengths == nil {
		j.lengths = linalg.SquaredLengths(j.dense)
		for i, norm2 := range j.lengths {
			j.lengths[i] = math.Sqrt(norm2)
		}
	}
	j.dense.GramRowTo(dst, k)
	language := j.cluster.Documents[j.refs[k].Document].Language
	for i, r := range j.refs {
		if l := j.lengths[i] * j.lengths[k]; l > 0 && j.cluster.Documents[r.Document].Language != language {
			dst[i] /= l
		} else {
			dst[i] = 0
		}
	}
}

// multilingual tells whether there are embeddings and documents in different
// languages. One whose language could not be told does not count.
func (j *job) multilingual() bool {
	if j.dense == nil {
		return false
	}
	first := ""
	for i := range j.cluster.Documents {
		d := &j.cluster.Documents[i]
		switch {
		case len(d.Sentences) == 0 || d.Language == "":
		case first == "":
			first = d.Language
		case d.Language != first:
			return true
		}
	}
	return false
}
