// Package reference locates the reference cases and corpora used by tests. The full
// sets are not part of the repository: they are in a folder named shared beside it,
// or in CERASUM_SHARED. Without it, the tests that need them are skipped.
package reference

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Path returns the path of a file in the shared folder, or skips the test if it does
// not exist; name is slash-separated.
func Path(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("CERASUM_SHARED")
	if dir == "" {
		dir = filepath.Join(root(t), "..", "shared")
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("skipped: %s not found; set CERASUM_SHARED to the folder of the full sets", name)
	}
	return path
}

// Case opens a file of the repository's own cases for the duration of the test; name
// is slash-separated and relative to the test's package.
func Case(t testing.TB, name string) io.Reader {
	t.Helper()
	f, err := os.Open(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// Open opens a file of the shared folder for the duration of the test, decompressed
// if its name ends in .gz, or skips the test.
func Open(t testing.TB, name string) io.Reader {
	t.Helper()
	f := Case(t, Path(t, name))
	if !strings.HasSuffix(name, ".gz") {
		return f
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return z
}

// Cases yields the JSON values of r with their numbers, from 0, and ends the test at one
// that is not a C.
func Cases[C any](t testing.TB, r io.Reader) iter.Seq2[int, C] {
	return func(yield func(int, C) bool) {
		t.Helper()
		in := json.NewDecoder(r)
		for n := 0; ; n++ {
			var c C
			if err := in.Decode(&c); err == io.EOF {
				return
			} else if err != nil {
				t.Fatalf("case %d: %v", n, err)
			}
			if !yield(n, c) {
				return
			}
		}
	}
}

// root returns the folder of go.mod: tests run in their package's folder.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod in a parent folder")
		}
		dir = up
	}
}
