package centroid

import (
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/linalg"
)

// Adam's constants (Kingma and Ba 2015).
const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
)

// Moments below negligible are set to zero. For weights without a gradient, for
// instance behind a ReLU that is always 0, they would decay into subnormal numbers,
// which are a hundred times slower.
const negligible = 1e-30

// maxSlots limits the clusters of a batch processed in parallel, each with its own
// gradients. It is independent of the number of processors, since the order of
// summation must be.
const maxSlots = 8

// trainer holds the weights, Adam's moments and the buffers of a step.
type trainer[T linalg.Float] struct {
	w     *centroid.Weights[T]
	m, v  []T // Adam's first and second moments, as Data
	steps int // done, for bias correction
	slots []slot[T]
}

type slot[T linalg.Float] struct {
	pass[T]
	gradient *centroid.Weights[T]
	loss     float64
	err      error
}

func newTrainer[T linalg.Float](w *centroid.Weights[T], batch int) *trainer[T] {
	t := &trainer[T]{w: w, m: make([]T, len(w.Data)), v: make([]T, len(w.Data)), slots: make([]slot[T], min(batch, maxSlots))}
	for i := range t.slots {
		t.slots[i].gradient = centroid.NewWeights[T](w.Dimensions, w.Positions, w.Interpolation)
	}
	return t
}

// initial returns the initial weights, distributed as in the authors' library:
// uniform in ±1/√in, gains 1, normal positions.
func initial[T linalg.Float](dimensions int, p Params) *centroid.Weights[T] {
	random := rand.New(rand.NewPCG(p.Seed, 0))
	w := centroid.NewWeights[T](dimensions, p.Positions, p.Interpolation)
	uniform := func(in int, lists ...[]T) {
		bound := 1 / math.Sqrt(float64(in))
		for _, x := range lists {
			for i := range x {
				x[i] = T((2*random.Float64() - 1) * bound)
			}
		}
	}
	for i := range w.InputNormGain {
		w.InputNormGain[i], w.OutputNormGain[i] = 1, 1
	}
	for i := range dimensions * p.Positions { // the last row stays zero
		w.PositionEmbeddings[i] = T(random.NormFloat64())
	}
	uniform(2*dimensions, w.AttentionHiddenWeight, w.AttentionHiddenBias)
	uniform(dimensions, w.AttentionOutputWeight, w.AttentionOutputBias, w.OutputWeight, w.OutputBias)
	if p.Interpolation {
		uniform(2*dimensions, w.InterpolationHiddenWeight, w.InterpolationHiddenBias)
		uniform(dimensions, w.InterpolationOutputWeight, w.InterpolationOutputBias)
	}
	return w
}

// step trains on a batch of n clusters and returns their mean loss. read is called
// from several goroutines and returns cluster i with the random source of its
// dropout.
func (t *trainer[T]) step(n int, rate, dropout float64, read func(i int) (*sample[T], *rand.Rand, error)) (float64, error) {
	var group sync.WaitGroup
	used := min(n, len(t.slots))
	for at := range used {
		group.Go(func() {
			s := &t.slots[at]
			clear(s.gradient.Data)
			s.loss, s.err = 0, nil
			for i := at; i < n; i += used {
				e, random, err := read(i)
				if err != nil {
					s.err = err
					return
				}
				s.loss += s.forward(t.w, e, dropout, random)
				s.backward(t.w, e, s.gradient, T(1/float64(n)))
			}
		})
	}
	group.Wait()
	loss := 0.0
	for i := range used {
		if err := t.slots[i].err; err != nil {
			return 0, err
		}
		loss += t.slots[i].loss
	}
	t.adam(used, rate)
	return loss / float64(n), nil
}

// adam updates the weights with the sum of the gradients of the first slots.
func (t *trainer[T]) adam(used int, rate float64) {
	t.steps++
	size := T(rate / (1 - math.Pow(beta1, float64(t.steps))))
	correction := T(1 / math.Sqrt(1-math.Pow(beta2, float64(t.steps))))
	parallel(len(t.w.Data), func(from, to int) {
		sum := t.slots[0].gradient.Data[from:to]
		for i := 1; i < used; i++ {
			axpy(1, t.slots[i].gradient.Data[from:to], sum)
		}
		w, m, v := t.w.Data[from:to], t.m[from:to], t.v[from:to]
		for i, g := range sum {
			a := beta1*m[i] + (1-beta1)*g
			b := beta2*v[i] + (1-beta2)*g*g
			if a < negligible && a > -negligible {
				a = 0
			}
			if b < negligible {
				b = 0
			}
			m[i], v[i] = a, b
			w[i] -= size * a / (root(b)*correction + epsilon)
		}
	})
}

func root[T linalg.Float](x T) T { return T(math.Sqrt(float64(x))) }

// parallel runs f on parts of 0..n-1 in parallel.
func parallel(n int, f func(from, to int)) {
	workers := min(n, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() { f(w*n/workers, (w+1)*n/workers) })
	}
	group.Wait()
}
