package salience

import (
	"math"

	"github.com/cerasum/cerasum/internal/salience"
)

// Corpus holds the training data. Its clusters alternate between the sentence network
// and the pair network, so that the order of the corpus does not matter, and only the
// data of that network is kept: about 70 bytes per sentence, or 100 bytes per
// distinct pair. The zero value is empty.
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
	f.Terms = nil // not an input of the network
	c.pairs = append(c.pairs, Example{&f, e.Used})
}

// Len returns the number of clusters.
func (c *Corpus) Len() int { return len(c.sentences) + len(c.pairs) }

// visitor passes the training data of cluster i to f: inputs x, the target in 0..1
// and its weight. x is valid until the next call.
type visitor func(i int, f func(x []float32, want, weight float64))

// sentences are the sentences of a cluster that have pairs.
type sentences struct {
	inputs       []float32 // SentenceInputs for each
	want, weight []float64
}

// sentencesOf returns the sentences with their targets: the target is the share of a
// sentence's pairs that the references use, the weight the square root of their
// number, divided by that of the number of sentences: see weightOf.
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
		s.want, s.weight = append(s.want, used/n), append(s.weight, math.Sqrt(n)*weightOf(len(e.Features.Of)))
	}
	return s
}

func (c *Corpus) eachSentence(i int, f func(x []float32, want, weight float64)) {
	s := &c.sentences[i]
	for k, want := range s.want {
		f(s.inputs[k*salience.SentenceInputs:(k+1)*salience.SentenceInputs], want, s.weight[k])
	}
}

// weightOf is the weight of one of n sentences or pairs of a cluster: a cluster with
// four times the text counts twice, so that a few long ones do not decide alone.
func weightOf(n int) float64 { return 1 / math.Sqrt(float64(max(1, n))) }

// eachPair visits pairs: the target is the share of the references that have the pair.
func (c *Corpus) eachPair(sentence *salience.Network) visitor {
	return func(i int, f func(x []float32, want, weight float64)) {
		e := &c.pairs[i]
		weight := weightOf(len(e.Used))
		e.Features.Inputs(sentence, func(m int, x []float32) { f(x, float64(e.Used[m]), weight) })
	}
}
