package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTrainStanding(t *testing.T) {
	train, out := stories(t, "train.jsonl", 6), filepath.Join(t.TempDir(), "standing.weights")
	line := func(more ...string) []string {
		return append([]string{"train", "standing", "--train", train, "--lang", "en", "--out", out}, more...)
	}
	cli(t, nil, line()...).want(t, exitOK, "sentences that stand alone")
	first, err := os.ReadFile(out)
	if err != nil || !strings.Contains(string(first), "\npronoun -") {
		t.Fatalf("%v, %q", err, first)
	}
	cli(t, nil, line()...).want(t, exitUsage, "already exists", "--overwrite")
	again := cli(t, nil, "train", "standing", "--train", train+",lang=en", "--out", "-", "--quiet").want(t, exitOK)
	if again.stdout != string(first) {
		t.Error("other weights the second time")
	}
	cli(t, nil, line("--overwrite", "--steps", "0")...).want(t, exitUsage, "steps")
	cli(t, nil, line("--overwrite", "--train", train+",skip=x")...).want(t, exitUsage, "skip: want a whole number")
	cli(t, nil, "train", "standing").want(t, exitUsage, "--train")
	cli(t, nil, line("--overwrite", "--train", "nowhere.jsonl")...).want(t, exitFailed, "nowhere.jsonl")
}
