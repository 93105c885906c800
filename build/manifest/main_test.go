package main

import (
	"testing"
	"testing/fstest"
)

func TestManifestIsUpToDate(t *testing.T) {
	if err := run("../../models", true); err != nil {
		t.Error(err)
	}
}

func TestBuild(t *testing.T) {
	files := fstest.MapFS{
		"encoder/config.json": {Data: []byte(`{"name":"x","hidden_size":4,"languages":["en"]}`)},
		"encoder/README.md":   {Data: []byte("# x\n\nLicence of the weights: CC BY-SA 4.0. The corpora\n")},
	}
	m, err := build(files)
	if err != nil {
		t.Fatal(err)
	}
	if e := m.Encoder; e.Licence != "CC BY-SA 4.0" || e.Dimensions != 4 || len(e.Files) != 2 || e.Files[1].Path != "encoder/config.json" || e.Files[1].Bytes != 47 ||
		len(e.Files[0].SHA256) != 64 {
		t.Errorf("got %+v", e)
	}
	delete(files, "encoder/README.md")
	if _, err := build(files); err == nil {
		t.Error("an encoder without a card is taken")
	}
}

func TestOutOfDateIsToldApart(t *testing.T) {
	if err := run(t.TempDir(), true); err == nil {
		t.Error("a folder without models is up to date")
	}
}
