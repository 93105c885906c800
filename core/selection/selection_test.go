package selection

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
)

func TestParamsAreChecked(t *testing.T) {
	for want, change := range map[string]func(*Params){
		"preselect":       func(p *Params) { p.Preselect = "some" },
		"n is 0":          func(p *Params) { p.N = 0 },
		"beam_width":      func(p *Params) { p.BeamWidth = 0 },
		"patience":        func(p *Params) { p.Patience = -1 },
		"budget":          func(p *Params) { p.Budget = 0 },
		"length_exponent": func(p *Params) { p.LengthExponent = math.NaN() },
	} {
		p := PaperParams()
		change(&p)
		_, err := Select(context.Background(), &Problem{Rows: &linalg.Sparse{}}, p)
		if !errors.Is(err, ErrParams) || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error that names %q, got %v", want, err)
		}
	}
}

func TestProblemIsChecked(t *testing.T) {
	ok := func() *Problem {
		return &Problem{
			Rows:     &linalg.Dense[float64]{Data: []float64{1, 0, 0, 1}, Cols: 2},
			Centroid: []float64{1, 1},
			Refs:     []cluster.Ref{{Document: 0, Sentence: 0}, {Document: 0, Sentence: 1}},
			Length:   []int{3, 4},
		}
	}
	for want, change := range map[string]func(*Problem){
		"embeddings": func(p *Problem) { p.Refs = p.Refs[:1] },
		"lengths":    func(p *Problem) { p.Length = nil },
		"dimensions": func(p *Problem) { p.Centroid = []float64{1} },
		"centroid":   func(p *Problem) { p.Centroid[1] = math.Inf(1) },
		"sentence 1 is not finite": func(p *Problem) {
			p.Rows.(*linalg.Dense[float64]).Data[3] = math.NaN()
		},
		"sentence 0 is not finite, or too large": func(p *Problem) { p.Rows.(*linalg.Dense[float64]).Data[1] = 1e80 },
		"the centroid is too large":              func(p *Problem) { p.Centroid[0] = 1e80 },
	} {
		p := ok()
		change(p)
		if _, err := Select(context.Background(), p, PaperParams()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error that names %q, got %v", want, err)
		}
	}
	if r, err := Select(context.Background(), ok(), PaperParams()); err != nil || len(r.Rows) != 2 {
		t.Errorf("everything fits: got %v, %v", r, err)
	}
	if r, err := Select(context.Background(), &Problem{Rows: &linalg.Sparse{}}, PaperParams()); err != nil || len(r.Rows) != 0 {
		t.Errorf("no sentences: got %v, %v", r, err)
	}
}

// TestParamsLargerThanTheCluster: parameters are limited to the size of the cluster.
func TestParamsLargerThanTheCluster(t *testing.T) {
	p := &Problem{
		Rows:     &linalg.Dense[float64]{Data: []float64{1, 0, 0, 1, 1, 1}, Cols: 2},
		Centroid: []float64{1, 1},
		Refs:     []cluster.Ref{{Document: 0, Sentence: 0}, {Document: 0, Sentence: 1}, {Document: 1, Sentence: 0}},
		Length:   []int{3, 4, 5},
	}
	for _, distinct := range []bool{false, true} {
		params := PaperParams()
		params.N, params.BeamWidth, params.Patience, params.Budget, params.Distinct = math.MaxInt, math.MaxInt, math.MaxInt, 5, distinct
		r, err := Select(context.Background(), p, params)
		if err != nil || len(r.Rows) != 1 || r.Rows[0] != 2 {
			t.Errorf("distinct %v: got %v, %v, want the third", distinct, r.Rows, err)
		}
	}
}

func TestCancelledSearchStops(t *testing.T) {
	p, _ := randomProblem(rand.New(rand.NewPCG(1, 1)), 5, 40, 8)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Select(ctx, p, PaperParams()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestTiesBreakByDocumentAndSentence(t *testing.T) {
	// Four equal sentences in two documents; a budget for two.
	p := &Problem{
		Rows:     &linalg.Dense[float64]{Data: []float64{1, 0, 1, 0, 1, 0, 1, 0}, Cols: 2},
		Centroid: []float64{1, 0},
		Refs:     []cluster.Ref{{Document: 0, Sentence: 0}, {Document: 0, Sentence: 1}, {Document: 1, Sentence: 0}, {Document: 1, Sentence: 1}},
		Length:   []int{5, 5, 5, 5},
	}
	params := PaperParams()
	params.Budget, params.Distinct = 10, true
	r, err := Select(context.Background(), p, params)
	if err != nil || fmt.Sprint(chosen(r, p)) != "[{0 0} {0 1}]" {
		t.Errorf("got %v, %v", chosen(r, p), err)
	}
}

// benchmarkProblem returns n sentences of 8–40 words in documents of 25, with
// float32 embeddings of d dimensions around a common direction.
func benchmarkProblem(n, d int) *Problem {
	r := rand.New(rand.NewPCG(5, 6))
	p := &Problem{Centroid: make([]float64, d)}
	m := &linalg.Dense[float32]{Data: make([]float32, n*d), Cols: d}
	for i := range m.Data {
		m.Data[i] = float32(r.NormFloat64() + 0.2)
		p.Centroid[i%d] += float64(m.Data[i])
	}
	for k := range n {
		p.Refs = append(p.Refs, cluster.Ref{Document: k / 25, Sentence: k % 25})
		p.Length = append(p.Length, 8+r.IntN(33))
	}
	p.Rows = m
	return p
}

// BenchmarkSelect takes every sentence as a candidate; budget 230 words.
func BenchmarkSelect(b *testing.B) {
	params := PaperParams()
	params.Preselect = All
	for _, n := range []int{100, 1000, 10000} {
		p := benchmarkProblem(n, 512)
		b.Run(fmt.Sprintf("%dx512", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := Select(context.Background(), p, params); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// chosen are the references of the chosen sentences.
func chosen(r Result, p *Problem) []cluster.Ref {
	refs := make([]cluster.Ref, len(r.Rows))
	for i, k := range r.Rows {
		refs[i] = p.Refs[k]
	}
	return refs
}
