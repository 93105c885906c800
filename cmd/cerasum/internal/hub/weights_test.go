package hub

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cerasum/cerasum/models"
)

func testWeights(t *testing.T) (*shipped, fstest.MapFS) {
	t.Helper()
	files := fstest.MapFS{"config.json": {Data: []byte("{}")}, "model.safetensors": {Data: []byte("numbers")}}
	info := models.WeightsInfo{
		Name: "cerai-stories", Method: "cerai", Encoder: "ours", Dimensions: 8,
		Licence: "CC0", Free: true, Corpora: []string{"stories, CC0"},
	}
	for name, f := range files {
		info.Files = append(info.Files, models.File{Path: "cerai-stories/" + name, Bytes: int64(len(f.Data)), SHA256: hashOf(f.Data)})
	}
	s, err := readWeights(info, files)
	if err != nil {
		t.Fatal(err)
	}
	return s, files
}

func TestShippedWeights(t *testing.T) {
	s, files := testWeights(t)
	if m := s.model(); m.Name != "" || m.ID != "cerai-stories" || m.State != Shipped || m.Bytes != 9 || m.Method != "cerai" || m.Encoder != "ours" ||
		!m.Free || m.Licence != "CC0" || len(m.Corpora) != 1 {
		t.Errorf("%+v", m)
	}
	if c, err := s.check(t.Context()); err != nil || len(c.Problems) > 0 || c.Files != 2 {
		t.Errorf("%+v, %v", c, err)
	}
	files["model.safetensors"].Data = []byte("Numbers")
	c, err := s.check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if p := errors.Join(c.Problems...); !errors.Is(p, ErrDamaged) || !strings.Contains(p.Error(), "model.safetensors: got SHA-256") {
		t.Errorf("%v", p)
	}
	for _, path := range []string{"config.json", "cerai-stories/../x", "cera-stories/config.json"} {
		if _, err := readWeights(models.WeightsInfo{Name: "cerai-stories", Files: []models.File{{Path: path}}}, files); err == nil || !strings.Contains(err.Error(), "want a path within the folder") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestAllWeights holds for those that are in the program, however many.
func TestAllWeights(t *testing.T) {
	list, err := models.AllWeights()
	if err != nil {
		t.Fatal(err)
	}
	checks, err := Verify(t.Context(), "", Options{CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	all, err := List(Options{CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	checked, listed := 0, 0
	for _, c := range checks {
		if c.Model.Method != "" && c.Model.State == Shipped {
			checked++
		}
		if err := errors.Join(c.Problems...); err != nil {
			t.Error(err)
		}
	}
	for _, m := range all {
		if m.Method != "" && m.State == Shipped {
			listed++
		}
	}
	if checked != len(list) || listed != len(list) {
		t.Errorf("%d weights, %d checked, %d listed", len(list), checked, listed)
	}
}
