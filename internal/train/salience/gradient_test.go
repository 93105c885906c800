package salience

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/cerasum/cerasum/internal/salience"
)

// aModel is one with random parameters, and inputs of which one is not seen and
// some are clipped.
func aModel(t *testing.T, random *rand.Rand, inputs, hidden int) *model {
	t.Helper()
	m := &model{inputs: inputs, hidden: hidden, mean: make([]float64, inputs), scale: make([]float64, inputs)}
	for i := range m.mean {
		m.mean[i], m.scale[i] = float64(float32(random.NormFloat64())), float64(float32(random.Float64()))
	}
	m.scale[inputs-1] = 0
	m.values = make([]float64, m.size())
	for i := range m.values {
		m.values[i] = float64(float32(0.5 * random.NormFloat64()))
	}
	return m
}

// aCorpus is one of stories.
func aCorpus(t *testing.T, clusters int) *Corpus {
	t.Helper()
	c := &Corpus{}
	for i := range clusters {
		c.Add(example(t, i))
	}
	return c
}

// TestGradients compares both networks' gradients with finite differences, for
// one cluster and for a batch.
func TestGradients(t *testing.T) {
	c := aCorpus(t, 6)
	random := rand.New(rand.NewPCG(7, 7))
	sentence := aModel(t, random, salience.SentenceInputs, 5)
	for name, test := range map[string]struct {
		m     *model
		visit visitor
	}{
		"sentences": {sentence, c.eachSentence},
		"pairs":     {aModel(t, random, salience.PairInputs, 4), c.eachPair(sentence.network())},
	} {
		m := test.m
		l := &learner{inputs: m.inputs, clusters: 3, visit: test.visit, params: Params{Hidden: m.hidden}}
		for _, batch := range [][]int{{0}, {2, 0, 1}} {
			g := l.gradient(m, batch)
			if g.weight == 0 || g.loss <= 0 {
				t.Fatalf("%s: loss %v of weight %v", name, g.loss, g.weight)
			}
			largest := 0.0
			for _, v := range g.values {
				largest = max(largest, math.Abs(v))
			}
			const step = 1e-5
			for i, v := range m.values {
				m.values[i] = v + step
				above := l.gradient(m, batch).loss
				m.values[i] = v - step
				below := l.gradient(m, batch).loss
				m.values[i] = v
				if want := (above - below) / (2 * step); math.Abs(g.values[i]-want) > 1e-7*largest+1e-9 {
					t.Errorf("%s, batch %v: gradient %d is %v, finite differences say %v", name, batch, i, g.values[i], want)
				}
			}
		}
		// The input without scale changes nothing.
		for h := range m.hidden {
			if v := l.gradient(m, []int{0}).values[h*m.inputs+m.inputs-1]; v != 0 {
				t.Errorf("%s: an input that is not seen has gradient %v", name, v)
			}
		}
	}
}

// TestLearnedIsWhatRuns: internal/salience runs the network that the loss is of.
func TestLearnedIsWhatRuns(t *testing.T) {
	c := aCorpus(t, 2)
	m := aModel(t, rand.New(rand.NewPCG(8, 8)), salience.SentenceInputs, 3)
	n := m.network()
	loss := 0.0
	c.eachSentence(0, func(x []float32, want, weight float64) {
		p := 1 / (1 + math.Exp(-n.Run(x)))
		loss -= weight * (want*math.Log(p) + (1-want)*math.Log(1-p))
	})
	l := &learner{inputs: m.inputs, clusters: 1, visit: c.eachSentence}
	if got := l.of(m, 0).loss; math.Abs(got-loss) > 1e-5*loss {
		t.Errorf("loss %v while learning, %v by the network", got, loss)
	}
}
