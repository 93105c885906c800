package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/internal/unigram"
)

func TestRun(t *testing.T) {
	v := &unigram.Vocabulary{Pieces: []string{"<s>", "<pad>", "</s>", "<unk>", "a", "▁", "▁dam", "▁rare", "▁the", "▁дом", "字", "漢"}}
	for range v.Pieces {
		v.Scores = append(v.Scores, -1)
	}
	name := filepath.Join(t.TempDir(), "vocabulary.bin")
	if err := os.WriteFile(name, v.Append(nil), 0o600); err != nil {
		t.Fatal(err)
	}
	in := strings.Repeat("en\tthe dam\n", 600) + "en\tthe rare\n" + strings.Repeat("ru\tдом\n", 1000) + "zh\t字\n"
	var out strings.Builder
	if err := run(name, 10, strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	// The Latin letter and ▁ always; 字 counts too few tokens in its language; 漢 never occurs.
	if got, want := out.String(), "a\n▁\n▁dam\n▁rare\n▁the\n▁дом\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	out.Reset()
	if err := run(name, 8, strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "a\n▁\n▁the\n▁дом\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := run(name, 8, strings.NewReader("en\ta\nb\n"), &out); err == nil || !strings.Contains(err.Error(), "standard input:2:") {
		t.Errorf("got %v", err)
	}
}
