package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/internal/weights"
)

func TestManifestIsUpToDate(t *testing.T) {
	if err := run("../..", true); err != nil {
		t.Error(err)
	}
}

// encoderFiles is a folder with an encoder and nothing else.
func encoderFiles() fstest.MapFS {
	return fstest.MapFS{
		"encoder/config.json":    {Data: []byte(`{"name":"x","dimensions":4,"licence":"MIT","languages":["en"]}`)},
		"encoder/README.md":      {Data: []byte("# x")},
		"encoder/encoder.onnx":   {Data: []byte("graph")},
		"encoder/vocabulary.bin": {Data: []byte("pieces")},
	}
}

func TestBuild(t *testing.T) {
	files := encoderFiles()
	m, err := build(files)
	if err != nil {
		t.Fatal(err)
	}
	if e := m.Encoder; e.Licence != "MIT" || e.Dimensions != 4 || len(e.Files) != 4 || e.Files[2].Path != "encoder/encoder.onnx" || e.Files[2].Bytes != 5 || len(e.Files[2].SHA256) != 64 {
		t.Errorf("got %+v", e)
	}
	if m.Weights == nil || len(m.Weights) != 0 {
		t.Errorf("weights %v, want an empty list", m.Weights)
	}
	for name := range encoderFiles() {
		files := encoderFiles()
		delete(files, name)
		if _, err := build(files); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

// someWeights adds a folder of weights.
func someWeights(t *testing.T, files fstest.MapFS, folder string, dimensions int, interpolation bool, from weights.Origin) {
	t.Helper()
	w := centroid.NewWeights[float32](dimensions, 2, interpolation)
	err := weights.Write(w, from, func(name string) (io.WriteCloser, error) { return &file{files: files, name: folder + "/" + name}, nil })
	if err != nil {
		t.Fatal(err)
	}
	files[folder+"/README.md"] = &fstest.MapFile{Data: []byte("# " + folder)}
}

type file struct {
	bytes.Buffer
	files fstest.MapFS
	name  string
}

func (f *file) Close() error {
	f.files[f.name] = &fstest.MapFile{Data: f.Bytes()}
	return nil
}

func TestBuildWithWeights(t *testing.T) {
	from := weights.Origin{
		Encoder: "x", EncoderSHA256: strings.Repeat("0", 64),
		Licence: "CC BY 4.0", Free: true, Corpora: []string{"stories, CC BY 4.0"},
	}
	files := encoderFiles()
	someWeights(t, files, "cerai-stories", 4, true, from)
	someWeights(t, files, "cera-stories", 4, false, from)
	m, err := build(files)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Weights) != 2 || m.Weights[0].Name != "cera-stories" || m.Weights[0].Method != "cera" || m.Weights[1].Method != "cerai" {
		t.Errorf("weights %+v", m.Weights)
	}
	w := m.Weights[1]
	if w.Encoder != "x" || w.Dimensions != 4 || w.Licence != "CC BY 4.0" || !w.Free || w.Corpora[0] != "stories, CC BY 4.0" ||
		len(w.Files) != 3 || w.Files[1].Path != "cerai-stories/config.json" || w.Files[2].Bytes != int64(len(files["cerai-stories/model.safetensors"].Data)) {
		t.Errorf("%+v", w)
	}
	for want, damage := range map[string]func(files fstest.MapFS){
		"want a folder name that starts with the method and a hyphen": func(f fstest.MapFS) { someWeights(t, f, "cera-stories", 4, true, from) },
		`want the shipped encoder "x" of 4 dimensions, got "y" of 4`: func(f fstest.MapFS) {
			o := from
			o.Encoder = "y"
			someWeights(t, f, "cera-stories", 4, false, o)
		},
		`want the shipped encoder "x" of 4 dimensions, got "x" of 3`: func(f fstest.MapFS) { someWeights(t, f, "cera-stories", 3, false, from) },
		"encoder_sha256: missing": func(f fstest.MapFS) {
			o := from
			o.EncoderSHA256 = ""
			someWeights(t, f, "cera-stories", 4, false, o)
		},
		"want licence and corpora": func(f fstest.MapFS) {
			someWeights(t, f, "cera-stories", 4, false, weights.Origin{Encoder: from.Encoder, EncoderSHA256: from.EncoderSHA256})
		},
		"cera-stories: missing card": func(f fstest.MapFS) {
			someWeights(t, f, "cera-stories", 4, false, from)
			delete(f, "cera-stories/README.md")
		},
		"cera-stories/model.safetensors": func(f fstest.MapFS) {
			someWeights(t, f, "cera-stories", 4, false, from)
			delete(f, "cera-stories/model.safetensors")
		},
	} {
		files := encoderFiles()
		damage(files)
		if _, err := build(files); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func TestOutOfDateIsToldApart(t *testing.T) {
	if err := run(t.TempDir(), true); err == nil {
		t.Error("a folder without models is up to date")
	}
}
