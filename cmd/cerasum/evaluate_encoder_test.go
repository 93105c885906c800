package main

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/encoder"
)

var riverWords = map[string][3]int8{
	"river": {9, 1, 0}, "rose": {5, 0, 1}, "bridge": {0, 8, 1}, "closed": {1, 7, 0}, "flood": {2, 0, 9}, "boats": {0, 1, 8}, "people": {1, 1, 6}, "metres": {4, 0, 0},
}

// TestEvaluateEncoder: the same table from one worker and many, from the model
// and from what was kept.
func TestEvaluateEncoder(t *testing.T) {
	dir := exportOf(t, riverWords, "en")
	corpus := file(t, "corpus.jsonl", evaluationCorpus(20)[:])
	corpus = file(t, "corpus.jsonl", []byte(regexp.MustCompile(`(?m)^.*"bad.*\n`).ReplaceAllString(string(mustRead(t, corpus)), "")))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	args := []string{"--encoder", dir, "--methods", "lead,mean,hybrid,oracle", "--dense-weight", "0.4"}
	first := evaluateCLI(t, corpus, append(args, "--workers", "1")...).want(t, exitOK)
	if !regexp.MustCompile(`(?s)encoder \S+ \(3\s+dimensions,\s+sha256\s+[0-9a-f]{12},\s+pure\s+Go\)`).MatchString(first.stdout) {
		t.Errorf("the table does not name the encoder:\n%s", first.stdout)
	}
	kept := bins(t)
	if len(kept) != 1 {
		t.Fatalf("files kept: %q", kept)
	}
	size := fileSize(t, kept[0])
	for _, more := range [][]string{{"--workers", "4"}, {"--no-cache"}, {"--state", ""}} {
		if a := evaluateCLI(t, corpus, append(args, more...)...).want(t, exitOK); a.stdout != first.stdout {
			t.Errorf("%q: another table:\n%s\n%s", more, a.stdout, first.stdout)
		}
	}
	if again := bins(t); !slices.Equal(again, kept) || fileSize(t, again[0]) != size {
		t.Errorf("%q, %d bytes: want no more than %q, %d bytes", again, fileSize(t, again[0]), kept, size)
	}
	// What is damaged is made again.
	raw := mustRead(t, kept[0])
	raw[len(raw)-3] ^= 0x55
	if err := os.WriteFile(kept[0], raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if a := evaluateCLI(t, corpus, args...).want(t, exitOK); a.stdout != first.stdout {
		t.Errorf("damaged embeddings were used:\n%s", a.stdout)
	}
	grid := evaluateCLI(t, corpus, "--encoder", dir, "--methods", "hybrid", "--grid", "W=0,0.5,1").want(t, exitOK).stdout
	for _, row := range []string{"hybrid W=0 ", "hybrid W=0.5 ", "hybrid W=1 ", "Highest R2-R: hybrid W="} {
		if !strings.Contains(grid, row) {
			t.Errorf("no %q in\n%s", row, grid)
		}
	}
}

// TestEvaluateEncoderResume: outcomes with one encoder do not go on with
// another.
func TestEvaluateEncoderResume(t *testing.T) {
	a, b := exportOf(t, riverWords, "en"), exportOf(t, stormWords, "en")
	corpus := file(t, "corpus.jsonl", evaluationCorpus(5))
	state := filepath.Join(t.TempDir(), "state.jsonl")
	run := func(code int, dir string, more ...string) answer {
		return evaluateCLI(t, corpus, append([]string{"--encoder", dir, "--methods", "mean", "--state", state}, more...)...).want(t, code)
	}
	run(exitOK, a, "--limit", "2")
	run(exitOK, a, "--resume")
	if s := run(exitFailed, b, "--resume").stderr; !strings.Contains(s, "another run") {
		t.Error(s)
	}
	if s := run(exitFailed, a, "--resume", "--dense-weight", "0.5").stderr; !strings.Contains(s, "another run") {
		t.Error(s)
	}
}

func mustRead(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func fileSize(t *testing.T, name string) int64 {
	t.Helper()
	return int64(len(mustRead(t, name)))
}

// bins lists the embeddings that are kept.
func bins(t *testing.T) []string {
	t.Helper()
	folder, err := embeddingFolder()
	if err != nil {
		t.Fatal(err)
	}
	list, err := filepath.Glob(filepath.Join(folder, "*.bin"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestKeepEmbeddings looks at the files themselves.
func TestKeepEmbeddings(t *testing.T) {
	model := func() *encoder.Model {
		m, err := encoder.Open(exportOf(t, map[string][3]int8{"sun": {1, 2, 2}}, "en"), encoder.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	folder := t.TempDir()
	list := func() []string {
		names, err := filepath.Glob(filepath.Join(folder, "*.bin"))
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	texts := []string{"sun", "the sun", ""}
	use := func(dataset string, max int64) []float32 {
		c, err := keepEmbeddings(model(), folder, dataset, max)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		out, err := c.Embed(context.Background(), texts, nil)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	const plenty = 1 << 20
	want := use("a", plenty)
	if got := use("a", plenty); !reflect.DeepEqual(got, want) || len(list()) != 1 {
		t.Errorf("%v, %v; %q", got, want, list())
	}
	// Kept numbers are really read: others in their place come back.
	raw := mustRead(t, list()[0])
	for cut := 0; cut < len(raw); cut += 9 {
		if err := os.WriteFile(list()[0], raw[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		before := list()
		if got := use("a", plenty); !reflect.DeepEqual(got, want) {
			t.Fatalf("cut at %d: %v, want %v", cut, got, want)
		}
		for _, name := range list() {
			if !slices.Contains(before, name) {
				if err := os.Remove(name); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := os.WriteFile(list()[0], raw, 0o600); err != nil {
		t.Fatal(err)
	}
	// Another dataset has files of its own; the oldest go first.
	old := list()[0]
	if err := os.Chtimes(old, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	use("b", plenty)
	if len(list()) != 2 {
		t.Errorf("%q", list())
	}
	use("b", int64(len(raw))+10)
	if left := list(); len(left) != 1 || left[0] == old {
		t.Errorf("left: %q, the oldest is %s", left, old)
	}
	use("c", 10)
	if left := list(); len(left) != 0 {
		t.Errorf("no room, but %q", left)
	}
}
