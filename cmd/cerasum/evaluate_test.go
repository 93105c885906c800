package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/archivetest"
	"github.com/cerasum/cerasum/internal/reference"
)

// evaluationCorpus makes n small clusters, every tenth of them bad.
func evaluationCorpus(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		if i%10 == 9 {
			fmt.Fprintf(&b, `{"id": "bad%d", "documents": ["A text."], "references": []}`+"\n", i)
			continue
		}
		fmt.Fprintf(&b, `{"id": "c%d", "documents": ["The river rose by %d metres on Monday. The mayor closed the old bridge. Nobody was hurt in the flood.", "On Monday the river rose fast. Boats brought %d people out of the town. The bridge stays closed until Friday."], "references": ["The river rose by %d metres%s."]}`+"\n",
			i, i+1, i+20, i+1, strings.Repeat(" and the bridge was closed", i%3))
	}
	return b.Bytes()
}

// evaluateCLI runs evaluate with a few common flags.
func evaluateCLI(t *testing.T, dataset string, args ...string) answer {
	t.Helper()
	useOwnCache(t)
	return cli(t, strings.NewReader(""), append([]string{"evaluate", "--dataset", dataset, "--budget", "20", "--lang", "en", "--resamples", "100", "--encoder", "lexical"}, args...)...)
}

// useOwnCache keeps a test out of the user's cache folder.
func useOwnCache(t *testing.T) {
	t.Helper()
	if !strings.HasPrefix(os.Getenv("XDG_CACHE_HOME"), os.TempDir()) {
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
	}
}

func TestEvaluateFormats(t *testing.T) {
	plain := file(t, "corpus.jsonl", evaluationCorpus(9))
	zipped := file(t, "corpus.jsonl.gz", archivetest.Gzip(t, evaluationCorpus(9)))
	a := evaluateCLI(t, plain, "--format", "json", "--methods", "lead,bs+gs,oracle").want(t, exitOK)
	var rows []struct {
		Method   string
		Clusters int
		LeftOut  int `json:"left_out"`
		Budget   int
		ROUGE    map[string]map[string]map[string]float64
	}
	if err := json.Unmarshal([]byte(a.stdout), &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 3 || rows[2].Method != "oracle" || rows[0].Clusters != 9 || rows[0].LeftOut != 0 || rows[0].Budget != 20 {
		t.Fatalf("%+v", rows)
	}
	if r := rows[2].ROUGE["ROUGE-2"]["recall"]; r["low"] > r["mean"] || r["mean"] > r["high"] || r["mean"] == 0 {
		t.Errorf("%v", r)
	}
	// The same seed gives the same bytes, with any number of workers, from gzip
	// and without.
	for _, workers := range []string{"1", "7"} {
		if b := evaluateCLI(t, zipped, "--format", "json", "--methods", "lead,bs+gs,oracle", "--workers", workers).want(t, exitOK); b.stdout != a.stdout {
			t.Errorf("%s workers: %s", workers, b.stdout)
		}
	}
	table := evaluateCLI(t, plain).want(t, exitOK).stdout
	for _, want := range []string{"9 clusters, 0 left out", "-l 20", "instant", "R2-R", "±"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
	for _, name := range []string{"e.parquet", "e.csv", "e.TSV", "e.txt.gz"} {
		out := filepath.Join(t.TempDir(), name)
		evaluateCLI(t, plain, "--output", out).want(t, exitUsage, name+": evaluate writes no file of this kind", "text or JSON")
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	out := filepath.Join(t.TempDir(), "table.md")
	evaluateCLI(t, plain, "--format", "markdown", "--output", out, "--no-stem", "--limit-words", "0", "--rouge-unicode", "--whole-text", "--time", "--limit", "3").want(t, exitOK)
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| --- | ---: |", "3 clusters", "-n 4 -2 4 -u", "tokenizer unicode", "each text one line", "ms/cluster"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %q in\n%s", want, data)
		}
	}
	all := evaluateCLI(t, plain, "--methods", "all").want(t, exitOK).stdout
	for _, name := range evaluated() {
		// What needs embeddings has none without --encoder.
		want := name != "auto" && methodInfo(name).Embeddings != core.EmbeddingsRequired
		if strings.Contains(all, "\n"+name+" ") != want {
			t.Errorf("row %s: want it %v in\n%s", name, want, all)
		}
	}
}

func TestEvaluateLeftOut(t *testing.T) {
	corpus := append(evaluationCorpus(40), `{"documents": ["cut off`...)
	a := evaluateCLI(t, file(t, "corpus.jsonl", corpus)).want(t, exitFailed,
		":10: references: no reference summary", ":41: truncated")
	if !strings.Contains(a.stdout, "36 clusters, 5 left out") {
		t.Errorf("%s", a.stdout)
	}
	many := evaluateCLI(t, file(t, "bad.jsonl", append(evaluationCorpus(1), bytes.Repeat([]byte("{}\n"), 50)...))).want(t, exitFailed, "more records were left out")
	if n := strings.Count(many.stderr, "left out:"); n != maxReported {
		t.Errorf("%d records told", n)
	}
	if !strings.Contains(many.stdout, "1 cluster, 50 left out") {
		t.Errorf("%s", many.stdout)
	}
	evaluateCLI(t, file(t, "none.jsonl", []byte("{}\n{}\n")), "--layout", "jsonl").want(t, exitFailed, "no cluster could be evaluated, 2 left out")
	evaluateCLI(t, file(t, "empty.jsonl", nil)).want(t, exitFailed, "no cluster")
	zipped := archivetest.Gzip(t, evaluationCorpus(500))
	cut := evaluateCLI(t, file(t, "cut.jsonl.gz", zipped[:len(zipped)/2])).want(t, exitFailed, "unexpected EOF")
	if !strings.Contains(cut.stdout, "interrupted: incomplete") {
		t.Errorf("what was done is lost: %s", cut.stdout)
	}
}

func TestEvaluateUsage(t *testing.T) {
	corpus := file(t, "corpus.jsonl", evaluationCorpus(3))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--methods", "led"}, "did you mean lead?"},
		{[]string{"--methods", "lead,lead"}, "duplicate"},
		{[]string{"--layout", "duc"}, "unknown value for --layout"},
		{[]string{"--split", "test"}, "only CrossSum"},
		{[]string{"--lang", "en,es"}, "only CrossSum"},
		{[]string{"--lang", "no such tag"}, "want a code"},
		{[]string{"--encoder", "bert"}, "--encoder bert: no such folder"},
		{[]string{"--methods", "hybrid", "--encoder", "lexical"}, "hybrid requires an encoder"},
		{[]string{"--dense-weight", "0.5", "--encoder", "lexical"}, "--dense-weight requires an encoder"},
		{[]string{"--dense-weight", "2"}, "want a number from 0 to 1"},
		{[]string{"--grid", "W=0,1", "--methods", "mean", "--encoder", "lexical"}, "--grid W requires an encoder"},
		{[]string{"--format", "csv"}, "unknown value for --format"},
		{[]string{"--budget", "0"}, "--budget: want 1 to 1000000000"},
		{[]string{"--budget", "5x"}, "--budget: want a number of words like 100, sentences like 5s"},
		{[]string{"--order", "random"}, "--order: unknown value"},
		{[]string{"--limit", "-1"}, "--limit -1"},
		{[]string{"--resamples", "0"}, "--resamples 0"},
		{[]string{"--resume"}, "nothing to resume"},
		{[]string{"--resume", "--state", ""}, "--resume requires --state"},
		{[]string{"--grid", "x=1"}, "got \"x=1\""},
		{[]string{"--methods", "lead", "--grid", "n=1"}, "method lead has none"},
		{[]string{"--methods", "lead,bs+gs", "--use-query"}, "method lead, bs+gs does not support --use-query"},
		{[]string{"--methods", "instant", "--use-query", "--query", "dam"}, "exclude each other"},
		{[]string{"--methods", "instant", "--query-weight", "0.5"}, "--query-weight requires --query"},
		{[]string{"more"}, "unexpected argument"},
		{[]string{"--no-such"}, "unknown flag"},
	} {
		evaluateCLI(t, corpus, c.args...).want(t, exitUsage, c.want)
	}
	cli(t, nil, "evaluate").want(t, exitUsage, "no dataset")
	if a := evaluateCLI(t, filepath.Join(t.TempDir(), "none")).want(t, exitFailed, "no such file", "check the name"); strings.Contains(a.stderr, "web address") {
		t.Errorf("a corpus is no address: %s", a.stderr)
	}
	evaluateCLI(t, file(t, "text.txt", []byte("hello"))).want(t, exitFailed, "unknown layout", "name the layout with --layout")
	evaluateCLI(t, t.TempDir()).want(t, exitFailed, "unknown layout")
}

func TestEvaluateUseQuery(t *testing.T) {
	lines := evaluationCorpus(3)
	corpus := file(t, "corpus.jsonl", bytes.ReplaceAll(lines, []byte(`{"id"`), []byte(`{"query": "bridge", "id"`)))
	a := evaluateCLI(t, corpus, "--methods", "lead,instant,salience", "--use-query", "--query-weight", "0.7").want(t, exitOK)
	for _, want := range []string{"\nlead  ", "\ninstant  ", "\ninstant + query ", "\nsalience + query "} {
		if strings.Count(a.stdout, want) != 1 {
			t.Errorf("no row %q in\n%s", want, a.stdout)
		}
	}
	if strings.Contains(a.stdout, "lead + query") {
		t.Error(a.stdout)
	}
	evaluateCLI(t, file(t, "none.jsonl", lines), "--methods", "instant", "--use-query").want(t, exitFailed, "no query", "no cluster could be evaluated, 3 left out")
}

func TestEvaluateEditor(t *testing.T) {
	corpus := file(t, "corpus.jsonl", evaluationCorpus(3))
	// Each summary is the first two sentences of the first document and the first of the
	// second.
	choices := func(more string) string {
		return file(t, "choices.jsonl", []byte(`{"id": "c0", "extract": [[0, 0, 37]], "good": [[1, 0, 30]], "never": [[0, 38, 71]]}`+"\n"+
			`{"id": "c1", "extract": [], "good": [[0, 0, 37]], "never": [[1, 0, 30]]}`+"\n"+more))
	}
	third := `{"id": "c2", "extract": [[0, 38, 71]], "good": [], "never": []}`
	a := evaluateCLI(t, corpus, "--methods", "lead", "--editor", choices(third), "--format", "markdown").want(t, exitOK, "")
	head, row := "| coverage | quotes | extract | good | never | first |", "| 9 | 22.2 | 44.4 | 22.2 | 66.7 |"
	if !strings.Contains(a.stdout, head) || !strings.Contains(a.stdout, row) {
		t.Errorf("want %s and %s in\n%s", head, row, a.stdout)
	}
	a = evaluateCLI(t, corpus, "--methods", "lead", "--editor", choices(third), "--format", "json").want(t, exitOK)
	var rows []struct {
		Editor string
		Quotes map[string]int
	}
	if err := json.Unmarshal([]byte(a.stdout), &rows); err != nil || len(rows) != 1 {
		t.Fatal(err, a.stdout)
	}
	want := map[string]int{"all": 9, "extract": 2, "good": 4, "never": 2, "first": 2}
	if !strings.HasSuffix(rows[0].Editor, "/choices.jsonl") || !maps.Equal(rows[0].Quotes, want) {
		t.Errorf("got %v, want %v", rows[0], want)
	}
	state := filepath.Join(t.TempDir(), "state")
	evaluateCLI(t, corpus, "--methods", "lead", "--editor", choices(""), "--state", state).want(t, exitFailed, "cluster c2: no editor's choice")
	evaluateCLI(t, corpus, "--methods", "lead", "--editor", choices(third), "--state", state, "--resume").want(t, exitFailed, "of another run")
	evaluateCLI(t, corpus, "--methods", "lead", "--editor", choices("[]")).want(t, exitFailed, "choices.jsonl:3: want a JSON object")
	evaluateCLI(t, corpus, "--editor", filepath.Join(t.TempDir(), "none")).want(t, exitFailed, "no such file")
}

func TestEvaluateReading(t *testing.T) {
	corpus := file(t, "corpus.jsonl", evaluationCorpus(3))
	a := evaluateCLI(t, corpus, "--methods", "lead,bs+gs", "--reading", "--format", "markdown").want(t, exitOK)
	for _, want := range []string{
		"Reading, counted by program per 100 quotes:", "| method | quotes | leaning | fragments | speech | questions | edges | repeats | any | unused | first |",
		"| lead | 9 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | ", "| (reference) | ",
	} {
		if !strings.Contains(a.stdout, want) {
			t.Errorf("no %q in\n%s", want, a.stdout)
		}
	}
	if plain := evaluateCLI(t, corpus, "--methods", "lead,bs+gs", "--format", "markdown").want(t, exitOK).stdout; !strings.HasPrefix(a.stdout, plain) || strings.Contains(plain, "Reading") {
		t.Errorf("%s", plain)
	}
	// A saved run has the counts or not.
	state := filepath.Join(t.TempDir(), "state")
	evaluateCLI(t, corpus, "--methods", "lead,bs+gs", "--reading", "--state", state, "--limit", "2").want(t, exitOK)
	evaluateCLI(t, corpus, "--methods", "lead,bs+gs", "--state", state, "--resume").want(t, exitFailed, "of another run")
	if b := evaluateCLI(t, corpus, "--methods", "lead,bs+gs", "--reading", "--format", "markdown", "--state", state, "--resume").want(t, exitOK); b.stdout != a.stdout {
		t.Errorf("resumed:\n%s", b.stdout)
	}
}

// TestEvaluateBudget has every unit, and ROUGE's -l for those of words.
func TestEvaluateBudget(t *testing.T) {
	corpus := file(t, "corpus.jsonl", evaluationCorpus(3))
	for _, c := range []struct{ budget, caption, arguments, unit string }{
		{"20", "budget 20 words;", "-2 4 -l 20 -u", "paperWords"}, {"20p", "budget 20 words;", "-2 4 -l 20 -u", "paperWords"},
		{"20w", "budget 20 words (UAX #29);", "-2 4 -l 20 -u", "words"},
		{"2s", "budget 2 sentences;", "-2 4 -u", "sentences"}, {"90c", "budget 90 characters;", "-2 4 -u", "characters"},
	} {
		args := []string{"--methods", "lead", "--reading", "--budget", c.budget}
		table := evaluateCLI(t, corpus, append(args, "--format", "markdown")...).want(t, exitOK).stdout
		if !strings.Contains(table, c.caption) || !strings.Contains(table, c.arguments) {
			t.Errorf("%s: %s", c.budget, table)
		}
		a := evaluateCLI(t, corpus, append(args, "--format", "json")...).want(t, exitOK)
		var rows []struct {
			Budget  int
			Unit    string `json:"budget_unit"`
			Words   float64
			Reading struct {
				Quotes int
				Unused float64
			}
		}
		if err := json.Unmarshal([]byte(a.stdout), &rows); err != nil {
			t.Fatal(err)
		}
		if r := rows[0]; r.Unit != c.unit || r.Reading.Unused < 0 || r.Reading.Unused > 0.9 || c.budget == "2s" && (r.Reading.Quotes != 6 || r.Reading.Unused != 0) {
			t.Errorf("%s: %+v", c.budget, r)
		}
	}
	if table := evaluateCLI(t, corpus, "--budget", "2s", "--limit-words", "9").want(t, exitOK).stdout; !strings.Contains(table, "-l 9") {
		t.Errorf("%s", table)
	}
}

// TestEvaluateOrder counts openers that lean on a sentence that no longer precedes them.
func TestEvaluateOrder(t *testing.T) {
	corpus := file(t, "corpus.jsonl", evaluationCorpus(3))
	dir := t.TempDir()
	for _, order := range []string{"document", "rank"} {
		evaluateCLI(t, corpus, "--methods", "bs+gs", "--budget", "3s", "--order", order, "--save-summaries", filepath.Join(dir, order)).want(t, exitOK)
	}
	read := func(order string) string { return string(mustRead(t, filepath.Join(dir, order, "bs+gs.jsonl"))) }
	if read("document") == read("rank") {
		t.Errorf("%s", read("rank"))
	}
}

func TestEvaluateState(t *testing.T) {
	corpus := file(t, "corpus.jsonl", evaluationCorpus(40))
	full := evaluateCLI(t, corpus).want(t, exitFailed)
	dir := t.TempDir()
	state, whole := filepath.Join(dir, "state"), filepath.Join(dir, "whole")
	evaluateCLI(t, corpus, "--state", state, "--limit", "25", "--save-summaries", filepath.Join(dir, "part")).want(t, exitFailed)
	evaluateCLI(t, corpus, "--state", whole, "--save-summaries", filepath.Join(dir, "all")).want(t, exitFailed)
	evaluateCLI(t, corpus, "--state", state).want(t, exitUsage, "already has results", "--resume")
	evaluateCLI(t, corpus, "--state", state, "--resume", "--budget", "21").want(t, exitFailed, "of another run")
	evaluateCLI(t, corpus, "--state", state, "--resume", "--limit", "20").want(t, exitUsage, "has results of 25 clusters")
	evaluateCLI(t, corpus, "--state", state, "--resume", "--save-summaries", filepath.Join(dir, "other")).want(t, exitFailed, "got 0 summaries, want at least 23")

	// A line that was cut off while it was written is done again.
	data, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(state, data[:len(data)-7], 0o600); err != nil {
		t.Fatal(err)
	}
	resumed := evaluateCLI(t, corpus, "--state", state, "--resume", "--save-summaries", filepath.Join(dir, "part")).want(t, exitFailed)
	if resumed.stdout != full.stdout {
		t.Errorf("resumed:\n%s\nat once:\n%s", resumed.stdout, full.stdout)
	}
	for _, m := range []string{"lead", "bs+gs", "instant"} {
		a, errA := os.ReadFile(filepath.Join(dir, "part", m+".jsonl"))
		b, errB := os.ReadFile(filepath.Join(dir, "all", m+".jsonl"))
		if err := errors.Join(errA, errB); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) || bytes.Count(a, []byte("\n")) != 36 || !bytes.HasPrefix(a, []byte(`{"id":"c0","summary":["`)) {
			t.Errorf("%s: %.200s", m, a)
		}
	}
	if err := os.WriteFile(state, append(data, "{\"record\": 99}\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	evaluateCLI(t, corpus, "--state", state, "--resume").want(t, exitFailed, "line 27: got the outcome of record 99, want 26")
}

// TestEvaluateInterrupted ends a run when some of it is done, and goes on, with
// a file that the user names and with one of our own choice.
func TestEvaluateInterrupted(t *testing.T) {
	if !testing.Short() {
		t.Run("named", func(t *testing.T) { interrupt(t, filepath.Join(t.TempDir(), "state")) })
	}
	t.Run("auto", func(t *testing.T) { interrupt(t, "auto") })
}

func interrupt(t *testing.T, state string) {
	t.Helper()
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	corpus := file(t, "corpus.jsonl", evaluationCorpus(4000))
	args := []string{"evaluate", "-d", corpus, "-b", "20", "-l", "en", "--resamples", "50", "--state", state, "-m", "lead,bs+gs", "-e", "lexical"}
	kept := func() string {
		if found, _ := filepath.Glob(filepath.Join(cache, "cerasum", "evaluation-*.jsonl")); len(found) == 1 {
			return found[0]
		}
		return state
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		defer cancel()
		for ctx.Err() == nil {
			if info, err := os.Stat(kept()); err == nil && info.Size() > 20_000 {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	var out, errs bytes.Buffer
	if code := run(ctx, args, strings.NewReader(""), &out, &errs); code != exitInterrupted {
		t.Fatalf("exit code %d\n%s", code, errs.String())
	}
	if !strings.Contains(out.String(), "interrupted: incomplete") || !strings.Contains(errs.String(), "interrupted\n  hint: run the same command with --resume") {
		t.Errorf("%s%s", out.String(), errs.String())
	}
	resumed := cli(t, nil, append(args, "--resume")...).want(t, exitFailed)
	if full := cli(t, nil, append(args, "--state", "")...).want(t, exitFailed); full.stdout != resumed.stdout {
		t.Errorf("resumed:\n%s\nat once:\n%s", resumed.stdout, full.stdout)
	}
	if state == "auto" && kept() != state {
		t.Errorf("%s is left behind", kept())
	}
}

func TestEvaluateGridAndPlot(t *testing.T) {
	corpus := file(t, "corpus.jsonl", evaluationCorpus(5))
	plot := filepath.Join(t.TempDir(), "plot.svg")
	a := evaluateCLI(t, corpus, "--methods", "bs,bs+gs", "--plot", plot, "--grid", "n=1,3", "B=1,5", "T=9").want(t, exitOK)
	for _, want := range []string{"bs n=1 B=1 ", "bs n=3 B=5 ", "bs+gs n=3 B=5 T=9 ", "Highest R2-R: bs"} {
		if !strings.Contains(a.stdout, want) {
			t.Errorf("no %q in\n%s", want, a.stdout)
		}
	}
	data, err := os.ReadFile(plot)
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(data, new(struct{ XMLName xml.Name })); err != nil || bytes.Count(data, []byte("bs+gs n=3 B=5 T=9")) != 1 {
		t.Errorf("%v %.300s", err, data)
	}
}

func TestEvaluateTranslate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands of this test are of a POSIX shell")
	}
	corpus := file(t, "corpus.jsonl", evaluationCorpus(5))
	dir := t.TempDir()
	cache, log := filepath.Join(dir, "cache"), filepath.Join(dir, "log")
	command := `printf x >> "` + log + `"; tr a-z b-za`
	args := []string{"--translation-cache", cache, "--save-summaries", dir, "--methods", "lead"}
	a := evaluateCLI(t, corpus, append(args, "--translate-command", command)...).want(t, exitOK)
	if !strings.Contains(a.stdout, "in translation") {
		t.Errorf("%s", a.stdout)
	}
	summaries, err := os.ReadFile(filepath.Join(dir, "lead.jsonl"))
	if err != nil || !bytes.Contains(summaries, []byte(`Tif sjwfs sptf cz 1 nfusft`)) {
		t.Errorf("%v %.300s", err, summaries)
	}
	// What is in the cache is not asked again.
	b := evaluateCLI(t, corpus, append(args, "--translate-command", "exit 3")...).want(t, exitOK)
	if b.stdout != a.stdout {
		t.Errorf("from the cache:\n%s", b.stdout)
	}
	if calls, err := os.ReadFile(log); err != nil || string(calls) != "x" {
		t.Errorf("%q calls, %v", calls, err)
	}
	fresh := []string{"--translation-cache", filepath.Join(dir, "fresh"), "--methods", "lead", "--translate-command"}
	evaluateCLI(t, corpus, append(fresh, "echo broken >&2; exit 3")...).want(t, exitFailed, "translate command: exit status 3: broken")
	evaluateCLI(t, corpus, append(fresh, "head -n 2")...).want(t, exitFailed, "got 2", "one line per input line")
	bad := file(t, "bad", []byte("{}\n"))
	evaluateCLI(t, corpus, "--translation-cache", bad, "--translate-command", "cat").want(t, exitFailed, "line 1: want [line, translation]")
	t.Setenv("XDG_CACHE_HOME", dir)
	t.Setenv("HOME", dir)
	evaluateCLI(t, corpus, "--methods", "lead", "--translate-command", "cat").want(t, exitOK)
}

// crossSumFolder writes pairs of a test and a train split, one file as gzip.
func crossSumFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	pair := func(source, target, text, summary string) string {
		return fmt.Sprintf(`{"source_url": %q, "target_url": %q, "text": %q, "summary": %q}`+"\n", source, target, text, summary)
	}
	for name, data := range map[string][]byte{
		"english-spanish_test.jsonl":    []byte(pair("en/1", "es/1", "The river rose on Monday. It fell again.", "El río subió.")),
		"spanish-english_test.jsonl.gz": archivetest.Gzip(t, []byte(pair("es/1", "en/1", "El río subió el lunes. Nadie resultó herido. Llovió mucho.", "The river rose."))),
		"english-spanish_train.jsonl":   []byte(pair("en/2", "es/2", "A text.", "Un resumen.")),
		"spanish-english_train.jsonl":   []byte(pair("es/2", "en/2", "Un texto.", "A summary.")),
		"english-french_test.jsonl":     []byte(pair("en/1", "fr/1", "The river rose on Monday.", "Le fleuve monte.")),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestEvaluateCrossSum(t *testing.T) {
	dir := crossSumFolder(t)
	a := cli(t, nil, "evaluate", "--dataset", dir, "--lang", "en,es", "--methods", "lead,bs+gs", "--encoder", "lexical").want(t, exitOK)
	if !strings.Contains(a.stdout, "1 cluster, 0 left out") {
		t.Errorf("%s", a.stdout)
	}
	cli(t, nil, "evaluate", "--dataset", dir, "--lang", "pt").want(t, exitFailed, "no file of the CrossSum split test")
}

func TestEvaluateStatistics(t *testing.T) {
	dir := crossSumFolder(t)
	a := cli(t, nil, "evaluate", "--dataset", dir, "--lang", "en,es", "--statistics", "--format", "markdown").want(t, exitOK)
	// Documents of 2 and 3 sentences, a reference of 6 words; of 1 and 1, and 4.
	for _, want := range []string{
		"| train | en, es | 1 | 0 | 2 | 1.0 ± 0.0 | 4.0 ± 0.0 |",
		"| test | en, es | 1 | 0 | 2 | 2.5 ± 0.5 | 6.0 ± 0.0 |",
	} {
		if !strings.Contains(a.stdout, want) {
			t.Errorf("no %q in\n%s", want, a.stdout)
		}
	}
	if strings.Contains(a.stdout, "val") {
		t.Errorf("a split that is not there:\n%s", a.stdout)
	}
	one := cli(t, nil, "evaluate", "--dataset", dir, "--lang", "en,es", "--split", "test", "--statistics").want(t, exitOK).stdout
	if strings.Count(one, "\n") != 2 || !strings.Contains(one, "2.5 ± 0.5") {
		t.Errorf("%s", one)
	}
	corpus := file(t, "corpus.jsonl", evaluationCorpus(10))
	var rows []struct {
		Clusters int
		LeftOut  int    `json:"left_out"`
		Docs     [2]int `json:"documents_per_cluster"`
	}
	b := cli(t, nil, "evaluate", "--dataset", corpus, "--statistics", "--format", "json").want(t, exitFailed, ":10: references")
	if err := json.Unmarshal([]byte(b.stdout), &rows); err != nil || len(rows) != 1 || rows[0].Clusters != 9 || rows[0].LeftOut != 1 || rows[0].Docs != [2]int{2, 2} {
		t.Errorf("%v %s", err, b.stdout)
	}
	cli(t, nil, "evaluate", "--dataset", dir, "--lang", "pt,ru", "--statistics").want(t, exitFailed, "no CrossSum file")
}

func TestEvaluateProgress(t *testing.T) {
	var b bytes.Buffer
	p := &progress{w: &b, on: true}
	p.bar(0.5, 12)
	p.bar(0.6, 13) // too soon
	p.clear()
	if want := "\r\x1b[K" + strings.Repeat("█", 15) + strings.Repeat("░", 15) + " 50 %, 12 clusters\r\x1b[K"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	corpus := file(t, "corpus.jsonl", evaluationCorpus(9))
	a := evaluateCLI(t, corpus, "--progress", "always").want(t, exitOK)
	if !strings.Contains(a.stderr, "█") {
		t.Errorf("%q", a.stderr)
	}
	if a := evaluateCLI(t, corpus, "--progress", "always", "--quiet").want(t, exitOK); a.stderr != "" {
		t.Errorf("%q", a.stderr)
	}
}

// TestEvaluateSharedCorpora evaluates a few clusters of the full corpora.
func TestEvaluateSharedCorpora(t *testing.T) {
	for _, name := range []string{"multi_news/validation", "neus_allsides/test", "vn_mds/clusters", "abmusu_vi/validation", "orangesum_fr/test", "opinosis/topics"} {
		t.Run(name, func(t *testing.T) {
			path := reference.Path(t, "data/"+name+".jsonl.gz")
			a := cli(t, nil, "evaluate", "--dataset", path, "--methods", "lead,bs+gs,oracle", "--encoder", "lexical", "--limit", "5", "--rouge-unicode").want(t, exitOK)
			if !strings.Contains(a.stdout, "5 clusters, 0 left out") {
				t.Errorf("%s", a.stdout)
			}
		})
	}
}
