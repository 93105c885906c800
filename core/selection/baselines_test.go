package selection

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
)

// baselineProblem is a problem with its embeddings as plain slices, and its words.
type baselineProblem struct {
	*Problem
	emb   [][]float64
	words [][]int32
}

// baselines holds all published methods.
var baselines = map[string]struct {
	run   func(context.Context, *baselineProblem, int) (Result, error)
	naive func(*naiveProblem, *baselineProblem) []int
}{
	"lead":      {simple(Lead), naive(naiveLead)},
	"radev":     {simple(Radev), naive(naiveRadev)},
	"rossiello": {simple(Rossiello), naive(naiveRossiello)},
	"lamsiyah":  {simple(Lamsiyah), naive(naiveLamsiyah)},
	"mmr":       {simple(MMR), naive(naiveMMR)},
	"lexrank":   {simple(LexRank), naive(naiveLexRank)},
	"gholipour": {
		func(ctx context.Context, p *baselineProblem, budget int) (Result, error) {
			return Gholipour(ctx, p.Problem, Params{Preselect: All, Budget: budget})
		},
		naive(naiveGholipour),
	},
	"textrank": {
		func(ctx context.Context, p *baselineProblem, budget int) (Result, error) {
			return TextRank(ctx, p.Problem, p.words, budget)
		},
		func(n *naiveProblem, p *baselineProblem) []int { return naiveTextRank(n, p.words) },
	},
}

func simple(f func(context.Context, *Problem, int) (Result, error)) func(context.Context, *baselineProblem, int) (Result, error) {
	return func(ctx context.Context, p *baselineProblem, budget int) (Result, error) {
		return f(ctx, p.Problem, budget)
	}
}

func naive(f func(*naiveProblem) []int) func(*naiveProblem, *baselineProblem) []int {
	return func(n *naiveProblem, _ *baselineProblem) []int { return f(n) }
}

// randomBaseline returns a random problem with the mean centroid. Some sentences are
// near-duplicates, and some embeddings are zero.
func randomBaseline(r *rand.Rand) *baselineProblem {
	p, emb := randomProblem(r, 1+r.IntN(5), 10, 2+r.IntN(8))
	data := p.Rows.(*linalg.Dense[float64]).Data
	d := len(p.Centroid)
	b := &baselineProblem{Problem: p, emb: emb}
	for k := range emb {
		switch other := r.IntN(k + 1); {
		case r.IntN(8) == 0:
			clear(emb[k])
		case r.IntN(3) == 0:
			for i := range emb[k] {
				emb[k][i] = 2*emb[other][i] + 0.05*r.NormFloat64()
			}
		}
		copy(data[k*d:], emb[k])
		words := map[int32]bool{}
		for range r.IntN(9) {
			words[int32(r.IntN(25))] = true
		}
		b.words = append(b.words, nil)
		for w := range words {
			b.words[k] = append(b.words[k], w)
		}
		slices.Sort(b.words[k])
	}
	p.Centroid = centroid.Mean(p.Rows)
	return b
}

// checkBaseline checks the properties of every result.
func checkBaseline(t *testing.T, p *baselineProblem, r Result, budget int) {
	t.Helper()
	rank := slices.Clone(r.Rank)
	slices.Sort(rank)
	if !slices.Equal(rank, r.Rows) || len(slices.Compact(rank)) != len(r.Rows) || len(r.Gain) != len(r.Rank) {
		t.Fatalf("rows %v, rank %v, gains %v", r.Rows, r.Rank, r.Gain)
	}
	n := &naiveProblem{p: p.Problem, emb: p.emb}
	sum := 0.0
	for i := range r.Rank {
		sum += r.Gain[i]
		if want := n.whole(r.Rank[:i+1]); math.Abs(sum-want) > 1e-9 {
			t.Errorf("%d gains add up to %v, the cosine of the sum is %v", i+1, sum, want)
		}
	}
	if math.Abs(sum-r.Score) > 1e-9 {
		t.Errorf("gains add up to %v, the score is %v", sum, r.Score)
	}
	if length := n.length(r.Rows); length > budget != r.OverBudget || r.OverBudget && len(r.Rows) != 1 {
		t.Errorf("%d of %d words, over budget %v", length, budget, r.OverBudget)
	}
}

func TestBaselinesAgreeWithNaive(t *testing.T) {
	problems := 150
	if testing.Short() {
		problems = 30
	}
	for name, m := range baselines {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, uint64(len(name))))
			refused := 0
			for i := range problems {
				p := randomBaseline(r)
				budget := 10 + r.IntN(120)
				got, err := m.run(context.Background(), p, budget)
				if err != nil {
					t.Fatal(err)
				}
				checkBaseline(t, p, got, budget)
				n := newNaive(p.Problem, p.emb, budget, name == "lead")
				if len(n.usable) == 0 {
					refused++
					continue
				}
				if want := m.naive(n, p); !slices.Equal(got.Rank, want) {
					t.Errorf("problem %d, budget %d: got %v, want %v", i, budget, got.Rank, want)
				}
			}
			if refused > problems/5 {
				t.Errorf("%d of %d problems compare nothing", refused, problems)
			}
		})
	}
}

// made returns a problem with the given embeddings, two sentences per document, each
// of length 5.
func made(emb ...[]float64) *baselineProblem {
	m := &linalg.Dense[float64]{Cols: len(emb[0])}
	p := &baselineProblem{Problem: &Problem{Rows: m}, emb: emb}
	for k, e := range emb {
		m.Data = append(m.Data, e...)
		p.Refs = append(p.Refs, cluster.Ref{Document: k / 2, Sentence: k % 2})
		p.Texts = append(p.Texts, fmt.Sprint("sentence ", k))
		p.Length = append(p.Length, 5)
		p.words = append(p.words, []int32{0, 1, 2})
	}
	p.Centroid = centroid.Mean(m)
	return p
}

func TestBaselinesAtTheEdges(t *testing.T) {
	same := []float64{1, 2}
	for name, m := range baselines {
		t.Run(name, func(t *testing.T) {
			run := func(p *baselineProblem, budget int) []int {
				t.Helper()
				r, err := m.run(context.Background(), p, budget)
				if err != nil {
					t.Fatal(err)
				}
				checkBaseline(t, p, r, budget)
				return r.Rank
			}
			expect := func(what string, got []int, want ...int) {
				t.Helper()
				if !slices.Equal(got, want) {
					t.Errorf("%s: got %v, want %v", what, got, want)
				}
			}
			expect("one sentence", run(made(same), 5), 0)
			expect("one sentence, too long", run(made(same), 4), 0)
			expect("all zeros", run(made([]float64{0, 0}, []float64{0, 0}), 5), 0)
			expect("the budget is too small for all", run(made([]float64{0, 1}, []float64{3, 3}, []float64{1, 0}), 4), 1)
			p := made(same, same, same, same)
			p.Texts = []string{"a", "a", "a", "a"}
			expect("one text four times", run(p, 100), 0)
			// Four equal embeddings: ties break by place, except in lead, which
			// alternates between documents, and in methods that omit repetitions.
			switch got := run(made(same, same, same, same), 10); name {
			case "lead":
				expect("equal sentences", got, 0, 2)
			case "rossiello":
				expect("equal sentences", got, 0)
			default:
				expect("equal sentences", got, 0, 1)
			}
			if r, err := m.run(context.Background(), &baselineProblem{Problem: &Problem{Rows: &linalg.Sparse{}}}, 5); err != nil || len(r.Rows) != 0 {
				t.Errorf("no sentences: %v, %v", r, err)
			}
			if _, err := m.run(context.Background(), made(same), 0); !errors.Is(err, ErrParams) || !strings.Contains(err.Error(), "budget is 0") {
				t.Errorf("budget 0: %v", err)
			}
			if _, err := m.run(context.Background(), made([]float64{math.NaN(), 1}), 5); err == nil || !strings.Contains(err.Error(), "not") {
				t.Errorf("not a number: %v", err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			if _, err := m.run(ctx, made(same, same), 5); !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled: %v", err)
			}
		})
	}
}

func TestGholipourPreselects(t *testing.T) {
	// The second sentence of the document is the nearest.
	p := made([]float64{1, 0}, []float64{1, 1})
	p.Centroid = []float64{1, 1}
	first, err := Gholipour(context.Background(), p.Problem, Params{Preselect: First, N: 1, Budget: 5})
	if err != nil || !slices.Equal(first.Rows, []int{0}) {
		t.Errorf("got %v, %v", first, err)
	}
	best, err := Gholipour(context.Background(), p.Problem, Params{Preselect: Best, N: 1, Budget: 5})
	if err != nil || !slices.Equal(best.Rows, []int{1}) {
		t.Errorf("got %v, %v", best, err)
	}
	if _, err := Gholipour(context.Background(), p.Problem, Params{Preselect: "some", Budget: 5}); !errors.Is(err, ErrParams) {
		t.Errorf("got %v", err)
	}
}

func TestTextRankWantsWordsOfEverySentence(t *testing.T) {
	p := made([]float64{1, 0}, []float64{1, 1})
	if _, err := TextRank(context.Background(), p.Problem, p.words[:1], 5); err == nil {
		t.Error("no error")
	}
}

// TestSparseAndDenseRankAlike: the same vectors in both forms give the same ranking.
func TestSparseAndDenseRankAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for name, m := range baselines {
		for range 20 {
			p := randomBaseline(r)
			d := len(p.Centroid)
			single := &linalg.Dense[float32]{Cols: d}
			sparse := &linalg.Sparse{RowPtr: []int{0}, Cols: d}
			for _, e := range p.emb {
				for c, x := range e {
					single.Data = append(single.Data, float32(x))
					if x != 0 {
						sparse.Col, sparse.Val = append(sparse.Col, int32(c)), append(sparse.Val, float32(x))
					}
				}
				sparse.RowPtr = append(sparse.RowPtr, len(sparse.Col))
			}
			p.Rows = single
			a, err := m.run(context.Background(), p, 40)
			if err != nil {
				t.Fatal(err)
			}
			p.Rows = sparse
			b, err := m.run(context.Background(), p, 40)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(a.Rank, b.Rank) {
				t.Errorf("%s: dense %v, sparse %v", name, a.Rank, b.Rank)
			}
		}
	}
}

// TestHugeClusters: beyond maxCandidates only the nearest are compared, so that
// neither time nor memory grows with the square.
func TestHugeClusters(t *testing.T) {
	if testing.Short() {
		t.Skip("long: make test-slow")
	}
	r := rand.New(rand.NewPCG(2, 4))
	n, d := 3*maxCandidates, 8
	p := &baselineProblem{Problem: &Problem{}}
	m := &linalg.Dense[float32]{Cols: d}
	for k := range n {
		for range d {
			v := r.NormFloat64()
			if k%2 == 0 {
				v += 2
			}
			m.Data = append(m.Data, float32(v))
		}
		p.Refs = append(p.Refs, cluster.Ref{Document: k / 20, Sentence: k % 20})
		p.Length = append(p.Length, 10)
		p.words = append(p.words, []int32{int32(k % 7), int32(7 + k%11)})
	}
	p.Rows = m
	p.Centroid = centroid.Mean(m)
	for name, b := range baselines {
		got, err := b.run(context.Background(), p, 100)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Rows) != 10 {
			t.Errorf("%s: %d sentences, want 10", name, len(got.Rows))
		}
		for _, k := range got.Rows {
			if k%2 != 0 && name != "lead" {
				t.Errorf("%s took sentence %d, which is not near", name, k)
			}
		}
	}
}
