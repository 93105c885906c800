package models

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core"
)

const someManifest = `{"encoder": {"name": "e"}, "weights": [
  {"name": "cera-a", "method": "cera", "encoder": "e", "dimensions": 4, "licence": "CC0", "free": true, "corpora": ["a, CC0"], "files": [{"path": "cera-a/config.json", "bytes": 3, "sha256": "00"}]},
  {"name": "cerai-a", "method": "cerai"},
  {"name": "cerai-b", "method": "cerai", "free": true},
  {"name": "cerai-c", "method": "cerai", "free": true}
]}`

func TestDefaultWeights(t *testing.T) {
	m, err := parseManifest([]byte(someManifest))
	if err != nil {
		t.Fatal(err)
	}
	list := m.Weights
	if w := list[0]; w.Encoder != "e" || w.Dimensions != 4 || w.Licence != "CC0" || w.Corpora[0] != "a, CC0" || w.Files[0] != (File{"cera-a/config.json", 3, "00"}) {
		t.Errorf("%+v", w)
	}
	for _, test := range []struct {
		list                  []WeightsInfo
		method, licence, want string
	}{
		{list, "cera", "", "cera-a"},
		{list, "cerai", core.LicenceAny, "cerai-a"},
		{list, "cerai", "", "cerai-b"},
		{list, "cerai", core.LicenceFree, "cerai-b"},
		{list[:2], "cerai", core.LicenceFree, "!this program was built without weights for method cerai trained on freely licensed corpora only"},
		{list[:1], "cerai", core.LicenceAny, "!this program was built without weights for method cerai"},
		{nil, "cera", core.LicenceFree, "!this program was built without weights for method cera"},
	} {
		got, err := defaultWeights(test.list, test.method, test.licence)
		if err != nil {
			got = "!" + err.Error()
		}
		if got != test.want || err != nil && !errors.Is(err, ErrNoWeights) {
			t.Errorf("%s %q: %q, want %q", test.method, test.licence, got, test.want)
		}
	}
	if _, err := parseManifest([]byte(`{"weights": {}}`)); err == nil || !strings.Contains(err.Error(), "manifest.json") {
		t.Errorf("weights that are no list: %v", err)
	}
}

// TestShippedWeights holds for those that are in the program, however many.
func TestShippedWeights(t *testing.T) {
	list, err := AllWeights()
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range list {
		folder, err := Weights(w.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range w.Files {
			name, ok := strings.CutPrefix(f.Path, w.Name+"/")
			if info, err := fs.Stat(folder, name); !ok || err != nil || info.Size() != f.Bytes {
				t.Errorf("%s: %v", f.Path, err)
			}
		}
	}
	if _, err := Weights("encoder"); !errors.Is(err, ErrNoWeights) || !strings.Contains(err.Error(), `"encoder"`) {
		t.Errorf("a folder without weights: %v", err)
	}
	for _, w := range list {
		if _, err := Weights("no-such"); err == nil || !strings.Contains(err.Error(), w.Name) {
			t.Errorf("%v does not name %s", err, w.Name)
		}
	}
}
