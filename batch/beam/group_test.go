package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/internal/records"
)

// rowsCorpus returns two files of documents. Groups have documents in both.
func rowsCorpus() (first, second []byte) {
	var files [2]bytes.Buffer
	for i := range 240 {
		key := fmt.Sprint(i * 7 % 60) // a number, in one of its forms
		switch {
		case i%3 == 0:
			key = fmt.Sprintf("%q", "event "+key)
		case i >= 120:
			key += ".0"
		}
		fmt.Fprintf(&files[i/120], `{"about": {"event": %s}, "body": "The river rose by %d metres on Monday. Boats brought %d people out.", "title": "Flood %d", "url": %d}`+"\n", key, i%9+1, i%40+2, i, i)
	}
	for range 3000 {
		files[1].WriteString(`{"about": {"event": "skewed"}, "body": "` + strings.Repeat("The ferry left late. ", 20) + `"}` + "\n")
	}
	files[1].WriteString(`{"about": {"event": "empty"}, "body": "…"}` + "\n")
	for _, bad := range []string{`{"body": "Nobody knows what this is about."}`, `{"about": {"event": [1, 2]}, "body": "x"}`, `{"about": {"event": 1}, "body": ["x", "y"]}`, "\xff", "[]", `"` + strings.Repeat("x", 1<<20) + `"`} {
		files[0].WriteString(bad + "\n")
	}
	return files[0].Bytes(), files[1].Bytes()
}

// TestGroupMakesWhatBatchMakes: the clusters of "cerasum batch --group-by", also of documents in
// several files, in the order of the files' names.
func TestGroupMakesWhatBatchMakes(t *testing.T) {
	dir := t.TempDir()
	first, second := rowsCorpus()
	for name, data := range map[string][]byte{"c-1.jsonl": first, "c-2.jsonl": second} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f := Files{Input: dir, Output: filepath.Join(t.TempDir(), "out.jsonl"), Shards: 1}
	s := settings()
	s.GroupBy, s.Documents, s.KeepFields = "about.event", "body", true
	o, err := s.options()
	if err != nil {
		t.Fatal(err)
	}
	all, closer, err := records.Open(context.Background(), bytes.NewReader(slices.Concat(first, second)), records.Options{GroupBy: s.GroupBy, Documents: s.Documents, MaxLine: o.MaxLine})
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	var want, bad []string
	err = batch.RunLines(context.Background(), all, *o, batch.Place{}, 2, func(r batch.Result) error {
		if r.Err == nil {
			want = append(want, strings.TrimSuffix(string(r.Summary), "\n"))
		} else {
			bad = append(bad, fmt.Sprintf("%s %s", batch.Reason(r.Err), r.Raw))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	slices.Sort(bad)
	if len(want) != 60 || len(bad) != 8 {
		t.Fatalf("batch has %d summaries and %d bad lines: %.300q", len(want), len(bad), bad)
	}
	var out bytes.Buffer
	if err := run(context.Background(), f, s, &out); err != nil {
		t.Fatal(err)
	}
	if got := lines(t, f.Output); !slices.Equal(got, want) {
		t.Errorf("%d summaries, want %d; the first: %.500s, want %.500s", len(got), len(want), got[0], want[0])
	}
	var refused, places []string
	for _, line := range lines(t, f.Output+".bad.jsonl") {
		var r batch.Refused
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		raw := ""
		if r.Raw != nil {
			raw = *r.Raw
		}
		refused = append(refused, fmt.Sprintf("%s %s", r.Error, raw))
		places = append(places, fmt.Sprintf("%s:%d", filepath.Base(r.File), r.Line))
	}
	slices.Sort(refused)
	if !slices.Equal(refused, bad) {
		t.Errorf("bad lines: %q, want %q", refused, bad)
	}
	// The row, or the first one of the group.
	if want := strings.Fields("c-1.jsonl:121 c-1.jsonl:122 c-1.jsonl:123 c-1.jsonl:124 c-1.jsonl:125 c-1.jsonl:126 c-2.jsonl:121 c-2.jsonl:3121"); !slices.Equal(places, want) {
		t.Errorf("%q, want %q", places, want)
	}
	if want := "left out: too_long 2, unreadable 5, no_text 1;"; !strings.Contains(out.String(), want) {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}
