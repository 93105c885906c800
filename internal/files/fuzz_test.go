package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzRead: any file gives documents of valid text, or an error of type *Error.
func FuzzRead(f *testing.F) {
	seeds, err := filepath.Glob("../../cmd/cerasum/internal/ingest/testdata/files/*")
	if err != nil || len(seeds) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, seed := range seeds {
		data, err := os.ReadFile(seed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, filepath.Base(seed))
	}
	decode := func(data []byte, _ string) (string, error) { return strings.ToValidUTF8(string(data), "\ufffd"), nil }
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		content, err := Read(data, name, decode)
		var e *Error
		if err != nil && (!errors.As(err, &e) || explanations[e.Problem] == "") {
			t.Fatalf("%v, want an *Error with an explanation", err)
		}
		for _, d := range content.Documents {
			for _, s := range append(d.Pages, d.Text, d.Title) {
				if !utf8.ValidString(s) {
					t.Errorf("not valid UTF-8: %q", s)
				}
			}
		}
	})
}

// TestBombs reads files that are made to take much time or memory for their size.
func TestBombs(t *testing.T) {
	decode := func(data []byte, _ string) (string, error) { return string(data), nil }
	const n = 50_000
	for name, data := range map[string]string{
		"a.rtf":  `{\rtf1 ` + strings.Repeat(`\u8364?{\v `, 200) + strings.Repeat(`\'e4\par`, n),
		"b.rtf":  `{\rtf1 ` + strings.Repeat(`{\footnote x}`, n),
		"c.rtf":  `{\rtf1 long ` + strings.Repeat(`{\footnote x`, 200) + strings.Repeat("y", n),
		"d.rtf":  `{\rtf1 ` + strings.Repeat("long ", n) + strings.Repeat(`{\footnote x\par}`, n) + `}`,
		"a.eml":  "From: a\n\n" + strings.Repeat("wrote:\n", n),
		"b.eml":  "From: a\n\n" + strings.Repeat("From: x\nTo: y\n", n),
		"c.eml":  "From: a\nContent-Type: text/html\n\n" + strings.Repeat("<div class=gmail_quote>", n),
		"d.eml":  "From: a\n\n" + strings.Repeat("a line\n>\n", n),
		"f.eml":  "From: a\n\na\n" + strings.Repeat("\n>\n", n),
		"e.eml":  "From: a\n\n" + strings.Repeat("On a day, wrote:\n\n", n),
		"a.mbox": strings.Repeat("From a 00:00 2026\n\n", n),
		"a.srt":  strings.Repeat("00:00:01,000 --> 00:00:02,000\n", n),
		"b.srt":  "00:00:01,000 --> 00:00:02,000\n" + strings.Repeat("a\n", n) + "\n00:00:01,000 --> 00:00:02,000\n" + strings.Repeat("a\n", n),
		"a.csv":  strings.Repeat(`"text`+"\n", n),
		"b.csv":  strings.Repeat("text,", n) + "\n" + strings.Repeat("a long text,", n),
	} {
		// Only that it ends: the time limit of the test is the limit.
		t.Run(name, func(t *testing.T) {
			_, err := Read([]byte(data), name, decode)
			t.Log(err)
		})
	}
}
