package selection

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/internal/reference"
)

// coverageCase is a problem solved to proven optimality by integer programming.
type coverageCase struct {
	Budget   int
	Lengths  []int
	Concepts [][]int32
	Weights  []float64
	Optimum  float64
}

func (c *coverageCase) problem() (*Problem, *Concepts) {
	p := &Problem{Centroid: []float64{1}, Length: c.Lengths}
	m := &linalg.Dense[float64]{Cols: 1}
	for k := range c.Lengths {
		m.Data = append(m.Data, 1)
		p.Refs = append(p.Refs, cluster.Ref{Sentence: k})
	}
	p.Rows = m
	return p, &Concepts{Sentence: c.Concepts, Weight: c.Weights}
}

// covered returns the weight that the rows cover; they must fit the budget.
func (c *coverageCase) covered(t *testing.T, rows []int) float64 {
	t.Helper()
	has, length, weight := map[int32]bool{}, 0, 0.0
	for _, k := range rows {
		length += c.Lengths[k]
		for _, id := range c.Concepts[k] {
			if !has[id] {
				has[id] = true
				weight += c.Weights[id]
			}
		}
	}
	if length > c.Budget {
		t.Fatalf("%v have length %d, the budget is %d", rows, length, c.Budget)
	}
	return weight
}

func maxCoverageOf(t *testing.T, c *coverageCase) float64 {
	t.Helper()
	p, con := c.problem()
	r, err := MaxCoverage(context.Background(), p, con, c.Budget)
	if err != nil {
		t.Fatal(err)
	}
	weight, all := c.covered(t, r.Rows), 0.0
	for _, w := range c.Weights {
		all += w
	}
	if want := weight / all; all > 0 && math.Abs(r.Score-want) > 1e-9 {
		t.Errorf("score %v, want %v", r.Score, want)
	}
	return weight
}

func readCoverageCases(t testing.TB, r io.Reader) (cases []*coverageCase) {
	t.Helper()
	for d := json.NewDecoder(r); d.More(); {
		c := &coverageCase{}
		if err := d.Decode(c); err != nil {
			t.Fatal(err)
		}
		for k := range c.Concepts {
			slices.Sort(c.Concepts[k])
		}
		cases = append(cases, c)
	}
	return cases
}

// checkOptimum checks for 99 % of each optimum, and 99.8 % on average.
func checkOptimum(t *testing.T, cases []*coverageCase) {
	t.Helper()
	sum := 0.0
	for i, c := range cases {
		share := maxCoverageOf(t, c) / c.Optimum
		sum += share
		if share < 0.99 || share > 1+1e-6 {
			t.Errorf("case %d: %.3f %% of the optimum", i, 100*share)
		}
	}
	mean := sum / float64(len(cases))
	t.Logf("%.2f %% of the optimum on average", 100*mean)
	if mean < 0.998 {
		t.Errorf("%.3f %% of the optimum on average", 100*mean)
	}
}

func TestMaxCoverageReference(t *testing.T) {
	cases := readCoverageCases(t, reference.Case(t, "testdata/concepts.jsonl"))
	if len(cases) != 7 {
		t.Errorf("%d cases, want 7", len(cases))
	}
	checkOptimum(t, cases)
}

func TestMaxCoverageAllReferenceCases(t *testing.T) {
	cases := readCoverageCases(t, reference.Open(t, "reference/concepts.jsonl.gz"))
	if len(cases) != 60 {
		t.Errorf("%d cases, want 60", len(cases))
	}
	checkOptimum(t, cases)
}

// checkLocalSearch checks what [LocalSearch], with the parameters of method salience,
// leaves of the optimum if coverage is all of the objective.
func checkLocalSearch(t *testing.T, cases []*coverageCase) {
	t.Helper()
	sum, least := 0.0, 1.0
	for _, c := range cases {
		p, con := c.problem()
		r, err := LocalSearch(context.Background(), p, con, LocalSearchParams{
			Budget: c.Budget, CoverageWeight: 1, ConceptCapacity: len(con.Weight), MaxCosine: 1,
			DensityExponents: []float64{0, 0.3, 0.5, 0.7, 1}, SwapExponent: 0.3, Replacements: 5,
		})
		if err != nil {
			t.Fatal(err)
		}
		share := c.covered(t, r.Rows) / c.Optimum
		sum, least = sum+share, min(least, share)
	}
	mean := sum / float64(len(cases))
	t.Logf("%.2f %% of the optimum on average, at least %.2f %%", 100*mean, 100*least)
	if mean < 0.995 || least < 0.97 {
		t.Errorf("%.2f %% of the optimum on average, at least %.2f %%: want 99.5 and 97", 100*mean, 100*least)
	}
}

func TestLocalSearchCoverageReference(t *testing.T) {
	checkLocalSearch(t, readCoverageCases(t, reference.Case(t, "testdata/concepts.jsonl")))
}

func TestLocalSearchCoverageAllReferenceCases(t *testing.T) {
	checkLocalSearch(t, readCoverageCases(t, reference.Open(t, "reference/concepts.jsonl.gz")))
}

// randomCoverage returns a problem of n sentences with c concepts.
func randomCoverage(r *rand.Rand, n, c int) *coverageCase {
	p := &coverageCase{Budget: 1 + r.IntN(60)}
	for range c {
		p.Weights = append(p.Weights, float64(r.IntN(5))+r.Float64())
	}
	for range n {
		p.Lengths = append(p.Lengths, 1+r.IntN(30))
		var ids []int32
		for id := range c {
			if r.IntN(4) == 0 {
				ids = append(ids, int32(id))
			}
		}
		p.Concepts = append(p.Concepts, ids)
	}
	return p
}

// naiveMaxCoverage tries every set of sentences.
func naiveMaxCoverage(t *testing.T, c *coverageCase) float64 {
	best := 0.0
	for set := range 1 << len(c.Lengths) {
		var rows []int
		length := 0
		for k, n := range c.Lengths {
			if set>>k&1 == 1 {
				rows = append(rows, k)
				length += n
			}
		}
		if length <= c.Budget {
			best = max(best, c.covered(t, rows))
		}
	}
	return best
}

func TestMaxCoverageAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 300 {
		c := randomCoverage(r, r.IntN(11)+1, r.IntN(20))
		if !slices.ContainsFunc(c.Lengths, func(n int) bool { return n <= c.Budget }) {
			continue // nothing fits: the result is the nearest sentence
		}
		if got, want := maxCoverageOf(t, c), naiveMaxCoverage(t, c); math.Abs(got-want) > 1e-9 {
			t.Errorf("problem %d: %v, want %v", i, got, want)
		}
	}
}

func TestMaxCoverageEdgeCases(t *testing.T) {
	large := coverageCase{Budget: 1_000_000_000, Lengths: []int{1, 1_000_000_000, 999_999_999}, Concepts: [][]int32{{0}, {1}, {1, 2}}, Weights: []float64{1e-3, 1e3, 1}}
	for name, test := range map[string]struct {
		c    coverageCase
		want []int
		over bool
	}{
		"no sentence":                   {coverageCase{Budget: 5}, nil, false},
		"none fits":                     {coverageCase{Budget: 5, Lengths: []int{6, 7}, Concepts: [][]int32{nil, {0}}, Weights: []float64{1}}, []int{0}, true},
		"no concept":                    {coverageCase{Budget: 5, Lengths: []int{5, 5}, Concepts: [][]int32{nil, nil}}, []int{0}, false},
		"no weight":                     {coverageCase{Budget: 5, Lengths: []int{5, 5}, Concepts: [][]int32{{0}, {0}}, Weights: []float64{0}}, []int{0}, false},
		"the concepts are out of reach": {coverageCase{Budget: 5, Lengths: []int{5, 6}, Concepts: [][]int32{nil, {0}}, Weights: []float64{1}}, []int{0}, false},
		"equal ones: the first":         {coverageCase{Budget: 5, Lengths: []int{5, 5}, Concepts: [][]int32{{0}, {0}}, Weights: []float64{1}}, []int{0}, false},
		"nothing to gain from more":     {coverageCase{Budget: 9, Lengths: []int{3, 3, 3}, Concepts: [][]int32{{0}, {0, 1}, {1}}, Weights: []float64{1, 1}}, []int{1}, false},
		"a large budget":                {large, []int{0, 2}, false},
		"two for one":                   {coverageCase{Budget: 10, Lengths: []int{6, 5, 5}, Concepts: [][]int32{{0, 1, 2}, {0, 1, 3}, {2, 4}}, Weights: []float64{1, 1, 1, 0.2, 0.2}}, []int{1, 2}, false},
	} {
		p, con := test.c.problem()
		got, err := MaxCoverage(context.Background(), p, con, test.c.Budget)
		if err != nil || !slices.Equal(got.Rows, test.want) || got.OverBudget != test.over || math.IsNaN(got.Score) || len(got.Gain) != len(got.Rows) {
			t.Errorf("%s: got %+v, %v; want %v", name, got, err, test.want)
		}
	}
	p, con := (&coverageCase{Lengths: []int{1}, Concepts: [][]int32{nil}}).problem()
	if _, err := MaxCoverage(context.Background(), p, con, 0); !errors.Is(err, ErrParams) {
		t.Errorf("budget 0: %v", err)
	}
}

func TestCancelledMaxCoverageStops(t *testing.T) {
	c := randomCoverage(rand.New(rand.NewPCG(5, 5)), 60, 80)
	c.Budget = 150
	p, con := c.problem()
	ctx := &countdown{context.Background(), math.MaxInt}
	if _, err := MaxCoverage(ctx, p, con, c.Budget); err != nil {
		t.Fatal(err)
	}
	all := math.MaxInt - ctx.left
	if all < 100 {
		t.Fatalf("%d checks of the context", all)
	}
	for n := 0; n < all; n += 1 + all/20 {
		ctx := &countdown{context.Background(), n}
		if got, err := MaxCoverage(ctx, p, con, c.Budget); !errors.Is(err, context.Canceled) || got.Rows != nil || ctx.left != -1 {
			t.Errorf("ended at check %d of %d: %v, %v", n, all, got.Rows, err)
		}
	}
}

// TestMaxCoverageWorkIsBounded: the search ends even for a long summary of many
// sentences.
func TestMaxCoverageWorkIsBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	c := randomCoverage(r, 2000, 3000)
	for k := range c.Concepts {
		from := r.IntN(600)
		c.Concepts[k] = c.Concepts[k][from:min(from+10, len(c.Concepts[k]))]
	}
	c.Budget = 3000
	p, con := c.problem()
	cs, _, err := newCoverageSearch(p, con, CoverageParams{Budget: c.Budget, BeamWidth: 1, CoverageWeight: 1, ConceptCapacity: len(con.Weight)})
	if err != nil {
		t.Fatal(err)
	}
	m := newMaxCoverage(cs)
	if err := m.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	// The last search may exceed the limit by one greedy completion.
	if m.left < -branchWork-len(c.Lengths)*len(m.best) || len(m.best) < 10 {
		t.Errorf("%d sentences, work left: %d", len(m.best), m.left)
	}
}

func BenchmarkMaxCoverage(b *testing.B) {
	for _, n := range []int{100, 1000} {
		c := randomCoverage(rand.New(rand.NewPCG(8, 8)), n, 400)
		c.Budget = 100
		r := rand.New(rand.NewPCG(9, 9))
		for k := range c.Concepts { // four concepts in a sentence
			c.Concepts[k] = nil
			for range 4 {
				c.Concepts[k] = append(c.Concepts[k], int32(r.IntN(400)))
			}
			slices.Sort(c.Concepts[k])
			c.Concepts[k] = slices.Compact(c.Concepts[k])
		}
		p, con := c.problem()
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := MaxCoverage(context.Background(), p, con, c.Budget); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkMaxCoverageReference is 1 problem of 178 sentences of newswire and a
// budget of 100 words.
func BenchmarkMaxCoverageReference(b *testing.B) {
	c := readCoverageCases(b, reference.Case(b, "testdata/concepts.jsonl"))[0]
	p, con := c.problem()
	for b.Loop() {
		if _, err := MaxCoverage(context.Background(), p, con, c.Budget); err != nil {
			b.Fatal(err)
		}
	}
}
