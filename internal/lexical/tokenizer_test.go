package lexical

import "testing"

func TestTokenizer(t *testing.T) {
	for _, c := range []struct {
		language, sentence string
		want               []string // text of the token, term; "-" before a stop word
	}{
		{"en", "Two yachts sank.", []string{"Two two", "yachts yacht", "sank sank"}},
		{"fr", "L’hôtel de pierre", []string{"L’hôtel hôtel", "-de de", "pierre pierr"}},
		{"zh", "7人遇难", []string{"7 7", "人遇 人遇", "遇难 遇难", "难 难"}},
	} {
		var got []string
		for _, token := range NewTokenizer(c.language).AppendTo(nil, c.sentence) {
			s := c.sentence[token.Start:token.End] + " " + token.Term
			if token.Stop {
				s = "-" + s
			}
			got = append(got, s)
		}
		if len(got) != len(c.want) {
			t.Fatalf("%q: got %q, want %q", c.sentence, got, c.want)
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%q: got %q, want %q", c.sentence, got[i], c.want[i])
			}
		}
	}
}
