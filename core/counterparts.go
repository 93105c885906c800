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
	length  []float64 // of each embedding
	first   []int     // of each document, and of one after the last: its first row
	cosine  []float64 // scratch, of length N
	nearest []int     // scratch, one of each document
}

// counterparts are those of the cluster; nil where there is no more than one
// language, or no embedding.
func (j *job) counterparts() *counterparts {
	if !j.multilingual() {
		return nil
	}
	c := &counterparts{job: j, length: linalg.SquaredLengths(j.dense), first: []int{0}, cosine: make([]float64, len(j.refs))}
	for k, norm2 := range c.length {
		c.length[k] = math.Sqrt(norm2)
	}
	for d := range j.cluster.Documents {
		c.first = append(c.first, c.first[d]+len(j.cluster.Documents[d].Sentences))
	}
	c.nearest = make([]int, len(j.cluster.Documents))
	return c
}

// of calls each with the counterparts of row k, ascending, and their cosines:
// a row in another language whose cosine is at least sameMeaning; or at least
// likelyMeaning, where each of the two is in its document the one nearest the
// other.
func (c *counterparts) of(k int, each func(row int, cosine float64)) {
	if c == nil || c.length[k] == 0 {
		return
	}
	documents := c.cluster.Documents
	c.dense.GramRowTo(c.cosine, k)
	for d := range documents {
		c.nearest[d] = c.first[d]
		for i := c.first[d]; i < c.first[d+1]; i++ {
			if c.length[i] == 0 || documents[d].Language == documents[c.refs[k].Document].Language {
				c.cosine[i] = 0
				continue
			}
			c.cosine[i] /= c.length[i] * c.length[k]
			if c.cosine[i] > c.cosine[c.nearest[d]] {
				c.nearest[d] = i
			}
		}
	}
	for i, v := range c.cosine {
		if v >= sameMeaning || v >= likelyMeaning && c.nearest[c.refs[i].Document] == i && c.isNearest(k, i) {
			each(i, v)
		}
	}
}

// isNearest tells whether of all rows of its document k is the nearest to row i.
func (c *counterparts) isNearest(k, i int) bool {
	from, to := c.first[c.refs[k].Document], c.first[c.refs[k].Document+1]
	products := make([]float64, to-from)
	c.dense.GramPartTo(products, i, from)
	for r, v := range products {
		if l := c.length[from+r]; l > 0 && v/l > products[k-from]/c.length[k] {
			return false
		}
	}
	return true
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
