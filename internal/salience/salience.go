// Package salience predicts what a human summary of a cluster would say: how
// likely each pair of neighbouring words is to be in it, and how much of each
// sentence. What it goes by is told in any language: how many documents say
// something, how early, how central the sentence is, how common the words are
// in general text. Two pairs of small networks learned it (internal/train/salience):
// one where the budget is roomy, from Multi-News, and one where it is narrow,
// from OrangeSum. In between [Predict] mixes them.
//
// Start with [Read] and [Predict].
//
// Legend: N sentences, M distinct pairs of neighbouring terms in a sentence.
package salience

import "math"

// Prediction is what [Predict] gives.
type Prediction struct {
	// Sentence holds for each of the N sentences the log-odds of the share of
	// its pairs that a human summary would use.
	Sentence []float64
	// Pair holds for each of the M pairs the probability, in 0..1, that a human
	// summary would have it.
	Pair []float64
}

// Predict runs the experts over what was read of a cluster: roomy alone where
// shortShare is 0, narrow alone at 1, and in between both, their log-odds mixed
// in that proportion. See [ShortShare].
func Predict(f *Features, long, short *Expert, shortShare float64) Prediction {
	p := Prediction{Sentence: make([]float64, f.Sentences()), Pair: make([]float64, f.Pairs())}
	for _, part := range []struct {
		share  float64
		expert *Expert
	}{{1 - shortShare, long}, {shortShare, short}} {
		if part.share == 0 {
			continue
		}
		z := part.expert.Sentence.overSentences(f)
		for k, v := range z {
			p.Sentence[k] += float64(part.share * v)
		}
		f.inputs(z, func(m int, x []float32) { p.Pair[m] += float64(part.share * part.expert.Pair.Run(x)) })
	}
	for m, v := range p.Pair {
		p.Pair[m] = 1 / (1 + math.Exp(-v))
	}
	return p
}

// The words of text for a word of the budget at which the roomy expert alone
// counts, and from which on the narrow one does. Clusters of Multi-News as it was
// learned from have 1.9, documents of OrangeSum 9.4.
const (
	longRatio  = 2
	shortRatio = 3.5
)

// ShortShare of a budget for a text, in 0..1; ratio is the words of the text for
// a word of the budget.
func ShortShare(ratio float64) float64 {
	return max(0, min(1, (ratio-longRatio)/(shortRatio-longRatio)))
}

// Expert is the two networks of one corpus. That of the pairs sees what that of
// the sentences says.
type Expert struct {
	Sentence, Pair *Network
}

// Experts are a pair of them for all budgets, as [Predict] takes them.
type Experts struct {
	LongBudget, ShortBudget *Expert
}

// overSentences returns what the network of the sentences says of the N.
func (n *Network) overSentences(f *Features) []float64 {
	z := make([]float64, f.Sentences())
	for k := range z {
		z[k] = n.Run(f.Sentence[k*SentenceInputs : (k+1)*SentenceInputs])
	}
	return z
}

// overPairs returns for each pair the highest and the mean value of the
// sentences that have it.
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

// Inputs calls visit with those of the pair network for each of the M pairs, of
// length PairInputs; two of them come of what the sentence network says. The slice
// is good until the next call.
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
