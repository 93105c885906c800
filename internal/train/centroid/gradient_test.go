package centroid

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/internal/reference"
)

// referenceCase is an answer of the authors' program.
type referenceCase struct {
	Dimension, Positions int
	Interpolation        bool
	Weights, Gradients   map[string]json.RawMessage
	Embeddings           [][][]float64
	GoldCentroid         []float64 `json:"gold_centroid"`
	PredictedCentroid    []float64 `json:"predicted_centroid"`
	CosineLoss           float64   `json:"cosine_loss"`
}

// numbers reads a vector, or a matrix row by row.
func numbers(t *testing.T, raw json.RawMessage) []float64 {
	t.Helper()
	var rows [][]float64
	if json.Unmarshal(raw, &rows) == nil {
		return slices.Concat(rows...)
	}
	var v []float64
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// worstOf is the largest absolute value.
func worstOf(x []float64) float64 {
	worst := 0.0
	for _, v := range x {
		worst = max(worst, math.Abs(v))
	}
	return worst
}

// within says whether no number is further from want than the share of want's
// largest and 1e-12.
func within(got, want []float64, share float64) bool {
	for i, v := range want {
		if !(math.Abs(got[i]-v) <= share*worstOf(want)+1e-12) {
			return false
		}
	}
	return len(got) == len(want)
}

func checkGradients(t *testing.T, r io.Reader) int {
	t.Helper()
	count := 0
	for n, c := range reference.Cases[referenceCase](t, r) {
		count++
		w := centroid.NewWeights[float64](c.Dimension, c.Positions, c.Interpolation)
		w.Each(func(tensor centroid.Tensor, values []float64) {
			if from := numbers(t, c.Weights[tensor.Name]); copy(values, from) != len(from) || len(from) != len(values) {
				t.Fatalf("case %d: %s has %d numbers, the case %d", n, tensor.Name, len(values), len(from))
			}
		})
		var documents []int
		var flat []float64
		for _, doc := range c.Embeddings {
			documents = append(documents, len(doc))
			flat = append(flat, slices.Concat(doc...)...)
		}
		e, err := newSample[float64](c.Positions, flat, documents, c.GoldCentroid)
		if err != nil {
			t.Fatal(err)
		}
		var p pass[float64]
		if loss := p.forward(w, e, 0, nil); math.Abs(loss-c.CosineLoss) > 1e-9 {
			t.Errorf("case %d: loss %v, want %v", n, loss, c.CosineLoss)
		}
		if !within(p.out, c.PredictedCentroid, 1e-9) {
			t.Errorf("case %d: centroid %v, want %v", n, p.out, c.PredictedCentroid)
		}
		g := centroid.NewWeights[float64](c.Dimension, c.Positions, c.Interpolation)
		p.backward(w, e, g, 1)
		g.Each(func(tensor centroid.Tensor, values []float64) {
			if want := numbers(t, c.Gradients[tensor.Name]); !within(values, want, 1e-6) {
				t.Errorf("case %d: gradient of %s: %v, want %v", n, tensor.Name, values, want)
			}
		})
		if len(c.Gradients) != len(c.Weights) {
			t.Errorf("case %d: %d gradients of %d weights", n, len(c.Gradients), len(c.Weights))
		}
	}
	return count
}

func TestGradientsOfReferenceCases(t *testing.T) {
	if n := checkGradients(t, reference.Case(t, "../../../core/centroid/testdata/cera.jsonl")); n != 4 {
		t.Errorf("%d cases, want 4", n)
	}
}

func TestGradientsOfAllReferenceCases(t *testing.T) {
	if n := checkGradients(t, reference.Open(t, "reference/cera.jsonl.gz")); n != 16 {
		t.Errorf("%d cases, want 16", n)
	}
}

func someSample[T linalg.Float](t testing.TB, d, positions int, random *rand.Rand, documents ...int) *sample[T] {
	t.Helper()
	x := someExample(d, random, documents...)
	e, err := newSample[T](positions, x.Embeddings, x.Documents, x.Gold)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func someExample(d int, random *rand.Rand, documents ...int) Example {
	n := 0
	for _, m := range documents {
		n += m
	}
	x := Example{Documents: documents}
	for range n * d {
		x.Embeddings = append(x.Embeddings, float32(random.NormFloat64()))
	}
	for range d {
		x.Gold = append(x.Gold, float32(random.NormFloat64()))
	}
	return x
}

// TestGradientsAgainstFiniteDifferences with dropout, a document of zeros, and
// a second cluster added to the same gradient.
func TestGradientsAgainstFiniteDifferences(t *testing.T) {
	const d, positions = 5, 3
	for _, interpolation := range []bool{false, true} {
		random := rand.New(rand.NewPCG(1, 2))
		p := DefaultParams()
		p.Positions, p.Interpolation, p.Seed = positions, interpolation, 7
		w := initial[float64](d, p)
		for i := range w.Data {
			w.Data[i] += 0.1 * random.NormFloat64()
		}
		x := someExample(d, random, 4, 2, 1)
		clear(x.Embeddings[4*d : 6*d]) // the second document
		first, err := newSample[float64](positions, x.Embeddings, x.Documents, x.Gold)
		if err != nil {
			t.Fatal(err)
		}
		samples := []*sample[float64]{first, someSample[float64](t, d, positions, random, 1)}
		loss := func() float64 {
			total := 0.0
			for i, e := range samples {
				var p pass[float64]
				total += 0.5 * p.forward(w, e, 0.3, rand.New(rand.NewPCG(3, uint64(i))))
			}
			return total
		}
		g := centroid.NewWeights[float64](d, positions, interpolation)
		for i, e := range samples {
			var p pass[float64]
			p.forward(w, e, 0.3, rand.New(rand.NewPCG(3, uint64(i))))
			p.backward(w, e, g, 0.5)
		}
		at := 0
		g.Each(func(tensor centroid.Tensor, values []float64) {
			want := make([]float64, len(values))
			for i := range values {
				const h = 1e-5
				was := w.Data[at]
				w.Data[at] = was + h
				up := loss()
				w.Data[at] = was - h
				want[i] = (up - loss()) / (2 * h)
				w.Data[at] = was
				at++
			}
			for i, v := range want {
				if math.Abs(values[i]-v) > 1e-6*worstOf(want)+1e-9 {
					t.Errorf("interpolation %v: gradient %d of %s is %v, by differences %v", interpolation, i, tensor.Name, values[i], v)
				}
			}
		})
		for _, v := range g.PositionEmbeddings[positions*d:] {
			if v != 0 {
				t.Error("the last position's embedding is never used, but has a gradient")
			}
		}
	}
}

// TestForwardIsEstimate: what is trained is what the core runs.
func TestForwardIsEstimate(t *testing.T) {
	const d = 12
	random := rand.New(rand.NewPCG(4, 5))
	for _, interpolation := range []bool{false, true} {
		p := DefaultParams()
		p.Positions, p.Interpolation = 3, interpolation
		w := initial[float32](d, p)
		x := someExample(d, random, 5, 1, 2)
		clear(x.Embeddings[d : 2*d])
		e, err := newSample[float32](3, x.Embeddings, x.Documents, x.Gold)
		if err != nil {
			t.Fatal(err)
		}
		var pass pass[float32]
		pass.forward(w, e, 0, nil)
		var refs []cluster.Ref
		for i, n := range x.Documents {
			for j := range n {
				refs = append(refs, cluster.Ref{Document: i, Sentence: j})
			}
		}
		want, _, err := centroid.Estimate(context.Background(), w, &linalg.Dense[float32]{Data: x.Embeddings, Cols: d}, refs)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, d)
		for j, v := range pass.out {
			got[j] = float64(v)
		}
		if !within(got, want, 1e-5) {
			t.Errorf("interpolation %v: %v, the core says %v", interpolation, got, want)
		}
	}
}

// BenchmarkStep is a step of the size of Multi-News: one cluster of 100
// sentences, 256 dimensions, CeRAI.
func BenchmarkStep(b *testing.B) {
	p := DefaultParams()
	t := newTrainer(initial[float32](256, p), 1)
	e := someSample[float32](b, 256, p.Positions, rand.New(rand.NewPCG(1, 1)), 40, 30, 30)
	b.ResetTimer()
	for range b.N {
		if _, err := t.step(1, p.Rate, 0, func(int) (*sample[float32], *rand.Rand, error) { return e, nil, nil }); err != nil {
			b.Fatal(err)
		}
	}
}
