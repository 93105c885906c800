package tokenizer

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/json"
	"path"
	"slices"
	"testing"
)

// testdata holds tokenizers of many kinds, sentences, and the ids that the reference
// assigns with each tokenizer; internal/tokenizer/parity/fixtures.mjs wrote all of it.
//
//go:embed testdata
var testdata embed.FS

func lines[T any](t testing.TB, name string) []T {
	t.Helper()
	b, err := testdata.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out []T
	scanner := bufio.NewScanner(bytes.NewReader(b))
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var x T
		if err := json.Unmarshal(scanner.Bytes(), &x); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, x)
	}
	return out
}

func fixture(t testing.TB, name string) *Tokenizer {
	t.Helper()
	b, err := testdata.ReadFile(path.Join("testdata", name, "tokenizer.json"))
	if err != nil {
		t.Fatal(err)
	}
	tok, err := Read(bytes.NewReader(b))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return tok
}

// fixtures are the names of the tokenizers.
func fixtures(t testing.TB) []string {
	t.Helper()
	entries, err := testdata.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		t.Fatal("no fixtures: run node internal/tokenizer/parity/fixtures.mjs")
	}
	return names
}

func TestGolden(t *testing.T) {
	sentences := lines[string](t, "testdata/sentences.jsonl")
	for _, name := range fixtures(t) {
		t.Run(name, func(t *testing.T) {
			tok := fixture(t, name)
			want := lines[[]int32](t, path.Join("testdata", name, "ids.jsonl"))
			if len(want) != len(sentences) {
				t.Fatalf("ids of %d sentences, want %d", len(want), len(sentences))
			}
			for i, text := range sentences {
				got := tok.Encode(text)
				if slices.Equal(got, want[i]) {
					continue
				}
				n := 0
				for n < min(len(got), len(want[i])) && got[n] == want[i][n] {
					n++
				}
				t.Errorf("%q: from token %d on\n got %q\nwant %q", text, n, names(tok, got[n:]), names(tok, want[i][n:]))
			}
		})
	}
}

func names(tok *Tokenizer, ids []int32) []string {
	var out []string
	for _, id := range ids[:min(len(ids), 12)] {
		out = append(out, tok.Token(id))
	}
	return out
}
