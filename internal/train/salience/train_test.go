package salience

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/salience"
)

// texts of a cluster: the reference says what the first sentences of all
// documents say.
func texts(i int) (documents []string, reference string) {
	events := []string{"a storm broke the roof of the old station", "the council voted for a new bridge", "two ships met in thick fog", "the river rose over its banks", "a museum opened its doors again"}
	fillers := []string{"our reporter was there", "more will be told tomorrow morning", "readers may write to us", "it was a cold Tuesday", "nobody wished to comment"}
	event := fmt.Sprintf("%s on day %d", events[i%5], i+1)
	documents = []string{
		"Today " + event + ". Of course " + fillers[i%5] + ". " + strings.ToUpper(fillers[(i+2)%5][:1]) + fillers[(i+2)%5][1:] + ".",
		"Witnesses say that " + event + ". And " + fillers[(i+1)%5] + ". We hear that " + fillers[(i+3)%5] + ".",
	}
	return documents, "Witnesses say that " + event + "."
}

func clusterOf(documents ...string) *cluster.Cluster {
	c := &cluster.Cluster{}
	for _, d := range documents {
		c.Documents = append(c.Documents, cluster.Document{Text: d, Language: "en"})
	}
	return c
}

func example(t *testing.T, i int) Example {
	t.Helper()
	documents, reference := texts(i)
	e, err := NewExample(t.Context(), clusterOf(documents...), []string{reference}, 12)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestUsed reads a cluster by hand.
func TestUsed(t *testing.T) {
	c := clusterOf("Red birds sang. Blue fish swam.", "Blue fish slept.")
	references := []string{
		"Blue fish swam and blue fish swam.", // a pair counts once
		" \n",                                // no reference
		"Red birds slept. Sang blue fish?",   // sentences are read apart, and in order
	}
	e, err := NewExample(t.Context(), c, references, 5)
	if err != nil {
		t.Fatal(err)
	}
	// Pairs in the order of first appearance: red birds, birds sang, blue fish,
	// fish swam, fish slept.
	if want := []float32{0.5, 0, 1, 0.5, 0}; !slices.Equal(e.Used, want) {
		t.Errorf("used %v, want %v", e.Used, want)
	}
	if f := e.Features; f.Sentences() != 3 || f.Pairs() != 5 || fmt.Sprint(f.Of) != "[[0 1] [2 3] [2 4]]" {
		t.Errorf("%d sentences, %d pairs, %v", f.Sentences(), f.Pairs(), f.Of)
	}
	s := sentencesOf(e)
	if want := []float64{0.25, 0.75, 0.5}; !slices.Equal(s.want, want) || !slices.Equal(s.weight, []float64{math.Sqrt2 / math.Sqrt(3), math.Sqrt2 / math.Sqrt(3), math.Sqrt2 / math.Sqrt(3)}) {
		t.Errorf("sentences want %v by %v", s.want, s.weight)
	}
}

func TestNoExample(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		ctx        context.Context
		text       string
		references []string
		budget     int
		want       error
	}{
		"no references":    {t.Context(), "Red birds sang.", nil, 5, ErrExample},
		"no word":          {t.Context(), "Red birds sang.", []string{"", "…"}, 5, ErrExample},
		"no text":          {t.Context(), "...", []string{"Birds."}, 5, core.ErrNoText},
		"a budget of 0":    {t.Context(), "Red birds sang.", []string{"Birds."}, 0, core.ErrOption},
		"an ended context": {ctx, "Red birds sang.", []string{"Birds."}, 5, context.Canceled},
	} {
		if e, err := NewExample(test.ctx, clusterOf(test.text), test.references, test.budget); !errors.Is(err, test.want) || e.Features != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHalves: the clusters go in turn to the two networks.
func TestHalves(t *testing.T) {
	c := &Corpus{}
	for i := range 5 {
		e := example(t, i)
		c.Add(e)
		if c.Len() != i+1 {
			t.Fatalf("%d clusters after %d", c.Len(), i+1)
		}
		if i%2 == 0 {
			if got := c.sentences[i/2]; !slices.Equal(got.inputs, e.Features.Sentence) || !slices.Equal(got.want, sentencesOf(e).want) {
				t.Errorf("cluster %d: sentences %v", i, got)
			}
			continue
		}
		got := c.pairs[i/2]
		if !slices.Equal(got.Used, e.Used) || got.Features.Pairs() != e.Features.Pairs() || got.Features.Terms != nil || e.Features.Terms == nil {
			t.Errorf("cluster %d: %+v", i, got.Features)
		}
	}
	if len(c.sentences) != 3 || len(c.pairs) != 2 {
		t.Errorf("%d clusters for the sentences, %d for the pairs", len(c.sentences), len(c.pairs))
	}
}

// trained trains on stories, in which what the first sentences say is used.
func trained(t *testing.T, p Params) (*salience.Expert, map[string][]float64) {
	t.Helper()
	losses := map[string][]float64{}
	e, err := Train(t.Context(), aCorpus(t, 40), p, func(network string, epoch, epochs int, loss float64) {
		losses[network] = append(losses[network], loss)
		if epoch != len(losses[network]) || epoch > epochs {
			t.Errorf("%s: epoch %d of %d after %d", network, epoch, epochs, len(losses[network])-1)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return e, losses
}

func small() Params {
	p := DefaultParams()
	p.Hidden, p.SentenceEpochs, p.PairEpochs, p.SentenceRate, p.PairRate, p.Batch = 4, 30, 20, 0.02, 0.02, 4
	return p
}

// TestLearns: the loss falls, and the expert predicts the reference of an
// unseen cluster.
func TestLearns(t *testing.T) {
	e, losses := trained(t, small())
	for network, want := range map[string]int{"sentences": 30, "pairs": 20} {
		// Of the two members, one after the other.
		l := losses[network]
		if len(l) != 2*want || !(l[want-1] < 0.7*l[0]) || !(l[2*want-1] < 0.7*l[want]) {
			t.Errorf("%s: losses %.3f", network, l)
		}
	}
	held := example(t, 41)
	p := salience.Predict(held.Features, e, e, 0)
	for k, z := range p.Sentence {
		if first := k%3 == 0; first != (z > p.Sentence[1]+1e-9 && z > p.Sentence[2]+1e-9) {
			t.Errorf("sentence %d: log-odds %v of %v", k, z, p.Sentence)
		}
	}
	var used, unused, ofUsed, ofUnused float64
	for m, share := range held.Used {
		if share > 0 {
			used, ofUsed = used+p.Pair[m], ofUsed+1
		} else {
			unused, ofUnused = unused+p.Pair[m], ofUnused+1
		}
	}
	if !(used/ofUsed > 0.7 && unused/ofUnused < 0.2) {
		t.Errorf("pairs that the reference has: %.2f, others: %.2f", used/ofUsed, unused/ofUnused)
	}
}

func TestSameBytes(t *testing.T) {
	p := small()
	p.SentenceEpochs, p.PairEpochs = 3, 2
	first, _ := trained(t, p)
	again, _ := trained(t, p)
	if !bytes.Equal(salience.Encode(first), salience.Encode(again)) {
		t.Error("the same corpus and parameters give other bytes")
	}
	p.Seed++
	if other, _ := trained(t, p); bytes.Equal(salience.Encode(first), salience.Encode(other)) {
		t.Error("another seed gives the same bytes")
	}
}

func TestTrainErrors(t *testing.T) {
	two := aCorpus(t, 2)
	for name, change := range map[string]func(*Params){
		"want 1 to 255, got 0":                 func(p *Params) { p.Hidden = 0 },
		"want 1 to 255, got 256":               func(p *Params) { p.Hidden = 256 },
		"epochs: want at least 1, got 0 and 3": func(p *Params) { p.SentenceEpochs = 0 },
		"got 4 and -1":                         func(p *Params) { p.PairEpochs = -1 },
		"batch: want at least 1, got 0":        func(p *Params) { p.Batch = 0 },
		"want more than 0, got 0 and":          func(p *Params) { p.SentenceRate = 0 },
		"got 0.002 and N":                      func(p *Params) { p.PairRate = math.NaN() },
		"got +Inf and":                         func(p *Params) { p.SentenceRate = math.Inf(1) },
		// Parameters become infinite, and their product with an input no number.
		"the learning rate is too high": func(p *Params) { p.SentenceRate, p.SentenceEpochs = 1e308, 9 },
	} {
		p := DefaultParams()
		change(&p)
		if e, err := Train(t.Context(), two, p, nil); !errors.Is(err, ErrParams) || !strings.Contains(err.Error(), name) || e != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Train(t.Context(), aCorpus(t, 1), DefaultParams(), nil); !errors.Is(err, ErrExample) || !strings.Contains(err.Error(), "want at least 2 clusters, got 1") {
		t.Errorf("one cluster: %v", err)
	}
	words := &Corpus{}
	for range 4 {
		e, err := NewExample(t.Context(), clusterOf("Birds."), []string{"Birds."}, 5)
		if err != nil {
			t.Fatal(err)
		}
		words.Add(e)
	}
	if _, err := Train(t.Context(), words, DefaultParams(), nil); !errors.Is(err, ErrExample) || !strings.Contains(err.Error(), "two consecutive words") {
		t.Errorf("clusters of one word: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if e, err := Train(ctx, two, DefaultParams(), func(string, int, int, float64) { cancel() }); !errors.Is(err, context.Canceled) || e != nil {
		t.Errorf("ended: %v", err)
	}
}
