package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cerasum/cerasum/internal/archivetest"
)

// batchLines makes n clusters, a line each; every 50th line is bad.
func batchLines(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		if i%50 == 49 {
			fmt.Fprintf(&b, `{"id": %d, "documents": "none"}`+"\n", i)
			continue
		}
		fmt.Fprintf(&b, `{"id": %d, "documents": ["The river rose by %d metres on Monday. The mayor closed the old bridge. Nobody was hurt in flood %d.", "On Monday the river rose fast. Boats brought %d people out of town %d. The bridge stays closed until Friday."]}`+"\n", i, i%9+1, i, i%40+2, i%7)
	}
	return b.Bytes()
}

// summaryIDs reads the ids of a file of summaries, in order.
func summaryIDs(t *testing.T, data []byte) []int {
	t.Helper()
	var ids []int
	for line := range bytes.Lines(data) {
		var s struct {
			ID        int   `json:"id"`
			Sentences []any `json:"sentences"`
		}
		if err := json.Unmarshal(line, &s); err != nil || len(s.Sentences) == 0 {
			t.Fatalf("%s: %v", line, err)
		}
		ids = append(ids, s.ID)
	}
	return ids
}

func TestBatchIsSummarize(t *testing.T) {
	corpus := file(t, "corpus.jsonl", batchLines(120))
	out := filepath.Join(t.TempDir(), "out.jsonl")
	cli(t, strings.NewReader(""), "batch", corpus, "--output", out, "--budget", "2s", "--workers", "3").want(t, exitFailed, ":50: documents", ":100: documents")
	got := mustRead(t, out)
	plain := cli(t, strings.NewReader(""), "summarize", corpus, "--budget", "2s", "--format", "json").want(t, exitFailed).stdout
	strip := func(text string) string {
		var b strings.Builder
		for line := range strings.Lines(text) {
			var v map[string]any
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				t.Fatal(err)
			}
			for _, d := range v["documents"].([]any) {
				delete(d.(map[string]any), "text")
				delete(d.(map[string]any), "attention")
			}
			again, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(append(again, '\n'))
		}
		return b.String()
	}
	if a, b := strip(string(got)), strip(plain); a != b {
		t.Errorf("batch and summarize differ:\n%.600s\n%.600s", a, b)
	}
	bad := string(mustRead(t, out+".bad.jsonl"))
	if strings.Count(bad, "\n") != 2 || !strings.Contains(bad, `"line":50,"error":"documents: `) || !strings.Contains(bad, `"raw":"{\"id\": 49, \"documents\": \"none\"}"`) {
		t.Errorf("%s", bad)
	}
	for _, name := range []string{out + ".part", out + ".progress"} {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s is left", name)
		}
	}
	many := cli(t, bytes.NewReader(bytes.Repeat([]byte("{}\n"), 30)), "batch", "-", "--output", "-").want(t, exitFailed, ":20: ", "10 more lines could not be summarized")
	if strings.Contains(many.stderr, ":21: ") {
		t.Errorf("%s", many.stderr)
	}
	// The same by standard input and output, and of gzip.
	piped := cli(t, bytes.NewReader(archivetest.Gzip(t, batchLines(120))), "batch", "-", "--budget", "2s", "--bad", filepath.Join(t.TempDir(), "bad")).want(t, exitFailed)
	if piped.stdout != string(got) {
		t.Errorf("%.300s", piped.stdout)
	}
	// Two files: one after the other.
	twice := filepath.Join(t.TempDir(), "twice.jsonl")
	cli(t, strings.NewReader(""), "batch", corpus, corpus, "--output", twice, "--budget", "2s", "--quiet").want(t, exitFailed)
	if string(mustRead(t, twice)) != string(got)+string(got) {
		t.Error("two corpora are not both, in order")
	}
}

func TestBatchByWordsAlone(t *testing.T) {
	lines := `{"documents": ["The river rose on Monday. Nobody was hurt.", "El río creció el lunes. Nadie resultó herido. El puente quedó cerrado."]}` + "\n"
	for encoder, want := range map[string]string{"": `"method":"editor"`, "lexical": `"method":"editor"`} {
		args := []string{"batch", "-", "--budget", "2s"}
		if encoder != "" {
			args = append(args, "--encoder", encoder)
		}
		if a := cli(t, strings.NewReader(lines), args...).want(t, exitOK); !strings.Contains(a.stdout, want) {
			t.Errorf("encoder %q: %s, want %s", encoder, a.stdout, want)
		}
	}
	// Workers embed while others summarize, and all tell of it.
	many := cli(t, strings.NewReader(strings.Repeat(lines, 20)), "batch", "-", "--budget", "2s", "--workers", "4", "--progress", "always").want(t, exitOK, "summarized")
	if strings.Count(many.stdout, "\n") != 20 {
		t.Errorf("%s", many.stdout)
	}
	long := strings.Replace(lines, "Nobody was hurt.", "None of the walkers was hurt by it.", 1)
	asked := cli(t, strings.NewReader(long), "batch", "-", "--budget", "1s", "--lang", "en", "--query", "hurt walkers", "--query-weight", "1").want(t, exitOK)
	if !strings.Contains(asked.stdout, `{"text":"None of the walkers`) {
		t.Errorf("the query does not draw the summary: %s", asked.stdout)
	}
	cli(t, strings.NewReader(lines), "batch", "-", "--method", "lead", "--query", "hurt").want(t, exitUsage, "does not support --query")
	cli(t, strings.NewReader(lines), "batch", "-", "--encoder", "lexical", "--method", "cera").want(t, exitUsage, "method cera requires an encoder")
}

// TestBatchKilled kills a run several times without a warning, and once by
// Ctrl-C: in the end every summary is there once, in order.
func TestBatchKilled(t *testing.T) {
	if args := os.Getenv("CERASUM_TEST_BATCH"); args != "" {
		saveEvery = 20 * time.Millisecond
		os.Exit(run(context.Background(), strings.Split(args, "\n"), strings.NewReader(""), os.Stdout, os.Stderr))
	}
	n := 20_000
	if testing.Short() {
		n = 5000
	}
	corpus := file(t, "corpus.jsonl", batchLines(n))
	dir := t.TempDir()
	out := filepath.Join(dir, "out.jsonl")
	args := []string{"batch", corpus, "--output", out, "--budget", "2s", "--workers", "2", "--quiet"}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	done := func() int {
		var note struct{ Place batchPlace }
		raw, err := os.ReadFile(out + ".progress")
		if err != nil || json.Unmarshal(raw, &note) != nil {
			return -1
		}
		return note.Place.Done
	}
	kills, most := 0, 4
	if testing.Short() {
		most = 2
	}
	for last := 0; kills < most; kills++ {
		child := exec.Command(program, "-test.run=^TestBatchKilled$")
		child.Env = append(os.Environ(), "CERASUM_TEST_BATCH="+strings.Join(args, "\n"))
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- child.Wait() }()
		deadline := time.After(time.Minute)
	watching:
		for done() <= last+300 {
			select {
			case <-ended:
				t.Fatalf("it ended before it was killed, with %d done", done())
			case <-deadline:
				t.Fatalf("after a minute %d are done", done())
			case <-time.After(5 * time.Millisecond):
				continue watching
			}
		}
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-ended
		last = done()
		// What was written after the last note is cut off, whatever it is.
		part, err := os.OpenFile(out+".part", os.O_WRONLY|os.O_APPEND, 0)
		if err == nil {
			_, err = part.WriteString(`{"id": 1, "half a li`)
		}
		if err != nil {
			t.Fatal(err)
		}
		part.Close()
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	defer func(old time.Duration) { saveEvery = old }(saveEvery)
	saveEvery = 20 * time.Millisecond
	before := done()
	go func() {
		for done() <= before+300 && ctx.Err() == nil {
			time.Sleep(5 * time.Millisecond)
		}
		cancel()
	}()
	if code := run(ctx, args, strings.NewReader(""), os.Stdout, os.Stderr); code != exitInterrupted {
		t.Fatalf("exit code %d", code)
	}
	if done() <= before {
		t.Errorf("Ctrl-C lost what was done: %d, before %d", done(), before)
	}
	last := cli(t, strings.NewReader(""), args[:len(args)-1]...).want(t, exitFailed, "resuming after")
	// The counters are those of all runs.
	if want := fmt.Sprintf("%d quoted; left out: malformed %d;", bytes.Count(mustRead(t, out), []byte(`"gain":`)), n/50); !strings.Contains(last.stderr, want) {
		t.Errorf("no %q in the report: %s", want, last.stderr[strings.LastIndex(last.stderr, "summarized"):])
	}
	ids := summaryIDs(t, mustRead(t, out))
	if len(ids) != n-n/50 {
		t.Errorf("%d summaries, want %d", len(ids), n-n/50)
	}
	want := 0
	for _, id := range ids {
		if want%50 == 49 {
			want++
		}
		if id != want {
			t.Fatalf("summary %d, want %d", id, want)
		}
		want++
	}
	if lines := bytes.Count(mustRead(t, out+".bad.jsonl"), []byte("\n")); lines != n/50 {
		t.Errorf("%d bad lines, want %d", lines, n/50)
	}
}

func TestBatchRefusesWhatDoesNotBelong(t *testing.T) {
	corpus := file(t, "corpus.jsonl", batchLines(20))
	dir := t.TempDir()
	out := filepath.Join(dir, "out.jsonl")
	interrupted := func() {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if code := run(ctx, []string{"batch", corpus, "--output", out}, strings.NewReader(""), os.Stdout, os.Stderr); code != exitInterrupted {
			// An end before anything was opened leaves nothing.
			t.Fatalf("exit code %d", code)
		}
	}
	interrupted()
	if err := os.WriteFile(out+".part", []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	os.Remove(out + ".progress")
	cli(t, strings.NewReader(""), "batch", corpus, "--output", out).want(t, exitUsage, "without its progress file", "--restart")
	cli(t, strings.NewReader(""), "batch", corpus, "--output", out, "--restart").want(t, exitOK)
	good := mustRead(t, out)
	if len(summaryIDs(t, good)) != 20 {
		t.Errorf("%s", good)
	}
	// A note of another run.
	note := `{"run": {"cerasum": "0"}, "place": {"file": 0, "line": 3, "done": 3, "bad": 0, "summary_bytes": 1, "bad_bytes": 0}}`
	for name, text := range map[string]string{out + ".progress": note, out + ".part": "x"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cli(t, strings.NewReader(""), "batch", corpus, "--output", out).want(t, exitUsage, "other files, options or version", "--restart")
	if err := os.WriteFile(out+".progress", []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	cli(t, strings.NewReader(""), "batch", corpus, "--output", out).want(t, exitFailed, ".progress: ", "--restart")
	if !bytes.Equal(mustRead(t, out), good) {
		t.Error("the summaries of before are gone")
	}
	cli(t, strings.NewReader(""), "batch").want(t, exitUsage, "no corpus")
	cli(t, strings.NewReader(""), "batch", "-", "--output", out+"2").want(t, exitUsage, "not a regular file")
	cli(t, strings.NewReader(""), "batch", filepath.Join(dir, "absent.jsonl"), "--output", out+"2").want(t, exitFailed, "absent.jsonl")
	cli(t, strings.NewReader(""), "batch", corpus, "--output", filepath.Join(dir, "absent", "x")).want(t, exitFailed, "cannot write")
	cli(t, strings.NewReader(""), "batch", corpus, "--workers", "-1").want(t, exitUsage, "--workers")
	cli(t, bytes.NewReader(nil), "batch", "-", "--restart").want(t, exitUsage, "--restart requires --output")
}
