package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestTablesAreCurrent: the tables are those of the lists.
func TestTablesAreCurrent(t *testing.T) {
	for name, pack := range tables {
		list, err := os.ReadFile(filepath.Join("..", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		table, err := pack(t.Context(), read(string(list)))
		if err != nil {
			t.Fatal(err)
		}
		if embedded, err := os.ReadFile(filepath.Join("..", name+".bin")); err != nil || !bytes.Equal(embedded, table) {
			t.Errorf("%s.bin is not up to date: run go generate ./internal/lexical (%v)", name, err)
		}
	}
}
