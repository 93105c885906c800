package selection

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
)

// naiveSelect is Algorithm 1 written directly from the paper, with the exclusion of
// near-duplicates: every sum of embeddings is computed, every state scored from scratch.
func naiveSelect(p *Problem, emb [][]float64, o Params) []int {
	norm := func(v []float64) float64 {
		s := 0.0
		for _, x := range v {
			s += x * x
		}
		return math.Sqrt(s)
	}
	cosine := func(rows []int) float64 {
		sum := make([]float64, len(p.Centroid))
		for _, k := range rows {
			for j, x := range emb[k] {
				sum[j] += x
			}
		}
		d := 0.0
		for j := range sum {
			d += sum[j] * p.Centroid[j]
		}
		if norm(sum) == 0 || norm(p.Centroid) == 0 {
			return 0
		}
		return d / norm(sum) / norm(p.Centroid)
	}
	length := func(rows []int) (n int) {
		for _, k := range rows {
			n += p.Length[k]
		}
		return n
	}
	score := func(rows []int) float64 {
		return cosine(rows) / math.Pow(float64(length(rows)), o.LengthExponent)
	}
	var pool []int
	perDocument := map[int][]int{}
	for k, r := range p.Refs {
		repeated := false
		for q := range k {
			repeated = repeated || p.Texts[q] == p.Texts[k]
		}
		if !repeated && p.Length[k] <= o.Budget {
			perDocument[r.Document] = append(perDocument[r.Document], k)
		}
	}
	for _, doc := range perDocument {
		if o.Preselect == Best {
			sort.SliceStable(doc, func(a, b int) bool { return cosine([]int{doc[a]}) > cosine([]int{doc[b]}) })
		}
		if o.Preselect != All {
			doc = doc[:min(o.N, len(doc))]
		}
		pool = append(pool, doc...)
	}
	sort.Ints(pool)
	if len(pool) == 0 {
		best := 0
		for k := range p.Refs {
			if cosine([]int{k}) > cosine([]int{best}) {
				best = k
			}
		}
		return []int{best}
	}
	byScore := func(states [][]int) {
		sort.SliceStable(states, func(a, b int) bool { return score(states[a]) > score(states[b]) })
	}
	excluded := func(st []int, k int) bool {
		return slices.ContainsFunc(st, func(q int) bool {
			return q == k || p.Translations != nil && slices.Contains(p.Translations(q), k) ||
				o.MaxCosine > 0 && cosineOf(emb[q], emb[k]) > o.MaxCosine
		})
	}
	extensions := func(st []int) (out [][]int) {
		for _, k := range pool {
			if !excluded(st, k) {
				out = append(out, append(slices.Clone(st), k))
			}
		}
		byScore(out)
		return out
	}
	current, finals, complete := [][]int{nil}, [][]int{}, [][]int{}
	for {
		var extended [][]int
		for _, st := range current {
			if length(st) < o.Budget {
				x := extensions(st)
				if len(x) == 0 {
					complete = append(complete, st)
				}
				extended = append(extended, x[:min(o.BeamWidth, len(x))]...)
			}
		}
		if len(extended) == 0 {
			break
		}
		byScore(extended)
		if o.Distinct {
			seen := map[string]bool{}
			extended = slices.DeleteFunc(extended, func(st []int) bool {
				set := slices.Clone(st)
				sort.Ints(set)
				key := fmt.Sprint(set)
				defer func() { seen[key] = true }()
				return seen[key]
			})
		}
		next := extended[:min(o.BeamWidth, len(extended))]
		for i := len(next) - 1; i >= 0; i-- {
			if l := length(next[i]); l > o.Budget {
				finals = append(finals, current...)
				break
			} else if l == o.Budget {
				finals = append(finals, next...)
				break
			}
		}
		current = next
	}
	greedy := o.Patience > 0
	if len(finals) == 0 {
		finals, greedy = current, false
	}
	var within [][]int
	for _, st := range finals {
		if length(st) <= o.Budget && len(st) > 0 {
			within = append(within, st)
		}
	}
	byScore(within)
	if o.Distinct {
		seen := map[string]bool{}
		within = slices.DeleteFunc(within, func(st []int) bool {
			set := slices.Clone(st)
			sort.Ints(set)
			key := fmt.Sprint(set)
			defer func() { seen[key] = true }()
			return seen[key]
		})
	}
	within = within[:min(o.BeamWidth, len(within))]
	if greedy {
		for i := range within {
			discarded := []int{}
			for t := 0; t < o.Patience && length(within[i]) < o.Budget; {
				x := slices.DeleteFunc(extensions(within[i]), func(st []int) bool {
					return slices.Contains(discarded, st[len(st)-1])
				})
				if len(x) == 0 {
					break
				}
				if length(x[0]) <= o.Budget {
					within[i], t = x[0], 0
				} else {
					discarded, t = append(discarded, x[0][len(x[0])-1]), t+1
				}
			}
		}
	}
	within = append(within, complete...)
	byScore(within)
	sort.Ints(within[0])
	return within[0]
}

// randomProblem makes a cluster of a few documents with repeated sentences.
func randomProblem(r *rand.Rand, documents, sentences, d int) (*Problem, [][]float64) {
	p := &Problem{Centroid: make([]float64, d)}
	var emb [][]float64
	m := &linalg.Dense[float64]{Cols: d}
	for i := range documents {
		for j := range 1 + r.IntN(sentences) {
			e := make([]float64, d)
			for c := range e {
				e[c] = r.NormFloat64()
				p.Centroid[c] += e[c] + 0.3
			}
			p.Refs = append(p.Refs, cluster.Ref{Document: i, Sentence: j})
			p.Texts = append(p.Texts, fmt.Sprint("sentence ", r.IntN(60)))
			p.Length = append(p.Length, 1+r.IntN(30))
			emb = append(emb, e)
			m.Data = append(m.Data, e...)
		}
	}
	p.Rows = m
	return p, emb
}

// randomPairs makes every fourth pair of n rows exclude each other.
func randomPairs(r *rand.Rand, n int) func(k int) []int {
	pairs := make([][]int, n)
	for a := range n {
		for b := range a {
			if r.IntN(4) == 0 {
				pairs[a], pairs[b] = append(pairs[a], b), append(pairs[b], a)
			}
		}
	}
	return func(k int) []int { return pairs[k] }
}

// TestSelectFindsTheBestCompleteSet: where the budget holds all sentences and
// some exclude each other, a set to which none can be added is complete. Sets
// become complete at different sizes. A beam wide enough for all sets finds the
// best complete one.
func TestSelectFindsTheBestCompleteSet(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	for i := range 300 {
		p, emb := randomProblem(r, 2, 4, 3)
		p.Texts = make([]string, len(p.Refs))
		for k := range p.Texts {
			p.Texts[k] = fmt.Sprint(k)
		}
		p.Translations = randomPairs(r, len(p.Refs))
		o := Params{Preselect: All, BeamWidth: 1 << len(p.Refs), Patience: 9, Budget: 10000, Distinct: true}
		best, found := math.Inf(-1), []int(nil)
		for set := 1; set < 1<<len(p.Refs); set++ {
			var rows []int
			sum := make([]float64, len(p.Centroid))
			open := make([]bool, len(p.Refs))
			for k := range open {
				open[k] = set>>k&1 == 0
			}
			allowed := true
			for k := range p.Refs {
				if set>>k&1 == 0 {
					continue
				}
				rows = append(rows, k)
				for j, x := range emb[k] {
					sum[j] += x
				}
				for _, q := range p.Translations(k) {
					allowed = allowed && set>>q&1 == 0
					open[q] = false
				}
			}
			if !allowed || slices.Contains(open, true) {
				continue
			}
			if v := cosineOf(sum, p.Centroid); v > best+1e-12 {
				best, found = v, rows
			}
		}
		got, err := Select(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(best-got.Score) > 1e-9 || !slices.Equal(got.Rows, found) {
			t.Errorf("problem %d: got %v with score %v, want the best complete set %v with %v", i, got.Rows, got.Score, found, best)
		}
	}
}

func TestSelectAgreesWithNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	for i := range 400 {
		p, emb := randomProblem(r, 1+r.IntN(5), 12, 2+r.IntN(8))
		o := Params{
			Preselect: []Preselect{First, Best, All}[r.IntN(3)], N: 1 + r.IntN(6),
			BeamWidth: 1 + r.IntN(5), Patience: r.IntN(6), Budget: 5 + r.IntN(120),
			LengthExponent: []float64{0, 0.3}[r.IntN(2)], Distinct: r.IntN(2) == 0,
		}
		if r.IntN(2) == 0 {
			p.Translations = randomPairs(r, len(p.Refs))
		}
		if r.IntN(3) == 0 {
			o.MaxCosine = 0.2 + 0.7*r.Float64()
		}
		if r.IntN(4) == 0 {
			o.Budget = 1000000
		}
		got, err := Select(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		if want := naiveSelect(p, emb, o); !slices.Equal(got.Rows, want) {
			t.Errorf("problem %d %+v: got %v, want %v", i, o, got.Rows, want)
		}
		length := 0
		for _, k := range got.Rows {
			length += p.Length[k]
		}
		if length > o.Budget != got.OverBudget {
			t.Errorf("problem %d: %d of %d words, over budget %v", i, length, o.Budget, got.OverBudget)
		}
	}
}

// TestGainsAddUpToTheScore: in both searches.
func TestGainsAddUpToTheScore(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 1))
	for range 50 {
		p, _ := randomProblem(r, 1+r.IntN(5), 12, 6)
		con := randomConcepts(r, len(p.Refs))
		params := PaperParams()
		params.Budget, params.LengthExponent = 20+r.IntN(100), 0.2
		a, err := Select(context.Background(), p, params)
		if err != nil {
			t.Fatal(err)
		}
		b, err := SelectCoverage(context.Background(), p, con, CoverageParams{Budget: 60, BeamWidth: 3, CoverageWeight: 0.4, ConceptCapacity: 20})
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range []Result{a, b} {
			sum := 0.0
			for _, g := range got.Gain {
				sum += g
			}
			rank := slices.Clone(got.Rank)
			slices.Sort(rank)
			if math.Abs(sum-got.Score) > 1e-9 || !slices.Equal(rank, got.Rows) {
				t.Errorf("gains %v add up to %v, score %v; rank %v of %v", got.Gain, sum, got.Score, got.Rank, got.Rows)
			}
		}
	}
}

// randomConcepts gives every sentence a few of 40 concepts.
func randomConcepts(r *rand.Rand, n int) *Concepts {
	con := &Concepts{Sentence: make([][]int32, n), Weight: make([]float64, 40)}
	for i := range con.Weight {
		con.Weight[i] = r.Float64() * 3
	}
	for k := range n {
		for c := range con.Weight {
			if r.IntN(6) == 0 {
				con.Sentence[k] = append(con.Sentence[k], int32(c))
			}
		}
	}
	return con
}

// TestSelectCoverageFindsTheBest compares with all subsets: a wide beam must find the
// best one.
func TestSelectCoverageFindsTheBest(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 5))
	for i := range 60 {
		p, emb := randomProblem(r, 2, 4, 4)
		p.Texts = nil
		con := randomConcepts(r, len(p.Refs))
		o := CoverageParams{Budget: 10 + r.IntN(60), BeamWidth: 300, CoverageWeight: r.Float64(), ConceptCapacity: 1 + r.IntN(30)}
		got, err := SelectCoverage(context.Background(), p, con, o)
		if err != nil {
			t.Fatal(err)
		}
		weights := slices.Clone(con.Weight)
		sort.Float64s(weights)
		unit := 0.0
		for _, w := range weights[len(weights)-o.ConceptCapacity:] {
			unit += w
		}
		best, found := math.Inf(-1), []int(nil)
		for set := 1; set < 1<<len(p.Refs); set++ {
			var rows []int
			length, cover, seen := 0, 0.0, map[int32]bool{}
			sum := make([]float64, len(p.Centroid))
			for k := range p.Refs {
				if set>>k&1 == 0 {
					continue
				}
				rows = append(rows, k)
				length += p.Length[k]
				for j, x := range emb[k] {
					sum[j] += x
				}
				for _, id := range con.Sentence[k] {
					if !seen[id] {
						seen[id] = true
						cover += con.Weight[id]
					}
				}
			}
			if length > o.Budget {
				continue
			}
			dot, a, b := 0.0, 0.0, 0.0
			for j := range sum {
				dot += sum[j] * p.Centroid[j]
				a += sum[j] * sum[j]
				b += p.Centroid[j] * p.Centroid[j]
			}
			if v := (1-o.CoverageWeight)*dot/math.Sqrt(a*b) + o.CoverageWeight*cover/unit; v > best+1e-12 {
				best, found = v, rows
			}
		}
		if found == nil {
			if !got.OverBudget {
				t.Errorf("problem %d: nothing fits, got %+v", i, got)
			}
			continue
		}
		if math.Abs(best-got.Score) > 1e-9 || !slices.Equal(got.Rows, found) {
			t.Errorf("problem %d: got %v %v, best of all subsets %v %v", i, got.Rows, got.Score, found, best)
		}
	}
}

func TestMaxCosineExcludesNearDuplicates(t *testing.T) {
	// Rows 0 and 2 have almost the same direction.
	m := &linalg.Dense[float64]{Data: []float64{1, 0.1, 0, 1, 1, 0.11, 0.7, 0.8}, Cols: 2}
	p := &Problem{Rows: m, Centroid: []float64{1, 0.2}, Length: []int{5, 5, 5, 5}}
	for k := range 4 {
		p.Refs = append(p.Refs, cluster.Ref{Document: k})
	}
	params := PaperParams()
	params.Budget = 10
	with, err := Select(context.Background(), p, params)
	if err != nil {
		t.Fatal(err)
	}
	params.MaxCosine = 0.95
	without, err := Select(context.Background(), p, params)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(with.Rows, []int{0, 2}) || slices.Equal(without.Rows, with.Rows) || len(without.Rows) != 2 {
		t.Errorf("with near-duplicates %v, without %v", with.Rows, without.Rows)
	}
}

// TestTranslationsAreExcluded: in the beam search, the greedy search and the search for
// coverage.
func TestTranslationsAreExcluded(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	without := 0 // pairs in summaries of problems without translations
	for i := range 300 {
		p, _ := randomProblem(r, 4, 8, 3)
		n := p.Rows.Len()
		translations := make([][]int, n)
		for a := range n {
			for b := range a {
				if r.IntN(4) == 0 {
					translations[a], translations[b] = append(translations[a], b), append(translations[b], a)
				}
			}
		}
		pairs := func(rows []int) (count int) {
			for _, a := range rows {
				for _, b := range rows {
					if slices.Contains(translations[a], b) {
						count++
					}
				}
			}
			return count
		}
		params := PaperParams()
		params.Budget = 20 + r.IntN(100)
		params.Distinct = i%2 == 0
		free, err := Select(context.Background(), p, params)
		if err != nil {
			t.Fatal(err)
		}
		without += pairs(free.Rows)
		p.Translations = func(k int) []int { return translations[k] }
		searched, err := Select(context.Background(), p, params)
		if err != nil {
			t.Fatal(err)
		}
		covered, err := SelectCoverage(context.Background(), p, &Concepts{Sentence: make([][]int32, n)}, CoverageParams{Budget: params.Budget, BeamWidth: 3, ConceptCapacity: 1})
		if err != nil {
			t.Fatal(err)
		}
		if pairs(searched.Rows)+pairs(covered.Rows) > 0 {
			t.Fatalf("problem %d: %v or %v holds translations: %v", i, searched.Rows, covered.Rows, translations)
		}
	}
	if without == 0 {
		t.Error("no summary holds translations without exclusion either: the problems are too easy")
	}
}
