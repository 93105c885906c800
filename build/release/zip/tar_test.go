package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"
	"time"
)

func TestWriteTarDependsOnContentAndRunnable(t *testing.T) {
	pack := func(modified time.Time, run, plain fs.FileMode) []byte {
		t.Helper()
		var out bytes.Buffer
		files := fstest.MapFS{
			"b/run":   {Data: []byte("b/run"), Mode: run, ModTime: modified},
			"a.txt":   {Data: []byte("a.txt"), Mode: plain, ModTime: modified},
			"b/c.txt": {Data: []byte("b/c.txt"), Mode: plain, ModTime: modified},
		}
		if err := writeTar(&out, files); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	first := pack(time.Unix(1e9, 0), 0o700, 0o600)
	if !bytes.Equal(first, pack(time.Unix(2e9, 0), 0o775, 0o664)) {
		t.Error("times, or modes other than whether a file runs, changed the archive")
	}
	if bytes.Equal(first, pack(time.Unix(1e9, 0), 0o600, 0o600)) {
		t.Error("a program is packed as a file that does not run")
	}

	plain, err := gzip.NewReader(bytes.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewReader(plain)
	var names []string
	for {
		header, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, header.Name)
		if data, err := io.ReadAll(archive); err != nil || string(data) != header.Name {
			t.Errorf("%s: %q, %v", header.Name, data, err)
		}
		want := int64(0o644)
		if header.Name == "b/run" {
			want = 0o755
		}
		if header.Mode != want || header.Uid != 0 || header.Uname != "" {
			t.Errorf("%s: mode %o, owner %d %q", header.Name, header.Mode, header.Uid, header.Uname)
		}
	}
	if !slices.Equal(names, []string{"a.txt", "b/c.txt", "b/run"}) {
		t.Errorf("names in the order %q", names)
	}
}

func TestNameSaysTheKind(t *testing.T) {
	for _, name := range []string{"a.zip", "a.tar.gz", "a.tgz"} {
		if _, err := writerFor(name); err != nil {
			t.Error(err)
		}
	}
	if err := pack(t.TempDir(), t.TempDir()+"/a.rar", 0); err == nil {
		t.Error("an archive of no known kind was written")
	}
}
