package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/internal/salience"
)

func TestTrainSalience(t *testing.T) {
	train, dir := stories(t, "train.jsonl", 12), t.TempDir()
	line := func(out string, more ...string) []string {
		return append([]string{"train", "salience", "--train", train, "--budget", "10", "--hidden", "3", "--out", filepath.Join(dir, out)}, more...)
	}
	a := cli(t, nil, line("a.bin")...).want(t, exitOK, "training on 12 clusters, 0 left out", "sentences, epoch 8 of 8: loss 0.", "pairs, epoch 6 of 6: loss 0.")
	if a.stdout != "" {
		t.Errorf("on standard output: %q", a.stdout)
	}
	read := func(name string) []byte {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	first := read("a.bin")
	e, err := salience.Decode(string(first))
	if err != nil || len(e.Pair.Output) != 6 {
		t.Fatalf("%v, %v", e, err)
	}
	cli(t, nil, line("a.bin", "--seed", "2")...).want(t, exitUsage, "a.bin already exists", "--overwrite")
	if !bytes.Equal(read("a.bin"), first) {
		t.Error("what was there is another")
	}
	cli(t, nil, line("a.bin", "--seed", "2", "--overwrite")...).want(t, exitOK)
	if bytes.Equal(read("a.bin"), first) {
		t.Error("with another seed it is the same")
	}
	// Again, in other words, and to standard output.
	for _, more := range [][]string{{}, {"--limit", "12"}, {"--lang", "en", "--sentence-epochs", "4"}} {
		cli(t, nil, line("b.bin", append(more, "--overwrite")...)...).want(t, exitOK)
		if same := bytes.Equal(read("b.bin"), first); !same {
			t.Errorf("%v: other bytes", more)
		}
	}
	cli(t, nil, line("c.bin", "--train", train, "--limit", "5")...).want(t, exitOK, "training on 10 clusters")
	out := cli(t, nil, "train", "salience", "--train", train, "--budget", "10", "--hidden", "3", "--out", "-", "--quiet").want(t, exitOK)
	if out.stdout != string(first) || out.stderr != "" {
		t.Errorf("to standard output %d bytes, want %d; said %q", len(out.stdout), len(first), out.stderr)
	}

	// Settings after the name.
	cli(t, nil, "train", "salience", "--train", train+",lang=en,budget=10", "--hidden", "3", "--out", filepath.Join(dir, "d.bin")).want(t, exitOK)
	if !bytes.Equal(read("d.bin"), first) {
		t.Error("budget= after the name: other bytes")
	}
	cli(t, nil, "train", "salience", "--train", train+",budget=10,times=3", "--limit", "5", "--hidden", "3", "--out", filepath.Join(dir, "e.bin")).want(t, exitOK, "training on 15 clusters")
	for given, has := range map[string]string{",budget=x": `budget: want a whole number of 1 or more, got "x"`, ",times=0": "times: want", ",lang=english!": "lang: ", "": "no budget given for"} {
		cli(t, nil, "train", "salience", "--train", train+given, "--out", filepath.Join(dir, "f.bin")).want(t, exitUsage, has)
	}

	// The trained experts are used: one for long budgets, the other for all.
	summary := func(budget string, more ...string) string {
		t.Helper()
		in := `{"documents": ["A storm broke the roof on day 4. It was a Tuesday. Readers may write to us.", "Witnesses say that a storm broke the roof. Nobody wished to comment."]}`
		return cli(t, strings.NewReader(in), append([]string{"summarize", "--input-format", "jsonl", "--budget", budget, "--lang", "en"}, more...)...).want(t, exitOK).stdout
	}
	against := filepath.Join(dir, "against.bin")
	// The later a sentence stands the better.
	late := &salience.Expert{Sentence: salience.NewNetwork(salience.SentenceInputs, 1), Pair: salience.NewNetwork(salience.PairInputs, 1)}
	late.Sentence.Scale[2], late.Sentence.Weight[2], late.Sentence.Output[0] = 1, 1, 20
	late.Pair.Scale[salience.PairInputs-1], late.Pair.Weight[salience.PairInputs-1], late.Pair.Output[0] = 1, 1, 20
	if err := os.WriteFile(against, salience.Encode(late), 0o666); err != nil {
		t.Fatal(err)
	}
	salienceOf := func(budget string, more ...string) string {
		return summary(budget, append(more, "--method", "salience")...)
	}
	if salienceOf("18", "--expert-long", against) == salienceOf("18") || salienceOf("18", "--expert", against, "--licence", "any") != salienceOf("18", "--licence", "any") {
		t.Error("--expert-long is not used for a long budget")
	}
	if salienceOf("8", "--expert", against) == salienceOf("8") || salienceOf("8", "--expert-long", against) != salienceOf("8") {
		t.Error("--expert is not used for a short budget")
	}
	evaluated := cli(t, nil, "evaluate", "--dataset", train, "--budget", "12", "--methods", "salience,lead", "--expert-long", filepath.Join(dir, "a.bin"), "--expert", filepath.Join(dir, "b.bin"), "--state", "").want(t, exitOK)
	for _, want := range []string{"long-budget expert of salience (sha256 ", "general expert of salience (sha256 "} {
		if !strings.Contains(strings.Join(strings.Fields(evaluated.stdout), " "), want) {
			t.Errorf("the table does not say %q:\n%s", want, evaluated.stdout)
		}
	}
	for _, c := range []struct {
		args, has string
	}{
		{"summarize --method lead --expert-long " + against + " x", "--expert-long: only methods salience and auto"},
		{"evaluate --dataset x --methods lead,instant --expert " + against, "--expert: only methods salience and auto"},
		{"summarize --licence free --expert " + against + " x", "does not state its training corpora"},
	} {
		cli(t, nil, strings.Fields(c.args)...).want(t, exitUsage, c.has)
	}
	cli(t, nil, "summarize", "--expert-long", train, "x").want(t, exitFailed, "--expert-long: no usable salience expert", "cerasum train salience")
	cli(t, nil, "explain", "--expert-long", filepath.Join(dir, "none"), "x").want(t, exitFailed, "none")
}

func TestTrainSalienceRefuses(t *testing.T) {
	good, dir := stories(t, "good.jsonl", 4), t.TempDir()
	out := filepath.Join(dir, "out.bin")
	line := func(more ...string) []string {
		return append([]string{"train", "salience", "--budget", "10", "--layout", "jsonl", "--out", out}, more...)
	}
	empty := file(t, "empty.jsonl", []byte("\n"))
	cli(t, nil, line()...).want(t, exitUsage, "at least one --train")
	cli(t, nil, "train", "salience", "--train", good, "--out", out).want(t, exitUsage, "no budget given")
	cli(t, nil, line("--train", filepath.Join(dir, "none"))...).want(t, exitFailed, "none")
	cli(t, nil, line("--train", good, "--train", empty)...).want(t, exitFailed, "empty.jsonl: no training cluster")
	cli(t, nil, line("--train", stories(t, "one.jsonl", 1))...).want(t, exitFailed, "want at least 2 clusters, got 1")
	cli(t, nil, line("--train", good, "--hidden", "256")...).want(t, exitUsage, "hidden units: want 1 to 255, got 256")
	cli(t, nil, line("--train", good, "--limit", "-1")...).want(t, exitUsage, "--limit -1")
	cli(t, nil, line("--train", good, "--layout", "xml")...).want(t, exitUsage, `"xml"`)
	cli(t, nil, line("--train", good, "--split", "all")...).want(t, exitUsage, `"all"`)
	cli(t, nil, line("--train", good, "--lang", "!")...).want(t, exitUsage, "--lang")
	cli(t, nil, line("--train", good, "--out", filepath.Join(dir, "no", "out.bin"))...).want(t, exitFailed, "cannot write")
	cli(t, nil, line("--train", good, "x")...).want(t, exitUsage, `unexpected argument "x"`)
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	// Bad records are reported with file and line, the others are used.
	mixed := file(t, "mixed.jsonl", []byte(`{"documents": ["One storm came."], "references": ["..."]}`+"\n{\n"+
		`{"documents": ["One storm came.", "Two storms came."], "references": ["Storms came."]}`+"\n"+
		`{"documents": ["A storm went."], "references": ["Storms went."]}`+"\n"))
	cli(t, nil, line("--train", mixed)...).want(t, exitFailed, "mixed.jsonl: cluster 1: unusable training example", "mixed.jsonl:2:", "training on 2 clusters, 2 left out", "pairs, epoch 6 of 6")
	if _, err := os.Stat(out); err != nil {
		t.Error(err)
	}
}

// TestTrainSalienceInterrupted presses Ctrl-C while the corpus is read, and
// while the networks learn.
func TestTrainSalienceInterrupted(t *testing.T) {
	train, dir := stories(t, "train.jsonl", 12), t.TempDir()
	line := []string{"train", "salience", "--train", train, "--budget", "10", "--out", filepath.Join(dir, "out.bin")}
	for _, word := range []string{"", "training on", "sentences, epoch 2", "pairs, epoch 1"} {
		ctx, cancel := context.WithCancel(t.Context())
		if word == "" {
			cancel()
		}
		errs := &stopAt{word: word, stop: cancel}
		if code := run(ctx, line, nil, io.Discard, errs); code != exitInterrupted || !strings.Contains(errs.String(), "interrupted") {
			t.Errorf("at %q: exit code %d: %s", word, code, errs.String())
		}
		cancel()
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("at %q there is left: %v, %v", word, left, err)
		}
	}
}
