package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/internal/reference"
)

const editorClusters = "../../internal/train/editor/clusters.jsonl.gz"

func TestTrainEditor(t *testing.T) {
	out := filepath.Join(t.TempDir(), "model.txt")
	line := func(more ...string) []string {
		return append([]string{"train", "editor", "--train", editorClusters, "--out", out}, more...)
	}
	cli(t, nil, line()...).want(t, exitOK, "training on 103 clusters")
	first, err := os.ReadFile(out)
	if err != nil || !strings.Contains(string(first), "\nleans -") {
		t.Fatalf("%v, %q", err, first)
	}
	cli(t, nil, line()...).want(t, exitUsage, "already exists", "--overwrite")
	cli(t, nil, "train", "editor", "--train", editorClusters+",skip=3", "--out", "-").want(t, exitOK, "training on 69 clusters")
	cli(t, nil, line("--overwrite", "--train", editorClusters+",skip=1")...).want(t, exitUsage, "skip: want a whole number of 2 or more")
	cli(t, nil, "train", "editor").want(t, exitUsage, "--train")
	cli(t, nil, line("--overwrite", "--train", "nowhere.jsonl")...).want(t, exitFailed, "nowhere.jsonl")
	bad := file(t, "bad.jsonl", []byte(`{"id": "a", "documents": ["A storm came. It left."], "references": ["A storm."], "extract": [[0, 3]]}`+"\n"))
	cli(t, nil, line("--overwrite", "--train", bad)...).want(t, exitFailed, "bad.jsonl:1", "extract")
}

// TestShippedEditorModel: the shipped model is the one that the shipped clusters and
// two thirds of the self-written ones give.
func TestShippedEditorModel(t *testing.T) {
	if testing.Short() {
		t.Skip("long: make test-slow")
	}
	own := reference.Path(t, "data/own/clusters.jsonl.gz")
	made := cli(t, nil, "train", "editor", "--train", own+",skip=3", "--train", editorClusters,
		"--papers", reference.Path(t, "data/genres/scisumm-train.jsonl.gz"), "--out", "-", "--quiet").want(t, exitOK)
	shipped, err := os.ReadFile("../../internal/reading/model.txt")
	if err != nil || made.stdout != string(shipped) {
		t.Errorf("%v: another model: run go generate ./internal/reading", err)
	}
}
