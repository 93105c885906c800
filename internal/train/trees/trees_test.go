package trees

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// square is half the squared distance to y.
func square(y []float64) Loss {
	return func(values, first, second []float64) {
		for k, v := range values {
			first[k], second[k] = v-y[k], 1
		}
	}
}

func samples(n int) (x []float32, y []float64) {
	random := rand.New(rand.NewPCG(1, 2))
	for range n {
		a, b, c := random.Float32(), float32(random.IntN(3)), random.Float32()
		x = append(x, a, b, c)
		y = append(y, math.Sin(6*float64(a))+float64(b)*float64(a))
	}
	return x, y
}

var params = Params{Trees: 80, Depth: 4, Rate: 0.2, Penalty: 1, Rows: 0.7, Inputs: 1, Seed: 1}

func TestTrain(t *testing.T) {
	x, y := samples(3000)
	d, err := NewData(x, 3)
	if err != nil {
		t.Fatal(err)
	}
	f, err := d.Train(t.Context(), 0, square(y), params)
	if err != nil {
		t.Fatal(err)
	}
	fresh, want := samples(3500)
	off, spread := 0.0, 0.0
	for k, v := range f.Values(fresh[9000:]) {
		off += (v - want[3000+k]) * (v - want[3000+k])
		spread += want[3000+k] * want[3000+k]
	}
	if off > 0.01*spread {
		t.Errorf("%.4f of the squares is left", off/spread)
	}
	again, err := d.Train(t.Context(), 0, square(y), params)
	if err != nil || !reflect.DeepEqual(again, f) {
		t.Error("the same data give another forest")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Train(ended, 0, square(y), params); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestFirstTree compares a tree of one question with the best of all questions, tried one by
// one.
func TestFirstTree(t *testing.T) {
	x, y := samples(200)
	d, err := NewData(x, 3)
	if err != nil {
		t.Fatal(err)
	}
	p := params
	p.Trees, p.Depth, p.Rows, p.Rate, p.Penalty = 1, 1, 1.1, 1, 0
	f, err := d.Train(t.Context(), 0, square(y), p)
	if err != nil {
		t.Fatal(err)
	}
	left := func(values func(k int) float64) (sum float64) {
		for k, v := range y {
			sum += (v - values(k)) * (v - values(k))
		}
		return sum
	}
	best := math.Inf(1)
	for input, cuts := range d.Cuts {
		for _, cut := range cuts {
			var sum, count [2]float64
			side := func(k int) int {
				if x[3*k+input] > cut {
					return 1
				}
				return 0
			}
			for k, v := range y {
				sum[side(k)] += v
				count[side(k)]++
			}
			best = min(best, left(func(k int) float64 { return sum[side(k)] / count[side(k)] }))
		}
	}
	values := f.Values(x)
	if got := left(func(k int) float64 { return values[k] }); got > best*1.01 { // leaves are rounded
		t.Errorf("%v is left, want %v", got, best)
	}
}

func TestQuantiles(t *testing.T) {
	if got := quantiles([]float32{2, 1, 2, 4}); !slices.Equal(got, []float32{1.5, 3}) {
		t.Errorf("few values: %v", got)
	}
	if got := quantiles([]float32{7, 7}); len(got) != 0 {
		t.Errorf("one value: %v", got)
	}
	many := make([]float32, 1000)
	for k := range many {
		many[k] = float32(k)
	}
	if got := quantiles(many); len(got) != maxCuts || !slices.IsSorted(got) {
		t.Errorf("%d cuts", len(got))
	}
	next := math.Nextafter32(1, 2)
	if got := between(1, next); got < 1 || got >= next {
		t.Errorf("between neighbours: %v", got)
	}
	if _, err := NewData(nil, 3); err == nil {
		t.Error("no rows: no error")
	}
}
