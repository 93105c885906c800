package pdfium

import (
	"strings"
	"testing"
)

// TestBlankAfterBracket has lone brackets before a gap that is a blank, unless the
// bracket belongs to text that is written to the left.
func TestBlankAfterBracket(t *testing.T) {
	at := func(s string, x, y float64) *text {
		t := &text{matrix: identity, size: 10}
		for _, r := range s {
			t.letters = append(t.letters, letter{r, x, y, x + 5})
			x += 5
		}
		return t
	}
	for _, c := range []struct {
		want  string
		texts []*text
	}{
		// The gap is 0.2 of the height.
		{"a) b|א", []*text{at("a", 10, 50), at(")", 15, 50), at("b", 22, 50), at("א", 10, 90)}},
		{"א|) b", []*text{at("א", 10, 90), at(")", 15, 50), at("b", 22, 50)}},
		{"א)b", []*text{at("א", 10, 50), at(")", 15, 50), at("b", 22, 50)}},
		{"1)א", []*text{at("1", 10, 50), at(")", 15, 50), at("א", 22, 50)}},
	} {
		s := scene{order: c.texts}
		var b strings.Builder
		y := 0.0
		for _, p := range s.pieces(identity) {
			if y != 0 && p.Y != y {
				b.WriteByte('|')
			}
			b.WriteString(p.Text)
			y = p.Y
		}
		if b.String() != c.want {
			t.Errorf("got %q, want %q", b.String(), c.want)
		}
	}
}
