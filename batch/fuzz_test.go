package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/cerasum/cerasum/core"
)

// FuzzLine: every line gives a summary whose sentences are at their offsets, or
// an error.
func FuzzLine(f *testing.F) {
	for _, seed := range []string{
		`{"id": 1, "documents": ["One ferry was late. 🚢 Nobody knew.", {"text": "Two.", "title": "T", "source": "s", "language": "pt-BR"}], "references": []}`,
		`{"documents": ["\ud800 a. \u0000b\r\nc"]}`, `{"documents": []}`, `{"documents": [""]}`, `{"id": [], "documents": [1]}`, `{"documents": ["One ferry was late."], "": 1}`, `{`, ``,
	} {
		f.Add([]byte(seed))
	}
	o := Options{Options: core.Options{Budget: core.Budget{Amount: 2, Unit: core.Sentences}, Method: "instant"}}
	f.Fuzz(func(t *testing.T, raw []byte) {
		line, err := o.Line(context.Background(), raw)
		if err != nil {
			if errors.Is(err, ErrPanic) {
				t.Fatal(err)
			}
			refused, err := Marshal(NewRefused("f", 1, err, raw))
			if err != nil || !json.Valid(refused) || bytes.Count(refused, []byte("\n")) != 1 {
				t.Fatalf("%q: %v", refused, err)
			}
			return
		}
		r, err := Parse(raw, "", false)
		if err != nil {
			t.Fatal(err)
		}
		var s Summary
		if err := json.Unmarshal(line, &s); err != nil || bytes.Count(line, []byte("\n")) != 1 {
			t.Fatalf("%q: %v", line, err)
		}
		if len(s.Documents) != len(r.Documents) || len(s.Sentences) == 0 || len(s.Sentences) > 2 {
			t.Fatalf("%s", line)
		}
		for _, q := range s.Sentences {
			text := utf16.Encode([]rune(r.Documents[q.Document].Text))
			// The span has the sentence as it stands there; its text may be tidier.
			got := string(utf16.Decode(text[q.Start:q.End]))
			if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(q.Text), " ") {
				t.Fatalf("%q at %d to %d of document %d is %q", q.Text, q.Start, q.End, q.Document, got)
			}
		}
	})
}

// FuzzRun gives the same for a corpus in one go, and for one that was cut off
// after any line.
func FuzzRun(f *testing.F) {
	f.Add([]byte("{\"documents\": [\"One.\"]}\n\n\xff\n{}\n{\"documents\": [\"Two. Three.\"]}"), 1)
	f.Add([]byte("\xef\xbb\xbf{\"documents\": [\"One.\"]}\r\n"), 0)
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		collect := func(after Place, workers int) (all []string, places []Place) {
			err := Run(context.Background(), bytes.NewReader(data), options(), after, workers, func(r Result) error {
				if errors.Is(r.Err, ErrPanic) {
					t.Fatal(r.Err)
				}
				text := string(r.Summary)
				if r.Err != nil {
					text = r.Err.Error()
				}
				all, places = append(all, text), append(places, r.Place)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return all, places
		}
		want, places := collect(Place{}, 2)
		if cut < 0 || cut >= len(places) {
			return
		}
		if got, rest := collect(places[cut], 1); !slices.Equal(got, want[cut+1:]) || !slices.Equal(rest, places[cut+1:]) {
			t.Fatalf("after line %d: %q, want %q", places[cut].Line, got, want[cut+1:])
		}
	})
}
