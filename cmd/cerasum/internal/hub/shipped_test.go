package hub

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

func testShipped(t *testing.T) *shipped {
	t.Helper()
	files := fstest.MapFS{
		"model.onnx":            {Data: []byte("\x08weights")},
		"1_Pooling/config.json": {Data: []byte("{}")},
	}
	var list []string
	for name, f := range files {
		list = append(list, fmt.Sprintf(`{"path":%q,"bytes":%d,"sha256":%q}`, name, len(f.Data), hashOf(f.Data)))
	}
	s, err := readShipped([]byte(`{"encoder":{"name":"ours","dimensions":8,"licence":"CC-BY-4.0","languages":["en","pt"],"files":[`+strings.Join(list, ",")+`]}}`), files)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestShipped(t *testing.T) {
	s := testShipped(t)
	if m := s.model(); m.Name != Default || m.Bytes != 10 || m.Licence != "CC-BY-4.0" || m.Languages != "en pt" {
		t.Errorf("%+v", m)
	}
	c, err := s.check(t.Context())
	if err != nil || len(c.Problems) > 0 || c.Files != 2 {
		t.Errorf("%+v, %v", c, err)
	}
	to, err := (Options{CacheDir: t.TempDir()}).store()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := s.install(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.install(t.Context(), to)
	if err != nil || again != dir {
		t.Errorf("%s, %v", again, err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "1_Pooling", "config.json")); err != nil || string(data) != "{}" {
		t.Errorf("%s, %v", data, err)
	}
	// A copy that is damaged is made again.
	if err := os.Remove(filepath.Join(dir, "model.onnx")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.install(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	if _, err := complete(dir); err != nil {
		t.Error(err)
	}
	if list, err := to.list(); err != nil || len(list) > 0 {
		t.Errorf("the copy is listed: %+v, %v", list, err)
	}
}

func TestShippedDamaged(t *testing.T) {
	for name, damage := range map[string]func(fstest.MapFS){
		"model.onnx has SHA-256":   func(f fstest.MapFS) { f["model.onnx"].Data = []byte("\x08Weights") },
		"model.onnx has 3 bytes":   func(f fstest.MapFS) { f["model.onnx"].Data = []byte("abc") },
		"model.onnx":               func(f fstest.MapFS) { delete(f, "model.onnx") },
		"extra is not in manifest": func(f fstest.MapFS) { f["extra"] = &fstest.MapFile{} },
	} {
		t.Run(name, func(t *testing.T) {
			s := testShipped(t)
			damage(s.files.(fstest.MapFS))
			c, err := s.check(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if p := errors.Join(c.Problems...); !errors.Is(p, ErrDamaged) || !strings.Contains(p.Error(), name) {
				t.Errorf("%v", p)
			}
		})
	}
	for _, text := range []string{"", "{}", `{"encoder":{"files":[]}}`, `{"encoder":{"files":[{"path":"../x"}]}}`} {
		if _, err := readShipped([]byte(text), fstest.MapFS{}); err == nil || !strings.Contains(err.Error(), "manifest.json") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestShippedEncoder checks the one of this repository.
func TestShippedEncoder(t *testing.T) {
	s, err := openShipped()
	if errors.Is(err, errNothingShipped) {
		t.Skip("there is no models/manifest.json yet")
	}
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.Problems...); err != nil {
		t.Error(err)
	}
	dir, err := Resolve(t.Context(), "", Options{CacheDir: t.TempDir(), Offline: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := complete(dir); err != nil {
		t.Error(err)
	}
}
