package render

import (
	"strings"
	"testing"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
)

// disagreeing is a summary of three documents that disagree.
func disagreeing() *core.Summary {
	value := func(document int, value string) core.DisagreementValue {
		return core.DisagreementValue{Value: value, Span: cluster.Span{Document: document}}
	}
	return &core.Summary{
		Sentences: []core.Quote{{Sentence: cluster.Sentence{Text: "The ferry sank."}}},
		Documents: []core.DocumentReport{{Source: "a.txt"}, {Source: "https://example.org/b"}, {Source: "-", Title: "C"}},
		Disagreements: []core.Disagreement{
			{What: "injured", Values: []core.DisagreementValue{value(0, "14"), value(1, "16"), value(2, "14")}},
			{What: "dead", Update: true, Values: []core.DisagreementValue{value(1, "two"), value(0, "3"), value(2, "two")}},
			{Values: []core.DisagreementValue{value(0, "on *Monday*\x1b[31m"), value(2, "on\nTuesday")}},
		},
	}
}

func TestDisagreementsAsText(t *testing.T) {
	var b strings.Builder
	if err := WriteText(&b, terminal.Terminal{Width: 80}, "", disagreeing()); err != nil {
		t.Fatal(err)
	}
	const want = `The ferry sank. [1]

Sources disagree
injured: 14 [1] [3], 16 [2]
dead (updated): two [2] → 3 [1] → two [3]
on *Monday*�[31m [1], on Tuesday [3]

Sources
`
	if got := b.String(); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	b.Reset()
	s := disagreeing()
	s.Disagreements = nil
	if err := WriteText(&b, terminal.Terminal{Width: 80}, "", s); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.HasPrefix(got, "The ferry sank. [1]\n\nSources\n") {
		t.Errorf("of sources that agree: got\n%s", got)
	}
}

func TestDisagreementsAsMarkdown(t *testing.T) {
	var b strings.Builder
	if err := WriteMarkdown(&b, "", disagreeing()); err != nil {
		t.Fatal(err)
	}
	const want = `
## Sources disagree

- injured: 14 [\[1\]](<a.txt>) \[3\], 16 [\[2\]](<https://example.org/b>)
- dead (updated): two [\[2\]](<https://example.org/b>) → 3 [\[1\]](<a.txt>) → two \[3\]
- on \*Monday\*�\[31m [\[1\]](<a.txt>), on Tuesday \[3\]

## Sources
`
	if got := b.String(); !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
