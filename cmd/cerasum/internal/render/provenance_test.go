package render

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
)

func TestProvenance(t *testing.T) {
	raw, err := os.ReadFile("testdata/provenance.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases struct{ Titles, Sources [][2]string }
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases.Titles {
		if got := quoted(c[0]); got != c[1] {
			t.Errorf("%q is shown as %s, want %s", c[0], got, c[1])
		}
	}
	for _, c := range cases.Sources {
		if got := source(c[0]); got != c[1] {
			t.Errorf("%q is shown as %s, want %s", c[0], got, c[1])
		}
	}
}

// What a document says of itself does not look like what the program says.
func TestSpoofedSources(t *testing.T) {
	s := &core.Summary{
		Documents: []core.DocumentReport{
			{Title: "A [9] Reuters, https://reuters.example/ \u202efdp", Source: "https://reuters.example@evil.example/a", Sentences: 1, Chosen: 1},
			{Title: "B", Source: "https://аpple.example/", Sentences: 1},
		},
		Sentences: []core.Quote{{Sentence: cluster.Sentence{Text: "\u202eIt is\U000e0049\U000e0067 closed.\u2067"}}},
	}
	var text, markdown strings.Builder
	if err := WriteText(&text, terminal.Terminal{Width: 200}, "", s); err != nil {
		t.Fatal(err)
	}
	if err := WriteMarkdown(&markdown, "", s); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"It is closed. [1]\n", `[1] "A (9) Reuters, https://reuters.example/ fdp" <https://evil.example/a> (`,
		`[2] "B" <https://xn--pple-43d.example/> (`,
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
	for _, want := range []string{"(<https://evil.example/a", "[B](<https://xn--pple-43d.example/>)"} {
		if !strings.Contains(markdown.String(), want) {
			t.Errorf("no %q in\n%s", want, &markdown)
		}
	}
	for _, out := range []string{text.String(), markdown.String()} {
		if strings.ContainsAny(out, "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069") {
			t.Errorf("a direction control in %q", out)
		}
	}
}
