package core

import (
	"math"

	"github.com/cerasum/cerasum/core/linalg"
)

const (
	// sameMeaning is the cosine of embeddings from which a sentence in another
	// language says the same.
	sameMeaning = 0.6
	// likelyMeaning is the one that is enough where neither document has a
	// sentence that is nearer: a translation stands out in a document, however
	// well the encoder knows the two languages.
	likelyMeaning = 0.3
)

// counterparts finds the sentences in other languages that say the same as a
// sentence. Its methods must not overlap.
type counterparts struct {
	*job
	length  []float64     // of each embedding
	nearest map[int][]int // see nearestTo
	cosine  []float64     // scratch, of length N
	other   []float64     // scratch, of length N
}

// counterparts are those of the cluster; nil where there is no more than one
// language, or no embedding.
func (j *job) counterparts() *counterparts {
	if !j.multilingual() {
		return nil
	}
	c := &counterparts{
		job: j, length: linalg.SquaredLengths(j.dense), nearest: map[int][]int{},
		cosine: make([]float64, len(j.refs)), other: make([]float64, len(j.refs)),
	}
	for k, norm2 := range c.length {
		c.length[k] = math.Sqrt(norm2)
	}
	return c
}

// acrossTo writes the cosines of the embeddings of row k and of every row in
// another language, 0 for the others.
func (c *counterparts) acrossTo(dst []float64, k int) {
	c.dense.GramRowTo(dst, k)
	language := c.languageOf(k)
	for i := range dst {
		if l := c.length[i] * c.length[k]; l > 0 && c.languageOf(i) != language {
			dst[i] /= l
		} else {
			dst[i] = 0
		}
	}
}

func (c *counterparts) languageOf(k int) string {
	return c.cluster.Documents[c.refs[k].Document].Language
}

// nearestTo gives for each document the row that is nearest row k, whose
// cosines are given; none where no cosine is above 0.
func (c *counterparts) nearestTo(k int, cosine []float64) []int {
	if list, ok := c.nearest[k]; ok {
		return list
	}
	list := make([]int, len(c.cluster.Documents))
	for d := range list {
		list[d] = none
	}
	for i, v := range cosine {
		if d := c.refs[i].Document; v > 0 && (list[d] == none || v > cosine[list[d]]) {
			list[d] = i
		}
	}
	c.nearest[k] = list
	return list
}

const none = -1

// of calls each with the counterparts of row k, ascending, and their cosines.
func (c *counterparts) of(k int, each func(row int, cosine float64)) {
	if c == nil {
		return
	}
	c.acrossTo(c.cosine, k)
	nearest := c.nearestTo(k, c.cosine)
	for i, v := range c.cosine {
		if v >= sameMeaning || v >= likelyMeaning && nearest[c.refs[i].Document] == i && c.isNearest(k, i) {
			each(i, v)
		}
	}
}

// isNearest tells whether of all rows of its document k is the nearest to row i.
func (c *counterparts) isNearest(k, i int) bool {
	nearest, ok := c.nearest[i]
	if !ok {
		c.acrossTo(c.other, i)
		nearest = c.nearestTo(i, c.other)
	}
	return nearest[c.refs[k].Document] == k
}

// repeats is selection.Problem.Repeats for the named rows, ascending.
func (c *counterparts) repeats(rows []int) func(k int) []int {
	if c == nil {
		return nil
	}
	at := make([]int, len(c.refs)) // index in rows + 1
	for i, k := range rows {
		at[k] = i + 1
	}
	return func(k int) (list []int) {
		c.of(rows[k], func(row int, _ float64) {
			if at[row] > 0 {
				list = append(list, at[row]-1)
			}
		})
		return list
	}
}
