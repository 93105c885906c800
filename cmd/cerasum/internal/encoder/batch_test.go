package encoder

import (
	"testing"

	"github.com/cerasum/cerasum/internal/unigram"
)

// TestPlan: every text that has a token is in one batch, which holds it.
func TestPlan(t *testing.T) {
	var tokens []int
	for i := range 1000 {
		tokens = append(tokens, i*37%300)
	}
	seen := map[int]bool{}
	for _, b := range plan(tokens) {
		if len(b.texts) == 0 || len(b.texts) > 1 && len(b.texts)*b.tokens > batchTokens {
			t.Errorf("%d texts of %d tokens", len(b.texts), b.tokens)
		}
		for _, k := range b.texts {
			if seen[k] || tokens[k] == 0 || tokens[k] > b.tokens {
				t.Errorf("text %d of %d tokens in a batch of %d, seen %v", k, tokens[k], b.tokens, seen[k])
			}
			seen[k] = true
		}
	}
	for k, n := range tokens {
		if n > 0 && !seen[k] {
			t.Errorf("text %d of %d tokens is in no batch", k, n)
		}
	}
}

func TestRound(t *testing.T) {
	shapes := map[[2]int]bool{}
	for tokens := 1; tokens <= unigram.MostTokens+3; tokens++ {
		for rows := 1; rows <= max(1, batchTokens/tokens); rows++ {
			r, n := (*goSession)(nil).round(rows, tokens)
			if r < rows || r >= 2*rows || n < tokens || n > tokens+max(7, tokens/4) {
				t.Errorf("%d × %d became %d × %d", rows, tokens, r, n)
			}
			shapes[[2]int{r, n}] = true
		}
	}
	if len(shapes) > 120 {
		t.Errorf("%d shapes to compile", len(shapes))
	}
}
