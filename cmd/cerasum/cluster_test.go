package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/records"
	"github.com/parquet-go/parquet-go"
)

// story is the text of a document about an event: five of its six sentences, in an
// order and with a sentence of its own.
func story(event, version int) string {
	name := func(k int) string { return fmt.Sprintf("%c%cra%dlo", 'A'+(event+k)%26, 'a'+(event*7+k)%26, event*31+k) }
	var said []string
	for i, form := range []string{"The ferry %s met %s off %s.", "Captain %s called %s and %s.", "Divers of %s left %s for %s.", "The owner, %s, wrote to %s and %s.", "In %s, %s waited for %s.", "Later %s thanked %s of %s."} {
		said = append(said, fmt.Sprintf(form, name(3*i), name(3*i+1), name(3*i+2)))
	}
	said = append(said[version*2:], said[:version*2]...)
	return strings.Join(append(said[:4], fmt.Sprintf("Witness%d%d told this to paper%d%d on the pier%d%d of the old town.", event, version, version, event, event, version)), " ")
}

// storyRow is a document of a corpus in which every event has three.
type storyRow struct {
	UUID  string `json:"uuid" parquet:"uuid"`
	Event string `json:"event" parquet:"event"`
	Body  string `json:"body" parquet:"body"`
	When  string `json:"when" parquet:"when"`
}

// storyRows are documents of events in turn.
func storyRows(events int) (rows []storyRow) {
	for version := range 3 {
		for event := range events {
			rows = append(rows, storyRow{fmt.Sprintf("d%d-%d", event, version), fmt.Sprintf("e%d", event), story(event, version), fmt.Sprintf("2026-04-%02d", 1+version*9)})
		}
	}
	return rows
}

// clustersOf reads clusters and returns the sources of their documents.
func clustersOf(t *testing.T, data []byte) (all [][]string) {
	t.Helper()
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var c struct {
			ID        string
			Documents []struct{ Source, Text string }
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatalf("%v in %.200s", err, line)
		}
		if c.ID != fmt.Sprintf("cluster-%d", i+1) {
			t.Errorf("line %d has id %q", i+1, c.ID)
		}
		var sources []string
		for _, d := range c.Documents {
			if d.Text == "" {
				t.Error("a document without text")
			}
			sources = append(sources, d.Source)
		}
		all = append(all, sources)
	}
	return all
}

// TestCluster: the same clusters whatever the format of the corpus, and batch
// summarizes them.
func TestCluster(t *testing.T) {
	dir, temporary := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temporary)
	rows := storyRows(20)
	var lines, table bytes.Buffer
	table.WriteString("uuid\tevent\tbody\twhen\n")
	for _, r := range rows {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
		fmt.Fprintf(&table, "%s\t%s\t%s\t%s\n", r.UUID, r.Event, r.Body, r.When)
	}
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	packed := filepath.Join(dir, "c.jsonl.zst")
	var z bytes.Buffer
	if err := records.Convert(&z, packed, bytes.NewReader(lines.Bytes())); err != nil {
		t.Fatal(err)
	}
	write("c.jsonl.zst", z.Bytes())
	columns := filepath.Join(dir, "c.parquet")
	if err := parquet.WriteFile(columns, rows); err != nil {
		t.Fatal(err)
	}
	want := ""
	for _, name := range []string{write("c.jsonl", lines.Bytes()), packed, write("c.tsv", table.Bytes()), columns} {
		out := filepath.Join(t.TempDir(), "clusters.jsonl")
		cli(t, strings.NewReader(""), "cluster", name, "--documents-field", "body", "--id-field", "uuid", "--date-field", "when", "--gold-field", "event", "--output", out).
			want(t, exitOK, "B³ precision 1.0000, recall 1.0000, F1 1.0000: 60 documents of 20 known clusters", "20 clusters with 60 documents of 60 documents")
		got := string(mustRead(t, out))
		if want == "" {
			want = got
			found := clustersOf(t, []byte(got))
			if !slices.Equal(found[3], []string{"d3-0", "d3-1", "d3-2"}) {
				t.Errorf("the fourth cluster is %q", found[3])
			}
			summaries := filepath.Join(t.TempDir(), "s.jsonl")
			cli(t, strings.NewReader(""), "batch", out, "--budget", "2s", "--output", summaries).want(t, exitOK, "20 clusters summarized")
		} else if got != want {
			t.Errorf("%s: other clusters than from JSON Lines", filepath.Base(name))
		}
	}
	for _, workers := range []string{"1", "5"} {
		if got := cli(t, bytes.NewReader(lines.Bytes()), "cluster", "-", "--documents-field", "body", "--id-field", "uuid", "--date-field", "when", "--workers", workers).want(t, exitOK).stdout; got != want {
			t.Error("standard input gives other clusters")
		}
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
}

func TestClusterFlags(t *testing.T) {
	corpus := func(rows []storyRow) *bytes.Buffer {
		var b bytes.Buffer
		for _, r := range rows {
			fmt.Fprintf(&b, `{"id":%q,"text":%q,"date":%q,"section":"news"}`+"\n", r.UUID, r.Body, r.When)
		}
		return &b
	}
	rows := storyRows(20)
	rows = append(rows, rows[0], storyRow{UUID: "alone", Body: "A cat slept in the sun all afternoon, and nobody minded.", When: "2026-04-02"})

	all := cli(t, corpus(rows), "cluster", "-", "--singles").want(t, exitOK).stdout
	found := clustersOf(t, []byte(all))
	if len(found) != 21 || !slices.Equal(found[0], []string{"d0-0", "d0-1", "d0-2", "d0-0"}) || !slices.Equal(found[20], []string{"alone"}) {
		t.Errorf("--singles: %d clusters, first %q, last %q", len(found), found[0], found[len(found)-1])
	}
	if !strings.Contains(all, `"section":"news"`) {
		t.Error("a field is lost")
	}
	if found := clustersOf(t, []byte(cli(t, corpus(rows), "cluster", "-", "--duplicates", "drop").want(t, exitOK).stdout)); len(found) != 20 || len(found[0]) != 3 {
		t.Errorf("--duplicates drop: %d clusters, first %q", len(found), found[0])
	}
	if found := clustersOf(t, []byte(cli(t, corpus(rows), "cluster", "-", "--min", "4").want(t, exitOK).stdout)); len(found) != 1 {
		t.Errorf("--min 4: %d clusters", len(found))
	}
	for _, sources := range clustersOf(t, []byte(cli(t, corpus(rows), "cluster", "-", "--max", "2").want(t, exitOK).stdout)) {
		if len(sources) > 2 {
			t.Errorf("--max 2: %q", sources)
		}
	}
	if out := cli(t, corpus(rows), "cluster", "-", "--within", "48h").want(t, exitOK).stdout; len(clustersOf(t, []byte(out))) != 1 {
		t.Errorf("--within 48h: only the repeated document has a near one:\n%.500s", out)
	}
	// Texts with many copies are notices.
	notice := append(slices.Clone(rows), rows[0], rows[0], rows[0])
	found = clustersOf(t, []byte(cli(t, corpus(notice), "cluster", "-", "--max-copies", "3").want(t, exitOK).stdout))
	if last := found[len(found)-1]; len(found) != 20 || !slices.Equal(last, []string{"d0-1", "d0-2"}) {
		t.Errorf("--max-copies 3: %d clusters, last %q", len(found), last)
	}
	// Clusters are taken apart.
	var clusters bytes.Buffer
	for event := range 20 {
		fmt.Fprintf(&clusters, `{"id":%d,"documents":[{"text":%q,"title":"A"},%q,%q]}`+"\n", event, story(event, 0), story(event, 1), story(event, 2))
	}
	cli(t, &clusters, "cluster", "-", "--gold-field", "id").want(t, exitOK, "F1 1.0000: 60 documents of 20 known clusters")
}

func TestClusterBadInput(t *testing.T) {
	bad := strings.Join([]string{
		`{"text":"One text."}`,
		`{"txt":"One text."}`,
		`[1]`,
		`{"text":7}`,
		`{"text":"x","title":{}}`,
		`{"documents":["a",{"title":"b"}]}`,
		`{"text":"x","date":"yesterday"}`,
		"{\"text\":\"\xff\"}",
	}, "\n")
	cli(t, strings.NewReader(bad), "cluster", "-", "--within", "2h").want(t, exitFailed,
		"-:2: unreadable line: text: missing", "-:3: unreadable line: want a JSON object", "-:4: unreadable line: text: want a text or an object with a text, got 7", "-:5: left out title: want a string, got an object",
		"-:6: unreadable line: documents: want a text or an object with a text", `-:7: left out date: want a date such as 2026-04-21 or 2026-04-21T17:30:00Z, got "yesterday"`, "-:8: ")
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "no corpus given"},
		{[]string{"-", "--threshold", "1.5"}, "--threshold 1.5: want a number above 0 and below 1"},
		{[]string{"-", "--within", "-1h"}, "--within -1h0m0s: want a positive duration"},
		{[]string{"-", "--min", "0"}, "--min 0: want a positive number"},
		{[]string{"-", "--min", "3", "--max", "2"}, "--max 2: want 0 or at least --min, 3"},
		{[]string{"-", "--duplicates", "maybe"}, `unknown value for --duplicates "maybe"`},
		{[]string{"-", "--max-copies", "-1"}, "--max-copies -1"},
		{[]string{"-", "--event-size", "65"}, "--event-size 65: want 1 to 64"},
		{[]string{"-", "--workers", "-1"}, "--workers -1"},
		{[]string{"-", "--documents-field", "a..b"}, `field "a..b"`},
		{[]string{"-", "--output", "x.parquet"}, "clusters are written as JSON Lines only"},
	} {
		cli(t, strings.NewReader(""), append([]string{"cluster"}, test.args...)...).want(t, exitUsage, test.want)
	}
	name := file(t, "c.jsonl", []byte(`{"text":"One text."}`))
	cli(t, strings.NewReader(""), "cluster", name, "--output", name).want(t, exitUsage, "is one of the corpora")
	cli(t, strings.NewReader(""), "cluster", filepath.Join(t.TempDir(), "none.jsonl")).want(t, exitFailed)
}

// TestClusterFields: batch reads all that cluster writes, also of documents with fields
// in other layouts.
func TestClusterFields(t *testing.T) {
	var corpus strings.Builder
	fields := []string{
		`"source":{"id":null,"name":"BBC"}`, `"source":null,"id":"a1"`, `"source":12`, `"date":"2026-04-21 17:30:00"`,
		`"language":"English"`, `"blocks":7`, `"title":["x"],"date":null`, `"blocks":[[0,5,"heading"]],"language":"pt-BR"`,
		`"date":"2026-04-21T17:30:00+0200","title":null`, `"source":{},"id":7`, `"date":"yesterday"`,
	}
	for i, more := range fields {
		for version := range 2 {
			fmt.Fprintf(&corpus, `{"text":%q,%s}`+"\n", story(i, version), more)
		}
	}
	fmt.Fprintf(&corpus, `{"documents":[{"text":%q,"language":"English"},{"text":%q,"source":null}]}`+"\n", story(99, 0), story(99, 1))
	got := cli(t, strings.NewReader(corpus.String()), "cluster", "-", "--singles", "--within", "48h").want(t, exitOK,
		`-:9: left out language: want a language tag like en or pt-BR, got "English"`, "-:11: left out blocks: want an array of blocks", "-:13: left out title: want a string",
		"-:19: left out source: want a string, or an object with a name", `-:21: left out date: want a date such as 2026-04-21 or 2026-04-21T17:30:00Z, got "yesterday"`, `-:23: left out documents[0].language: `)
	for _, want := range []string{`"source":"BBC"`, `"source":"a1"`, `"source":"12"`, `"date":"2026-04-21T17:30:00Z"`, `"language":"pt-BR"`, `"date":"2026-04-21T17:30:00+02:00"`, `"source":"7"`, `[[0,5,"heading"]]`} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("the clusters do not have %s", want)
		}
	}
	documents := 0
	for line := range strings.Lines(got.stdout) {
		record, err := batch.Parse([]byte(line), "", false)
		if err != nil {
			t.Errorf("%v: %.300s", err, line)
			continue
		}
		documents += len(record.Documents)
		if _, err := (&batch.Options{Options: core.Options{Method: "lexrank"}}).Line(t.Context(), []byte(line)); err != nil {
			t.Errorf("%v: %.300s", err, line)
		}
	}
	if documents != 2*len(fields)+2 {
		t.Errorf("%d documents", documents)
	}
	// Many of them are counted.
	many := strings.Repeat(`{"text":"One text.","language":"English"}`+"\n", maxBadReported+3)
	cli(t, strings.NewReader(many), "cluster", "-").want(t, exitOK, "-:20: left out language: ", "warning: 3 more fields left out")
}
