package dataset

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"unicode/utf8"
)

// drain reads a corpus to its end and checks what every reader promises.
func drain(t *testing.T, r Reader, records int) {
	t.Helper()
	for range records + 1 {
		c, err := r.Next()
		var record *Error
		switch {
		case errors.Is(err, io.EOF):
			return
		case errors.As(err, &record):
			if c != nil || record.Err == nil || !utf8.ValidString(record.Field) {
				t.Fatalf("%v with %#v", c, record)
			}
		case err != nil:
			t.Fatalf("final error from memory: %v", err)
		case len(c.Documents) == 0 || len(c.References) == 0:
			t.Fatalf("incomplete cluster %+v", c)
		default:
			for _, d := range c.Documents {
				if strings.TrimSpace(d.Text) == "" || !utf8.ValidString(d.Text) {
					t.Fatalf("document %q", d.Text)
				}
			}
			for _, reference := range c.References {
				if strings.TrimSpace(reference) == "" || !utf8.ValidString(reference) {
					t.Fatalf("reference %q", reference)
				}
			}
		}
	}
	t.Fatalf("more than %d records", records)
}

// lines bounds the number of records in a text.
func lines(s string) int { return strings.Count(s, "\n") + 1 }

func FuzzJSONLines(f *testing.F) {
	f.Add(`{"id": "a", "documents": ["a", {"text": "b"}], "references": ["r", ["s", "t"]]}` + "\n{\n")
	f.Fuzz(func(t *testing.T, s string) { drain(t, NewJSONLines(strings.NewReader(s), "f"), lines(s)) })
}

func FuzzMultiNews(f *testing.F) {
	f.Add("a ||||| b NEWLINE_CHAR c\nd\n", "s\nt")
	f.Fuzz(func(t *testing.T, src, tgt string) {
		drain(t, NewMultiNews(strings.NewReader(src), strings.NewReader(tgt), "s", "t"), lines(src)+lines(tgt))
	})
}

func FuzzMultiNewsJSON(f *testing.F) {
	f.Add(`{"document": "a ||||| b", "summary": "s"}` + "\n" + `{"document": ["a"], "summary": "s", "id": 1}`)
	f.Fuzz(func(t *testing.T, s string) { drain(t, NewMultiNewsJSON(strings.NewReader(s), "f"), lines(s)) })
}

func FuzzWCEP(f *testing.F) {
	f.Add(`{"summary": "s", "articles": [{"title": "t", "text": "a", "url": "u"}]}`)
	f.Fuzz(func(t *testing.T, s string) { drain(t, NewWCEP(strings.NewReader(s), "f"), lines(s)) })
}

func FuzzCrossSum(f *testing.F) {
	f.Add(pair("a", "b", "t", "S. T.")+pair("b", "a", "u", "V."), pair("b", "c", "u", "W.")+pair("c", "b", "x", "V."))
	f.Fuzz(func(t *testing.T, one, two string) {
		fsys := files("english-french_test.jsonl", one, "french-english_test.jsonl", two)
		r, err := openCrossSum(fsys, ".", "test", nil)
		if err != nil {
			t.Fatal(err)
		}
		drain(t, r, 2*(lines(one)+lines(two)))
	})
}

func fuzzDirectory(f *testing.F, document, model string, open func(fs.FS, string) (*Directory, error)) {
	f.Add(ducDocument, "A line.\nAnother.")
	f.Add(tacDocument, `<html><a name="1">[1]</a> <a href="#1" id=1>A line.</a>`)
	f.Fuzz(func(t *testing.T, d, m string) {
		r, err := open(files(document, d, model, m), ".")
		if err != nil {
			t.Fatal(err)
		}
		drain(t, r, r.Len())
	})
}

func FuzzDUC2004(f *testing.F) {
	fuzzDirectory(f, "docs/d30001t/APW1", "models/D30001.M.100.T.A", NewDUC2004)
}

func FuzzTAC2008(f *testing.F) {
	fuzzDirectory(f, "docs/D0801A/D0801A-A/X", "models/D0801-A.M.100.A.A", NewTAC2008)
}

func FuzzPlain(f *testing.F) {
	fuzzDirectory(f, "docs/a/b.txt", "reference/Taska_reference1.txt", NewPlain)
}
