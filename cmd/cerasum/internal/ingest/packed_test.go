package ingest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cerasum/cerasum/internal/files"
)

// packedFixture is what is read of a file of testdata/files, here and in the page
// (web/demo/tests/files.test.mjs).
type packedFixture struct {
	File      string           `json:"file"`
	Documents []packedDocument `json:"documents,omitempty"`
	// Problem is why the file cannot be read.
	Problem string `json:"problem,omitempty"`
	// Problems are those of the files of an archive, by name.
	Problems [][2]string `json:"problems,omitempty"`
}

type packedDocument struct {
	Source string      `json:"source"`
	Title  string      `json:"title"`
	Date   string      `json:"date,omitempty"`
	Blocks [][2]string `json:"blocks"` // kind, text
}

func TestPacked(t *testing.T) {
	names, err := filepath.Glob("testdata/files/*")
	if err != nil {
		t.Fatal(err)
	}
	var got []packedFixture
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		base := filepath.Base(name)
		if format := formatOf(base, data[:min(len(data), 4096)]); format != Packed {
			t.Errorf("%s: format %s, want %s", base, format, Packed)
		}
		f := packedFixture{File: base}
		all, err := (&Loader{}).unpack(t.Context(), data, base, time.Minute)
		f.Problem = problemOf(t, base, err)
		for _, found := range all {
			if found.err != nil {
				f.Problems = append(f.Problems, [2]string{found.source, problemOf(t, found.source, found.err)})
				continue
			}
			d := packedDocument{Source: found.source, Title: found.extracted.title, Date: found.date}
			for _, b := range found.blocks {
				d.Blocks = append(d.Blocks, [2]string{b.Kind.String(), found.text[b.Start:b.End]})
			}
			f.Documents = append(f.Documents, d)
		}
		got = append(got, f)
	}
	checkGolden(t, "testdata/files.json", got)
}

// problemOf returns the problem of an error, which must have one.
func problemOf(t *testing.T, name string, err error) string {
	var e *files.Error
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &e):
		if errors.Is(err, ErrBinary) {
			return "binary"
		}
		t.Errorf("%s: %v, want a files.Error", name, err)
		return ""
	}
	return string(e.Problem)
}
