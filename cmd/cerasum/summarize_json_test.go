package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/internal/archivetest"
)

// summaryOf describes a summary by its id and the sources of its documents.
func summaryOf(t *testing.T, line string) string {
	t.Helper()
	p := parse(t, line)
	var sources []string
	for _, d := range p.Documents {
		sources = append(sources, filepath.Base(d.Source)+"="+d.Text)
	}
	return fmt.Sprint(p.ID, " ", strings.Join(sources, ", "))
}

// summariesOf describes the summaries of an output.
func summariesOf(t *testing.T, stdout string) (all []string) {
	t.Helper()
	for line := range strings.Lines(stdout) {
		all = append(all, summaryOf(t, line))
	}
	return all
}

// TestJSONLayouts: a record means the same in every layout.
func TestJSONLayouts(t *testing.T) {
	const storm, flood = `{"id":"storm","documents":["The dam broke."]}`, `{"id":2,"documents":["It rained."]}`
	const dam, rain = `{"text":"The dam broke.","title":"T"}`, `{"text":"It rained.","source":"s"}`
	pretty := strings.NewReplacer("{", "{\n ", ",", ",\n ", "[", "[\n  ", "}", "\n}\n").Replace
	clusters := []string{"storm document 1=The dam broke.", "2 document 1=It rained."}
	documents := []string{"<nil> NAME (1)=The dam broke., s=It rained."}
	for _, c := range []struct {
		name, data string
		want       []string
	}{
		{"c.jsonl", storm + "\n" + flood, clusters},
		{"c.json", storm + "\n" + flood, clusters},
		{"c.json", "[" + storm + "," + flood + "]", clusters},
		{"c.json", pretty("[" + storm + "," + flood + "]"), clusters},
		{"c.json", pretty(storm) + pretty(flood), clusters},
		{"c.jsonl", pretty(storm), clusters[:1]},
		{"c.ndjson", pretty("[" + storm + "," + flood + "]"), clusters},
		{"c.txtual", pretty("[" + storm + "," + flood + "]"), clusters},
		{"d.jsonl", dam + "\n" + rain, documents},
		{"d.json", dam + "\n" + rain, documents},
		{"d.json", "\xef\xbb\xbf [" + dam + "," + rain + "]", documents},
		{"d.json", pretty("[" + dam + "," + rain + "]"), documents},
		{"d.txtual", pretty("[" + dam + "," + rain + "]"), documents},
		{"d.json", pretty(dam), []string{"<nil> NAME=The dam broke."}},
		{"d.json", `["The dam broke.", "It rained."]`, []string{"<nil> NAME (1)=The dam broke., NAME (2)=It rained."}},
	} {
		want := func(name string) (all []string) {
			for _, w := range c.want {
				all = append(all, strings.ReplaceAll(w, "NAME", name))
			}
			return all
		}
		args := []string{"summarize", "-f", "json", "-b", "2s"}
		a := cli(t, nil, append(args, file(t, c.name, []byte(c.data)))...).want(t, exitOK)
		if got := summariesOf(t, a.stdout); !slices.Equal(got, want(c.name)) || a.stderr != "" {
			t.Errorf("%s %q: %q, want %q\n%s", c.name, c.data, got, want(c.name), a.stderr)
		}
		a = cli(t, nil, append(args, file(t, c.name+".gz", archivetest.Gzip(t, []byte(c.data))))...).want(t, exitOK)
		if got := summariesOf(t, a.stdout); !slices.Equal(got, want(c.name+".gz")) {
			t.Errorf("%s.gz %q: %q", c.name, c.data, got)
		}
		a = cli(t, strings.NewReader(c.data), append(args, "--input-format", "json")...).want(t, exitOK)
		if got := summariesOf(t, a.stdout); !slices.Equal(got, want("standard input")) {
			t.Errorf("standard input %q: %q", c.data, got)
		}
	}
}

// TestJSONSample: a sample of the page is one cluster over many lines.
func TestJSONSample(t *testing.T) {
	const sample = "../../web/demo/samples/en-long.json"
	p := parse(t, cli(t, nil, "summarize", "-f", "json", "-b", "2s", sample).want(t, exitOK).stdout)
	if len(p.Documents) != 10 || p.Documents[0].Source != "The Kestrow Evening Post" {
		t.Errorf("%d documents, the first of %q", len(p.Documents), p.Documents[0].Source)
	}
	cli(t, nil, "explain", "-m", "instant", "-b", "2s", sample).want(t, exitOK)
}

func TestJSONErrors(t *testing.T) {
	for name, c := range map[string]struct {
		data      string
		wants     []string
		summaries int
	}{
		"element.json":  {"[\n{\"text\":\"The dam broke.\"},\n{\"text\":5},\n\"It rained.\"]", []string{"element.json:3: [1].text: want a string, got a number"}, 1},
		"cluster.json":  {"[{\"documents\":[\"The dam broke.\"]},\n{\"documents\":[{}]},\n{\"text\":\"x\"},{\"documents\":[]}]", []string{"cluster.json:2: [1].documents[0].text: missing", "cluster.json:3: [2].documents: missing", "cluster.json:3: [3]: nothing to summarize"}, 1},
		"object.json":   {"{\n\"documents\": [\n{\"text\": 5}\n]}", []string{"object.json:1: documents[0].text: want a string"}, 0},
		"comma.json":    {"{\n\"documents\": [\n{\"text\": \"x\"}\n{\"text\": \"y\"}\n]}", []string{`comma.json:4: invalid JSON: want a comma before '{'`}, 0},
		"cut.json":      {"[{\"text\":\"The dam broke.\"},", []string{"cut.json:1: [0]: invalid JSON: the array does not end"}, 1},
		"settings.json": {`{"name":"x"}`, []string{"settings.json: JSON without documents", "hint: use --input-format text"}, 0},
		"number.json":   {"[1]", []string{"number.json: JSON without documents"}, 0},
		"empty.json":    {"[]", []string{"empty.json: no text found", "nothing to summarize"}, 0},
		"strange.jsonl": {"{\"text\":\"The dam broke.\"}\nx\n", []string{"strange.jsonl:2: invalid JSON"}, 1},
	} {
		a := cli(t, nil, "summarize", "-f", "json", file(t, name, []byte(c.data))).want(t, exitFailed, c.wants...)
		if n := strings.Count(a.stdout, "\n"); n != c.summaries {
			t.Errorf("%s: %d summaries, want %d", name, n, c.summaries)
		}
	}
}

// TestJSONManyErrors: of many bad records the first ten are reported.
func TestJSONManyErrors(t *testing.T) {
	for _, first := range []string{`{"documents":["The dam broke."]}`, `{"text":"The dam broke."}`, `{"documents":["cut`} {
		for n, last := range map[int]string{10: "", 11: "and 1 more record that", 66: "and 56 more records that"} {
			if strings.HasSuffix(first, "cut") {
				n-- // the first is bad itself
			}
			data := first + "\n" + strings.Repeat("x\n", n)
			a := cli(t, nil, "summarize", "-f", "json", file(t, "c.jsonl", []byte(data))).want(t, exitFailed, "c.jsonl:10: invalid JSON", last)
			if got := strings.Count(a.stderr, "invalid JSON"); got != 10 {
				t.Errorf("%q: %d messages:\n%s", data, got, a.stderr)
			}
			if strings.Contains(a.stderr, " more record") != (last != "") {
				t.Errorf("%q: %s", data, a.stderr)
			}
		}
	}
}

// TestJSONBeside: documents in JSON go with other documents, clusters do not, and in
// folders JSON without either is skipped.
func TestJSONBeside(t *testing.T) {
	text := file(t, "a.txt", []byte("The mayor left."))
	documents := file(t, "d.json", []byte(`[{"text":"The dam broke.","url":"u"},{"text":"It rained."}]`))
	a := cli(t, nil, "summarize", "-f", "json", text, documents).want(t, exitOK, `ignored field "url" in 1 record`)
	if n := len(parse(t, a.stdout).Documents); n != 3 {
		t.Errorf("%d documents", n)
	}
	cli(t, nil, "summarize", "--strict", "-f", "json", documents).want(t, exitFailed, "d.json:1: [0].url: unknown field")
	cli(t, nil, "summarize", text, file(t, "c.json", []byte(`[{"documents":["x"]}]`))).want(t, exitFailed, "cannot combine")
	settings := file(t, "settings.json", []byte(`{"name":"x"}`))
	cli(t, nil, "summarize", filepath.Dir(settings), text).want(t, exitOK, "warning: skipped: "+settings)
	many := file(t, "many.json", []byte(`["The dam broke."`+strings.Repeat(`,"It rained."`, 1000)+`]`))
	a = cli(t, nil, "summarize", "-f", "json", "-m", "lead", "-b", "1s", many).want(t, exitOK, "only the first 1000 of 1001 documents were read")
	if n := len(parse(t, a.stdout).Documents); n != 1000 {
		t.Errorf("%d documents", n)
	}
}

func TestJSONAddress(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`[{"documents":["The dam broke."]},` + "\n" + `{"documents":["It rained."]}]`)) // a lost answer fails the test
	}))
	defer server.Close()
	a := cli(t, nil, "summarize", "-f", "json", server.URL).want(t, exitOK)
	if n := len(summariesOf(t, a.stdout)); n != 2 {
		t.Errorf("%d summaries", n)
	}
}
