package main

import (
	"bytes"
	"os"
	"testing"
)

func TestGeneratedFilesAreCurrent(t *testing.T) {
	for path, write := range outputs {
		old, err := os.ReadFile("../../" + path)
		if err != nil {
			t.Errorf("%v: run go generate ./core", err)
			continue
		}
		want, err := write(old)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		} else if !bytes.Equal(old, want) {
			t.Errorf("%s is stale: run go generate ./core", path)
		}
	}
}
