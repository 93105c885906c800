package ingest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestLimit(t *testing.T) {
	var nested strings.Builder
	for i := range 300 {
		nested.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	for name, source := range map[string]string{
		"delimiters": strings.Repeat("*a_ ", 80_000), "brackets": strings.Repeat("[a](", 80_000), "lists by indentation": nested.String(),
		"lists on a line": strings.Repeat("1. ", 1000) + "a", "quotations": strings.Repeat("> ", 1000) + "a", "lines": strings.Repeat("*a_\n", 10_000),
	} {
		if x := inTime(t, func() extracted { return proseOf(source) }); x.warning == "" || x.text != source {
			t.Errorf("%s: %q: %.60q", name, x.warning, x.text)
		}
	}
	for name, source := range map[string]string{
		"a long list":    strings.Repeat("- [a](b) is *c*\n", 2000),
		"a table":        "|a|b|\n|-|-|\n" + strings.Repeat("|[a](b)|**c**|\n", 2000),
		"indented code":  strings.Repeat(" ", 2000) + "a\n",
		"paragraphs":     strings.Repeat("A *river* rose in [the hills](x).\n\n", 2000),
		"a deep list":    "- a\n  - b\n    - c\n      1. d\n         > e\n",
		"a year":         "2024 was *wet*.\n",
		"a long heading": "# " + strings.Repeat("*a* ", 500),
	} {
		if why := limit(source); why != "" {
			t.Errorf("%s: %s", name, why)
		}
	}
}

// TestPatience: a document that takes too long is left out by name, and the next one
// is read.
func TestPatience(t *testing.T) {
	dir := t.TempDir()
	slow, next := filepath.Join(dir, "slow.html"), filepath.Join(dir, "text.txt")
	for name, content := range map[string]string{slow: strings.Repeat("<p>The river rose.", 100_000), next: "The river rose."} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var bad []error
	l := &Loader{Patience: 1, Warn: func(string) {}, Bad: func(err error) { bad = append(bad, err) }}
	if _, err := l.Load(t.Context(), []string{slow}); err != nil || len(bad) != 1 || !errors.Is(bad[0], ErrSlow) || !strings.HasPrefix(bad[0].Error(), slow+": ") {
		t.Errorf("%v, %v", err, bad)
	}
	l.Patience = time.Minute
	if in, err := l.Load(t.Context(), []string{next}); err != nil || len(in.Cluster.Documents) != 1 {
		t.Errorf("%v, %v", in, err)
	}
}
