package editor

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/internal/reading"
)

// random returns clusters in which a sentence is quoted if two of its inputs are large.
func random(n int) []Example {
	r := rand.New(rand.NewPCG(1, 2))
	mean, leans := at("mean"), at("leans")
	examples := make([]Example, n)
	for i := range examples {
		e := &examples[i]
		e.Kinds = []reading.Kind{reading.Kind(i % reading.Kinds)}
		for range 20 {
			x := make([]float32, reading.Inputs)
			for k := range x {
				x[k] = float32(r.NormFloat64())
			}
			e.Features = append(e.Features, x...)
			weight := float64(NotQuoted)
			if x[mean]-x[leans]+float32(r.NormFloat64()) > 1 {
				weight = []float64{Good, Quoted}[r.IntN(2)]
			}
			e.Weight = append(e.Weight, weight)
		}
	}
	return examples
}

func at(name string) int { return slices.Index(reading.InputNames(), name) }

func TestTrain(t *testing.T) {
	first, err := Train(t.Context(), random(150))
	if err != nil {
		t.Fatal(err)
	}
	again, err := Train(t.Context(), random(150))
	if err != nil || !bytes.Equal(first, again) {
		t.Errorf("not the same bytes again: %v", err)
	}
	for line := range strings.Lines(string(first)) {
		fields := strings.Fields(line)
		if name := fields[0]; len(fields) != 1+reading.Kinds || name != "bias" && at(name) < 0 {
			t.Fatalf("%q", line)
		}
		for i, value := range fields[1:] {
			v, err := strconv.ParseFloat(value, 64)
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			check(t, i, fields[0], v)
		}
	}
}

// check checks a weight of one of the models.
func check(t *testing.T, model int, name string, v float64) {
	t.Helper()
	if want, set := settings[model][name]; set {
		if v != want {
			t.Errorf("%s weighs %v, want %v", name, v, want)
		}
		return
	}
	switch v -= added[model][name]; name {
	case "bias":
	case "mean", "leans":
		if want := map[string]float64{"mean": 1, "leans": -1}[name]; v*want < 0.7 {
			t.Errorf("%s weighs %v", name, v)
		}
	default:
		if math.Abs(v) > 0.4 {
			t.Errorf("%s weighs %v", name, v)
		}
	}
}

// TestFitIsTheOptimum: at the weights found, the naive gradient of the loss is zero.
func TestFitIsTheOptimum(t *testing.T) {
	d := collect(random(40), reading.Several, settings[0])
	w, err := d.fit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	loss := func(w []float64) float64 {
		sum := 0.0
		for i, v := range w {
			if i > 0 {
				sum += penalty * v * v / 2
			}
		}
		for k, x := range d.x {
			z := w[0]
			for i, v := range x {
				z += w[i+1] * v
			}
			if d.label[k] == 0 {
				z = -z
			}
			sum += d.weight[k] * math.Log1p(math.Exp(-z))
		}
		return sum
	}
	const h = 1e-4
	for i := range w {
		up, down := slices.Clone(w), slices.Clone(w)
		up[i] += h
		down[i] -= h
		if slope := (loss(up) - loss(down)) / (2 * h); math.Abs(slope) > 1e-3 {
			t.Errorf("weight %d: slope %v", i, slope)
		}
	}
}

func TestTrainRefuses(t *testing.T) {
	if _, err := Train(t.Context(), nil); err == nil {
		t.Error("no clusters: no error")
	}
	if _, err := Train(t.Context(), random(1)); err == nil || !strings.Contains(err.Error(), "one document") {
		t.Errorf("no single documents: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Train(ctx, random(5)); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}
