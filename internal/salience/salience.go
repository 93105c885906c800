// Package salience predicts what a human summary of a cluster would say: for each
// pair of neighbouring words the probability that it appears, and for each sentence
// the share of its pairs that do. The inputs are independent of the language: how
// many documents contain a pair, how early, how central its sentences are, how
// common the words are in general text. An expert is two small networks
// (internal/train/salience). The general one learned from single documents: articles,
// papers and meetings, all freely licensed. What several documents agree on is not
// learned: [Features.Support] weighs the predictions by it. A second expert, for long
// budgets, learned from Multi-News, which may not be used for business.
//
// Start with [Read] and [Predict].
//
// Legend: N sentences, M distinct pairs of neighbouring terms in a sentence.
package salience

import "math"

// Prediction is the result of [Predict].
type Prediction struct {
	// Sentence holds for each of the N sentences the log-odds of the share of
	// its pairs that a human summary would contain.
	Sentence []float64
	// Pair holds for each of the M pairs the probability, in 0..1, that a human
	// summary contains it.
	Pair []float64
}

// Predict runs the experts on the features of a cluster: only general if longShare
// is 0, only long if it is 1; in between their log-odds are mixed in that
// proportion. See [LongShare].
func Predict(f *Features, general, long *Expert, longShare float64) Prediction {
	p := Prediction{Sentence: make([]float64, f.Sentences()), Pair: make([]float64, f.Pairs())}
	for _, part := range []struct {
		share  float64
		expert *Expert
	}{{1 - longShare, general}, {longShare, long}} {
		if part.share == 0 {
			continue
		}
		z := f.partialFor(part.expert).predict(f, part.share, p.Pair)
		for k, v := range z {
			p.Sentence[k] += float64(part.share * v)
		}
	}
	for m, v := range p.Pair {
		p.Pair[m] = 1 / (1 + math.Exp(-v))
	}
	return p
}

// predict returns the output of the sentence network for the N sentences, and adds
// share times that of the pair network to pair.
func (p *partial) predict(f *Features, share float64, pair []float64) []float64 {
	z := make([]float64, f.Sentences())
	scratch := make([]float64, max(len(p.sentence.Output), len(p.pair.Output)))
	ratio := []float64{p.sentence.scaled(sentenceRatio, f.ratio)}
	for k := range z {
		z[k] = p.sentence.run(k, ratio, scratch[:len(p.sentence.Output)])
	}
	highest, mean := f.overPairs(z)
	x := []float64{p.pair.scaled(pairRatio, f.ratio), 0, 0}
	for m := range pair {
		x[1] = p.pair.scaled(pairInputs, float32(highest[m]))
		x[2] = p.pair.scaled(pairInputs+1, float32(mean[m]))
		pair[m] += float64(share * p.pair.run(m, x, scratch[:len(p.pair.Output)]))
	}
	return z
}

// Words of text per word of the budget up to which only the long-budget expert
// counts, and from which on only the general one does. The training clusters of
// Multi-News have 1.9.
const (
	longRatio    = 2
	generalRatio = 3
)

// LongShare returns the weight of the long-budget expert, in 0..1, in a cluster of
// that many documents; ratio is the words of the text per word of the budget. A
// single document has none.
func LongShare(documents int, ratio float64) float64 {
	if documents < 2 {
		return 0
	}
	return max(0, min(1, (generalRatio-ratio)/(generalRatio-longRatio)))
}

// How much it counts that documents agree: see [Features.Support]. Chosen on
// newswire (docs/benchmarks.md).
const (
	supportExponent = 0.7
	singleDocument  = 0.25
)

// Support returns for each of the M pairs, in 0..1, how many documents say it, and
// how early: (Σ e^(−k/10) / documents)^0.7 over the documents that have the pair,
// first in their sentence k. Where one document of several has it, that is divided by
// half their number, at most by 4. Gillick and Favre 2009 weigh pairs by the number
// of documents. For a single document it is 1.
func (f *Features) Support() []float64 { return f.support }

func supportOf(early, documents, all float64) float64 {
	if all < 2 {
		return 1
	}
	s := math.Pow(early/all, supportExponent)
	if documents == 1 {
		s *= max(singleDocument, 2/all)
	}
	return s
}

// Expert is the two networks trained on one corpus. The input of the pair network
// includes the output of the sentence network.
type Expert struct {
	Sentence, Pair *Network
}

// Experts are those used by [Predict].
type Experts struct {
	General, LongBudget *Expert
}

// overSentences returns the output of the sentence network for the N sentences.
func (n *Network) overSentences(f *Features) []float64 {
	z := make([]float64, f.Sentences())
	for k := range z {
		z[k] = n.Run(f.Sentence[k*SentenceInputs : (k+1)*SentenceInputs])
	}
	return z
}

// overPairs returns for each pair the highest and the mean value of its
// sentences.
func (f *Features) overPairs(z []float64) (highest, mean []float64) {
	n := f.Pairs()
	highest, mean = make([]float64, n), make([]float64, n)
	count := make([]float64, n)
	for k, pairs := range f.Of {
		for _, m := range pairs {
			if count[m] == 0 || z[k] > highest[m] {
				highest[m] = z[k]
			}
			mean[m] += z[k]
			count[m]++
		}
	}
	for m, c := range count {
		mean[m] /= c
	}
	return highest, mean
}

// Inputs calls visit with the inputs of the pair network for each of the M pairs,
// of length PairInputs; two of them come from the sentence network. The slice is
// valid until the next call.
func (f *Features) Inputs(sentence *Network, visit func(m int, x []float32)) {
	f.inputs(sentence.overSentences(f), visit)
}

// inputs is Inputs; z are the log-odds of the sentences.
func (f *Features) inputs(z []float64, visit func(m int, x []float32)) {
	x := make([]float32, PairInputs)
	highest, mean := f.overPairs(z)
	for m := range highest {
		f.pairTo(x, m, highest[m], mean[m])
		visit(m, x)
	}
}
