package text

import "testing"

// TestInvisibleCharactersAreTrimmed: a byte order mark and other invisible characters
// around a sentence are not part of it.
func TestInvisibleCharactersAreTrimmed(t *testing.T) {
	for _, lead := range []string{"\ufeff", "\u200b", "\u2060 ", "\u200e", "\u00ad"} {
		s := Split(lead+"The dam held."+lead, "en")
		if len(s) != 1 || s[0].Text != "The dam held." || s[0].StartUTF16 != len([]rune(lead)) {
			t.Errorf("%q: %+v", lead, s)
		}
	}
}
