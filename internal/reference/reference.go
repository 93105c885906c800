// Package reference finds the cases, the full reference sets and the corpora that
// some tests run over. The full sets and corpora are no part of the repository: a folder named shared beside
// it, or what CERASUM_SHARED names. Where it is absent these tests are skipped
// and say so.
package reference

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Path returns the path of a file of the shared folder, name being
// slash-separated, or skips the test where there is none.
func Path(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("CERASUM_SHARED")
	if dir == "" {
		dir = filepath.Join(root(t), "..", "shared")
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("skipped: %s is not here; set CERASUM_SHARED to the folder of the full sets", name)
	}
	return path
}

// Case opens a file of the repository's own cases until the test ends; name is
// slash-separated and relative to the test's package.
func Case(t testing.TB, name string) io.Reader {
	t.Helper()
	f, err := os.Open(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// Open opens a file of the shared folder until the test ends, unpacked where
// its name ends in .gz, or skips the test.
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

// root is the folder of go.mod: tests run in the folder of their package.
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
			t.Fatal("no go.mod above the test")
		}
		dir = up
	}
}
