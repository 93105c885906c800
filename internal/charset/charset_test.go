package charset

import (
	"strings"
	"testing"
)

// TestGuess: texts that need no decoding to tell. Those of all encodings are tested
// where they are decoded, in cmd/cerasum/internal/ingest and web/demo/tests.
func TestGuess(t *testing.T) {
	latin := func(data []byte, _ string) string {
		var b strings.Builder
		for _, c := range data {
			b.WriteRune(rune(c))
		}
		return b.String()
	}
	for text, want := range map[string]string{
		"Das Wehr am Mühlbach ist schön. \xff": UTF8,
		"caf\xe9 au lait":                      "windows-1252",
		"Résumé déjà vu \x1b(B\x1b[m":          UTF8,
		"Résumé \xff déjà vu \x1b(B\x1b[m":     UTF8,
	} {
		if got := Guess([]byte(text), latin); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
