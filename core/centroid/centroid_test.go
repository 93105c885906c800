package centroid

import (
	"math"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
)

var (
	dense  = &linalg.Dense[float64]{Data: []float64{1, 2, 0, 0, 3, 0}, Cols: 2}
	sparse = &linalg.Sparse{RowPtr: []int{0, 2, 2, 3}, Col: []int32{0, 1, 0}, Val: []float32{1, 2, 3}, Cols: 2}
)

func near(a, b []float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-12 {
			return false
		}
	}
	return len(a) == len(b)
}

func TestMeanLeavesOutZeroRows(t *testing.T) {
	for name, m := range map[string]linalg.Rows{"dense": dense, "sparse": sparse} {
		if got := Mean(m); !near(got, []float64{2, 1}) {
			t.Errorf("%s: %v", name, got)
		}
		if got := Weighted(m, []float64{3, 5, 1}); !near(got, []float64{1.5, 1.5}) {
			t.Errorf("%s: %v", name, got)
		}
		if got := Weighted(m, []float64{0, 5, 0}); !near(got, []float64{0, 0}) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestPositionWeights(t *testing.T) {
	refs := []cluster.Ref{{Document: 0, Sentence: 0}, {Document: 0, Sentence: 10}, {Document: 1, Sentence: 0}}
	if got := PositionWeights(refs, 10); !near(got, []float64{1, math.Exp(-1), 1}) {
		t.Error(got)
	}
}

func TestCosines(t *testing.T) {
	for name, m := range map[string]linalg.Rows{"dense": dense, "sparse": sparse} {
		if got := Cosines(m, []float64{0, 2}); !near(got, []float64{2 / math.Sqrt(5), 0, 0}) {
			t.Errorf("%s: %v", name, got)
		}
		if got := Cosines(m, []float64{0, 0}); !near(got, []float64{0, 0, 0}) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestSharpenDrawsTowardsWhatManySay(t *testing.T) {
	// Two sentences are equal, one differs.
	m := &linalg.Dense[float64]{Data: []float64{1, 0, 1, 0, 0, 1}, Cols: 2}
	even := []float64{1, 1, 1}
	if got := Weighted(m, Sharpen(m, even, 0)); !near(got, Mean(m)) {
		t.Errorf("sharpness 0: %v", got)
	}
	// cos to (2/3, 1/3) is 2/√5 and 1/√5.
	a, b := math.Exp(3*2/math.Sqrt(5)), math.Exp(3/math.Sqrt(5))
	if got := Weighted(m, Sharpen(m, even, 3)); !near(got, []float64{2 * a / (2*a + b), b / (2*a + b)}) {
		t.Errorf("sharpness 3: %v", got)
	}
}
