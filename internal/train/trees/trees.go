// Package trees trains the forests of internal/forest by gradient boosting with second
// derivatives (Friedman 2001, Chen and Guestrin 2016) on histograms of the inputs.
package trees

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"github.com/cerasum/cerasum/internal/forest"
)

// Loss fills in the first and second derivatives of the loss by the value of each row.
type Loss func(values, first, second []float64)

// Params are the hyperparameters of [Train].
type Params struct {
	Trees, Depth int
	Rate         float64 // what is made of each tree's best values
	Penalty      float64 // of squared values, in units of second derivatives
	// Rows and Inputs are the shares of them that each tree learns from.
	Rows, Inputs float64
	Seed         uint64
}

// Data are N rows of inputs in bins.
type Data struct {
	// Cuts are the thresholds of each input, ascending.
	Cuts [][]float32
	bins [][]uint8 // of each input, for each row: how many cuts are below
	rows int
}

const (
	// maxCuts is the number of cuts of an input.
	maxCuts  = 63
	maxDepth = 8
	// largestLeaf bounds the leaves, so that they compress: a tree's error is the next one's task.
	largestLeaf = 31
)

// NewData bins x, N×width, by its quantiles.
func NewData(x []float32, width int) (*Data, error) {
	if width == 0 || width > math.MaxUint8 || len(x)%width != 0 || len(x) == 0 {
		return nil, errors.New("trees: want rows of 1 to 255 inputs")
	}
	d := &Data{rows: len(x) / width, Cuts: make([][]float32, width), bins: make([][]uint8, width)}
	parallel(width, func(i int) {
		column := make([]float32, d.rows)
		for k := range column {
			column[k] = x[k*width+i]
		}
		d.Cuts[i] = quantiles(column)
		for c, v := range d.Cuts[i] {
			d.Cuts[i][c] = half(v)
		}
		slices.Sort(d.Cuts[i])
		d.Cuts[i] = slices.Compact(d.Cuts[i])
		d.bins[i] = make([]uint8, d.rows)
		for k, v := range column {
			at, _ := slices.BinarySearch(d.Cuts[i], v) // cuts below v; v > cut
			d.bins[i][k] = uint8(at)
		}
	})
	return d, nil
}

// quantiles returns cuts between different values that divide a column evenly.
func quantiles(column []float32) []float32 {
	sorted := slices.Clone(column)
	slices.Sort(sorted)
	if different := slices.Compact(slices.Clone(sorted)); len(different) <= maxCuts {
		cuts := make([]float32, 0, len(different))
		for i := 1; i < len(different); i++ {
			cuts = append(cuts, between(different[i-1], different[i]))
		}
		return cuts
	}
	var cuts []float32
	for n := 1; n <= maxCuts; n++ {
		at := n * len(sorted) / (maxCuts + 1)
		high := sorted[at]
		before, _ := slices.BinarySearch(sorted, high)
		if before > 0 {
			cuts = append(cuts, between(sorted[before-1], high))
		}
	}
	return slices.Compact(cuts)
}

// between is a number at least low and less than high.
func between(low, high float32) float32 {
	if mid := low + (high-low)/2; mid < high {
		return mid
	}
	return low
}

// Train returns a forest that minimizes the loss. The same data and parameters give the
// same forest, whatever the number of processors.
func (d *Data) Train(ctx context.Context, bias float64, loss Loss, p Params) (*forest.Forest, error) {
	if p.Depth < 1 || p.Depth > maxDepth {
		return nil, fmt.Errorf("trees: depth %d, want 1 to %d", p.Depth, maxDepth)
	}
	f := &forest.Forest{Width: len(d.Cuts), Bias: half(float32(bias))}
	values, first, second := make([]float64, d.rows), make([]float64, d.rows), make([]float64, d.rows)
	for k := range values {
		values[k] = float64(f.Bias)
	}
	random := rand.New(rand.NewPCG(p.Seed, 0))
	g := grower{Data: d, leaf: make([]uint8, d.rows)}
	for range p.Trees {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		loss(values, first, second)
		g.sample = g.sample[:0]
		for k := range d.rows {
			if random.Float64() < p.Rows {
				g.sample = append(g.sample, int32(k))
			}
		}
		inputs := random.Perm(len(d.Cuts))[:max(1, int(p.Inputs*float64(len(d.Cuts))))]
		slices.Sort(inputs)
		tree := g.grow(first, second, inputs, p)
		if tree == nil {
			break
		}
		f.Trees = append(f.Trees, *tree)
		for k := range values {
			values[k] += float64(float64(tree.Scale) * float64(tree.Leaves[g.leaf[k]]))
		}
	}
	return f, nil
}

// grower grows trees.
type grower struct {
	*Data
	sample []int32 // the rows that a tree learns from
	leaf   []uint8 // of each row
}

type sums struct{ first, second float64 }

// split is a question and what the loss falls by.
type split struct {
	gain float64
	cut  int
}

func (g *grower) grow(first, second []float64, inputs []int, p Params) *forest.Tree {
	clear(g.leaf)
	t := &forest.Tree{}
	best := make([]split, len(inputs))
	for depth := range p.Depth {
		parallel(len(inputs), func(n int) { best[n] = g.best(inputs[n], 1<<depth, first, second, p.Penalty) })
		chosen := 0
		for n := range best {
			if best[n].gain > best[chosen].gain {
				chosen = n
			}
		}
		if !(best[chosen].gain > 0) {
			break
		}
		input, cut := inputs[chosen], best[chosen].cut
		t.Inputs = append(t.Inputs, uint8(input))
		t.Cuts = append(t.Cuts, g.Cuts[input][cut])
		for k, bin := range g.bins[input] {
			if int(bin) > cut {
				g.leaf[k] |= 1 << depth
			}
		}
	}
	if len(t.Inputs) == 0 {
		return nil
	}
	leaves := make([]sums, 1<<len(t.Inputs))
	for _, k := range g.sample {
		leaves[g.leaf[k]].first += first[k]
		leaves[g.leaf[k]].second += second[k]
	}
	worth, largest := make([]float64, len(leaves)), 0.0
	for i, s := range leaves {
		worth[i] = -p.Rate * s.first / (s.second + p.Penalty)
		largest = max(largest, math.Abs(worth[i]))
	}
	t.Scale = half(float32(largest / largestLeaf))
	t.Leaves = make([]int8, len(leaves))
	for i, v := range worth {
		if t.Scale > 0 {
			t.Leaves[i] = int8(max(-largestLeaf, min(largestLeaf, math.Round(v/float64(t.Scale)))))
		}
	}
	return t
}

// best is the best cut of an input between the leaves.
func (g *grower) best(input, leaves int, first, second []float64, penalty float64) split {
	n := len(g.Cuts[input]) + 1
	if n == 1 {
		return split{}
	}
	histogram := make([]sums, leaves*n)
	bins := g.bins[input]
	for _, k := range g.sample {
		s := &histogram[int(g.leaf[k])*n+int(bins[k])]
		s.first += first[k]
		s.second += second[k]
	}
	gains := make([]float64, n-1)
	for leaf := range leaves {
		of := histogram[leaf*n : (leaf+1)*n]
		var all, left sums
		for _, s := range of {
			all.first += s.first
			all.second += s.second
		}
		whole := all.first * all.first / (all.second + penalty)
		for cut := range gains {
			left.first += of[cut].first
			left.second += of[cut].second
			right := sums{all.first - left.first, all.second - left.second}
			gains[cut] += left.first*left.first/(left.second+penalty) + right.first*right.first/(right.second+penalty) - whole
		}
	}
	var best split
	for cut, gain := range gains {
		if gain > best.gain {
			best = split{gain, cut}
		}
	}
	return best
}

// parallel calls f for 0 to n−1 on all processors.
func parallel(n int, f func(int)) {
	var wait sync.WaitGroup
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	for range min(n, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	wait.Wait()
}
