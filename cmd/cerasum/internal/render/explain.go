package render

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
)

// Explanation is a summary with its attention.
type Explanation struct {
	Summary *core.Summary
	Cluster *cluster.Cluster
	// Weights is the name of the trained weights; empty if there are none.
	Weights string
}

// Weighed reports whether the method computed sentence weights, without which
// there is nothing to explain.
func Weighed(s *core.Summary) bool {
	return slices.ContainsFunc(s.Documents, func(d core.DocumentReport) bool { return d.Attention != nil })
}

const (
	noAttention = '·'
	quotedMark  = '▲'
	// strongest is the number of sentences listed per document.
	strongest = 3
	// stripIndent is the width of the sentence number that starts a line of cells.
	stripIndent = 6
)

// cells are the blocks of a heat strip, by increasing attention.
var cells = []rune("▁▂▃▄▅▆▇█")

// heat are the styles of the cells.
var heat = []terminal.Style{
	terminal.Dim, terminal.Dim, terminal.Cyan, terminal.Cyan, terminal.Yellow, terminal.Yellow, terminal.Red, terminal.Red,
}

// WriteExplanation writes the quoted sentences, and for each document a strip with
// one cell per sentence that shows its attention.
func WriteExplanation(w io.Writer, t terminal.Terminal, heading string, e Explanation) error {
	s := e.Summary
	var b strings.Builder
	if heading != "" {
		b.WriteString(t.Paint(terminal.Bold, "== "+terminal.Safe(heading)+" ==") + "\n\n")
	}
	writeQuotes(&b, t, s)
	writeDisagreements(&b, t, s)
	high, even, count := extremes(s)
	b.WriteString("\n" + t.Paint(terminal.Bold, "Sentence weights") + "\n")
	for _, line := range t.Lines(legend(e, high, even, count), 0) {
		b.WriteString(t.Paint(terminal.Dim, line) + "\n")
	}
	show, left := listed(s)
	for _, i := range show {
		b.WriteString("\n")
		e.writeDocument(&b, t, i, high, !even)
	}
	if left > 0 {
		b.WriteString("\n" + t.Paint(terminal.Dim, rest(left)) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// extremes returns the highest attention, whether all sentences with attention have
// the same, and their number.
func extremes(s *core.Summary) (high float64, even bool, count int) {
	low := math.Inf(1)
	for _, d := range s.Documents {
		for _, a := range d.Attention {
			if a > 0 {
				high, low = max(high, a), min(low, a)
				count++
			}
		}
	}
	return high, high-low <= 1e-12, count
}

// legend describes the strips.
func legend(e Explanation, high float64, even bool, count int) string {
	by := "Method " + e.Summary.Method
	if e.Weights != "" {
		by += " with the weights " + terminal.Safe(e.Weights)
	}
	switch {
	case count == 0:
		return by + " assigns no weights."
	case even:
		return fmt.Sprintf("%s: equal weights of %d sentences, %s each. One cell per sentence: %c = 0, %c = quoted", by, count, percent(high), noAttention, quotedMark)
	}
	return fmt.Sprintf("%s: sentence weights, summing to 100 %%. One cell per sentence: %c = %s (the maximum), %c = 0, %c = quoted",
		by, cells[len(cells)-1], percent(high), noAttention, quotedMark)
}

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

// writeDocument writes the strip of one document. uneven means that some sentences
// have more attention than others.
func (e Explanation) writeDocument(b *strings.Builder, t terminal.Terminal, i int, high float64, uneven bool) {
	d := e.Summary.Documents[i]
	total := 0.0
	for _, a := range d.Attention {
		total += a
	}
	plural := "s"
	if d.Sentences == 1 {
		plural = ""
	}
	mark := fmt.Sprintf("[%d]", i+1)
	fmt.Fprintf(b, "%s %s%s\n", t.Paint(terminal.Cyan, mark), title(d),
		t.Paint(terminal.Dim, fmt.Sprintf(" (%s of the weight, %d of %d sentence%s quoted)", percent(total), d.Chosen, d.Sentences, plural)))
	quoted := e.quoted(i)
	each := max(10, (cmp.Or(t.Width, terminal.DefaultWidth)-stripIndent-1)/10*10)
	for from := 0; from < len(d.Attention); from += each {
		to := min(from+each, len(d.Attention))
		fmt.Fprintf(b, "%*d %s\n", stripIndent, from+1, strip(t, d.Attention[from:to], quoted[from:to], high))
		if below := marks(quoted[from:to]); below != "" {
			fmt.Fprintf(b, "%*s %s\n", stripIndent, "", t.Paint(terminal.Bold, below))
		}
	}
	if !uneven {
		return
	}
	for _, k := range top(d.Attention) {
		mark := ' '
		if quoted[k] {
			mark = quotedMark
		}
		head := fmt.Sprintf("%*s %*d %c ", stripIndent+2, percent(d.Attention[k]), len(fmt.Sprint(d.Sentences)), k+1, mark)
		text := terminal.Safe(e.Cluster.Documents[i].Sentences[k].Text)
		b.WriteString(head + t.Cut(text, terminal.Columns(head)) + "\n")
	}
}

// quoted reports for each sentence of a document whether it is in the summary.
func (e Explanation) quoted(document int) []bool {
	quoted := make([]bool, len(e.Cluster.Documents[document].Sentences))
	for _, q := range e.Summary.Sentences {
		if q.Document == document {
			quoted[q.Ref.Sentence] = true
		}
	}
	return quoted
}

// strip draws cells, grouping neighbours of the same style.
func strip(t terminal.Terminal, attention []float64, quoted []bool, high float64) string {
	var b, run strings.Builder
	var style terminal.Style
	flush := func() {
		if run.Len() > 0 {
			b.WriteString(t.Paint(style, run.String()))
			run.Reset()
		}
	}
	for k, a := range attention {
		cell, own := noAttention, terminal.Dim
		if a > 0 {
			level := min(len(cells), max(1, int(math.Ceil(float64(len(cells))*a/high-1e-9)))) - 1
			cell, own = cells[level], heat[level]
		}
		if quoted[k] {
			own = terminal.Bold + own
		}
		if own != style {
			flush()
			style = own
		}
		run.WriteRune(cell)
	}
	flush()
	return b.String()
}

// marks returns the marks below a strip, without trailing spaces.
func marks(quoted []bool) string {
	var b strings.Builder
	for _, q := range quoted {
		if q {
			b.WriteRune(quotedMark)
		} else {
			b.WriteByte(' ')
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// top returns the sentences with the most attention, in descending order, ties by
// position; none without attention.
func top(attention []float64) []int {
	var order []int
	for k, a := range attention {
		if a > 0 {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(attention[b], attention[a]) })
	return order[:min(strongest, len(order))]
}

type explanationJSON struct {
	ID         json.RawMessage         `json:"id,omitempty"`
	Text       string                  `json:"text"`
	Method     string                  `json:"method"`
	Weights    string                  `json:"weights,omitempty"`
	OverBudget bool                    `json:"overBudget"`
	Sentences  []batch.Sentence        `json:"sentences"`
	Documents  []explainedDocumentJSON `json:"documents"`

	Disagreements []batch.Disagreement `json:"disagreements"`
}

type explainedDocumentJSON struct {
	batch.Document
	// Spans are all sentences of the document.
	Spans []spanJSON `json:"spans"`
}

type spanJSON struct {
	Text      string  `json:"text"`
	Start     int     `json:"start"` // UTF-16 units
	End       int     `json:"end"`
	Attention float64 `json:"attention"`
	Quoted    bool    `json:"quoted"`
}

// WriteExplanationJSON writes the output of [WriteJSON] plus all sentences of each
// document with their attention, on one line.
func WriteExplanationJSON(w io.Writer, id json.RawMessage, e Explanation) error {
	s := batch.NewSummary(id, e.Summary, e.Cluster.Documents, true)
	out := explanationJSON{
		ID: s.ID, Text: s.Text, Method: s.Method, Weights: e.Weights, OverBudget: s.OverBudget,
		Sentences: s.Sentences, Documents: make([]explainedDocumentJSON, len(s.Documents)), Disagreements: s.Disagreements,
	}
	for i, d := range s.Documents {
		quoted := e.quoted(i)
		spans := make([]spanJSON, len(quoted))
		for k, sentence := range e.Cluster.Documents[i].Sentences {
			spans[k] = spanJSON{sentence.Text, sentence.StartUTF16, sentence.EndUTF16, (*d.Attention)[k], quoted[k]}
		}
		out.Documents[i] = explainedDocumentJSON{d, spans}
	}
	return writeLine(w, out)
}
