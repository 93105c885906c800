package selection

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/internal/reference"
	"github.com/cerasum/cerasum/internal/text"
)

// referenceCase is a result of the paper's own program.
type referenceCase struct {
	Documents  [][]string
	Embeddings [][][]float64
	Centroid   []float64
	Params     struct {
		Preselect      string
		N              int
		BeamWidth      int     `json:"beam_width"`
		Candidates     int     // Params.Patience
		BudgetWords    int     `json:"budget_words"`
		LengthExponent float64 `json:"length_exponent"`
	}
	Selected [][2]int
}

func (c *referenceCase) problem() (*Problem, Params) {
	p := &Problem{Centroid: c.Centroid}
	m := &linalg.Dense[float64]{Cols: len(c.Embeddings[0][0])}
	for i, doc := range c.Documents {
		for j, s := range doc {
			p.Refs = append(p.Refs, cluster.Ref{Document: i, Sentence: j})
			p.Texts = append(p.Texts, s)
			p.Length = append(p.Length, text.CountWords(s))
			m.Data = append(m.Data, c.Embeddings[i][j]...)
		}
	}
	p.Rows = m
	return p, Params{
		Preselect: Preselect(c.Params.Preselect), N: c.Params.N,
		BeamWidth: c.Params.BeamWidth, Patience: c.Params.Candidates,
		Budget: c.Params.BudgetWords, LengthExponent: c.Params.LengthExponent,
	}
}

func runReference(t *testing.T, r io.Reader) int {
	t.Helper()
	count := 0
	for n, c := range reference.Cases[referenceCase](t, r) {
		count++
		p, params := c.problem()
		got, err := Select(context.Background(), p, params)
		if err != nil {
			t.Fatalf("case %d: %v", n, err)
		}
		want := map[cluster.Ref]bool{}
		for _, s := range c.Selected {
			want[cluster.Ref{Document: s[0], Sentence: s[1]}] = true
		}
		refs := chosen(got, p)
		same := len(refs) == len(want)
		for _, r := range refs {
			same = same && want[r]
		}
		if !same {
			t.Errorf("case %d %+v: got %v, want %v", n, params, fmt.Sprint(refs), c.Selected)
		}
	}
	return count
}

func TestReferenceCases(t *testing.T) {
	if n := runReference(t, reference.Case(t, "testdata/selection.jsonl")); n != 12 {
		t.Errorf("%d cases, want 12", n)
	}
}

func TestAllReferenceCases(t *testing.T) {
	if n := runReference(t, reference.Open(t, "reference/selection.jsonl.gz")); n != 238 {
		t.Errorf("%d cases, want 238", n)
	}
}
