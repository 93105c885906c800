package selection

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/internal/reference"
)

func runLamsiyah(t *testing.T, r io.Reader) int {
	t.Helper()
	type lamsiyahCase struct {
		referenceCase
		BudgetWords int `json:"budget_words"`
	}
	count := 0
	for n, c := range reference.Cases[lamsiyahCase](t, r) {
		count++
		p, _ := c.problem()
		p.Centroid = centroid.Mean(p.Rows)
		got, err := Lamsiyah(context.Background(), p, c.BudgetWords)
		if err != nil {
			t.Fatalf("case %d: %v", n, err)
		}
		var refs [][2]int
		for _, k := range got.Rank {
			refs = append(refs, [2]int{p.Refs[k].Document, p.Refs[k].Sentence})
		}
		if fmt.Sprint(refs) != fmt.Sprint(c.Selected) {
			t.Errorf("case %d, %d words: got %v, want %v (in order)", n, c.BudgetWords, refs, c.Selected)
		}
	}
	return count
}

func TestLamsiyahAllReferenceCases(t *testing.T) {
	if n := runLamsiyah(t, reference.Open(t, "reference/lamsiyah.jsonl.gz")); n != 80 {
		t.Errorf("%d cases, want 80", n)
	}
}

func TestLamsiyahReferenceCases(t *testing.T) {
	if n := runLamsiyah(t, reference.Case(t, "testdata/lamsiyah.jsonl")); n != 8 {
		t.Errorf("%d cases, want 8", n)
	}
}
