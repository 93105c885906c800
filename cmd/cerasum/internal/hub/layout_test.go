package hub

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// TestLayout reads the cases that js/tests/hub-layout.test.ts reads too.
func TestLayout(t *testing.T) {
	data, err := os.ReadFile("../../../../models/testdata/layout.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name    string
		Modules json.RawMessage
		Variant string
		Files   []struct {
			Paths    []string
			Save     string
			Required bool
		}
		Error string
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatal("there are no cases")
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			modules := []byte(c.Modules)
			if string(modules) == "null" {
				modules = nil
			}
			got, err := layout(modules, c.Variant)
			if c.Error != "" {
				if err == nil || err.Error() != c.Error {
					t.Fatalf("got %v, want %s", err, c.Error)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != len(c.Files) {
				t.Fatalf("%d files, want %d: %+v", len(got), len(c.Files), got)
			}
			for i, w := range c.Files {
				if g := got[i]; !slices.Equal(g.paths, w.Paths) || g.save != w.Save || g.required != w.Required {
					t.Errorf("file %d: %+v, want %+v", i, g, w)
				}
			}
		})
	}
}
