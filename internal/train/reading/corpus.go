// Package reading trains the weights with which internal/reading judges whether a
// sentence stands alone. It needs no labels for that: first sentences of documents and
// of human summaries do, and what an editor quoted; of the others many do not.
//
// Start with [Corpus] and [Train].
package reading

import (
	"strings"

	"github.com/cerasum/cerasum/internal/reading"
	"github.com/cerasum/cerasum/internal/text"
)

// Corpus holds the signals of sentences, in groups that count alike. The zero value is
// empty.
type Corpus struct {
	groups map[string]*group
	names  []string
}

type group struct {
	labelled, others [][]float64
}

// row is a sentence for training.
type row struct {
	x            []float64
	want, weight float64
}

// Len returns the number of labelled sentences and that of the others.
func (c *Corpus) Len() (labelled, others int) {
	for _, g := range c.groups {
		labelled += len(g.labelled)
		others += len(g.others)
	}
	return labelled, others
}

// Add adds the sentences of a document. standing says which of them stand alone, as far
// as is known.
func (c *Corpus) Add(name, language string, sentences []string, standing func(i int) bool) {
	g := c.group(name)
	reading.Signals(sentences, language, func(i int, x []float64) {
		x = append([]float64(nil), x...)
		if standing(i) {
			g.labelled = append(g.labelled, x)
		} else {
			g.others = append(g.others, x)
		}
	})
}

// AddSummary adds the first sentence of a human summary of a document, as if it stood
// among the document's sentences.
func (c *Corpus) AddSummary(name, language string, document []string, summary string) {
	first := Sentences(summary, language)
	if len(first) == 0 {
		return
	}
	g := c.group(name)
	reading.Signals(append(document[:len(document):len(document)], first[0]), language, func(i int, x []float64) {
		if i == len(document) {
			g.labelled = append(g.labelled, append([]float64(nil), x...))
		}
	})
}

func (c *Corpus) group(name string) *group {
	g := c.groups[name]
	if g == nil {
		if c.groups == nil {
			c.groups = map[string]*group{}
		}
		g = &group{}
		c.groups[name] = g
		c.names = append(c.names, name)
	}
	return g
}

// rows returns all sentences. A group weighs by the square root of its labelled
// sentences, half for those, half for the others.
func (c *Corpus) rows() (rows []row) {
	for _, name := range c.names {
		g := c.groups[name]
		if len(g.labelled) == 0 || len(g.others) == 0 {
			continue
		}
		n := float64(len(g.labelled))
		weight := sqrt(n)
		for _, x := range g.labelled {
			rows = append(rows, row{x, 1, weight / n})
		}
		for _, x := range g.others {
			rows = append(rows, row{x, 0, weight / float64(len(g.others))})
		}
	}
	return rows
}

// Sentences splits a text.
func Sentences(document, language string) []string {
	var list []string
	for _, s := range text.Split(document, language) {
		list = append(list, s.Text)
	}
	return list
}

// Lead returns the index of the first sentence of a document that ends as a sentence
// does, among the first three: headlines stand before it. It is -1 if there is none.
func Lead(sentences []string) int {
	for i, s := range sentences[:min(3, len(sentences))] {
		if text.Closed(s) && strings.Count(s, " ")+len(s)/30 > 4 {
			return i
		}
	}
	return -1
}
