package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/internal/weights"
)

// stories is a small corpus: of each cluster the reference says what the first
// sentences say.
func stories(t *testing.T, name string, n int) string {
	t.Helper()
	events := []string{"a storm broke the roof of the old station", "the council voted for a new bridge", "two ships met in thick fog", "the river rose over its banks", "a museum opened its doors again"}
	fillers := []string{"Our reporter was there", "More will be told tomorrow", "Readers may write to us", "It was a Tuesday", "Nobody wished to comment"}
	var b bytes.Buffer
	for i := range n {
		event := strings.ToUpper(events[i%5][:1]) + events[i%5][1:]
		line, err := json.Marshal(map[string]any{
			"id": string(rune('a' + i)),
			"documents": []string{
				event + " on day " + string(rune('1'+i%9)) + ". " + fillers[i%5] + ". " + fillers[(i+2)%5] + ".",
				"Witnesses say that " + events[i%5] + ". " + fillers[(i+1)%5] + ".",
			},
			"references": []string{event + ", witnesses say."},
		})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return file(t, name, b.Bytes())
}

// stopAt is a standard error that ends the command when it has said something.
type stopAt struct {
	bytes.Buffer
	word string
	stop context.CancelFunc
}

func (s *stopAt) Write(p []byte) (int, error) {
	n, err := s.Buffer.Write(p)
	if strings.Contains(s.String(), s.word) {
		s.stop()
	}
	return n, err
}

func TestTrainCentroid(t *testing.T) {
	if _, _, err := shipped(); err != nil {
		t.Skipf("skipped: %v", err)
	}
	train, valid := stories(t, "train.jsonl", 12), stories(t, "validation.jsonl", 4)
	dir := t.TempDir()
	line := func(out string, more ...string) []string {
		return append([]string{"train", "centroid", "--train", train, "--validation", valid, "--budget", "12", "--epochs", "3", "--positions", "4",
			"--cache", filepath.Join(dir, "cache"), "--out", filepath.Join(dir, out), "--search", "2"}, more...)
	}
	plot := filepath.Join(dir, "curve.svg")
	whole := cli(t, nil, line("whole", "--plot", plot, "--source", "stories, CC0", "--licence", "CC0")...).want(t, exitOK,
		"12 training clusters, 4 validation clusters", "epoch 3 of 3: loss 0.", "training 2 of 2")
	m, err := weights.Read(os.DirFS(filepath.Join(dir, "whole")), "whole")
	if err != nil {
		t.Fatal(err)
	}
	_, about, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	if m.Encoder != about.Name || len(m.EncoderSHA256) != 64 || m.Config.Dimensions != about.Dimensions || !m.Config.Interpolation {
		t.Errorf("%+v", m.Config)
	}
	if m.Licence != "CC0" || m.Free || !slices.Equal(m.Corpora, []string{"stories, CC0"}) {
		t.Errorf("%+v", m.Origin)
	}
	cli(t, nil, line("whole", "--free")...).want(t, exitUsage, "--free requires --source")
	card, err := os.ReadFile(filepath.Join(dir, "whole", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# whole", "CeRAI", about.Name, "- stories, CC0", "Licence: CC0", "| mean | 0.", "--milestones"} {
		if !strings.Contains(string(card), want) {
			t.Errorf("the card lacks %q:\n%s", want, card)
		}
	}
	if svg, err := os.ReadFile(plot); err != nil || !bytes.Contains(svg, []byte("R2-R")) {
		t.Errorf("the plot: %v", err)
	}
	// A folder with weights is left alone.
	cli(t, nil, line("whole")...).want(t, exitUsage, "already exists", "--overwrite")
	// Cut off after an epoch of the second training, and resumed.
	ctx, cancel := context.WithCancel(t.Context())
	errs := &stopAt{word: "training 2 of 2", stop: cancel}
	if code := run(ctx, line("parts"), nil, &bytes.Buffer{}, errs); code != exitInterrupted || !strings.Contains(errs.String(), "--resume") {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "parts.checkpoint*")); len(left) != 2 {
		t.Errorf("checkpoints: %v", left)
	}
	resumed := cli(t, nil, line("parts", "--resume")...).want(t, exitOK, "training 2 of 2")
	if strings.Count(resumed.stderr, "epoch 1 of 3") != 1 || strings.Count(whole.stderr, "epoch 1 of 3") != 2 {
		t.Errorf("the first training ran again:\n%s", resumed.stderr)
	}
	a, err := os.ReadFile(filepath.Join(dir, "whole", weights.TensorsFile))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "parts", weights.TensorsFile)); err != nil || !bytes.Equal(a, b) {
		t.Errorf("resumed weights are others (%v)", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.checkpoint*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	if stores, _ := filepath.Glob(filepath.Join(dir, "cache", "*")); len(stores) != 1 {
		t.Errorf("in the cache: %v", stores)
	}
	// What was trained runs.
	in := `{"embeddings":[[[` + strings.Repeat("0.1,", about.Dimensions-1) + `0.2]]]}`
	if a := cli(t, strings.NewReader(in), "centroid", "-w", filepath.Join(dir, "parts"), "-e", "default").want(t, exitOK); !strings.HasSuffix(a.stdout, `"attention":[[1]]}`+"\n") {
		t.Errorf("%.300s", a.stdout)
	}
}

func TestTrainCentroidRefuses(t *testing.T) {
	if _, _, err := shipped(); err != nil {
		t.Skipf("skipped: %v", err)
	}
	good, dir := stories(t, "good.jsonl", 2), t.TempDir()
	empty := file(t, "empty.jsonl", []byte("\n"))
	line := func(train, valid string, more ...string) []string {
		return append([]string{"train", "centroid", "--train", train, "--validation", valid, "--layout", "jsonl", "--cache", dir, "--out", filepath.Join(dir, "out"), "--epochs", "1"}, more...)
	}
	cli(t, nil, "train", "centroid", "--train", good).want(t, exitUsage, "--validation")
	cli(t, nil, line(filepath.Join(dir, "none"), good)...).want(t, exitFailed, "none")
	cli(t, nil, line(empty, good)...).want(t, exitFailed, "empty.jsonl: no training cluster")
	cli(t, nil, line(good, empty)...).want(t, exitFailed, "empty.jsonl: no validation cluster")
	cli(t, nil, line(good, good, "--rate", "0")...).want(t, exitUsage, "rate: want more than 0, got 0")
	cli(t, nil, line(good, good, "--budget", "0")...).want(t, exitUsage, "--budget: want a number")
	// Bad records are reported, the others are used.
	mixed := file(t, "mixed.jsonl", []byte(`{"documents": ["One storm came."], "references": ["..."]}`+"\n{\n"+`{"documents": ["One storm came.", "Two storms came."], "references": ["Storms came."]}`+"\n"))
	cli(t, nil, line(mixed, good)...).want(t, exitFailed, "left out", "1 training clusters", "epoch 1 of 1")
}
