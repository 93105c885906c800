package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/cerasum/cerasum/core"
)

// WriteMarkdown writes the quoted sentences as block quotes that link to their
// sources, what the sources disagree about, and the list of sources.
func WriteMarkdown(w io.Writer, heading string, s *core.Summary) error {
	var b strings.Builder
	b.WriteString("# Summary")
	if heading != "" {
		b.WriteString(": " + escapeMarkdown(terminal.Safe(heading)))
	}
	b.WriteString("\n\n")
	for _, q := range s.Sentences {
		mark := fmt.Sprintf(`\[%d\]`, q.Document+1)
		if t := quoteTarget(s.Documents[q.Document].Source, q.Sentence); t != "" {
			mark = link(mark, t)
		}
		b.WriteString("> " + escapeMarkdown(terminal.Safe(q.Text)) + " " + mark + "\n\n")
	}
	if len(s.Disagreements) > 0 {
		b.WriteString("## " + disagreementsHead + "\n\n")
		for _, d := range s.Disagreements {
			b.WriteString("- " + disagreementLine(d, escapeMarkdown, func(document int) string {
				mark := fmt.Sprintf(`\[%d\]`, document+1)
				if t := target(s.Documents[document].Source); t != "" {
					mark = link(mark, t)
				}
				return mark
			}) + "\n")
		}
		b.WriteString("\n")
	}
	b.WriteString("## Sources\n\n")
	show, left := listed(s)
	for _, i := range show {
		d := s.Documents[i]
		title := escapeMarkdown(name(d))
		if t := target(d.Source); t != "" {
			title = link(title, t)
		}
		fmt.Fprintf(&b, "- \\[%d\\] %s (%s)\n", i+1, title, share(d))
	}
	if left > 0 {
		b.WriteString("- " + rest(left) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// link writes a link whose address may contain spaces and brackets.
func link(text, target string) string {
	return "[" + text + "](<" + strings.NewReplacer("<", "%3C", ">", "%3E", "\n", "%0A").Replace(target) + ">)"
}

// escapeMarkdown escapes a line so that it is displayed literally.
func escapeMarkdown(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch r {
		case '\\', '`', '*', '_', '[', ']', '<', '>', '&', '~', '|', '$':
			b.WriteByte('\\')
		case '#', '+', '-', '=':
			if i == 0 {
				b.WriteByte('\\')
			}
		case '.', ')':
			if digits(s[:i]) {
				b.WriteByte('\\') // "1." would start a list
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
