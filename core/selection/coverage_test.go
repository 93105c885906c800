package selection

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cerasum/cerasum/core/linalg"
)

// TestRankAll: all rows are quoted, their score is the objective with a coverage of 1
// for all concepts, and the first row is the one that is best by itself.
func TestRankAll(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 7))
	for i := range 50 {
		p, emb := randomProblem(r, 1+r.IntN(4), 6, 2+r.IntN(6))
		n := len(p.Refs)
		con := randomConcepts(r, n)
		weight := r.Float64()
		got, err := RankAll(p, con, weight)
		if err != nil {
			t.Fatal(err)
		}
		objective := func(rows []int) float64 {
			sum, said := make([]float64, len(p.Centroid)), map[int32]bool{}
			covered, all := 0.0, 0.0
			for _, k := range rows {
				for d, x := range emb[k] {
					sum[d] += x
				}
				for _, id := range con.Sentence[k] {
					if !said[id] {
						said[id] = true
						covered += con.Weight[id]
					}
				}
			}
			for _, w := range con.Weight {
				all += w
			}
			dot, a, b := 0.0, 0.0, 0.0
			for d := range sum {
				dot += sum[d] * p.Centroid[d]
				a += sum[d] * sum[d]
				b += p.Centroid[d] * p.Centroid[d]
			}
			return (1-weight)*dot/math.Sqrt(a*b) + weight*covered/all
		}
		rows, gain := make([]int, n), 0.0
		for k := range rows {
			rows[k] = k
		}
		for at, k := range got.Rank {
			gain += got.Gain[at]
			if want := objective(got.Rank[:at+1]); math.Abs(gain-want) > 1e-9 {
				t.Fatalf("problem %d: %d rows up to %d score %v, want %v", i, at+1, k, gain, want)
			}
		}
		for k := range rows {
			if objective([]int{k}) > got.Gain[0]+1e-9 {
				t.Errorf("problem %d: row %d is better than the first, %d", i, k, got.Rank[0])
			}
		}
		if !slices.Equal(got.Rows, rows) || math.Abs(got.Score-gain) > 1e-12 || got.OverBudget {
			t.Errorf("problem %d: %+v", i, got)
		}
	}
	if got, err := RankAll(&Problem{Rows: &linalg.Sparse{}}, &Concepts{}, 0.5); err != nil || len(got.Rows) != 0 {
		t.Errorf("no sentences: %+v, %v", got, err)
	}
}
