package ingest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

// jsonFixture is what is read of a file of testdata/json, here and in the page
// (web/demo/tests/json.test.mjs).
type jsonFixture struct {
	File      string         `json:"file"`
	Documents []jsonDocument `json:"documents,omitempty"`
	// Clusters is the number of clusters of a file that has some.
	Clusters int `json:"clusters,omitempty"`
	// Bad are the records that cannot be read.
	Bad []string `json:"bad,omitempty"`
}

type jsonDocument struct {
	Source   string      `json:"source"`
	Title    string      `json:"title,omitempty"`
	Date     string      `json:"date,omitempty"`
	Language string      `json:"language,omitempty"`
	Text     string      `json:"text"`
	Blocks   [][2]string `json:"blocks,omitempty"`
}

func TestJSON(t *testing.T) {
	names, err := filepath.Glob("testdata/json/*")
	if err != nil {
		t.Fatal(err)
	}
	var got []jsonFixture
	for _, name := range names {
		got = append(got, readJSONFixture(t, name))
	}
	checkGolden(t, "testdata/json.json", got)
}

func readJSONFixture(t *testing.T, name string) jsonFixture {
	base := filepath.Base(name)
	f := jsonFixture{File: base}
	local := func(s string) string { return strings.ReplaceAll(s, name, base) }
	l := Loader{Warn: func(string) {}, Bad: func(err error) { f.Bad = append(f.Bad, local(err.Error())) }}
	in, err := l.Load(t.Context(), []string{name})
	if err != nil {
		t.Fatal(err)
	}
	add := func(docs []cluster.Document) {
		for _, d := range docs {
			doc := jsonDocument{Source: local(d.Source), Title: d.Title, Date: d.Date, Language: d.Language, Text: d.Text}
			for _, b := range d.Blocks {
				doc.Blocks = append(doc.Blocks, [2]string{b.Kind.String(), d.Text[b.Start:b.End]})
			}
			f.Documents = append(f.Documents, doc)
		}
	}
	add(in.Cluster.Documents)
	for _, s := range in.Streams {
		if err := l.Lines(t.Context(), s, func(line *Line) error {
			f.Clusters++
			add(line.Documents)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// JSON that was renamed is not quoted as prose, unless the user asks for it.
func TestJSONIsNoText(t *testing.T) {
	name := filepath.Join(t.TempDir(), "package.txt")
	if err := os.WriteFile(name, []byte(`{"name": "cerasum"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	var bad error
	l := Loader{Warn: func(string) {}, Bad: func(err error) { bad = err }}
	if _, err := l.Load(t.Context(), []string{name}); err != nil || !errors.Is(bad, ErrNoRecords) {
		t.Errorf("error %v, reported %v, want ErrNoRecords", err, bad)
	}
	bad, l.Format = nil, Text
	if in, err := l.Load(t.Context(), []string{name}); err != nil || bad != nil || len(in.Cluster.Documents) != 1 {
		t.Errorf("with a format: error %v, reported %v, want a document", err, bad)
	}
}
