package core

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/internal/reference"
)

// someWeights returns random weights of the scale of an initialized layer.
func someWeights(dimensions, positions int, interpolation bool) *centroid.Weights[float32] {
	w := centroid.NewWeights[float32](dimensions, positions, interpolation)
	r := rand.New(rand.NewPCG(uint64(dimensions), uint64(positions)))
	for i := range w.Data {
		w.Data[i] = float32(r.NormFloat64() / math.Sqrt(float64(dimensions)))
	}
	return w
}

// attentionOf returns the attention of all sentences, in the order of Cluster.Refs.
func attentionOf(s *Summary) []float64 {
	var all []float64
	for _, d := range s.Documents {
		all = append(all, d.Attention...)
	}
	return all
}

// checkAttention checks the properties of the attention of every summary.
func checkAttention(t *testing.T, s *Summary) {
	t.Helper()
	total := 0.0
	for i, d := range s.Documents {
		if (d.Attention == nil) != (s.Documents[0].Attention == nil) || d.Attention != nil && len(d.Attention) != d.Sentences {
			t.Errorf("document %d of %d sentences: attention %v", i, d.Sentences, d.Attention)
		}
		for _, a := range d.Attention {
			if !(a >= 0) {
				t.Errorf("document %d: attention %v", i, d.Attention)
			}
			total += a
		}
	}
	if total != 0 && math.Abs(total-1) > 1e-9 {
		t.Errorf("attention adds up to %v", total)
	}
}

func TestAttentionOfAllMethods(t *testing.T) {
	c := large(3, 6)
	references := []string{c.Documents[1].Text[:200]}
	for _, m := range append(Methods(), oracle.MethodInfo) {
		o := Options{Method: m.Name, Budget: Budget{40, Words}, References: references}
		got := attentionOf(mustSummarize(t, c, o))
		varied := len(got) == 18 && slices.Max(got) > 1.01*slices.Min(got)
		switch m.Name {
		case "concepts", "lead", "mmr", "oracle":
			if got != nil {
				t.Errorf("%s: attention %v, want none", m.Name, got)
			}
		case "mean", "hybrid", "bs", "bs+gs", "gholipour", "lamsiyah", "rossiello", "radev":
			if len(got) != 18 || slices.Min(got) != slices.Max(got) {
				t.Errorf("%s: attention %v, want it even", m.Name, got)
			}
		case "position":
			if len(got) != 18 || math.Abs(got[3]/got[0]-math.Exp(-3.0/positionDecay)) > 1e-12 || got[6] != got[0] {
				t.Errorf("%s: attention %v", m.Name, got)
			}
		default:
			if !varied {
				t.Errorf("%s: attention %v", m.Name, got)
			}
		}
	}
}

// TestAttentionLeavesOutWhatHasNoVector: a sentence of stop words has no TF-IDF vector.
func TestAttentionLeavesOutWhatHasNoVector(t *testing.T) {
	c := &cluster.Cluster{Documents: []cluster.Document{
		{Language: "en", Text: "The dam held on Monday. It was what it was."}, {Text: ""}, {Language: "en", Text: "Rain stopped on Tuesday."},
	}}
	s := mustSummarize(t, c, Options{Method: "mean"})
	if got := attentionOf(s); !slices.Equal(got, []float64{0.5, 0, 0.5}) {
		t.Errorf("attention %v", got)
	}
	if a := s.Documents[1].Attention; a == nil || len(a) != 0 {
		t.Errorf("attention of no sentences: %#v", a)
	}
}

// TestCeraReferenceCases: Summarize estimates the centroid of the authors' program. The
// scores of the quoted sentences are their cosines to it.
func TestCeraReferenceCases(t *testing.T) {
	type ceraCase struct {
		Dimension, Positions int
		Interpolation        bool
		Weights              map[string]json.RawMessage
		Embeddings           [][][]float32
		PredictedCentroid    []float64 `json:"predicted_centroid"`
	}
	cases := 0
	for n, answer := range reference.Cases[ceraCase](t, reference.Case(t, "centroid/testdata/cera.jsonl")) {
		cases++
		w := centroid.NewWeights[float32](answer.Dimension, answer.Positions, answer.Interpolation)
		w.Each(func(tensor centroid.Tensor, values []float32) {
			var from []float32
			if raw := answer.Weights[tensor.Name]; json.Unmarshal(raw, &from) != nil {
				var rows [][]float32
				if err := json.Unmarshal(raw, &rows); err != nil {
					t.Fatal(err)
				}
				from = slices.Concat(rows...)
			}
			if copy(values, from); len(from) != len(values) {
				t.Fatalf("%s: %d numbers, want %d", tensor.Name, len(from), len(values))
			}
		})
		o := denseOptions{
			Options{Method: "cera", Weights: w, Budget: Budget{1000, Sentences}, Preselect: "all"}, Embeddings{Dimensions: answer.Dimension},
		}
		if answer.Interpolation {
			o.Method = "cerai"
		}
		c := &cluster.Cluster{}
		for i, doc := range answer.Embeddings {
			d := cluster.Document{Language: "en"}
			for j, row := range doc {
				sentence := fmt.Sprintf("In year %d the harbour of town %d burned. ", 1000+j, i)
				d.Text += sentence
				d.Sentences = append(d.Sentences, cluster.Sentence{Text: strings.TrimSpace(sentence), Start: len(d.Text) - len(sentence), End: len(d.Text) - 1, StartUTF16: len(d.Text) - len(sentence), EndUTF16: len(d.Text) - 1})
				o.Data = append(o.Data, row...)
			}
			c.Documents = append(c.Documents, d)
		}
		rows := &linalg.Dense[float32]{Data: o.Data, Cols: o.Dimensions}
		want := centroid.Cosines(rows, answer.PredictedCentroid)
		s := mustSummarize(t, c, o)
		at := map[cluster.Ref]int{}
		for k, r := range c.Refs() {
			at[r] = k
		}
		if len(s.Sentences) == 0 || len(at) != rows.Len() {
			t.Fatalf("case %d: %d sentences of %d", n, len(s.Sentences), len(at))
		}
		for _, q := range s.Sentences {
			if k := at[q.Ref]; math.Abs(q.Score-want[k]) > 1e-5 {
				t.Errorf("case %d: sentence %d has the score %v, want %v", n, k, q.Score, want[k])
			}
		}
		_, beta, err := centroid.Estimate(context.Background(), w, rows, c.Refs())
		if err != nil {
			t.Fatal(err)
		}
		if got := attentionOf(s); !slices.Equal(got, beta) {
			t.Errorf("case %d: attention %v, want %v", n, got, beta)
		}
	}
	if cases != 4 {
		t.Errorf("%d cases, want 4", cases)
	}
}

// TestCeraInABlend: the centroid of the blended vectors is their sum weighted by β,
// which does not depend on the blend.
func TestCeraInABlend(t *testing.T) {
	c := large(4, 8)
	for _, name := range []string{"cera", "cerai"} {
		o := embedded(t, c, Options{Method: name, Budget: Budget{90, Words}})
		pure := mustSummarize(t, c, o)
		for _, w := range []float64{0, 0.4} {
			blend := mustSummarize(t, c, weighing(o, w))
			if !slices.Equal(attentionOf(blend), attentionOf(pure)) {
				t.Errorf("%s: the weight %v changes the attention", name, w)
			}
			j := jobOf(t, c, o)
			j.weight = w
			rows := j.plain().Rows
			scores := centroid.Cosines(rows, centroid.Weighted(rows, attentionOf(pure)))
			at := map[cluster.Ref]float64{}
			for k, r := range j.refs {
				at[r] = scores[k]
			}
			for _, q := range blend.Sentences {
				if math.Abs(q.Score-at[q.Ref]) > 1e-9 {
					t.Errorf("%s with weight %v: score %v, want %v", name, w, q.Score, at[q.Ref])
				}
			}
		}
	}
}

func TestWeightsThatDoNotFitAreRefused(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, test := range []struct {
		want   string
		method string
		change func(o *denseOptions)
	}{
		{"method: cera requires weights", "cera", func(o *denseOptions) { o.Weights = nil }},
		{"method: cerai requires weights", "cerai", func(o *denseOptions) { o.Weights = nil }},
		{"weights: method cera requires weights without interpolation; these are for method cerai", "cera", func(o *denseOptions) { o.Weights = someWeights(24, 5, true) }},
		{"weights: method cerai requires weights with interpolation; these are for method cera", "cerai", func(o *denseOptions) { o.Weights = someWeights(24, 5, false) }},
		{"weights: want weights for embeddings of 24 dimensions, got 23: they are for another encoder", "cerai", func(o *denseOptions) { o.Weights = someWeights(23, 5, true) }},
		{"weights: bad weights: number 3 of position_embeddings is NaN: want a finite number", "cera", func(o *denseOptions) { o.Weights.PositionEmbeddings[3] = nan }},
		{"weights: bad weights: number 0 of interpolation.output.bias is +Inf: want a finite number", "cerai", func(o *denseOptions) { o.Weights.InterpolationOutputBias[0] = inf }},
		{"weights: bad weights: 7 numbers for 24 dimensions", "cera", func(o *denseOptions) {
			o.Weights = &centroid.Weights[float32]{Dimensions: 24, Positions: 1, Data: make([]float32, 7)}
		}},
		{"weights: bad weights: dimensions is 0", "cera", func(o *denseOptions) { o.Weights = &centroid.Weights[float32]{} }},
		{"weights: cannot estimate the centroid: the weights are too large", "cera", func(o *denseOptions) {
			for i := range o.Weights.Data {
				o.Weights.Data[i] *= 1e38
			}
		}},
		{"embeddings: want finite numbers, got NaN in row 2, column 3", "cera", func(o *denseOptions) { o.Data[2*24+3] = nan }},
		{"embeddings: want finite numbers, got +Inf in row 10, column 0", "cerai", func(o *denseOptions) { o.Data[10*24] = inf }},
		{`licence: want free or any, got "GPL"`, "cera", func(o *denseOptions) { o.Licence = "GPL" }},
	} {
		o := embedded(t, flood(), Options{Method: test.method})
		o.Weights = someWeights(24, 5, test.method == "cerai")
		test.change(&o)
		if _, err := summarize(flood(), o); !errors.Is(err, ErrOption) || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("want %q, got %v", test.want, err)
		}
	}
}

func TestCeraAtTheEdges(t *testing.T) {
	one := &cluster.Cluster{Documents: []cluster.Document{{Text: "Only this was said."}}}
	for _, name := range []string{"cera", "cerai"} {
		s := mustSummarize(t, one, Options{Method: name})
		if s.Text != "Only this was said." || !slices.Equal(attentionOf(s), []float64{1}) {
			t.Errorf("%s of one sentence: %q, attention %v", name, s.Text, attentionOf(s))
		}
		for _, w := range []float64{0, 0.5} {
			if s := mustSummarize(t, one, weighing(embedded(t, one, Options{Method: name}), w)); s.Text != "Only this was said." {
				t.Errorf("%s of one sentence, weight %v: %q", name, w, s.Text)
			}
		}

		// No embeddings at all: like mean without a model.
		o := embedded(t, flood(), Options{Method: name, Budget: Budget{40, Words}})
		clear(o.Data)
		zero, lexical := mustSummarize(t, flood(), o), mustSummarize(t, flood(), Options{Method: "mean", Budget: o.Budget})
		if zero.Text != lexical.Text || !slices.Equal(attentionOf(zero), attentionOf(lexical)) {
			t.Errorf("%s of zero vectors: %q, mean %q", name, zero.Text, lexical.Text)
		}

		// Sentences without an embedding have no attention and are not selected.
		o = embedded(t, flood(), Options{Method: name, Budget: Budget{3, Sentences}})
		clear(o.Data[:2*o.Dimensions])
		s = mustSummarize(t, flood(), o)
		if a := s.Documents[0].Attention; a[0] != 0 || a[1] != 0 || a[2] == 0 {
			t.Errorf("%s: attention %v of two zero vectors", name, a)
		}
		for _, q := range s.Sentences {
			if q.Document == 0 && q.Ref.Sentence < 2 {
				t.Errorf("%s: %v is quoted without embedding", name, q.Ref)
			}
		}
	}
}

func TestCeraOfTenThousandSentences(t *testing.T) {
	c := large(100, 100)
	s := mustSummarize(t, c, Options{Method: "cerai", Budget: Budget{100, Words}})
	if got := attentionOf(s); len(got) != 10_000 || slices.Min(got) <= 0 || s.Used < 80 {
		t.Errorf("attention of %d sentences, used %d", len(got), s.Used)
	}
	ctx, cancel := context.WithCancel(context.Background())
	o := embedded(t, c, Options{Method: "cerai", Weights: someWeights(24, 5, true)})
	o.Progress = func(stage string, _, _ int) {
		if stage == "select" {
			cancel()
		}
	}
	session := mustOpen(t, c)
	if err := session.Embed(o.Embeddings); err != nil {
		t.Fatal(err)
	}
	if _, err := session.Summarize(ctx, o.Options); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
