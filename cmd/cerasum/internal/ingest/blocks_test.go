package ingest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

var update = flag.Bool("update", false, "write the fixtures of testdata/blocks")

// fixture is what both extractors read of a file of testdata/blocks, which
// web/demo/tests/blocks.test.mjs reads too.
type fixture struct {
	Title  string      `json:"title"`
	Date   string      `json:"date,omitempty"`
	Blocks [][2]string `json:"blocks"` // kind, text
}

// checkGolden compares what was read, as JSON, with a file, which -update writes.
func checkGolden(t *testing.T, file string, read any) {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(read); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() == string(want) {
		return
	}
	got, lines := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	i := 0
	for i < min(len(got), len(lines)) && got[i] == lines[i] {
		i++
	}
	t.Fatalf("%s:%d differs from what was read; -update writes that:\n%s", file, i+1, &b)
}

func TestBlocks(t *testing.T) {
	files, err := filepath.Glob("testdata/blocks/*.*")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[cluster.Kind]bool{}
	for _, file := range files {
		ext := filepath.Ext(file)
		if ext == ".json" {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var x extracted
			switch source := string(data); ext {
			case ".html":
				x = articleOf(source, nil)
			case ".md":
				x = proseOf(source)
			default:
				x = extracted{text: source, blocks: plainBlocks(source)}
			}
			got := fixture{Title: x.title, Date: x.date}
			for _, b := range x.blocks {
				seen[b.Kind] = true
				got.Blocks = append(got.Blocks, [2]string{b.Kind.String(), x.text[b.Start:b.End]})
			}
			checkGolden(t, strings.TrimSuffix(file, ext)+".json", got)
		})
	}
	for i, name := range cluster.KindNames() {
		if !seen[cluster.Kind(i)] {
			t.Errorf("no fixture has a block of kind %s", name)
		}
	}
}
