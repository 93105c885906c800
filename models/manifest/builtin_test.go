package main

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cerasum/cerasum/models"
)

func TestDescribeBuiltIn(t *testing.T) {
	expert, err := os.ReadFile("../../internal/salience/general.bin")
	if err != nil {
		t.Fatal(err)
	}
	list := []models.BuiltIn{{Name: "x", Path: "internal/salience/x.bin", Licence: "CC0", Free: true, Corpora: []string{"stories, CC0"}}}
	files := func() fstest.MapFS {
		return fstest.MapFS{
			"internal/salience/x.bin":     {Data: expert},
			"internal/salience/README.md": {Data: []byte("x.bin learned from stories, CC0")},
		}
	}
	got, err := describeBuiltIn(files(), list)
	if err != nil {
		t.Fatal(err)
	}
	if b := got[0]; b.Bytes != int64(len(expert)) || len(b.SHA256) != 64 || b.Name != "x" || !b.Free || list[0].SHA256 != "" {
		t.Errorf("%+v", b)
	}
	for want, damage := range map[string]func(fstest.MapFS){
		"x.bin: no usable salience expert": func(f fstest.MapFS) { f["internal/salience/x.bin"].Data = expert[1:] },
		"x.bin: file does not exist":       func(f fstest.MapFS) { delete(f, "internal/salience/x.bin") },
		"missing card":                     func(f fstest.MapFS) { delete(f, "internal/salience/README.md") },
		`want "stories, CC0" in its card`:  func(f fstest.MapFS) { f["internal/salience/README.md"].Data = []byte("x.bin, CC0") },
	} {
		f := files()
		damage(f)
		if _, err := describeBuiltIn(f, list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
