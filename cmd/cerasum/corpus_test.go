package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/internal/records"
)

// corporaOf writes the same clusters in all formats and returns the arguments that
// read each.
func corporaOf(t *testing.T, dir string) map[string][]string {
	t.Helper()
	var lines, table, rows bytes.Buffer
	table.WriteString("uuid,texts,summary\n")
	rows.WriteString("event\tbody\ttitle\n")
	for i := range 30 {
		texts := []string{fmt.Sprintf("The river rose by %d metres on Monday. The mayor closed the bridge. Nobody was hurt.", i+1), fmt.Sprintf("Boats brought %d people out of the flood. The mayor, \"Ana\", thanked them.", i*3+2)}
		list, err := json.Marshal(texts)
		if err != nil {
			t.Fatal(err)
		}
		id := fmt.Sprintf("c%02d", i)
		fmt.Fprintf(&lines, `{"id":%q,"documents":%s,"references":["The river rose."]}`+"\n", id, list)
		fmt.Fprintf(&table, "%s,\"%s\",The river rose.\n", id, strings.ReplaceAll(string(list), `"`, `""`))
		for _, text := range texts {
			fmt.Fprintf(&rows, "%s\t\"%s\"\t\n", id, strings.ReplaceAll(text, `"`, `""`))
		}
	}
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plain := write("c.jsonl", lines.Bytes())
	packed := filepath.Join(dir, "c.jsonl.zst")
	out, err := os.Create(packed)
	if err != nil {
		t.Fatal(err)
	}
	if err := records.Convert(out, packed, bytes.NewReader(lines.Bytes())); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	half := bytes.Index(lines.Bytes(), []byte(`{"id":"c15"`))
	write("folder/1.ndjson", lines.Bytes()[:half])
	write("folder/2.jsonl", lines.Bytes()[half:])
	write("folder/notes.txt", []byte("no corpus"))
	return map[string][]string{
		"jsonl": {plain}, "zstd": {packed}, "folder": {folder},
		"csv": {write("c.csv", table.Bytes()), "--documents-field", "texts", "--id-field", "uuid"},
		"tsv": {write("c.tsv", rows.Bytes()), "--group-by", "event", "--documents-field", "body"},
	}
}

// TestBatchFormats: the same summaries whatever the form of the corpus.
func TestBatchFormats(t *testing.T) {
	dir := t.TempDir()
	corpora := corporaOf(t, dir)
	want := ""
	for _, form := range []string{"jsonl", "zstd", "folder", "csv", "tsv"} {
		out := filepath.Join(t.TempDir(), "o.jsonl")
		cli(t, strings.NewReader(""), append([]string{"batch", "--budget", "2s", "--output", out}, corpora[form]...)...).want(t, exitOK, "30 clusters summarized")
		got := string(mustRead(t, out))
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%s: %.300s, want %.300s", form, got, want)
		}
	}
	csv, err := os.ReadFile(corpora["csv"][0])
	if err != nil {
		t.Fatal(err)
	}
	in := cli(t, bytes.NewReader(csv), append([]string{"batch", "-", "--budget", "2s", "--input-format", "csv"}, corpora["csv"][1:]...)...).want(t, exitOK)
	if in.stdout != want {
		t.Errorf("standard input: %.300s", in.stdout)
	}
	// Output in other formats, by a run that was killed during the conversion, too.
	for _, name := range []string{"o.jsonl.gz", "o.jsonl.zst", "o.parquet", "o.csv"} {
		out := filepath.Join(dir, "out", name)
		if err := os.MkdirAll(filepath.Dir(out), 0o700); err != nil {
			t.Fatal(err)
		}
		args := []string{"batch", corpora["jsonl"][0], "--budget", "2s", "--output", out}
		cli(t, strings.NewReader(""), args...).want(t, exitOK, "30 clusters summarized")
		f, err := os.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		lines, closer, err := records.Open(context.Background(), f, records.Options{Format: records.FormatOf(name)})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 30 {
			line, err := lines.Next()
			var s struct{ ID, Text string }
			if err == nil {
				err = json.Unmarshal(line, &s)
			}
			if err != nil || s.ID != fmt.Sprintf("c%02d", i) || !strings.Contains(want, strings.ReplaceAll(s.Text, `"`, `\"`)[:20]) {
				t.Fatalf("%s: %s, %v", name, line, err)
			}
		}
		closer.Close()
		f.Close()
		if left, err := filepath.Glob(out + ".*"); err != nil || len(left) > 0 {
			t.Errorf("left behind: %q, %v", left, err)
		}
	}
	for _, wrong := range [][]string{{"--group-by", "a", "--id-field", "b"}, {"--documents-field", "a."}, {"--input-format", "xml"}} {
		cli(t, strings.NewReader(""), append([]string{"batch", corpora["jsonl"][0]}, wrong...)...).want(t, exitUsage)
	}
	for _, args := range [][]string{{"batch", "gs://bucket/c.jsonl"}, {"cluster", "S3://bucket/"}, {"evaluate", "--methods", "lead", "--dataset", "hdfs://host/c.jsonl"}} {
		cli(t, strings.NewReader(""), args...).want(t, exitUsage, "://", ": want a local file", "cerasum-beam reads and writes gs:// and s3://")
	}
	cli(t, strings.NewReader("PAR1"), "batch", "-", "--input-format", "parquet").want(t, exitUsage, "only be read from a file")
}

// TestBatchGroupsReport: rows that belong to no group and groups that are too large
// are bad lines; the others are summarized.
func TestBatchGroupsReport(t *testing.T) {
	var b strings.Builder
	b.WriteString("event,text\n,Nobody knows what this is about.\nbig," + strings.Repeat("A long text. ", 90_000) + "\n")
	b.WriteString("small,The ferry left late.\nsmall,A chain was in its screw.\n")
	out := filepath.Join(t.TempDir(), "o.jsonl")
	corpus := file(t, "c.csv", []byte(b.String()))
	cli(t, strings.NewReader(""), "batch", corpus, "--group-by", "event", "--max-line", "1", "--output", out).want(t, exitFailed, "1 cluster summarized; 2 lines failed", "event: want one string or number", `row 2`)
	cli(t, strings.NewReader(""), "batch", corpus, "--group-by", "event", "--max-line", "1", "--output", out, "--restart", "--progress", "always").want(t, exitFailed, "sorted 4 rows\n")
	if got := string(mustRead(t, out)); !strings.HasPrefix(got, `{"id":"small"`) || strings.Count(got, "\n") != 1 {
		t.Errorf("%.300s", got)
	}
}

// TestEvaluateCorpora: the same scores.
func TestEvaluateCorpora(t *testing.T) {
	corpora := corporaOf(t, t.TempDir())
	want := cli(t, nil, "evaluate", "--dataset", corpora["jsonl"][0], "--methods", "lead", "--budget", "10", "--state", "", "--format", "json").want(t, exitOK).stdout
	for _, args := range [][]string{{corpora["zstd"][0]}, {corpora["csv"][0], "--documents-field", "texts", "--id-field", "uuid", "--references-field", "summary"}} {
		got := cli(t, nil, append([]string{"evaluate", "--methods", "lead", "--budget", "10", "--state", "", "--format", "json", "--dataset"}, args...)...).want(t, exitOK).stdout
		if scores(got) != scores(want) {
			t.Errorf("%s: %s, want %s", args[0], got, want)
		}
	}
}

// scores leaves out the name of the dataset.
func scores(report string) string {
	_, rest, _ := strings.Cut(report, `"methods"`)
	return rest
}

// TestEvaluateBadRows: a row that cannot be read is reported and left out; a list in
// a cell may have several lines.
func TestEvaluateBadRows(t *testing.T) {
	corpus := file(t, "c.csv", []byte("id,documents,summary\n"+
		"x,too,many,cells\n"+
		"a,\"[\n  \"\"The ferry left late.\"\",\n  \"\"A chain was in its screw.\"\"\n]\",The ferry left late.\n"+
		"b,one cell\n"+
		"c,Divers freed it.,Divers freed the ferry.\n"))
	got := cli(t, nil, "evaluate", "--dataset", corpus, "--references-field", "summary", "--methods", "lead", "--budget", "10", "--state", "", "--format", "json")
	if !strings.Contains(got.stderr, "c.csv:1: ") || !strings.Contains(got.stderr, "want 3 cells as in the header, got 4") || !strings.Contains(got.stderr, "c.csv:3: ") {
		t.Errorf("%d: %s", got.code, got.stderr)
	}
	if !strings.Contains(strings.ReplaceAll(got.stdout, " ", ""), `"clusters":2`) {
		t.Errorf("%d: %s%s", got.code, got.stdout, got.stderr)
	}
	cli(t, nil, "evaluate", "--dataset", corpus, "--methods", "lead", "--group-by", "id", "--references-field", "summary").want(t, exitUsage, "references")
}
