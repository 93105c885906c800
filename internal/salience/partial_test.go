package salience

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestTanh(t *testing.T) {
	of := func(x float64) float64 {
		one := []float64{x}
		tanh(one)
		return one[0]
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		x := r.NormFloat64() * 8
		if got, want := of(x), math.Tanh(x); math.Abs(got-want) > 1e-9 {
			t.Fatalf("tanh(%v) = %v, want %v", x, got, want)
		}
	}
	for x, want := range map[float64]float64{0: 0, 1e9: 1, -1e9: -1, math.Inf(1): 1, math.Inf(-1): -1, math.Nextafter(tanhEnd, 0): 1, math.Nextafter(-tanhEnd, 0): -1} {
		if got := of(x); math.Abs(got-want) > 1e-9 || math.Abs(x) > 12 && got != want {
			t.Errorf("tanh(%v) = %v", x, got)
		}
	}
}

// TestPartialIsTheNetwork checks the partial results against whole runs of the
// networks, at several budgets.
func TestPartialIsTheNetwork(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	e := LongBudget()
	const n, m = 40, 300
	f := &Features{Of: make([][]int32, n), words: 900}
	for range n * SentenceInputs {
		f.Sentence = append(f.Sentence, float32(r.NormFloat64()*2))
	}
	for range m * pairInputs {
		f.pair = append(f.pair, float32(r.NormFloat64()*2))
	}
	for p := range m {
		k := r.IntN(n)
		f.Of[k] = append(f.Of[k], int32(p))
	}
	for _, words := range []float64{10, 100, 500, 2000} {
		f.SetBudget(words)
		got := make([]float64, m)
		z := f.partialFor(e).predict(f, 0.5, got)
		for k, want := range e.Sentence.overSentences(f) {
			if math.Abs(z[k]-want) > 1e-7 {
				t.Fatalf("budget %v: sentence %d: %v, want %v", words, k, z[k], want)
			}
		}
		f.Inputs(e.Sentence, func(p int, x []float32) {
			if want := e.Pair.Run(x) / 2; math.Abs(got[p]-want) > 1e-5 {
				t.Fatalf("budget %v: pair %d: %v, want %v", words, p, got[p], want)
			}
		})
	}
}
