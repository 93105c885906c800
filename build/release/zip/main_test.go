package main

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"
)

func TestWriteDependsOnContentAlone(t *testing.T) {
	early, late := fstest.MapFS{}, fstest.MapFS{}
	for _, path := range []string{"b/two.txt", "a.txt", "b/one.txt"} {
		early[path] = &fstest.MapFile{Data: []byte(path), Mode: 0o600, ModTime: time.Unix(1e9, 0)}
		late[path] = &fstest.MapFile{Data: []byte(path), Mode: 0o755, ModTime: time.Unix(2e9, 0)}
	}
	var first, second bytes.Buffer
	if err := writeZip(&first, early); err != nil {
		t.Fatal(err)
	}
	if err := writeZip(&second, late); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("times or modes of the files changed the archive")
	}
	archive, err := zip.NewReader(bytes.NewReader(first.Bytes()), int64(first.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range archive.File {
		names = append(names, file.Name)
		content, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(content)
		if err != nil || string(data) != file.Name {
			t.Errorf("%s: %q, %v", file.Name, data, err)
		}
	}
	if len(names) != 3 || names[0] != "a.txt" || names[1] != "b/one.txt" || names[2] != "b/two.txt" {
		t.Errorf("names in the order %q", names)
	}
}

func TestPackRefuses(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(t.TempDir(), "out", "a.zip")
	if err := os.WriteFile(filepath.Join(folder, "a.txt"), bytes.Repeat([]byte("abc"), 1000), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := pack(folder, file, 10); err == nil {
		t.Error("a file above the limit was written")
	}
	if left, _ := os.ReadDir(filepath.Dir(file)); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := pack(folder, file, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.txt", filepath.Join(folder, "link")); err != nil {
		t.Skip(err)
	}
	if err := pack(folder, file, 0); err == nil {
		t.Error("a link was packed")
	}
}
