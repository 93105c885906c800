package core

import (
	"context"
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
	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/internal/lexical"
)

// rated formats the sentences by rank with their gains and scores, to compare
// summaries exactly.
func rated[O anyOptions](t *testing.T, c *cluster.Cluster, of O) string {
	t.Helper()
	o := dense(of)
	o.Order = OrderRank
	s := mustSummarize(t, c, o)
	out := fmt.Sprint(s.Score)
	for _, q := range s.Sentences {
		out += fmt.Sprint(" ", q.Ref, q.Gain, q.Score)
	}
	return out
}

func TestDenseWeightsAtTheEnds(t *testing.T) {
	c := large(5, 12)
	references := []string{c.Documents[1].Text[:300]}
	for _, m := range append(Methods(), oracle.MethodInfo) {
		t.Run(m.Name, func(t *testing.T) {
			lexical := denseOptions{Options: Options{Method: m.Name, Budget: Budget{90, Words}, References: references}}
			dense := embedded(t, c, lexical.Options)
			switch m.Embeddings {
			case EmbeddingsNone:
				if rated(t, c, dense) != rated(t, c, lexical) {
					t.Error("embeddings change the summary")
				}
				return
			case EmbeddingsRequired:
				if m.Weights == WeightsRequired {
					// At 0 the attention is still that of the embeddings.
					lexical = weighing(dense, 0)
					break
				}
				lexical.Method = map[string]string{"hybrid": "mean", "multilingual": "instant"}[m.Name]
			}
			if rated(t, c, weighing(dense, 0)) != rated(t, c, lexical) {
				t.Error("a weight of 0 is not the lexical run")
			}
			if m.Name == "auto" || m.Name == "editor" { // one language
				if rated(t, c, dense) != rated(t, c, lexical) || mustSummarize(t, c, dense).Method != "editor" {
					t.Errorf("%s changes with embeddings", m.Name)
				}
				return
			}
			if m.Embeddings == EmbeddingsOptional && rated(t, c, weighing(dense, 1)) != rated(t, c, dense) {
				t.Error("a weight of 1 is not the dense run")
			}
			half, one := rated(t, c, weighing(dense, 0.5)), rated(t, c, weighing(dense, 1))
			if zero := rated(t, c, lexical); zero == half || half == one || zero == one {
				t.Errorf("weights do not tell: 0 %s\n0.5 %s\n1 %s", zero, half, one)
			}
		})
	}
	mean := embedded(t, c, Options{Method: "mean"})
	hybrid := mean
	hybrid.Method = "hybrid"
	if rated(t, c, weighing(hybrid, 1)) != rated(t, c, mean) {
		t.Error("hybrid with weight 1 is not the mean of embeddings")
	}
	if rated(t, c, hybrid) != rated(t, c, weighing(mean, DefaultDenseWeight)) {
		t.Error("hybrid has another weight than its default")
	}
}

// TestHybridSearchAgreesWithDenseTwin compares with the same rows as a dense matrix.
func TestHybridSearchAgreesWithDenseTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 12 {
		c := large(2+r.IntN(4), 4+r.IntN(10))
		w := 0.1 + 0.8*r.Float64()
		o := weighing(embedded(t, c, Options{Method: "bs+gs", Budget: Budget{30 + r.IntN(90), Words}, Order: OrderDocument}), w)
		a, err := lexical.Analyze(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		j := jobOf(t, c, o)
		sparse := a.TFIDF(plainWeighting)
		d := o.Dimensions
		joined := &linalg.Dense[float64]{Cols: d + sparse.Cols}
		p := &selection.Problem{Refs: c.Refs(), Texts: j.Texts(), Length: j.measureOf(o.Budget).cost}
		unit := func(row []float64) {
			norm := 0.0
			for _, v := range row {
				norm += v * v
			}
			for i := range row {
				row[i] /= math.Sqrt(norm)
			}
		}
		mean := make([]float64, d)
		dense := make([][]float64, len(p.Refs))
		for k := range dense {
			for _, v := range o.Data[k*d : (k+1)*d] {
				dense[k] = append(dense[k], float64(v))
			}
			unit(dense[k])
			for i, v := range dense[k] {
				mean[i] += v / float64(len(dense))
			}
		}
		for k := range p.Refs {
			row := make([]float64, joined.Cols)
			for i, v := range dense[k] {
				row[i] = v - mean[i]
			}
			unit(row[:d])
			for i := range d {
				row[i] *= math.Sqrt(w)
			}
			sparse.AddScaledTo(row[d:], math.Sqrt(1-w), k)
			joined.Data = append(joined.Data, row...)
		}
		p.Rows, p.Centroid = joined, centroid.Mean(joined)
		params := selection.PaperParams()
		params.Budget = o.Budget.Amount
		want, err := selection.Select(context.Background(), p, params)
		if err != nil {
			t.Fatal(err)
		}
		s := mustSummarize(t, c, o)
		var got, rows []cluster.Ref
		for _, q := range s.Sentences {
			got = append(got, q.Ref)
		}
		for _, k := range want.Rows {
			rows = append(rows, p.Refs[k])
		}
		if !slices.Equal(got, rows) || math.Abs(s.Score-want.Score) > 1e-6 {
			t.Errorf("w = %v: got %v %v, want %v %v", w, got, s.Score, rows, want.Score)
		}
	}
}

func TestBadEmbeddingsAreRefused(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	const n = 11 // sentences of flood
	good := func() denseOptions { return embedded(t, flood(), Options{Method: "mean"}) }
	for want, change := range map[string]func(*denseOptions){
		"embeddings: want 264 numbers (11 × 24), got 240":               func(o *denseOptions) { o.Data = o.Data[:240] },
		"embeddings: want 264 numbers (11 × 24), got 0":                 func(o *denseOptions) { o.Data = []float32{} },
		"embeddings: want 275 numbers (11 × 25), got 264":               func(o *denseOptions) { o.Dimensions = 25 },
		"dimensions: want 1 to 65536, got 0":                            func(o *denseOptions) { o.Dimensions = 0 },
		"dimensions: want 1 to 65536, got -3":                           func(o *denseOptions) { o.Dimensions = -3 },
		fmt.Sprint("dimensions: want 1 to 65536, got ", math.MaxInt):    func(o *denseOptions) { o.Dimensions = math.MaxInt },
		"embeddings: want finite numbers, got NaN in row 2, column 3":   func(o *denseOptions) { o.Data[2*24+3] = nan },
		"embeddings: want finite numbers, got -Inf in row 10, column 0": func(o *denseOptions) { o.Data[10*24] = inf },
		"denseWeight: want a number from 0 to 1, got 1.5":               func(o *denseOptions) { *o = weighing(*o, 1.5) },
		"denseWeight: want a number from 0 to 1, got -0.1":              func(o *denseOptions) { *o = weighing(*o, -0.1) },
		"denseWeight: want a number from 0 to 1, got NaN":               func(o *denseOptions) { *o = weighing(*o, math.NaN()) },
		"denseWeight: requires embeddings":                              func(o *denseOptions) { *o = dense(weighing(Options{Method: "mean"}, 0.5)) },
		"method: hybrid requires embeddings":                            func(o *denseOptions) { *o = dense(Options{Method: "hybrid"}) },
		"method: cera requires embeddings":                              func(o *denseOptions) { *o = dense(Options{Method: "cera", Weights: someWeights(24, 3, false)}) },
		"method: multilingual requires embeddings":                      func(o *denseOptions) { *o = dense(Options{Method: "multilingual"}) },
		"embeddings: want 264 numbers (11 × 24), got 0 ":                func(o *denseOptions) { o.Data = nil },
		"referenceEmbeddings: requires embeddings":                      func(o *denseOptions) { *o = dense(Options{ReferenceEmbeddings: []float32{1}}) },
		"referenceEmbeddings: want 48 numbers (2 × 24), got 0":          func(o *denseOptions) { o.Method, o.References = "oracle", []string{"One thing. Another thing."} },
		"referenceEmbeddings: want finite numbers, got NaN in row 0, column 1": func(o *denseOptions) {
			o.Method, o.References, o.ReferenceEmbeddings = "oracle", []string{"One thing."}, make([]float32, 24)
			o.ReferenceEmbeddings[1] = nan
		},
	} {
		o := good()
		if len(o.Data) != n*24 {
			t.Fatalf("%d numbers", len(o.Data))
		}
		change(&o)
		_, err := summarize(flood(), o)
		if !errors.Is(err, ErrOption) || err.Error() != strings.TrimSpace(want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// TestUnknownLanguagesHaveNoEmbeddings: embeddings of languages that the encoder does
// not know are ignored.
func TestUnknownLanguagesHaveNoEmbeddings(t *testing.T) {
	c := flood()
	c.Documents[2].Language = "sw"
	o := embedded(t, c, Options{Method: "mean", Budget: Budget{3, Sentences}})
	o.Languages = []string{"en"}
	noise := o
	noise.Data = slices.Clone(o.Data)
	zero := o
	zero.Data = slices.Clone(o.Data)
	for k, r := range c.Refs() {
		if r.Document == 2 {
			for i := range o.Dimensions {
				noise.Data[k*o.Dimensions+i] = float32(100 * (i + 1))
				zero.Data[k*o.Dimensions+i] = 0
			}
		}
	}
	given := slices.Clone(noise.Data)
	want := rated(t, c, zero)
	if got := rated(t, c, noise); got != want || rated(t, c, o) != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !slices.Equal(noise.Data, given) {
		t.Error("the caller's embeddings were changed")
	}
	for _, q := range mustSummarize(t, c, noise).Sentences {
		if q.Document == 2 {
			t.Errorf("a sentence without embedding was chosen by its embedding: %v", q.Ref)
		}
	}
	// If no sentence has an embedding, the vectors are lexical.
	noise.Languages = []string{"fi"}
	if rated(t, c, noise) != rated(t, c, Options{Method: "mean", Budget: o.Budget}) {
		t.Error("without a single embedding the method is not the lexical one")
	}
}

// TestPartlyEmbedded: where an encoder has read only some sentences, methods that use
// embeddings quote these; all numbers are finite.
func TestPartlyEmbedded(t *testing.T) {
	mixed := func() *cluster.Cluster {
		c := large(6, 12)
		for i := range c.Documents {
			c.Documents[i].Language = []string{"en", "de"}[i%2]
		}
		return c
	}
	for name, open := range map[string]func() *cluster.Cluster{"one language": func() *cluster.Cluster { return large(6, 12) }, "two": mixed} {
		for _, m := range append(Methods(), oracle.MethodInfo) {
			for _, query := range []string{"", "Where did it happen?"} {
				c := open()
				o := embedded(t, c, Options{Method: m.Name, Budget: Budget{60, Words}, References: []string{c.Documents[1].Text[:300]}})
				if query != "" && m.Query {
					o.Query, o.QueryEmbedding = query, hashed([]string{query}, o.Dimensions)
				}
				read := map[cluster.Ref]bool{}
				for k, r := range c.Refs() {
					// All cosines to the others are positive, or all negative.
					for i := range o.Dimensions {
						o.Data[k*o.Dimensions+i] += float32(k%2)*0.3 - 0.15
					}
					if read[r] = r.Sentence%3 == 1; !read[r] {
						clear(o.Data[k*o.Dimensions : (k+1)*o.Dimensions])
					}
				}
				s := mustSummarize(t, c, o)
				if text := fmt.Sprintf("%+v", *s); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") || len(s.Sentences) == 0 {
					t.Errorf("%s, %s: %s", name, m.Name, text)
				}
				if m.Embeddings == EmbeddingsNone || m.AcrossLanguages && name != "two" {
					continue
				}
				for _, q := range s.Sentences {
					if !read[q.Ref] {
						t.Errorf("%s, %s, %q: quotes %v, which has no embedding", name, m.Name, query, q.Ref)
					}
				}
			}
		}
	}
	// What is embedded is shorter than the budget.
	c := flood()
	o := embedded(t, c, Options{Method: "hybrid", Budget: Budget{100, Words}})
	clear(o.Data[2*o.Dimensions:])
	if s := mustSummarize(t, c, o); len(s.Sentences) < 3 {
		t.Errorf("%d sentences of 100 words", len(s.Sentences))
	}
}
