package lexical

import (
	"strings"
	"testing"
	"time"
)

// TestLinear analyses megabytes of text that a careless implementation would read in
// quadratic time: the test would then exceed its time limit.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("long: make test-slow")
	}
	const size = 1 << 18
	for name, unit := range map[string]string{
		"one word": "a", "capitals": "US ", "marks": "\u0301", "Han": "山川", "Thai": "กำ", "Hangul": "한",
		"apostrophes": "l'", "dots": "a.", "digits": "1,", "invalid": "\xff", "NUL": "\x00", "joiners": "\u200d",
		"underscores": "_", "emoji": "👍🏽", "long vowels": "ー", "Turkish": "I\u0307", "Hebrew": "א\"",
	} {
		for _, language := range []string{"en", "tr", "ja"} {
			text := strings.Repeat(unit, size/len(unit))
			start := time.Now()
			a := analyze(t, document(language, text))
			a.TFIDF(Weighting{Bigrams: true, SingleDocument: 0.25})
			a.Concepts()
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("%s as %s: 256 kB take %v", name, language, d)
			}
		}
	}
}

func TestManyDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("long: make test-slow")
	}
	c := zipfCluster(100000)
	bytes := 0
	for _, r := range c.Refs() {
		bytes += len(c.At(r).Text)
	}
	if len(c.Documents) != 5000 || bytes < 10<<20 {
		t.Fatalf("%d documents of %d bytes, want 5,000 of 10 MB", len(c.Documents), bytes)
	}
	a := analyze(t, c.Documents...)
	m := a.TFIDF(Weighting{Bigrams: true, SingleDocument: 0.25, Background: 100})
	if m.Len() != 100000 || len(a.Concepts().Sentence) != 100000 {
		t.Errorf("%d rows", m.Len())
	}
	for _, k := range []int{0, 50000, 99999} {
		if cols, _ := m.Row(k); len(cols) < 5 {
			t.Errorf("row %d has %d entries", k, len(cols))
		}
	}
	t.Logf("%d bytes, %d terms, %d columns, %d entries", bytes, len(a.Terms), m.Cols, len(m.Col))
}
