package main

import (
	"os"
	"testing"
)

func TestTableIsCurrent(t *testing.T) {
	got, err := os.ReadFile("../tags.go")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != source() {
		t.Error("internal/text/tags.go is stale: run go generate ./internal/text")
	}
}
