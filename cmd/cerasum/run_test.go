package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"
)

var update = flag.Bool("update", false, "write the golden files anew")

// answer is what one run left behind.
type answer struct {
	code           int
	stdout, stderr string
}

// cli runs a command line in-process.
func cli(t *testing.T, stdin io.Reader, args ...string) answer {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(t.Context(), args, stdin, &out, &errs)
	return answer{code, out.String(), errs.String()}
}

func (a answer) want(t *testing.T, code int, stderrHas ...string) answer {
	t.Helper()
	if a.code != code {
		t.Fatalf("exit code %d, want %d\nstdout: %.500s\nstderr: %.500s", a.code, code, a.stdout, a.stderr)
	}
	for _, s := range stderrHas {
		if !strings.Contains(a.stderr, s) {
			t.Errorf("stderr lacks %q:\n%.500s", s, a.stderr)
		}
	}
	return a
}

// file writes a file into the test's folder and returns its path.
func file(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// parsed is the JSON form, read strictly: a field more is an error.
type parsed struct {
	ID         any
	Text       string
	Method     string
	OverBudget bool
	Sentences  []struct {
		Text               string
		Document, Sentence int
		Start, End         int
		Score, Gain        float64
		Similar            []struct {
			Document, Sentence int
			Cosine             float64
		}
		Context []struct{ Document, Sentence, Start, End int }
	}
	Documents []struct {
		Source, Title, Language, Text string
		Sentences, Chosen             int
		Coverage                      float64
		Attention                     []float64
	}
	Disagreements []struct {
		What   string
		Update bool
		Values []struct {
			Value                string
			Document, Start, End int
		}
	}
}

// parse reads one summary and checks what always holds.
func parse(t *testing.T, line string) parsed {
	t.Helper()
	var p parsed
	dec := json.NewDecoder(strings.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&p); err != nil {
		t.Fatalf("%v in %.300s", err, line)
	}
	for _, list := range []string{"similar", "context", "disagreements"} {
		if strings.Contains(line, `"`+list+`":null`) {
			t.Error(list + " is null")
		}
	}
	chosen := make([]int, len(p.Documents))
	for _, s := range p.Sentences {
		units := utf16.Encode([]rune(p.Documents[s.Document].Text))
		if s.Start < 0 || s.End > len(units) || s.Start >= s.End {
			t.Fatalf("offsets %d to %d in a document of %d units", s.Start, s.End, len(units))
		}
		if got := string(utf16.Decode(units[s.Start:s.End])); got != s.Text {
			t.Errorf("slice(%d, %d) is %q, the sentence is %q", s.Start, s.End, got, s.Text)
		}
		chosen[s.Document]++
	}
	for i, d := range p.Documents {
		if d.Chosen != chosen[i] {
			t.Errorf("document %d: chosen is %d, but %d sentences are quoted", i, d.Chosen, chosen[i])
		}
		if d.Attention != nil && len(d.Attention) != d.Sentences {
			t.Errorf("document %d: attention of %d sentences, there are %d", i, len(d.Attention), d.Sentences)
		}
	}
	return p
}

// changing are the numbers that a better method may change; the golden files
// leave them out.
var (
	changing     = regexp.MustCompile(`"(score|gain|cosine|coverage)":[-+.0-9e]+`)
	changingList = regexp.MustCompile(`"attention":\[[-+.0-9e,]*\]`)
)

// TestGolden runs the command line in each folder's file args, there.
func TestGolden(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join("testdata", "golden", "*"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Chdir(folder)
			line, err := os.ReadFile("args")
			if err != nil {
				t.Fatal(err)
			}
			stdin, err := os.ReadFile("stdin")
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			got := cli(t, bytes.NewReader(stdin), strings.Fields(string(line))...)
			compare(t, "stdout.golden", changingList.ReplaceAllString(changing.ReplaceAllString(got.stdout, `"$1":0`), `"attention":[0]`))
			compare(t, "stderr.golden", got.stderr)
			wantCode := exitOK
			if _, bad := os.Stat("fails"); bad == nil {
				wantCode = exitFailed
			}
			got.want(t, wantCode)
		})
	}
}

func compare(t *testing.T, golden, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -run Golden -update writes it anew)\ngot:\n%s\nwant:\n%s", golden, got, want)
	}
}

func TestUsageErrors(t *testing.T) {
	for _, c := range []struct {
		args string
		has  []string
	}{
		{"sumarize", []string{`unknown command "sumarize"`, "did you mean summarize?"}},
		{"frobnicate", []string{`unknown command "frobnicate"`, "want one of"}},
		{"summarize --budgt 3", []string{`unknown flag "--budgt"`, "did you mean --budget?"}},
		{"summarize -z", []string{"'z'", "--help"}},
		{"summarize --budget", []string{"needs an argument"}},
		{"summarize --budget 0 x.txt", []string{"--budget: want 1 to 1000000000 words, got 0"}},
		{"summarize --budget -5 x.txt", []string{"--budget: want 1 to 1000000000 words, got -5"}},
		{"summarize --budget 0s x.txt", []string{"--budget: want 1 to 1000000000 sentences, got 0"}},
		{"summarize --budget many x.txt", []string{`got "many"`, "5s"}},
		{"summarize --budget 99999999999999999999 x.txt", []string{"budget"}},
		{"summarize --method instnt x.txt", []string{`"instnt"`, "did you mean instant?"}},
		{"summarize --method best x.txt", []string{`"best"`, "want one of auto, editor"}},
		{"summarize --order up x.txt", []string{`"up"`, "document, rank"}},
		{"summarize --format yaml x.txt", []string{`"yaml"`, "text, markdown, json"}},
		{"summarize --input-format docm x.txt", []string{`"docm"`, "jsonl"}},
		{"summarize --encoding klingon x.txt", []string{`unknown encoding "klingon"`, "windows-1251"}},
		{"summarize --lang !! x.txt", []string{"--lang", `"!!"`}},
		{"summarize --progress loud x.txt", []string{`"loud"`}},
		{"summarize --timeout 0s x.txt", []string{"--timeout"}},
		{"select x", []string{`unexpected argument "x"`}},
		{"methods x", []string{`unexpected argument "x"`}},
		{"serve --port 65536", []string{"--port 65536"}},
	} {
		t.Run(c.args, func(t *testing.T) {
			a := cli(t, strings.NewReader(""), strings.Fields(c.args)...).want(t, exitUsage, append(c.has, "cerasum: ")...)
			if a.stdout != "" {
				t.Errorf("stdout is not empty: %q", a.stdout)
			}
			if lines := strings.Count(a.stderr, "\n"); lines > 2 {
				t.Errorf("%d lines, want the error and a hint:\n%s", lines, a.stderr)
			}
		})
	}
}

func TestInfo(t *testing.T) {
	if a := cli(t, nil, "methods").want(t, exitOK); !strings.HasPrefix(a.stdout, "auto: ") || !strings.Contains(a.stdout, "Embeddings: always, unless --encoder is lexical.") || !strings.Contains(a.stdout, "\nencoder: ") {
		t.Errorf("methods: %q", a.stdout)
	}
	for _, c := range []string{"", "summarize", "select", "centroid", "embed", "evaluate", "serve", "methods", "version"} {
		a := cli(t, nil, strings.Fields(c+" --help")...).want(t, exitOK)
		if !strings.Contains(a.stdout, "Examples:") {
			t.Errorf("help of %q has no examples", c)
		}
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if a := cli(t, nil, "completion", shell).want(t, exitOK); !strings.Contains(a.stdout, "cerasum") {
			t.Errorf("%s: no script", shell)
		}
	}
	for _, c := range []struct{ flag, has string }{
		{"--method", "instant"}, {"--order", "rank"}, {"--format", "markdown"}, {"--lang", "ru"}, {"--input-format", "jsonl"},
	} {
		if a := cli(t, nil, "__complete", "summarize", c.flag, "").want(t, exitOK); !strings.Contains(a.stdout, c.has) {
			t.Errorf("%s: completion lacks %s: %q", c.flag, c.has, a.stdout)
		}
	}
}

func TestInterrupted(t *testing.T) {
	never, w := io.Pipe() // a standard input that keeps one waiting
	defer w.Close()
	for _, command := range []string{"summarize", "select"} {
		ctx, cancel := context.WithCancel(t.Context())
		codes := make(chan int)
		go func() { codes <- run(ctx, []string{command}, never, io.Discard, io.Discard) }()
		cancel()
		if code := <-codes; code != exitInterrupted {
			t.Errorf("%s: exit code %d, want %d", command, code, exitInterrupted)
		}
	}
}
