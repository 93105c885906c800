package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cerasum/cerasum/internal/records"
)

// TestPipelineFormats: summaries of a table with other names of fields, written as
// Parquet and read as a corpus again.
func TestPipelineFormats(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "c.csv"), []byte("uuid,texts\na,\"[\"\"The ferry left late.\"\", \"\"A chain was in its screw.\"\"]\"\nb,Divers freed it.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := Files{Input: filepath.Join(dir, "*.csv"), Output: filepath.Join(dir, "out.parquet"), Shards: 1}
	s := settings()
	s.Documents, s.ID = "texts", "uuid"
	if err := run(context.Background(), f, s, io.Discard); err != nil {
		t.Fatal(err)
	}
	ids := func(name string) (ids []string) {
		in, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		lines, closer, err := records.Open(context.Background(), in, records.Options{Format: records.FormatOf(name)})
		if err != nil {
			t.Fatal(err)
		}
		defer closer.Close()
		for {
			line, err := lines.Next()
			if errors.Is(err, io.EOF) {
				slices.Sort(ids)
				return ids
			}
			var summary struct{ ID, Text string }
			if err == nil {
				err = json.Unmarshal(line, &summary)
			}
			if err != nil || summary.Text == "" {
				t.Fatalf("%s: %v", line, err)
			}
			ids = append(ids, summary.ID)
		}
	}
	if got := ids(f.Output); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("%q", got)
	}
	again := Files{Input: f.Output, Output: filepath.Join(dir, "again.jsonl.zst"), Shards: 1}
	s.Documents, s.ID = "sentences.text", ""
	var out bytes.Buffer
	if err := run(context.Background(), again, s, &out); err != nil {
		t.Fatal(err)
	}
	if got := ids(again.Output); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("%q; %s", got, out.String())
	}
}

// TestShardNames: the number goes before the extension of the format, which decides
// how a file is written, and before that of the compression.
func TestShardNames(t *testing.T) {
	for output, want := range map[string]string{
		"s.jsonl": "s-00002-of-00010.jsonl", "v1.2/s": "v1.2/s-00002-of-00010", "s.csv.gz": "s-00002-of-00010.csv.gz",
		"a.b.TSV.ZST": "a.b-00002-of-00010.TSV.ZST", "s.parquet": "s-00002-of-00010.parquet", "s.gz": "s-00002-of-00010.gz",
	} {
		if got := shardName(output, 2, 10); got != want {
			t.Errorf("%s: %s, want %s", output, got, want)
		}
	}
	w := &write{Output: filepath.Join(t.TempDir(), "s.csv.gz"), Shards: 2}
	lines := []string{`{"id":"a","text":"One."}`}
	next := func(line *string) bool {
		if len(lines) == 0 {
			return false
		}
		*line, lines = lines[0], lines[1:]
		return true
	}
	if err := w.ProcessElement(context.Background(), 1, next); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(shardName(w.Output, 1, 2))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(zipped); err != nil || !bytes.HasPrefix(got, []byte("id,text,")) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestSpoolLeavesNothing: not even if the worker is killed, but on Windows.
func TestSpoolLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	check := func(when string) {
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: %v, %v", when, left, err)
		}
	}
	f, err := spool(strings.NewReader("PAR1 and the rest"))
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		check("in use")
	}
	last := make([]byte, 4)
	if _, err := f.ReadAt(last, 13); err != nil || string(last) != "rest" {
		t.Errorf("%q, %v", last, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	check("closed")
	if _, err := spool(iotest.ErrReader(io.ErrUnexpectedEOF)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	check("after an error")
}
