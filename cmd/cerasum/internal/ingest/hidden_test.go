package ingest

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestHidden reads pages with a word that a reader sees or not, which
// web/demo/tests/hidden.test.mjs reads too.
func TestHidden(t *testing.T) {
	data, err := os.ReadFile("testdata/hidden.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name, HTML string
		Seen       bool
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		page := "<!doctype html><title>Page</title>" + c.HTML + "<p>The river rose.</p>"
		for kind, x := range map[string]extracted{"page": articleOf(page, nil), "deep page": articleOf(page+strings.Repeat("<i>", 600), nil), "Markdown": proseOf(c.HTML + "\n\nThe river rose.\n")} {
			if kind == "Markdown" && strings.Contains(c.HTML, "<body") {
				continue
			}
			if got := strings.Contains(x.text+x.title, "secret"); got != c.Seen || !strings.Contains(x.text, "The river rose.") && !strings.HasPrefix(c.Name, "all but") {
				t.Errorf("%s: %s: %q, want seen: %v", kind, c.Name, x.text, c.Seen)
			}
		}
	}
}
