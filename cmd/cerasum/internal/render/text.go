package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/cerasum/cerasum/core"
)

// WriteText writes the quoted sentences, wrapped, each with the number of its
// source, and the list of sources. A non-empty heading comes first.
func WriteText(w io.Writer, t terminal.Terminal, heading string, s *core.Summary) error {
	var b strings.Builder
	if heading != "" {
		b.WriteString(t.Paint(terminal.Bold, "== "+terminal.Safe(heading)+" ==") + "\n\n")
	}
	writeQuotes(&b, t, s)
	b.WriteString("\n" + t.Paint(terminal.Bold, "Sources") + "\n")
	show, left := listed(s)
	for _, i := range show {
		d := s.Documents[i]
		mark := fmt.Sprintf("[%d]", i+1)
		b.WriteString(t.Paint(terminal.Cyan, mark) + " " + title(d) + t.Paint(terminal.Dim, " ("+share(d)+")") + "\n")
	}
	if left > 0 {
		b.WriteString(t.Paint(terminal.Dim, rest(left)) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeQuotes writes the quoted sentences, wrapped, each with the number of its
// source.
func writeQuotes(b *strings.Builder, t terminal.Terminal, s *core.Summary) {
	for _, q := range s.Sentences {
		mark := fmt.Sprintf("[%d]", q.Document+1)
		lines := terminal.Wrap(terminal.Safe(q.Text)+" "+mark, t.Width)
		last := len(lines) - 1
		lines[last] = strings.TrimSuffix(lines[last], mark) + t.Paint(terminal.Cyan, mark)
		b.WriteString(strings.Join(lines, "\n") + "\n")
	}
}

// title returns the name of a document and, if different, its source.
func title(d core.DocumentReport) string {
	line := name(d)
	if src := terminal.Safe(d.Source); src != line && src != "-" && src != "" {
		line += " <" + src + ">"
	}
	return line
}
