package selection

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
)

func mustSearch(t testing.TB, p *Problem, con *Concepts, o LocalSearchParams) Result {
	t.Helper()
	r, err := LocalSearch(context.Background(), p, con, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// sparsely makes the rows of a problem similar to TF-IDF vectors: few components, none
// negative. It returns them rounded to float32.
func sparsely(r *rand.Rand, p *Problem) [][]float64 {
	d := len(p.Centroid)
	m := &linalg.Sparse{Cols: d, RowPtr: []int{0}}
	var emb [][]float64
	clear(p.Centroid)
	for range p.Refs {
		e := make([]float64, d)
		for c := range e {
			if r.IntN(4) == 0 {
				v := float32(0.1 + r.Float64())
				e[c] = float64(v)
				p.Centroid[c] += e[c]
				m.Col, m.Val = append(m.Col, int32(c)), append(m.Val, v)
			}
		}
		m.RowPtr = append(m.RowPtr, len(m.Col))
		emb = append(emb, e)
	}
	p.Rows = m
	return emb
}

func randomLocalSearch(r *rand.Rand) LocalSearchParams {
	o := LocalSearchParams{
		Budget: 10 + r.IntN(120), CoverageWeight: []float64{0, 0.4, 1, r.Float64()}[r.IntN(4)], ConceptCapacity: 1 + r.IntN(30),
		DensityExponents: [][]float64{{0}, {1}, {0, 0.3, 0.5, 0.7, 1}, {0.5, 2}}[r.IntN(4)],
		SwapExponent:     []float64{0, 0.5, 1}[r.IntN(3)], Replacements: r.IntN(6),
	}
	if r.IntN(2) == 0 {
		o.MaxCosine = 0.2 + 0.7*r.Float64()
	}
	return o
}

// randomValues are on the scale of the objective.
func randomValues(r *rand.Rand, n int) *Values {
	v := &Values{Each: make([]float64, n), After: make([]float64, n), DocumentCost: []float64{0, 0.2 * r.Float64()}[r.IntN(2)]}
	for k := range n {
		v.Each[k], v.After[k] = r.Float64()-0.4, 0.5*r.Float64()
	}
	if n%2 == 0 {
		v.Opening = make([]float64, n)
		for k, each := range v.Each {
			v.Opening[k] = max(0, each)
		}
	}
	return v
}

// TestValuesOfOtherLength: values of other sentences are an error.
func TestValuesOfOtherLength(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	p, _ := randomProblem(r, 2, 5, 4)
	o := randomLocalSearch(r)
	o.Values = randomValues(r, len(p.Refs)+1)
	if _, err := LocalSearch(context.Background(), p, randomConcepts(r, len(p.Refs)), o); err == nil {
		t.Error("no error")
	}
}

func TestLocalSearchAgreesWithNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 7))
	kept, several := 0, 0
	for i := range 300 {
		p, emb := randomProblem(r, 1+r.IntN(4), 10, 4+r.IntN(8))
		if i%2 == 0 {
			emb = sparsely(r, p)
		}
		for k := range p.Length {
			if r.IntN(8) == 0 {
				p.Length[k] = 0
			}
		}
		con := randomConcepts(r, len(p.Refs))
		if r.IntN(10) == 0 {
			con = &Concepts{Sentence: make([][]int32, len(p.Refs))}
		}
		o := randomLocalSearch(r)
		if r.IntN(2) == 0 {
			o.Values = randomValues(r, len(p.Refs))
		}
		naive := newNaiveLocalSearch(p, emb, con, o)
		if r.IntN(3) == 0 {
			q := &Problem{Refs: p.Refs, Centroid: make([]float64, 6)}
			naive.wording = sparsely(r, q)
			p.Wording = q.Rows
		}
		if r.IntN(3) == 0 {
			modulus := 2 + r.IntN(5)
			p.Translations = func(k int) (list []int) {
				for q := range p.Refs {
					if q != k && q%modulus == k%modulus {
						list = append(list, q)
					}
				}
				return list
			}
		}
		if slices.Min(p.Length) > o.Budget {
			continue
		}
		kept++
		got := mustSearch(t, p, con, o)
		want, score := naive.run()
		if !slices.Equal(got.Rows, want) || math.Abs(got.Score-score) > 1e-9 {
			t.Errorf("problem %d %+v: got %v %v, want %v %v", i, o, got.Rows, got.Score, want, score)
		}
		if len(want) > 3 {
			several++
		}
	}
	if kept < 250 || several < 100 {
		t.Errorf("%d problems, %d of them with summaries of more than 3 sentences: too few", kept, several)
	}
}

// TestSwapPoolAgreesWithNaive: more candidates than take part in swaps, and a
// summary too long for swaps that remove two.
func TestSwapPoolAgreesWithNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, budget := range []int{20, 130} {
		p, emb := randomProblem(r, 1, 1, 5)
		for len(p.Refs) < maxSwapPool+40 {
			p, emb = randomProblem(r, 1, 400, 5)
		}
		for k := range p.Texts {
			p.Texts[k] = fmt.Sprint(k)
			p.Length[k] = 4 + r.IntN(9)
		}
		con := randomConcepts(r, len(p.Refs))
		o := LocalSearchParams{Budget: budget, CoverageWeight: 0.7, ConceptCapacity: 60, DensityExponents: []float64{1}, SwapExponent: 0.5, Replacements: 1}
		got := mustSearch(t, p, con, o)
		want, score := newNaiveLocalSearch(p, emb, con, o).run()
		if !slices.Equal(got.Rows, want) || math.Abs(got.Score-score) > 1e-9 {
			t.Errorf("budget %d: got %v %v, want %v %v", budget, got.Rows, got.Score, want, score)
		}
		if budget > 100 && len(got.Rows) <= maxPairSwap {
			t.Errorf("%d sentences: not long enough", len(got.Rows))
		}
	}
}

// TestLocalSearchIsNeverWorse: the score is at least that of each of its greedy
// searches, and mostly better than the best of them.
func TestLocalSearchIsNeverWorse(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	better := 0
	for range 200 {
		p, _ := randomProblem(r, 1+r.IntN(5), 20, 6)
		con := randomConcepts(r, len(p.Refs))
		o := randomLocalSearch(r)
		o.Replacements = 5
		whole := mustSearch(t, p, con, o)
		best := math.Inf(-1)
		for _, e := range o.DensityExponents {
			greedy := o
			greedy.DensityExponents, greedy.Replacements = []float64{e}, 0
			best = max(best, mustSearch(t, p, con, greedy).Score)
		}
		if whole.Score < best-1e-12 {
			t.Errorf("%+v: %v, a greedy search alone finds %v", o, whole.Score, best)
		}
		if whole.Score > best+1e-9 {
			better++
		}
	}
	if better < 60 {
		t.Errorf("swaps gain in %d of 200 problems", better)
	}
}

// TestLocalSearchNearlyFindsTheBest: compared with all subsets of small problems.
func TestLocalSearchNearlyFindsTheBest(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 8))
	found, all := 0, 0
	for range 150 {
		p, emb := randomProblem(r, 2, 5, 4)
		con := randomConcepts(r, len(p.Refs))
		o := LocalSearchParams{Budget: 20 + r.IntN(60), CoverageWeight: 0.4, ConceptCapacity: 20, DensityExponents: []float64{0, 0.3, 0.5, 0.7, 1}, SwapExponent: 0.5, Replacements: 5}
		got := mustSearch(t, p, con, o)
		if got.OverBudget {
			continue
		}
		naive := newNaiveLocalSearch(p, emb, con, o)
		best := math.Inf(-1)
		for set := 1; set < 1<<len(p.Refs); set++ {
			var rows []int
			for k := range p.Refs {
				if set>>k&1 == 1 {
					rows = append(rows, k)
				}
			}
			if naive.length(rows) <= o.Budget {
				best = max(best, naive.score(rows))
			}
		}
		all++
		if got.Score > best+1e-9 {
			t.Fatalf("%v, but no set scores more than %v", got.Score, best)
		}
		if got.Score > best-1e-9 {
			found++
		}
	}
	if found < all*17/20 {
		t.Errorf("the best set was found in %d of %d problems", found, all)
	}
}

// checkChoice checks the properties of every selection.
func checkChoice(t *testing.T, p *Problem, con *Concepts, o LocalSearchParams, got Result) {
	t.Helper()
	length, gain, texts := 0, 0.0, map[string]bool{}
	for i, k := range got.Rows {
		if i > 0 && got.Rows[i-1] >= k {
			t.Errorf("rows %v are not ascending", got.Rows)
		}
		length += p.Length[k]
		if p.Texts != nil && texts[p.Texts[k]] {
			t.Errorf("%q is quoted twice", p.Texts[k])
		} else if p.Texts != nil {
			texts[p.Texts[k]] = true
		}
	}
	for _, g := range got.Gain {
		gain += g
	}
	rank := slices.Sorted(slices.Values(got.Rank))
	if length > o.Budget != got.OverBudget || !slices.Equal(rank, got.Rows) || math.Abs(gain-got.Score) > 1e-9 {
		t.Errorf("length %d of %d, %+v", length, o.Budget, got)
	}
	if again := mustSearch(t, p, con, o); !reflect.DeepEqual(again, got) {
		t.Errorf("first %+v, then %+v", got, again)
	}
}

func TestLocalSearchExcludes(t *testing.T) {
	r := rand.New(rand.NewPCG(77, 3))
	without := 0
	for i := range 200 {
		p, emb := randomProblem(r, 3, 12, 3)
		if i%3 == 0 {
			emb = sparsely(r, p)
		}
		n := len(p.Refs)
		translations := make([][]int, n)
		for a := range n {
			for b := range a {
				if r.IntN(4) == 0 {
					translations[a], translations[b] = append(translations[a], b), append(translations[b], a)
				}
			}
		}
		con := randomConcepts(r, n)
		o := randomLocalSearch(r)
		o.MaxCosine = 0
		redundant := func(rows []int) (count int) {
			for _, a := range rows {
				for _, b := range rows {
					if slices.Contains(translations[a], b) || a != b && cosineOf(emb[a], emb[b]) > 0.8 {
						count++
					}
				}
			}
			return count
		}
		free := mustSearch(t, p, con, o)
		checkChoice(t, p, con, o, free)
		without += redundant(free.Rows)
		p.Translations, o.MaxCosine = func(k int) []int { return translations[k] }, 0.8
		got := mustSearch(t, p, con, o)
		checkChoice(t, p, con, o, got)
		if redundant(got.Rows) > 0 {
			t.Errorf("problem %d: %v holds translations or near-duplicates", i, got.Rows)
		}
	}
	if without == 0 {
		t.Error("no summary holds translations or near-duplicates without exclusion either: the problems are too easy")
	}
}

func TestLocalSearchEdgeCases(t *testing.T) {
	o := LocalSearchParams{Budget: 10, CoverageWeight: 0.4, ConceptCapacity: 5, MaxCosine: 0.8, DensityExponents: []float64{0, 1}, SwapExponent: 0.5, Replacements: 5}
	problem := func(rows ...[]float64) (*Problem, *Concepts) {
		p, con := &Problem{Centroid: []float64{1, 1}}, &Concepts{Weight: []float64{1, 2, 3}}
		m := &linalg.Dense[float64]{Cols: 2}
		for k, e := range rows {
			m.Data = append(m.Data, e...)
			p.Refs = append(p.Refs, cluster.Ref{Sentence: k})
			p.Length = append(p.Length, 5)
			con.Sentence = append(con.Sentence, []int32{int32(k % 3)})
		}
		p.Rows = m
		return p, con
	}
	x, y, zero := []float64{1, 0}, []float64{0, 1}, []float64{0, 0}
	for name, test := range map[string]struct {
		rows   [][]float64
		change func(p *Problem, con *Concepts, o *LocalSearchParams)
		want   []int
		over   bool
	}{
		"no sentence":                        {nil, nil, nil, false},
		"one sentence":                       {[][]float64{x}, nil, []int{0}, false},
		"one sentence of zeros":              {[][]float64{zero}, nil, []int{0}, false},
		"zeros are left out":                 {[][]float64{zero, x, zero, y}, nil, []int{1, 3}, false},
		"zeros alone, by their concepts":     {[][]float64{zero, zero, zero}, nil, []int{1, 2}, false},
		"zeros alone, without concepts":      {[][]float64{zero, zero}, func(_ *Problem, con *Concepts, _ *LocalSearchParams) { *con = Concepts{Sentence: make([][]int32, 2)} }, []int{0}, false},
		"a centroid of zeros":                {[][]float64{x, y, x}, func(p *Problem, _ *Concepts, _ *LocalSearchParams) { clear(p.Centroid) }, []int{1, 2}, false},
		"opposite to the centroid":           {[][]float64{{-1, 0}, {-1, -0.1}}, func(_ *Problem, con *Concepts, _ *LocalSearchParams) { clear(con.Weight) }, []int{0}, false},
		"the nearest of those opposite":      {[][]float64{{-1, -1}, {-1, 0}}, func(_ *Problem, con *Concepts, _ *LocalSearchParams) { clear(con.Weight) }, []int{1}, false},
		"none fits: the nearest":             {[][]float64{x, {1, 0.9}, y}, func(p *Problem, _ *Concepts, _ *LocalSearchParams) { p.Length = []int{11, 12, 13} }, []int{1}, true},
		"the same text":                      {[][]float64{x, x, y}, func(p *Problem, _ *Concepts, o *LocalSearchParams) { p.Texts, o.MaxCosine = []string{"a", "a", "b"}, 0 }, []int{0, 2}, false},
		"sentences of no length are free":    {[][]float64{x, y, {1, 1}}, func(p *Problem, _ *Concepts, _ *LocalSearchParams) { p.Length = []int{0, 0, 10} }, []int{0, 1, 2}, false},
		"all fits":                           {[][]float64{x, y}, func(_ *Problem, _ *Concepts, o *LocalSearchParams) { o.Budget = math.MaxInt }, []int{0, 1}, false},
		"equal ones: the first":              {[][]float64{x, x, x}, func(_ *Problem, con *Concepts, o *LocalSearchParams) { con.Weight, o.Budget = []float64{1, 1, 1}, 5 }, []int{0}, false},
		"more ConceptCapacity than concepts": {[][]float64{x, y}, func(_ *Problem, _ *Concepts, o *LocalSearchParams) { o.ConceptCapacity = 1000 }, []int{0, 1}, false},
		"sums to zeros":                      {[][]float64{{1, 1}, {-1, -1}}, func(_ *Problem, con *Concepts, _ *LocalSearchParams) { clear(con.Weight) }, []int{0}, false},
	} {
		t.Run(name, func(t *testing.T) {
			p, con := problem(test.rows...)
			o := o
			if test.change != nil {
				test.change(p, con, &o)
			}
			got := mustSearch(t, p, con, o)
			if !slices.Equal(got.Rows, test.want) || got.OverBudget != test.over {
				t.Errorf("got %+v, want %v", got, test.want)
			}
			checkChoice(t, p, con, o, got)
		})
	}
}

func TestLocalSearchParamsAreChecked(t *testing.T) {
	for want, change := range map[string]func(*LocalSearchParams){
		"budget is 0":           func(o *LocalSearchParams) { o.Budget = 0 },
		"concept_capacity is 0": func(o *LocalSearchParams) { o.ConceptCapacity = 0 },
		"coverage_weight":       func(o *LocalSearchParams) { o.CoverageWeight = math.NaN() },
		"density_exponents":     func(o *LocalSearchParams) { o.DensityExponents = nil },
		"exponent -1":           func(o *LocalSearchParams) { o.DensityExponents = []float64{0, -1} },
		"exponent NaN":          func(o *LocalSearchParams) { o.SwapExponent = math.NaN() },
		"exponent 11":           func(o *LocalSearchParams) { o.SwapExponent = 11 },
		"replacements is -2":    func(o *LocalSearchParams) { o.Replacements = -2 },
	} {
		o := LocalSearchParams{Budget: 5, ConceptCapacity: 1, DensityExponents: []float64{0}}
		change(&o)
		if _, err := LocalSearch(context.Background(), &Problem{Rows: &linalg.Sparse{}}, &Concepts{}, o); !errors.Is(err, ErrParams) || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error that names %q, got %v", want, err)
		}
	}
}

// TestConceptsAreChecked: by all functions that maximize the objective or rank by it.
func TestConceptsAreChecked(t *testing.T) {
	p, _ := randomProblem(rand.New(rand.NewPCG(1, 1)), 1, 1, 2)
	for want, con := range map[string]*Concepts{
		"concepts of 0 sentences":  {},
		"sentence 0 has concept 2": {Sentence: [][]int32{{0, 2}}, Weight: []float64{1, 1}},
		"has concept -1":           {Sentence: [][]int32{{-1}}, Weight: []float64{1}},
		"weight of concept 1 is N": {Sentence: [][]int32{{0}}, Weight: []float64{1, math.NaN()}},
		"weight of concept 0 is +": {Sentence: [][]int32{{0}}, Weight: []float64{math.Inf(1)}},
		"weight of concept 0 is -": {Sentence: [][]int32{{0}}, Weight: []float64{-1}},
	} {
		_, a := LocalSearch(context.Background(), p, con, LocalSearchParams{Budget: 50, ConceptCapacity: 1, DensityExponents: []float64{0}})
		_, b := SelectCoverage(context.Background(), p, con, CoverageParams{Budget: 50, ConceptCapacity: 1, BeamWidth: 1})
		_, c := RankAll(p, con, 0.5)
		for _, err := range []error{a, b, c} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("want %q, got %v", want, err)
			}
		}
	}
}

// countdown is a context that is cancelled at the n-th check of Err.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestCancelledLocalSearchStops: in each of the greedy searches and during the swaps.
func TestCancelledLocalSearchStops(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	p, _ := randomProblem(r, 4, 30, 6)
	con := randomConcepts(r, len(p.Refs))
	o := LocalSearchParams{Budget: 120, CoverageWeight: 0.4, ConceptCapacity: 30, DensityExponents: []float64{0, 0.5, 1}, SwapExponent: 0.5, Replacements: 3}
	checks := func(o LocalSearchParams) int {
		ctx := &countdown{context.Background(), math.MaxInt}
		if _, err := LocalSearch(ctx, p, con, o); err != nil {
			t.Fatal(err)
		}
		return math.MaxInt - ctx.left
	}
	all := checks(o)
	o.Replacements = 0
	greedy := checks(o)
	o.Replacements = 3
	if greedy < 12 || all < 2*greedy {
		t.Fatalf("%d checks of the context, %d of them before the swaps", all, greedy)
	}
	for n := 0; n < all; n += 1 + all/40 {
		ctx := &countdown{context.Background(), n}
		if got, err := LocalSearch(ctx, p, con, o); !errors.Is(err, context.Canceled) || got.Rows != nil || ctx.left != -1 {
			t.Errorf("ended at check %d of %d: %v, %v, %d checks more", n, all, got.Rows, err, -1-ctx.left)
		}
	}
}

// BenchmarkLocalSearch and BenchmarkSelectCoverage take every sentence as a
// candidate; 230 words, 20 concepts in a sentence.
func BenchmarkLocalSearch(b *testing.B) {
	benchmarkConcepts(b, func(p *Problem, con *Concepts) error {
		_, err := LocalSearch(context.Background(), p, con, LocalSearchParams{
			Budget: 230, CoverageWeight: 0.4, ConceptCapacity: 115, MaxCosine: 0.8, DensityExponents: []float64{0, 0.3, 0.5, 0.7, 1}, SwapExponent: 0.5, Replacements: 5,
		})
		return err
	})
}

func BenchmarkSelectCoverage(b *testing.B) {
	benchmarkConcepts(b, func(p *Problem, con *Concepts) error {
		_, err := SelectCoverage(context.Background(), p, con, CoverageParams{Budget: 230, BeamWidth: 4, CoverageWeight: 0.15, ConceptCapacity: 115, MaxCosine: 0.8})
		return err
	})
}

func benchmarkConcepts(b *testing.B, search func(*Problem, *Concepts) error) {
	for _, n := range []int{100, 1000, 10000} {
		p := benchmarkProblem(n, 1000)
		r := rand.New(rand.NewPCG(8, 8))
		sparsely := &linalg.Sparse{Cols: 1000, RowPtr: []int{0}}
		con := &Concepts{Weight: make([]float64, 20*n/2)}
		for m := range con.Weight {
			con.Weight[m] = r.Float64()
		}
		for range n {
			var ids []int32
			for c := r.IntN(60); c < 1000; c += 1 + r.IntN(100) {
				sparsely.Col, sparsely.Val = append(sparsely.Col, int32(c)), append(sparsely.Val, float32(1+r.Float64()))
			}
			row := sparsely.Val[sparsely.RowPtr[len(sparsely.RowPtr)-1]:]
			length := 0.0
			for _, v := range row {
				length += float64(v) * float64(v)
			}
			for k := range row {
				row[k] /= float32(math.Sqrt(length))
			}
			sparsely.RowPtr = append(sparsely.RowPtr, len(sparsely.Col))
			for range 20 {
				ids = append(ids, int32(r.IntN(len(con.Weight))))
			}
			slices.Sort(ids)
			con.Sentence = append(con.Sentence, slices.Compact(ids))
		}
		p.Rows = sparsely
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if err := search(p, con); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestLocalSearcherRepeats: searches of one searcher do not depend on those before.
func TestLocalSearcherRepeats(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for range 40 {
		p, _ := randomProblem(r, 3, 12, 6)
		n := len(p.Refs)
		if n == 0 {
			continue
		}
		con := randomConcepts(r, n)
		o := LocalSearchParams{Budget: 40, CoverageWeight: 0.6, ConceptCapacity: 20, MaxCosine: 0.7, DensityExponents: []float64{0, 1}, SwapExponent: 0.3, Replacements: 3}
		l, err := NewLocalSearcher(p, con, o)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			v := &Values{Each: make([]float64, n), After: make([]float64, n), Opening: make([]float64, n), DocumentCost: r.Float64() / 4}
			for k := range n {
				v.Each[k], v.After[k], v.Opening[k] = r.Float64()-0.3, r.Float64()/4, r.Float64()
			}
			again, err := l.Search(t.Context(), v)
			if err != nil {
				t.Fatal(err)
			}
			o.Values = v
			fresh, err := LocalSearch(t.Context(), p, con, o)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(again.Rows, fresh.Rows) || again.Score != fresh.Score {
				t.Fatalf("again %v %v, fresh %v %v", again.Rows, again.Score, fresh.Rows, fresh.Score)
			}
		}
		if _, err := l.Search(t.Context(), &Values{Each: make([]float64, n+1), After: make([]float64, n+1)}); err == nil {
			t.Fatal("values of another length are accepted")
		}
	}
}

func TestSumOfHeaviest(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 200 {
		weights := make([]float64, 1+r.IntN(600))
		for i := range weights {
			weights[i] = float64(r.IntN(50)) / 7
		}
		sorted := slices.Sorted(slices.Values(weights))
		for _, n := range []int{1, 2, 60, 256, 257, len(weights), len(weights) + 3} {
			want := 0.0
			for _, w := range sorted[max(0, len(sorted)-n):] {
				want += w
			}
			if got := sumOfHeaviest(weights, n); got != want {
				t.Fatalf("%d of %d: %v, want %v", n, len(weights), got, want)
			}
		}
	}
}

// TestExactWeights: sums of rounded weights do not depend on their order.
func TestExactWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	for _, scale := range []float64{1e-300, 1e-9, 1, 1e12} {
		weights := make([]float64, 300)
		for i := range weights {
			weights[i] = r.ExpFloat64() * scale
		}
		exact := exactWeights(weights)
		up, down := 0.0, 0.0
		for i := range exact {
			if math.Abs(exact[i]-weights[i]) > 1e-10*scale {
				t.Fatalf("%v is rounded to %v", weights[i], exact[i])
			}
			up += exact[i]
			down += exact[len(exact)-1-i]
		}
		for i := range exact {
			up -= exact[i]
		}
		if up != 0 || down == 0 {
			t.Errorf("scale %v: sums %v, %v", scale, up, down)
		}
	}
	if got := exactWeights([]float64{0, 0}); got[0] != 0 || got[1] != 0 {
		t.Error(got)
	}
}
