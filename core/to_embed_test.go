package core

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestToEmbed(t *testing.T) {
	var documents []Document
	for d := range 20 {
		var text strings.Builder
		for k := range 10 + 20*(d%3) {
			fmt.Fprintf(&text, "Sentence %d of report %d says that the ferry was late again. ", k, d)
		}
		documents = append(documents, Document{Text: text.String(), Language: "en"})
	}
	documents = append(documents, Document{Text: "渡し船はまた遅れた。", Language: "ja"})
	s, err := Open(context.Background(), documents, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := s.ToEmbed(1 << 20); len(got) != len(s.Texts()) {
		t.Errorf("all fit: got %d of %d", len(got), len(s.Texts()))
	}
	for _, tokens := range []int{-1, 1, 100, 500, 1000, 5000} {
		got := s.ToEmbed(tokens)
		sum := 0.0
		has := map[int]bool{}
		for _, k := range got {
			sum += tokensOf(s.Texts()[k])
			has[s.refs[k].Document] = true
		}
		if sum > float64(max(0, tokens)) || !slices.IsSorted(got) {
			t.Errorf("%d tokens: got %d sentences of %.0f tokens", tokens, len(got), sum)
		}
		if tokens == 500 && len(has) != len(documents) {
			t.Errorf("%d tokens: first sentences of %d documents of %d", tokens, len(has), len(documents))
		}
		if tokens >= 1000 && (len(has) != len(documents) || sum < 0.9*float64(tokens)) {
			t.Errorf("%d tokens: got %.0f tokens of %d documents", tokens, sum, len(has))
		}
	}
}

func BenchmarkToEmbed(b *testing.B) {
	var text strings.Builder
	for k := range 10_000 {
		fmt.Fprintf(&text, "Chapter %d tells how the old captain %d came home after the war. ", k, k%97)
	}
	s, err := Open(context.Background(), []Document{{Text: text.String(), Language: "en"}}, OpenOptions{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s.ToEmbed(24_000)
	}
}
