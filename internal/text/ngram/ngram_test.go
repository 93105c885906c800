package ngram

import (
	"slices"
	"testing"
)

func TestWalk(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"12 ?!", nil},
		{"Ab", []string{" a", " ab", " ab ", "a", "ab", "ab ", "b", "b "}},
		{"a-1 É", []string{" a", " a ", "a", "a ", " é", " é ", "é", "é "}},
		{"e\u0301", []string{" e", " e ", "e", "e "}},
		{"\xff", nil},
	} {
		var w Walker
		for range 2 { // the second time with used buffers
			var got []string
			w.Walk(c.text, func(gram []byte) { got = append(got, string(gram)) })
			if !slices.Equal(got, c.want) {
				t.Errorf("Walk(%q) = %q, want %q", c.text, got, c.want)
			}
		}
	}
}
