package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cerasum/cerasum/eval/rouge"
	"github.com/cerasum/cerasum/internal/reference"
)

// figuresLine is a line of output, read strictly.
type figuresLine struct {
	ID        any
	Tokenizer string
	byMetric[rougeFigures[float64]]
}

type aggregateLine struct {
	Tokenizer string
	Cases     int
	LeftOut   int `json:"left_out"`
	Empty     int
	Resamples int
	Seed      uint64
	byMetric[rougeFigures[rougeInterval]]
}

func strictly[T any](t *testing.T, line string) (v T) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v in %.300s", err, line)
	}
	return v
}

// linesOf splits what a command wrote.
func linesOf(out string) []string {
	if out == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(out, "\n"), "\n")
}

// rougeGroup is answers of the official script under the same options.
type rougeGroup struct {
	LimitWords *int `json:"limit_words"`
	Stem       bool
	Cases      []json.RawMessage
}

// checkRouge runs a file of groups through the command.
func checkRouge(t *testing.T, r io.Reader) (cases int) {
	t.Helper()
	for dec := json.NewDecoder(r); ; {
		var g rougeGroup
		if err := dec.Decode(&g); errors.Is(err, io.EOF) {
			return cases
		} else if err != nil {
			t.Fatal(err)
		}
		args := []string{"rouge", "--aggregate"}
		if g.Stem {
			args = append(args, "--stem")
		}
		if g.LimitWords != nil {
			args = append(args, "--limit-words", fmt.Sprint(*g.LimitWords))
		}
		var in bytes.Buffer
		for _, c := range g.Cases {
			// The set is written with blanks inside; a case has to be one line.
			if err := json.Compact(&in, c); err != nil {
				t.Fatal(err)
			}
			in.WriteByte('\n')
		}
		out := linesOf(cli(t, &in, args...).want(t, exitOK).stdout)
		if len(out) != len(g.Cases)+1 {
			t.Fatalf("%d lines for %d cases", len(out), len(g.Cases))
		}
		total := 0.0
		for i, c := range g.Cases {
			cases++
			var want struct {
				Expected byMetric[rougeFigures[float64]]
			}
			if err := json.Unmarshal(c, &want); err != nil {
				t.Fatal(err)
			}
			got := strictly[figuresLine](t, out[i])
			if got.byMetric != want.Expected {
				t.Errorf("%v case %d: %+v, the script %+v", args, i, got.byMetric, want.Expected)
			}
			total += got.ROUGE2.Recall
		}
		all := strictly[aggregateLine](t, out[len(g.Cases)])
		if r2 := all.ROUGE2.Recall; all.Cases != len(g.Cases) || math.Abs(r2.Mean-total/float64(all.Cases)) > 1e-5 || r2.Low > r2.Mean || r2.High < r2.Mean {
			t.Errorf("%v: %+v; ROUGE-2 recalls add up to %v", args, all, total)
		}
	}
}

func TestRougeCases(t *testing.T) {
	if n := checkRouge(t, reference.Case(t, "../../eval/rouge/testdata/rouge155.jsonl")); n == 0 {
		t.Error("no cases")
	}
}

func TestRougeAllReferenceCases(t *testing.T) {
	if n := checkRouge(t, reference.Open(t, "reference/rouge155.jsonl.gz")); n != 192 {
		t.Errorf("%d cases, want 192", n)
	}
}

const oneCase = `{"id":"storm","summary":["the river rose"],"references":[["a river rose"]]}`

func TestRougeLine(t *testing.T) {
	a := cli(t, strings.NewReader(oneCase), "rouge").want(t, exitOK)
	const want = `{"id":"storm",` +
		`"ROUGE-1":{"recall":0.66667,"precision":0.66667,"f1":0.66667},` +
		`"ROUGE-2":{"recall":0.5,"precision":0.5,"f1":0.5},` +
		`"ROUGE-3":{"recall":0,"precision":0,"f1":0},` +
		`"ROUGE-4":{"recall":0,"precision":0,"f1":0},` +
		`"ROUGE-L":{"recall":0.66667,"precision":0.66667,"f1":0.66667},` +
		`"ROUGE-SU4":{"recall":0.4,"precision":0.4,"f1":0.4}}` + "\n"
	if a.stdout != want || a.stderr != "" {
		t.Errorf("%s%s", a.stdout, a.stderr)
	}
}

func TestRougeBadLines(t *testing.T) {
	in := oneCase + "\n" +
		`{"summary":["a"]}` + "\n" +
		`{"summary":"a","references":[["a"]]}` + "\n\n" +
		`{"summary":["a"],"references":[]}` + "\n" +
		`{"summary":["a"],"references":[["a"],["b",3]]}` + "\n" +
		`{"summary":["a"],"references":[["a"]],"id":{}}` + "\n" +
		`{"summary":["a"],"references":[["a"]],"model":1}` + "\n" +
		"{\"summary\":[\"\xff\"],\"references\":[[\"a\"]]}\n" +
		`{"summary":["` + strings.Repeat("a ", rouge.MaxSentence+1) + `"],"references":[["a"]]}` + "\n" +
		`{"id":7,"summary":["a"],"references":[["a"]]}` + "\n" +
		`{"summary":["a"],"refer`
	path := file(t, "cases.jsonl", []byte(in))
	a := cli(t, nil, "rouge", "--aggregate", path, filepath.Join(t.TempDir(), "absent.jsonl")).want(t, exitFailed,
		path+":2: references: missing",
		":3: summary: want an array of lines, got one string",
		":5: references: no references",
		":6: references[1][1]: want a string, got a number",
		":7: id: want a string or a number",
		":8: model: unknown field",
		":9: unreadable line: invalid UTF-8 at byte 14 (0xff)",
		":10: summary: line 1: line too long",
		":12: invalid JSON",
		"absent.jsonl: no such file",
	)
	out := linesOf(a.stdout)
	if len(out) != 3 {
		t.Fatalf("%s", a.stdout)
	}
	if first, second := strictly[figuresLine](t, out[0]), strictly[figuresLine](t, out[1]); first.ID != "storm" || second.ID != 7.0 || second.ROUGE1.F1 != 1 {
		t.Errorf("%v, %v", first, second)
	}
	if all := strictly[aggregateLine](t, out[2]); all.Cases != 2 || all.LeftOut != 9 {
		t.Errorf("%+v", all)
	}
}

func TestRougeEmptyTexts(t *testing.T) {
	in := strings.Repeat(`{"summary":[],"references":[["a"]]}`+"\n"+`{"summary":["a"],"references":[["a"],["Река."]]}`+"\n", 4)
	a := cli(t, strings.NewReader(in), "rouge", "--aggregate").want(t, exitOK,
		"standard input:1: the summary has no tokens",
		"standard input:2: references[1] has no tokens",
		"--unicode", "3 more cases with an empty summary or reference",
	)
	out := linesOf(a.stdout)
	if v := strictly[figuresLine](t, out[0]); v.byMetric != (byMetric[rougeFigures[float64]]{}) {
		t.Errorf("%+v", v)
	}
	if all := strictly[aggregateLine](t, out[8]); all.Cases != 8 || all.Empty != 8 || all.LeftOut != 0 {
		t.Errorf("%+v", all)
	}
	if strings.Contains(a.stderr, "line 6") {
		t.Errorf("a warning for every case:\n%s", a.stderr)
	}
	if a := cli(t, strings.NewReader(in), "rouge", "-q").want(t, exitOK); a.stderr != "" {
		t.Errorf("%s", a.stderr)
	}
}

func TestRougeUnicode(t *testing.T) {
	in := `{"summary":["Река вышла из берегов"],"references":[["река ВЫШЛА"]]}` + "\n" + `{"summary":["河水漫过堤岸"],"references":[["河水"]]}` + "\n"
	out := linesOf(cli(t, strings.NewReader(in), "rouge", "--unicode", "--aggregate").want(t, exitOK).stdout)
	one, two, all := strictly[figuresLine](t, out[0]), strictly[figuresLine](t, out[1]), strictly[aggregateLine](t, out[2])
	if one.ROUGE1 != (rougeFigures[float64]{1, 0.5, 0.66667}) || two.ROUGE2 != (rougeFigures[float64]{1, 0.2, 0.33333}) {
		t.Errorf("%+v, %+v", one, two)
	}
	if one.Tokenizer != "unicode" || two.Tokenizer != "unicode" || all.Tokenizer != "unicode" {
		t.Errorf("the tokenizer is not named: %s", out)
	}
	out = linesOf(cli(t, strings.NewReader(in), "rouge", "--quiet").want(t, exitOK).stdout)
	if v := strictly[figuresLine](t, out[0]); v.Tokenizer != "" || v.ROUGE1.F1 != 0 {
		t.Errorf("%+v", v)
	}
}

func TestRougeAggregateIsSeeded(t *testing.T) {
	var in strings.Builder
	for i := range 40 {
		fmt.Fprintf(&in, "{\"summary\":[\"a b c d\"],\"references\":[[\"%s\"]]}\n", strings.Repeat("a b x c ", 1+i%7))
	}
	last := func(args ...string) string {
		out := linesOf(cli(t, strings.NewReader(in.String()), append([]string{"rouge", "--aggregate"}, args...)...).want(t, exitOK).stdout)
		return out[len(out)-1]
	}
	if a, b := last(), last(); a != b {
		t.Errorf("not the same twice:\n%s\n%s", a, b)
	}
	one, two := strictly[aggregateLine](t, last("--seed", "1")), strictly[aggregateLine](t, last("--seed", "2", "--resamples", "500"))
	if one.ROUGE1.Recall == two.ROUGE1.Recall || one.ROUGE1.Recall.Mean != two.ROUGE1.Recall.Mean || two.Seed != 2 || two.Resamples != 500 {
		t.Errorf("%+v\n%+v", one, two)
	}
	none := cli(t, strings.NewReader("{}\n"), "rouge", "--aggregate").want(t, exitFailed, "summary: missing").stdout
	if none != `{"cases":0,"left_out":1,"empty":0,"resamples":1000,"seed":1}`+"\n" {
		t.Errorf("%s", none)
	}
}

// TestRougeKeepsOrder scores slow and quick cases in turn on several cores,
// from a compressed file.
func TestRougeKeepsOrder(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	const cases = 400
	for i := range cases {
		fmt.Fprintf(z, "{\"id\":%d,\"summary\":[\"%s\"],\"references\":[[\"a\"]]}\n", i, strings.Repeat("a ", 1+i%17*50))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(t.TempDir(), "scores.jsonl")
	cli(t, nil, "rouge", "-o", target, file(t, "cases.jsonl.gz", zipped.Bytes())).want(t, exitOK)
	data, err := os.ReadFile(target)
	if err != nil {
		t.Fatal(err)
	}
	out := linesOf(string(data))
	if len(out) != cases {
		t.Fatalf("%d lines", len(out))
	}
	for i, line := range out {
		v := strictly[figuresLine](t, line)
		if want := math.Round(1e5/float64(1+i%17*50)) / 1e5; v.ID != float64(i) || v.ROUGE1.Precision != want {
			t.Fatalf("line %d: %s, want a precision of %v", i+1, line, want)
		}
	}
}

// TestRougeAnswersAtOnce asks for a case after the answer to another.
func TestRougeAnswersAtOnce(t *testing.T) {
	in, ask := io.Pipe()
	answer, out := io.Pipe()
	done := make(chan int)
	go func() {
		done <- run(t.Context(), []string{"rouge"}, in, out, io.Discard)
	}()
	buf := make([]byte, 1<<12)
	for range 3 {
		if _, err := io.WriteString(ask, oneCase+"\n"); err != nil {
			t.Fatal(err)
		}
		if n, err := answer.Read(buf); err != nil || !bytes.HasSuffix(buf[:n], []byte("}\n")) {
			t.Fatalf("%s, %v", buf[:n], err)
		}
	}
	// The reader of the answers goes away: the program ends, although its input does
	// not.
	answer.CloseWithError(errors.New("nobody reads"))
	go func() { _, _ = io.WriteString(ask, oneCase+"\n") }()
	select {
	case code := <-done:
		if code != exitFailed {
			t.Errorf("exit code %d", code)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("waits for more input though nobody reads")
	}
}

func TestRougeInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, _ := io.Pipe()
	var errs bytes.Buffer
	done := make(chan int)
	go func() { done <- run(ctx, []string{"rouge"}, in, io.Discard, &errs) }()
	time.Sleep(20 * time.Millisecond)
	cancel()
	if code := <-done; code != exitInterrupted || !strings.Contains(errs.String(), "interrupted") {
		t.Errorf("exit code %d: %s", code, &errs)
	}
}

func TestRougeUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--limit-words", "-1"}, exitUsage, "want 0 or more"},
		{[]string{"--resamples", "0"}, exitUsage, "want 1 or more"},
		{[]string{"--stemm"}, exitUsage, "did you mean --stem?"},
		{nil, exitFailed, "no cases to score"},
	} {
		cli(t, strings.NewReader("\n"), append([]string{"rouge"}, c.args...)...).want(t, c.code, c.want)
	}
}
