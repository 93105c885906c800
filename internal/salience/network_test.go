package salience

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// naive is the network as documented.
func naive(n *Network, x []float32) float64 {
	z := float64(n.OutputBias)
	for h := range n.Output {
		sum := float64(n.Bias[h])
		for i := range x {
			v := (float64(x[i]) - float64(n.Mean[i])) * float64(n.Scale[i])
			if v > 3 {
				v = 3
			}
			if v < -3 {
				v = -3
			}
			sum += float64(n.Weight[h*len(x)+i]) * v
		}
		z += float64(n.Output[h]) * math.Tanh(sum)
	}
	return z
}

func TestRunAgreesWithNaiveTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	clipped := 0
	for seed := range uint64(40) {
		e := anExpert(seed, 1+r.IntN(12))
		for _, n := range []*Network{e.Sentence, e.Pair} {
			x := make([]float32, len(n.Mean))
			for range 20 {
				for i := range x {
					x[i] = float32(r.NormFloat64() * 2)
					if math.Abs(float64((x[i]-n.Mean[i])*n.Scale[i])) > Clip {
						clipped++
					}
				}
				given := slices.Clone(x)
				if got, want := n.Run(x), naive(n, x); math.Abs(got-want) > 1e-4 || !slices.Equal(x, given) {
					t.Fatalf("got %v, want %v", got, want)
				}
			}
		}
	}
	if clipped < 1000 {
		t.Errorf("%d inputs were far", clipped)
	}
}

// TestRunLeavesOutWhatWasAlwaysTheSame: an input of scale 0 says nothing,
// whatever it is.
func TestRunLeavesOutWhatWasAlwaysTheSame(t *testing.T) {
	e := anExpert(8, 5)
	n := e.Sentence
	n.Scale[3], n.Scale[9] = 0, 0
	x := make([]float32, SentenceInputs)
	want := n.Run(x)
	x[3], x[9] = math.MaxFloat32, -1e6
	if got := n.Run(x); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	x[4] = 1
	if n.Run(x) == want {
		t.Error("an input that says something says nothing")
	}
}

// TestPredictAgreesWithNaiveTwin looks, for each pair, through all sentences.
func TestPredictAgreesWithNaiveTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for seed := range uint64(60) {
		f, long, short := Read(randomSource(r)), anExpert(seed, 4), anExpert(seed+100, 2)
		part := []float64{0, 1, r.Float64()}[r.IntN(3)]
		got := Predict(f, long, short, part)
		odds := make([]float64, f.Pairs())
		for k := range f.Sentences() {
			x := f.Sentence[k*SentenceInputs : (k+1)*SentenceInputs]
			if want := (1-part)*naive(long.Sentence, x) + part*naive(short.Sentence, x); math.Abs(got.Sentence[k]-want) > 1e-4 {
				t.Errorf("sentence %d: got %v, want %v", k, got.Sentence[k], want)
			}
		}
		for m := range odds {
			for _, mixed := range []struct {
				e    *Expert
				part float64
			}{{long, 1 - part}, {short, part}} {
				var z []float64
				sum := 0.0
				for k, of := range f.Of {
					if slices.Contains(of, int32(m)) {
						v := naive(mixed.e.Sentence, f.Sentence[k*SentenceInputs:(k+1)*SentenceInputs])
						z, sum = append(z, v), sum+v
					}
				}
				x := append(slices.Clone(f.pair[m*pairInputs:(m+1)*pairInputs]), float32(slices.Max(z)), float32(sum/float64(len(z))))
				odds[m] += mixed.part * naive(mixed.e.Pair, x)
			}
			if want := 1 / (1 + math.Exp(-odds[m])); math.Abs(got.Pair[m]-want) > 1e-4 {
				t.Errorf("pair %d: got %v, want %v", m, got.Pair[m], want)
			}
		}
	}
}
