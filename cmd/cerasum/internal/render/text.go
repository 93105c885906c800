package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/cerasum/cerasum/core"
)

// WriteText writes the quoted sentences, each with the number of its source, what
// the sources disagree about, and the list of sources. A non-empty heading comes
// first. Lines are wrapped in a terminal.
func WriteText(w io.Writer, t terminal.Terminal, heading string, s *core.Summary) error {
	var b strings.Builder
	if heading != "" {
		b.WriteString(t.Paint(terminal.Bold, "== "+terminal.Safe(heading)+" ==") + "\n\n")
	}
	writeQuotes(&b, t, s)
	writeDisagreements(&b, t, s)
	b.WriteString("\n" + t.Paint(terminal.Bold, "Sources") + "\n")
	show, left := listed(s)
	for _, i := range show {
		writeSource(&b, t, i, s.Documents[i])
	}
	if left > 0 {
		b.WriteString(t.Paint(terminal.Dim, rest(left)) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeQuotes writes the quoted sentences, wrapped in a terminal, each with the
// number of its source, which does not begin a line.
func writeQuotes(b *strings.Builder, t terminal.Terminal, s *core.Summary) {
	for _, q := range s.Sentences {
		from := mark(q.Document)
		lines := t.Lines(terminal.Safe(q.Text)+terminal.Glue+from, 0)
		last := len(lines) - 1
		lines[last] = strings.TrimSuffix(lines[last], from) + t.Paint(terminal.Cyan, from)
		b.WriteString(strings.Join(lines, "\n") + "\n")
	}
}

// writeSource writes a line of the list of sources, wrapped in a terminal. Further
// lines are indented, so that nothing in a title looks like the number of a source.
func writeSource(b *strings.Builder, t terminal.Terminal, i int, d core.DocumentReport) {
	indent := len(mark(i)) + 1
	quoted := "(" + share(d) + ")"
	lines := t.Lines(title(d)+" "+strings.ReplaceAll(quoted, " %", terminal.Glue+"%"), indent)
	// The share is dim, on however many lines it is.
	for k := len(lines) - 1; quoted != ""; k-- {
		before, on := strings.CutSuffix(quoted, lines[k])
		if !on {
			lines[k] = strings.TrimSuffix(lines[k], quoted) + t.Paint(terminal.Dim, quoted)
			break
		}
		lines[k], quoted = t.Paint(terminal.Dim, lines[k]), strings.TrimSpace(before)
	}
	b.WriteString(t.Paint(terminal.Cyan, mark(i)) + " " + strings.Join(lines, "\n"+strings.Repeat(" ", indent)) + "\n")
}

// mark is how a document is referred to.
func mark(document int) string { return fmt.Sprintf("[%d]", document+1) }
