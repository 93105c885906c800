package centroid

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/internal/reference"
)

// ceraCase is a result of the authors' program; its part on training is ignored here.
type ceraCase struct {
	Dimension, Positions int
	Interpolation        bool
	Weights              map[string]json.RawMessage
	Embeddings           [][][]float64
	MeanCentroid         []float64 `json:"mean_centroid"`
	PredictedCentroid    []float64 `json:"predicted_centroid"`
}

// flat decodes a vector, or a matrix row by row.
func flat(t testing.TB, raw json.RawMessage) []float64 {
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

func weightsOf[T linalg.Float](t testing.TB, c *ceraCase) *Weights[T] {
	t.Helper()
	w := NewWeights[T](c.Dimension, c.Positions, c.Interpolation)
	n := 0
	w.Each(func(tensor Tensor, values []T) {
		n++
		from := flat(t, c.Weights[tensor.Name])
		if len(from) != len(values) {
			t.Fatalf("%s has %d numbers, the case %d", tensor.Name, len(values), len(from))
		}
		for i, v := range from {
			values[i] = T(v)
		}
	})
	if n != len(c.Weights) {
		t.Fatalf("%d tensors, the case has %d", n, len(c.Weights))
	}
	return w
}

func rowsOf(embeddings [][][]float64) (*linalg.Dense[float64], []cluster.Ref) {
	m := &linalg.Dense[float64]{}
	var refs []cluster.Ref
	for i, doc := range embeddings {
		for j, row := range doc {
			m.Data = append(m.Data, row...)
			m.Cols = len(row)
			refs = append(refs, cluster.Ref{Document: i, Sentence: j})
		}
	}
	return m, refs
}

// naive is CeRA and CeRAI as the paper defines them, in float64, with all
// concatenations written out.
func naive(w *Weights[float64], embeddings [][][]float64) (centroid, attention []float64) {
	d := w.Dimensions
	norm := func(x, gain, bias []float64) []float64 {
		mean, variance := 0.0, 0.0
		for _, v := range x {
			mean += v / float64(len(x))
		}
		for _, v := range x {
			variance += (v - mean) * (v - mean) / float64(len(x))
		}
		y := make([]float64, len(x))
		for i, v := range x {
			y[i] = (v-mean)/math.Sqrt(variance+1e-5)*gain[i] + bias[i]
		}
		return y
	}
	linear := func(m, bias, x []float64) []float64 {
		y := slices.Clone(bias)
		for i := range y {
			for j, v := range x {
				y[i] += m[i*len(x)+j] * v
			}
		}
		return y
	}
	var x, s [][]float64
	pool, mean := make([]float64, d), make([]float64, d)
	n := 0
	for _, doc := range embeddings {
		n += len(doc)
	}
	for _, doc := range embeddings {
		for position, e := range doc {
			length := 0.0
			for j, v := range e {
				length += v * v
				mean[j] += v / float64(n)
			}
			unit := make([]float64, d)
			for j, v := range e {
				unit[j] = v / max(math.Sqrt(length), 1e-8)
			}
			row := norm(unit, w.InputNormGain, w.InputNormBias)
			sum := slices.Clone(row)
			p := min(position, w.Positions-1)
			for j := range sum {
				sum[j] += w.PositionEmbeddings[p*d+j]
				pool[j] += sum[j] / float64(len(doc)) / float64(len(embeddings))
			}
			x, s = append(x, row), append(s, sum)
		}
	}
	total := 0.0
	for _, row := range s {
		hidden := linear(w.AttentionHiddenWeight, w.AttentionHiddenBias, slices.Concat(row, pool))
		for j, v := range hidden {
			hidden[j] = math.Tanh(v)
		}
		z := math.Exp(linear(w.AttentionOutputWeight, w.AttentionOutputBias, hidden)[0])
		attention = append(attention, z)
		total += z
	}
	h := make([]float64, d)
	for k, row := range x {
		attention[k] /= total
		for j, v := range row {
			h[j] += attention[k] * v
		}
	}
	centroid = linear(w.OutputWeight, w.OutputBias, norm(h, w.OutputNormGain, w.OutputNormBias))
	if !w.Interpolation {
		return centroid, attention
	}
	hidden := linear(w.InterpolationHiddenWeight, w.InterpolationHiddenBias, slices.Concat(centroid, mean))
	for j, v := range hidden {
		hidden[j] = max(v, 0)
	}
	for j, v := range linear(w.InterpolationOutputWeight, w.InterpolationOutputBias, hidden) {
		alpha := 1 / (1 + math.Exp(-v))
		centroid[j] = alpha*centroid[j] + (1-alpha)*mean[j]
	}
	return centroid, attention
}

// off returns the largest difference of two vectors, divided by the largest component
// of want.
func off(got, want []float64) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	largest, difference := 0.0, 0.0
	for i, v := range want {
		largest = max(largest, math.Abs(v))
		difference = max(difference, math.Abs(got[i]-v))
	}
	return difference / largest
}

func checkCera(t *testing.T, r io.Reader) int {
	t.Helper()
	in := bufio.NewScanner(r)
	in.Buffer(nil, 16<<20)
	n := 0
	for ; in.Scan(); n++ {
		var c ceraCase
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		wide, beta := naive(weightsOf[float64](t, &c), c.Embeddings)
		if d := off(wide, c.PredictedCentroid); d > 1e-9 {
			t.Errorf("case %d: the naive version differs by %g of the largest component; wrong epsilon or order of steps?", n, d)
		}
		m, refs := rowsOf(c.Embeddings)
		if d := off(Mean(m), c.MeanCentroid); d > 1e-12 {
			t.Errorf("case %d: the mean is off by %g", n, d)
		}
		narrow := &linalg.Dense[float32]{Cols: m.Cols}
		for _, v := range m.Data {
			narrow.Data = append(narrow.Data, float32(v))
		}
		for _, rows := range []linalg.Rows{m, narrow} {
			got, attention, err := Estimate(context.Background(), weightsOf[float32](t, &c), rows, refs)
			if err != nil {
				t.Fatalf("case %d: %v", n, err)
			}
			if d := off(got, c.PredictedCentroid); d > 1e-5 {
				t.Errorf("case %d: off by %g of the largest component", n, d)
			}
			if d := off(attention, beta); d > 1e-5 {
				t.Errorf("case %d: attention is off by %g of the largest", n, d)
			}
		}
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestCeraReferenceCases(t *testing.T) {
	if n := checkCera(t, reference.Case(t, "testdata/cera.jsonl")); n != 4 {
		t.Errorf("%d cases, want 4", n)
	}
}

func TestCeraAllReferenceCases(t *testing.T) {
	if n := checkCera(t, reference.Open(t, "reference/cera.jsonl.gz")); n != 16 {
		t.Errorf("%d cases, want 16", n)
	}
}

// somewhat returns a pseudo-random number in -1..1.
func somewhat(i int) float64 { return math.Sin(float64(i)*12.9898) * math.Cos(float64(i)*78.233) }

func someWeights[T linalg.Float](d, positions int, interpolation bool) *Weights[T] {
	w := NewWeights[T](d, positions, interpolation)
	for i := range w.Data {
		// Of the scale of an initialized layer, the same in float32 and float64.
		w.Data[i] = T(float32(somewhat(i) * math.Sqrt(3/float64(d))))
	}
	return w
}

func someEmbeddings(d int, documents ...int) [][][]float64 {
	out := make([][][]float64, len(documents))
	at := 1 << 20
	for i, n := range documents {
		out[i] = make([][]float64, n)
		for j := range out[i] {
			for range d {
				out[i][j] = append(out[i][j], float64(float32(somewhat(at))))
				at++
			}
		}
	}
	return out
}

func TestEstimateAgainstNaiveTwin(t *testing.T) {
	for _, c := range []struct {
		d, positions int
		documents    []int
	}{
		{1, 1, []int{1}}, {3, 2, []int{1, 5}}, {7, 35, []int{2, 1, 3}}, {64, 4, []int{40, 1, 9}}, {33, 35, []int{300, 1}}, {8, 35, []int{9_000, 1_000}},
	} {
		for _, interpolation := range []bool{false, true} {
			embeddings := someEmbeddings(c.d, c.documents...)
			want, beta := naive(someWeights[float64](c.d, c.positions, interpolation), embeddings)
			m, refs := rowsOf(embeddings)
			got, attention, err := Estimate(context.Background(), someWeights[float32](c.d, c.positions, interpolation), m, refs)
			if err != nil {
				t.Fatal(err)
			}
			if a, b := off(got, want), off(attention, beta); a > 1e-5 || b > 1e-5 {
				t.Errorf("%+v, interpolation %v: centroid off by %g, attention by %g", c, interpolation, a, b)
			}
			total := 0.0
			for _, b := range attention {
				total += b
			}
			if math.Abs(total-1) > 1e-9 {
				t.Errorf("%+v: attention sums to %v", c, total)
			}
		}
	}
}

// TestEstimateLeavesOutZeroRows: zero rows are removed before positions are counted,
// and a document with only zero rows is not counted.
func TestEstimateLeavesOutZeroRows(t *testing.T) {
	const d = 5
	embeddings := someEmbeddings(d, 3, 2)
	w := someWeights[float32](d, 4, true)
	m, refs := rowsOf(embeddings)
	want, beta, err := Estimate(context.Background(), w, m, refs)
	if err != nil {
		t.Fatal(err)
	}
	zero := make([]float64, d)
	with := [][][]float64{
		{zero, embeddings[0][0], embeddings[0][1], zero, embeddings[0][2]}, {zero}, {embeddings[1][0], embeddings[1][1], zero},
	}
	m, refs = rowsOf(with)
	got, attention, err := Estimate(context.Background(), w, m, refs)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("with zero rows %v, without %v", got, want)
	}
	if kept := []float64{0, beta[0], beta[1], 0, beta[2], 0, beta[3], beta[4], 0}; !slices.Equal(attention, kept) {
		t.Errorf("attention %v, want %v", attention, kept)
	}
}

func TestEstimateAtTheEdges(t *testing.T) {
	w := someWeights[float32](3, 2, true)
	one := []cluster.Ref{{Document: 0, Sentence: 4}}
	for name, m := range map[string]linalg.Rows{
		"no rows":   &linalg.Dense[float32]{Cols: 3},
		"zero rows": &linalg.Dense[float32]{Cols: 3, Data: make([]float32, 3)},
	} {
		got, attention, err := Estimate(context.Background(), w, m, one[:m.Len()])
		if err != nil || !slices.Equal(got, []float64{0, 0, 0}) || len(attention) != m.Len() || slices.Max(append(attention, 0)) != 0 {
			t.Errorf("%s: %v %v %v", name, got, attention, err)
		}
	}
	_, attention, err := Estimate(context.Background(), w, &linalg.Dense[float32]{Cols: 3, Data: []float32{1, 2, 3}}, one)
	if err != nil || !slices.Equal(attention, []float64{1}) {
		t.Errorf("one sentence: attention %v, %v", attention, err)
	}
	inf, huge := float32(math.Inf(1)), someWeights[float32](3, 2, false)
	huge.OutputBias[1] = inf
	for _, c := range []struct {
		w    *Weights[float32]
		m    linalg.Rows
		want string
	}{
		{w, &linalg.Dense[float32]{Cols: 2, Data: []float32{1, 2}}, "2 dimensions, the weights require 3"},
		{w, &linalg.Dense[float32]{Cols: 3, Data: []float32{1, inf, 2}}, "sentence 4 of document 0 is not finite"},
		{w, &linalg.Dense[float32]{Cols: 3, Data: []float32{1, float32(math.NaN()), 2}}, "sentence 4 of document 0 is not finite"},
		{w, &linalg.Dense[float64]{Cols: 3, Data: []float64{1, 1e200, 2}}, "too large"},
		{huge, &linalg.Dense[float32]{Cols: 3, Data: []float32{1, 2, 3}}, "the weights are too large"},
	} {
		_, _, err := Estimate(context.Background(), c.w, c.m, one)
		if !errors.Is(err, ErrEstimate) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: want %q", err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := Estimate(ctx, w, &linalg.Dense[float32]{Cols: 3, Data: []float32{1, 2, 3}}, one); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestAttentionFormsACentroidElsewhere: β from one vector space, the centroid in
// another.
func TestAttentionFormsACentroidElsewhere(t *testing.T) {
	m, refs := rowsOf(someEmbeddings(4, 3))
	_, beta, err := Estimate(context.Background(), someWeights[float32](4, 2, false), m, refs)
	if err != nil {
		t.Fatal(err)
	}
	lexical := &linalg.Sparse{RowPtr: []int{0, 1, 2, 3}, Col: []int32{0, 1, 2}, Val: []float32{1, 1, 1}, Cols: 3}
	if got := Weighted(lexical, beta); off(got, beta) > 1e-12 {
		t.Errorf("got %v, want β itself: %v", got, beta)
	}
}

func BenchmarkEstimate(b *testing.B) {
	const d = 256
	m, refs := rowsOf(someEmbeddings(d, 250, 250, 250, 250))
	narrow := &linalg.Dense[float32]{Cols: d}
	for _, v := range m.Data {
		narrow.Data = append(narrow.Data, float32(v))
	}
	w := someWeights[float32](d, 35, true)
	b.ResetTimer()
	for range b.N {
		if _, _, err := Estimate(context.Background(), w, narrow, refs); err != nil {
			b.Fatal(err)
		}
	}
}
