package core

import (
	"math"

	"github.com/cerasum/cerasum/core/linalg"
)

const (
	// sameMeaning is the cosine of embeddings above which two sentences in different
	// languages are translations.
	sameMeaning = 0.65
	// likelyMeaning suffices if each is the nearest to the other in its document: a
	// translation stands out however well the encoder knows the two languages. In 24
	// articles of NTREX, each in two of 30 languages, 99.5 % of these pairs were
	// translations, and they were 91 % of all translations; a cosine of 0.65 alone gave 97
	// and 38 %, one of 0.5 gave 72 and 82 %.
	likelyMeaning = 0.3
	// maxCompared is the number of sentences up to which all documents are compared
	// sentence by sentence.
	maxCompared = 1000
)

// translations finds sentences in other languages that translate a sentence. Its
// methods must not run concurrently.
type translations struct {
	*parallels
	dense   *linalg.Dense[float32]
	length  []float64 // of each embedding; nil without embeddings
	cosine  []float64 // scratch, of length N; zeros without embeddings
	nearest []int     // scratch, one of each document
}

// translations returns those of the session, computed once with and once without
// embeddings; nil if there is one language.
func (j *job) translations() *translations {
	if !j.multilingual() {
		return nil
	}
	at := &j.cache.translations[0]
	if j.dense != nil {
		at = &j.cache.translations[1]
	}
	if *at == nil {
		*at = j.newTranslations()
	}
	return *at
}

func (j *job) newTranslations() *translations {
	c := &translations{parallels: newParallels(j.Session), dense: j.dense, cosine: make([]float64, len(j.refs)), nearest: make([]int, len(j.cluster.Documents))}
	if j.dense != nil {
		c.length = linalg.SquaredLengths(j.dense)
		for k, norm2 := range c.length {
			c.length[k] = math.Sqrt(norm2)
		}
		if len(j.refs) <= maxCompared {
			c.parallels.anchors = c.anchors
		}
	}
	return c
}

// of calls each with the translations of row k, in ascending order, and their
// cosines, 0 without embeddings. A row in another language is one if its cosine is at
// least sameMeaning; if it is at least likelyMeaning and each is the nearest to the
// other in its document; or if it is aligned with k in a document that translates
// that of k.
func (c *translations) of(k int, each func(row int, cosine float64)) {
	if c == nil {
		return
	}
	c.cosinesOf(k)
	translations := c.translating(c.refs[k].Document)
	for i, v := range c.cosine {
		d := c.refs[i].Document
		switch {
		case v >= sameMeaning,
			v >= likelyMeaning && c.nearest[d] == i && c.isNearest(k, i),
			translations[d] && c.together(k, i):
			each(i, v)
		}
	}
}

// cosinesOf computes the cosines between row k and the rows in other languages, 0 for
// the rest, and the nearest row in each document.
func (c *translations) cosinesOf(k int) {
	if c.length == nil || c.length[k] == 0 {
		clear(c.cosine)
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
}

// isNearest reports whether k is the row of its document nearest to row i.
func (c *translations) isNearest(k, i int) bool {
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

// anchors lists the pairs of rows, one of document d and one of e, that are nearest to
// each other and at least likely translations.
func (c *translations) anchors(d, e int) (pairs [][2]int) {
	theirs := make([]float64, c.first[e+1]-c.first[e])
	for k := c.first[d]; k < c.first[d+1]; k++ {
		if c.length[k] == 0 {
			continue
		}
		c.dense.GramPartTo(theirs, k, c.first[e])
		best, cosine := 0, 0.0
		for i, v := range theirs {
			if l := c.length[k] * c.length[c.first[e]+i]; l > 0 && v > cosine*l {
				best, cosine = i, v/l
			}
		}
		if i := c.first[e] + best; cosine >= likelyMeaning && c.isNearest(k, i) {
			pairs = append(pairs, [2]int{k, i})
		}
	}
	return pairs
}

// repeats returns selection.Problem.Translations for the given rows, ascending.
func (c *translations) repeats(rows []int) func(k int) []int {
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
