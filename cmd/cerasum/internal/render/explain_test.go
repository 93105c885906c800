package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
)

// explained is a document of as many sentences as there are numbers, of which
// some are quoted.
func explained(attention []float64, quoted ...int) Explanation {
	e := Explanation{
		Cluster: &cluster.Cluster{Documents: make([]cluster.Document, 1)},
		Summary: &core.Summary{Method: "cerai", Documents: []core.DocumentReport{{Source: "a.txt", Sentences: len(attention), Chosen: len(quoted), Attention: attention}}},
	}
	for k := range attention {
		e.Cluster.Documents[0].Sentences = append(e.Cluster.Documents[0].Sentences, cluster.Sentence{Text: fmt.Sprintf("Sentence\n%d is \x1b[31m long enough to be cut off somewhere near its end.", k+1)})
	}
	for _, k := range quoted {
		e.Summary.Sentences = append(e.Summary.Sentences, core.Quote{Ref: cluster.Ref{Sentence: k}, Sentence: e.Cluster.Documents[0].Sentences[k]})
	}
	return e
}

func draw(t *testing.T, to terminal.Terminal, e Explanation) string {
	t.Helper()
	var b strings.Builder
	if err := WriteExplanation(&b, to, "", e); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestStripShowsAttention(t *testing.T) {
	attention := []float64{0.4, 0.05, 0.051, 0.2, 0, 0.299}
	got := draw(t, terminal.Terminal{Width: 60}, explained(attention, 3, 5))
	for _, want := range []string{
		"\n     1 █▁▂▄·▆\n          ▲ ▲\n",
		"█ = 40.0 % (the maximum), · = 0, ▲ = quoted",
		"[1] a.txt (100.0 % of the weight, 2 of 6 sentences quoted)",
		"\n  40.0 % 1   Sentence 1 is �[31m long",
		"\n  29.9 % 6 ▲ Sentence 6 is",
		"\n  20.0 % 4 ▲ Sentence 4 is",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "\x1b") || strings.Contains(got, "5.1 %") {
		t.Errorf("escape sequences without colour, or more than the strongest:\n%s", got)
	}
	for line := range strings.SplitSeq(got, "\n") {
		if terminal.Columns(line) > 60 && !strings.Contains(line, "a.txt") {
			t.Errorf("%d columns: %q", terminal.Columns(line), line)
		}
	}
}

func TestStripInColour(t *testing.T) {
	got := draw(t, terminal.Terminal{Width: 60, Color: true}, explained([]float64{0.4, 0.4, 0.05, 0, 0.15}, 1))
	want := "     1 " + string(terminal.Red) + "█\x1b[0m" + string(terminal.Bold+terminal.Red) + "█\x1b[0m" + string(terminal.Dim) + "▁·\x1b[0m" + string(terminal.Cyan) + "▃\x1b[0m\n"
	if !strings.Contains(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLongStripIsBroken(t *testing.T) {
	attention := make([]float64, 45)
	for k := range attention {
		attention[k] = float64(k+1) / 1035
	}
	got := draw(t, terminal.Terminal{Width: 30}, explained(attention, 0, 44))
	for _, want := range []string{"\n     1 ▁▁▁▁▁▂▂▂▂▂▂▃▃▃▃▃▄▄▄▄\n       ▲\n", "\n    21 ▄▄", "\n    41 █████\n           ▲\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
}

func TestEvenAndNoAttention(t *testing.T) {
	if got := draw(t, terminal.Terminal{Width: 80}, explained([]float64{0.5, 0, 0.5})); !strings.Contains(got, "equal weights of 2 sentences, 50.0 % each") || !strings.Contains(got, "     1 █·█\n") || strings.Contains(got, "Sentence 1") {
		t.Errorf("even attention:\n%s", got)
	}
	if got := draw(t, terminal.Terminal{Width: 80}, explained([]float64{0, 0}, 1)); !strings.Contains(got, "assigns no weights") || !strings.Contains(got, "     1 ··\n        ▲\n") {
		t.Errorf("no attention:\n%s", got)
	}
	e := explained(nil)
	if Weighed(e.Summary) {
		t.Error("a method without attention weighs")
	}
	if e.Summary.Documents[0].Attention = []float64{}; !Weighed(e.Summary) {
		t.Error("attention of no sentences is taken for none")
	}
}
