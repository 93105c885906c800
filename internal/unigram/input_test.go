package unigram

import (
	"slices"
	"strings"
	"testing"
)

func TestInput(t *testing.T) {
	tok, err := New(toy())
	if err != nil {
		t.Fatal(err)
	}
	own := tok.Append(nil, "abc")
	if got, want := tok.Input(nil, "abc", false), append(append([]int32{BOS}, own...), EOS); !slices.Equal(got, want) {
		t.Errorf("a sentence: got %v, want %v", got, want)
	}
	asked := tok.Input([]int32{7}, "abc", true)
	before := 1 + tok.Before(true)
	if asked[0] != 7 || asked[1] != BOS || !slices.Equal(asked[before:len(asked)-1], own) {
		t.Errorf("a question: got %v, its own ids at %d", asked, before)
	}
	if got := tok.Input([]int32{7}, " \t", true); !slices.Equal(got, []int32{7}) {
		t.Errorf("a text without pieces: got %v", got)
	}
	if got := tok.Input(nil, strings.Repeat("abc ", 1000), false); len(got) != MostTokens+2 || got[len(got)-1] != EOS {
		t.Errorf("a long text: got %d ids, the last %d", len(got), got[len(got)-1])
	}
}
