package ingest

import (
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
			var b strings.Builder
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			e.SetIndent("", " ")
			if err := e.Encode(got); err != nil {
				t.Fatal(err)
			}
			golden := strings.TrimSuffix(file, ext) + ".json"
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if b.String() != string(want) {
				t.Errorf("%s: got\n%s\nwant\n%s", golden, &b, want)
			}
		})
	}
	for i, name := range cluster.KindNames() {
		if !seen[cluster.Kind(i)] {
			t.Errorf("no fixture has a block of kind %s", name)
		}
	}
}
