package render

import (
	"strings"
	"testing"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
)

func TestSourcesWrapped(t *testing.T) {
	s := &core.Summary{
		Sentences: []core.Quote{{Sentence: cluster.Sentence{Text: "The ferry sank."}}},
		Documents: []core.DocumentReport{
			{Title: "The ferry of Nessel sank in the storm", Source: "reports/monday.txt", Sentences: 12, Chosen: 1, Coverage: 0.4},
			{Source: "b.txt", Sentences: 1},
			{Title: "渡船在風暴中沉沒", Source: "https://example.org/a-long-address-without-a-space", Sentences: 3},
		},
	}
	for _, c := range []struct {
		terminal terminal.Terminal
		want     string
	}{
		{terminal.Terminal{}, `[1] "The ferry of Nessel sank in the storm" <reports/monday.txt> (1 of 12 sentences quoted, 40 % covered)
[2] b.txt (0 of 1 sentence quoted, 0 % covered)
[3] "渡船在風暴中沉沒" <https://example.org/a-long-address-without-a-space> (0 of 3 sentences quoted, 0 % covered)
`},
		{terminal.Terminal{Width: 40, Color: true}, "\x1b[36m[1]\x1b[0m \"The ferry of Nessel sank in the\n" +
			"    storm\" <reports/monday.txt> \x1b[2m(1 of 12\x1b[0m\n" +
			"    \x1b[2msentences quoted, 40 % covered)\x1b[0m\n" +
			"\x1b[36m[2]\x1b[0m b.txt \x1b[2m(0 of 1 sentence quoted, 0 %\x1b[0m\n" +
			"    \x1b[2mcovered)\x1b[0m\n" +
			"\x1b[36m[3]\x1b[0m \"渡船在風暴中沉沒\"\n" +
			"    <https://example.org/a-long-address-without-a-space>\n" +
			"    \x1b[2m(0 of 3 sentences quoted, 0 %\x1b[0m\n" +
			"    \x1b[2mcovered)\x1b[0m\n"},
	} {
		var b strings.Builder
		if err := WriteText(&b, c.terminal, "", s); err != nil {
			t.Fatal(err)
		}
		_, got, _ := strings.Cut(b.String(), "Sources")
		_, got, _ = strings.Cut(got, "\n")
		if got != c.want {
			t.Errorf("width %d: got\n%s\nwant\n%s", c.terminal.Width, got, c.want)
		}
	}
}
