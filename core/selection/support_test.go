package selection

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cerasum/cerasum/core/linalg"
)

// TestSupportIsNotChosen: a search with rows that only support the others is the same
// search without these rows, with the centroid of all.
func TestSupportIsNotChosen(t *testing.T) {
	searches := map[string]func(*Problem) (Result, error){
		"Select":    func(p *Problem) (Result, error) { return Select(context.Background(), p, PaperParams()) },
		"Gholipour": func(p *Problem) (Result, error) { return Gholipour(context.Background(), p, PaperParams()) },
	}
	for name, f := range map[string]func(context.Context, *Problem, int) (Result, error){"Lead": Lead, "Radev": Radev, "Rossiello": Rossiello, "Lamsiyah": Lamsiyah, "MMR": MMR} {
		searches[name] = func(p *Problem) (Result, error) { return f(context.Background(), p, 60) }
	}
	r := rand.New(rand.NewPCG(19, 2))
	for range 60 {
		p := randomBaseline(r).Problem
		all := p.Rows.(*linalg.Dense[float64])
		some := &linalg.Dense[float64]{Cols: all.Cols}
		without := *p
		without.Rows = some
		without.Refs, without.Texts, without.Length = nil, nil, nil
		var kept []int
		p.Support = make([]bool, len(p.Refs))
		for k := range p.Refs {
			if p.Support[k] = r.IntN(3) == 0; p.Support[k] {
				continue
			}
			kept = append(kept, k)
			some.Data = append(some.Data, all.Row(k)...)
			without.Refs, without.Length = append(without.Refs, p.Refs[k]), append(without.Length, p.Length[k])
			if p.Texts != nil {
				without.Texts = append(without.Texts, p.Texts[k])
			}
		}
		if len(kept) == 0 {
			continue
		}
		for name, search := range searches {
			got, err := search(p)
			if err != nil {
				t.Fatal(err)
			}
			want, err := search(&without)
			if err != nil {
				t.Fatal(err)
			}
			for i, k := range want.Rank {
				want.Rank[i] = kept[k]
			}
			if !slices.Equal(got.Rank, want.Rank) || got.OverBudget != want.OverBudget {
				t.Errorf("%s: %v, want %v", name, got.Rank, want.Rank)
			}
		}
	}
}

// TestSupportInGraphs: rows that are not candidates count in the centrality of others.
func TestSupportInGraphs(t *testing.T) {
	p := made([]float64{1, 0}, []float64{0, 1}, []float64{0, 1}, []float64{0.1, 1})
	p.Support = []bool{false, false, true, true}
	r, err := LexRank(context.Background(), p.Problem, 10)
	if err != nil || !slices.Equal(r.Rank, []int{1, 0}) || r.Centrality[2] == 0 {
		t.Errorf("ranks %v by %v, %v; want 1 and 0", r.Rank, r.Centrality, err)
	}
}
