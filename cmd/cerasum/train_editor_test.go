package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/eval/dataset"
	"github.com/cerasum/cerasum/internal/reading"
	"github.com/cerasum/cerasum/internal/reference"
)

const editorClusters = "../../internal/train/editor/clusters.jsonl.gz"

func TestTrainEditor(t *testing.T) {
	out := filepath.Join(t.TempDir(), "model.txt")
	line := func(more ...string) []string {
		return append([]string{"train", "editor", "--train", editorClusters, "--out", out}, more...)
	}
	cli(t, nil, line()...).want(t, exitOK, "training on 109 clusters")
	first, err := os.ReadFile(out)
	if err != nil || !strings.Contains(string(first), "\nleans -") {
		t.Fatalf("%v, %q", err, first)
	}
	cli(t, nil, line()...).want(t, exitUsage, "already exists", "--overwrite")
	cli(t, nil, "train", "editor", "--train", editorClusters+",skip=3", "--out", "-").want(t, exitOK, "training on 73 clusters")
	cli(t, nil, line("--overwrite", "--train", editorClusters+",skip=1")...).want(t, exitUsage, "skip: want a whole number of 2 or more")
	cli(t, nil, "train", "editor").want(t, exitUsage, "--train")
	cli(t, nil, line("--overwrite", "--train", "nowhere.jsonl")...).want(t, exitFailed, "nowhere.jsonl")
	bad := file(t, "bad.jsonl", []byte(`{"id": "a", "documents": ["A storm came. It left."], "references": ["A storm."], "extract": [[0, 3]]}`+"\n"))
	cli(t, nil, line("--overwrite", "--train", bad)...).want(t, exitFailed, "bad.jsonl:1", "extract")
}

// TestShippedEditorModel: the shipped model is the one that the corpora give. The models of
// single and of sectioned documents, the third and the sixth column, are only compared where
// CERASUM_PAGES names the folder with the repositories.
func TestShippedEditorModel(t *testing.T) {
	if testing.Short() {
		t.Skip("long: make test-slow")
	}
	own := reference.Path(t, "data/own/clusters.jsonl.gz")
	args := []string{
		"train", "editor", "--train", own + ",skip=3", "--train", editorClusters,
		"--papers", reference.Path(t, "data/genres/scisumm-train.jsonl.gz"),
		"--meetings", reference.Path(t, "data/genres/qmsum-train.jsonl.gz"), "--out", "-", "--quiet",
	}
	pages := os.Getenv("CERASUM_PAGES")
	if pages != "" {
		args = append(args, "--pages", pages)
	}
	columns := func(model string) string {
		if pages != "" {
			return model
		}
		var compared strings.Builder
		for line := range strings.Lines(model) {
			f := strings.Fields(line)
			if len(f) != 1+reading.Kinds {
				t.Fatalf("%q", line)
			}
			fmt.Fprintln(&compared, f[0], f[1+reading.Several], f[1+reading.Scholarly], f[1+reading.Spoken])
		}
		return compared.String()
	}
	made := cli(t, nil, args...).want(t, exitOK)
	shipped, err := os.ReadFile("../../internal/reading/model.txt")
	if err != nil || columns(made.stdout) != columns(string(shipped)) {
		t.Errorf("%v: another model: run go generate ./internal/reading", err)
	}
}

// TestTrainEditorPages: the error for a folder without the repositories says what to clone.
func TestTrainEditorPages(t *testing.T) {
	cli(t, nil, "train", "editor", "--train", editorClusters, "--pages", t.TempDir(), "--out", "-").want(t, exitFailed,
		"content/posts/", "clone https://github.com/18F/18f.gsa.gov to ", "and check out ")
}

// TestTranscripts: of the transcripts that the model of conversations learned from, mostly
// what the editor would quote is quoted. A model without them quoted the chatter at the
// beginning.
func TestTranscripts(t *testing.T) {
	files := &corpusFiles{}
	in, err := files.Open(files.root(editorClusters))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	choices, err := dataset.ReadChoices(in, editorClusters)
	if err != nil {
		t.Fatal(err)
	}
	reader, closer, err := dataset.Open(files, files.root(editorClusters), dataset.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	transcripts, quotes, wanted, never := 0, 0, 0, 0
	for {
		c, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		s, err := core.Open(t.Context(), c.Documents, core.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if documents := s.Documents(); len(documents) > 1 || !reading.Transcript(&documents[0]) {
			continue
		}
		transcripts++
		summary, err := s.Summarize(t.Context(), core.Options{Budget: core.Budget{Amount: 100, Unit: core.Words}})
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range summary.Sentences {
			span, choice := dataset.Span{Start: q.StartUTF16, End: q.EndUTF16}, choices[c.ID]
			quotes++
			if span.In(choice.Extract) || span.In(choice.Good) {
				wanted++
			}
			if span.In(choice.Never) {
				never++
			}
		}
	}
	t.Logf("%d transcripts, %d quotes, %d the editor's, %d never", transcripts, quotes, wanted, never)
	if transcripts < 14 || 10*wanted < 6*quotes || 20*never > quotes {
		t.Errorf("%d transcripts, %d quotes, %d the editor's, %d never", transcripts, quotes, wanted, never)
	}
}
