package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestTables checks that no word of a language is in two classes, of which the
// later would replace the other silently, and that words are in lower case unless
// the capital matters.
func TestTables(t *testing.T) {
	for _, l := range languages {
		seen := map[string]string{}
		for class, list := range map[string]string{"prefix": l.prefix, "number": l.number, "ending": l.ending, "final": l.final, "era": l.era} {
			for w := range strings.FieldsSeq(list) {
				if other := seen[w]; other != "" {
					t.Errorf("%s: %q is in %s and in %s", l.tag, w, other, class)
				}
				seen[w] = class
				if _, n := utf8.DecodeRuneInString(w); strings.ToLower(w[n:]) != w[n:] {
					t.Errorf("%s: %q: only the first letter may be a capital", l.tag, w)
				}
				if strings.HasSuffix(w, ".") || len(w) > maxLook/2 {
					t.Errorf("%s: %q ends with a full stop or is too long", l.tag, w)
				}
			}
		}
		for _, list := range []string{l.starters, l.months, l.letters} {
			once := map[string]bool{}
			for w := range strings.FieldsSeq(list) {
				if w != strings.ToLower(w) || once[w] {
					t.Errorf("%s: %q is not in small letters or listed twice", l.tag, w)
				}
				once[w] = true
			}
		}
	}
}
