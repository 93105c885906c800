package salience

import (
	"math"

	"github.com/cerasum/cerasum/internal/salience"
)

// Corpus is what there is to learn from. Its clusters go in turn to the sentence
// network and to the pair network, so that a corpus in any order serves both,
// and of each that alone is kept which its network learns from: the first of two
// takes some 70 bytes a sentence, the second 100 bytes a distinct pair. The zero
// value is empty.
type Corpus struct {
	sentences []sentences
	pairs     []Example
}

// Add adds a cluster.
func (c *Corpus) Add(e Example) {
	if len(c.sentences) == len(c.pairs) {
		c.sentences = append(c.sentences, sentencesOf(e))
		return
	}
	f := *e.Features
	f.Terms = nil // no input of the network
	c.pairs = append(c.pairs, Example{&f, e.Used})
}

// Len is the number of clusters.
func (c *Corpus) Len() int { return len(c.sentences) + len(c.pairs) }

// visitor hands out what is learned from cluster i: inputs x, what the network
// should say in 0..1, and how much that counts. x is good until the next call.
type visitor func(i int, f func(x []float32, want, weight float64))

// sentences are those of a cluster that have pairs.
type sentences struct {
	inputs       []float32 // SentenceInputs for each
	want, weight []float64
}

// sentencesOf: a sentence should say the share of its pairs that the references
// use, and counts by the root of their number.
func sentencesOf(e Example) (s sentences) {
	for k, pairs := range e.Features.Of {
		if len(pairs) == 0 {
			continue
		}
		used := 0.0
		for _, m := range pairs {
			used += float64(e.Used[m])
		}
		n := float64(len(pairs))
		s.inputs = append(s.inputs, e.Features.Sentence[k*salience.SentenceInputs:(k+1)*salience.SentenceInputs]...)
		s.want, s.weight = append(s.want, used/n), append(s.weight, math.Sqrt(n))
	}
	return s
}

func (c *Corpus) eachSentence(i int, f func(x []float32, want, weight float64)) {
	s := &c.sentences[i]
	for k, want := range s.want {
		f(s.inputs[k*salience.SentenceInputs:(k+1)*salience.SentenceInputs], want, s.weight[k])
	}
}

// eachPair: a pair should say the share of the references that have it.
func (c *Corpus) eachPair(sentence *salience.Network) visitor {
	return func(i int, f func(x []float32, want, weight float64)) {
		e := &c.pairs[i]
		e.Features.Inputs(sentence, func(m int, x []float32) { f(x, float64(e.Used[m]), 1) })
	}
}
