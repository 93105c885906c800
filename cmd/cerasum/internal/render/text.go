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
		d := s.Documents[i]
		b.WriteString(t.Paint(terminal.Cyan, mark(i)) + " " + title(d) + t.Paint(terminal.Dim, " ("+share(d)+")") + "\n")
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

// mark is how a document is referred to.
func mark(document int) string { return fmt.Sprintf("[%d]", document+1) }
