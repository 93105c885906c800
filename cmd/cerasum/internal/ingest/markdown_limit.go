package ingest

import (
	"fmt"
	"strings"
)

// The Markdown parser takes time and memory quadratic in the quotations and lists
// within each other, and in the marks of a paragraph that may begin or end markup.
const (
	maxNesting = 256
	maxMarks   = 4000
)

// limit reports why a source is read as plain text, empty if it is not. Same rules as
// web/demo/src/read/markdown-limit.ts.
func limit(source string) string {
	var o outline
	for line := range strings.Lines(source) {
		o.line(line)
		if len(o.open) > maxNesting {
			return fmt.Sprintf("more than %d quotations or lists nested", maxNesting)
		}
		if o.marks > maxMarks {
			return fmt.Sprintf("more than %d marks in a paragraph", maxMarks)
		}
	}
	return ""
}

// outline follows the blocks of Markdown, line by line, as CommonMark says. Where it
// is less exact, it takes lines for one paragraph.
type outline struct {
	// open are the blocks that hold others: list items, by the columns that their
	// content is indented, and quotations, 0.
	open []int
	// marks are those of the paragraph, heading or table row.
	marks int
	// text: the next line may continue a paragraph.
	text bool
	// table: each line is a row. cells are those of the line before.
	table bool
	cells int
}

func (o *outline) line(line string) {
	s := strings.TrimRight(expanded(line), " \r\n")
	inside := 0
	for ; inside < len(o.open); inside++ {
		rest, ok := content(s, o.open[inside])
		if !ok {
			break
		}
		s = rest
	}
	// Within a paragraph, or after one that a line continues without the markers of
	// its quotation or list.
	all := inside == len(o.open)
	begun := false
	for !isRule(s) {
		rest, width, ok := marker(s, o.text && all && !begun)
		if !ok {
			break
		}
		if !begun {
			o.open, begun = o.open[:inside], true
		}
		if o.open = append(o.open, width); len(o.open) > maxNesting {
			return
		}
		s = rest
	}
	cells := cellsOf(s)
	switch {
	case begun:
		o.marks, o.text, o.table = 0, s != "", false
	case s == "" || isRule(s) || isATX(s):
		o.open, o.marks, o.text, o.table = o.open[:inside], 0, false, false
	case !o.text || o.table && !all:
		o.open, o.marks, o.text, o.table = o.open[:inside], 0, true, false
	case o.table:
		o.marks = 0
	case all && cells == o.cells && isDelimiter(s):
		o.table = true
	}
	o.cells = cells
	for i := range len(s) {
		if strings.IndexByte("*_~[]`<", s[i]) >= 0 {
			o.marks++
		}
	}
}

// expanded returns a line with blanks for its tabs.
func expanded(line string) string {
	if strings.IndexByte(line, '\t') < 0 {
		return line
	}
	var b strings.Builder
	for i := range len(line) {
		if line[i] != '\t' {
			b.WriteByte(line[i])
			continue
		}
		b.WriteString("    "[b.Len()%4:])
	}
	return b.String()
}

// content returns what a line has in an open block.
func content(s string, width int) (string, bool) {
	if width == 0 {
		rest, _, ok := marker(s, true)
		return rest, ok && strings.TrimLeft(s, " ")[0] == '>'
	}
	blanks := len(s) - len(strings.TrimLeft(s, " "))
	if s == "" || blanks < width {
		return s, s == ""
	}
	return s[width:], true
}

// marker cuts the marker of a quotation or list item off a line, and returns its width
// for outline.open. Not all markers interrupt a paragraph.
func marker(s string, interrupts bool) (rest string, width int, ok bool) {
	at := strings.TrimLeft(s, " ")
	indent := len(s) - len(at)
	if at == "" || indent > 3 {
		return "", 0, false
	}
	if at[0] == '>' {
		return strings.TrimPrefix(at[1:], " "), 0, true
	}
	size := 1
	if strings.IndexByte("-+*", at[0]) < 0 {
		for size = 0; size < len(at) && at[size] >= '0' && at[size] <= '9'; size++ {
		}
		if size == 0 || size > 9 || size == len(at) || at[size] != '.' && at[size] != ')' || interrupts && at[:size] != "1" {
			return "", 0, false
		}
		size++
	}
	rest = strings.TrimLeft(at[size:], " ")
	blanks := len(at) - size - len(rest)
	switch {
	case rest == "":
		return "", indent + size + 1, !interrupts
	case blanks == 0:
		return "", 0, false
	case blanks > 4:
		// Indented code.
		blanks = 1
	}
	return at[size+blanks:], indent + size + blanks, true
}

// isRule reports whether a line divides: * * *
func isRule(s string) bool {
	at := strings.ReplaceAll(s, " ", "")
	return len(at) >= 3 && strings.IndexByte("-*_", at[0]) >= 0 && strings.Trim(at, at[:1]) == "" && len(s)-len(strings.TrimLeft(s, " ")) <= 3
}

// isATX reports whether a line is a heading: # A
func isATX(s string) bool {
	at := strings.TrimLeft(s, " ")
	rest := strings.TrimLeft(at, "#")
	hashes := len(at) - len(rest)
	return len(s)-len(at) <= 3 && hashes >= 1 && hashes <= 6 && (rest == "" || rest[0] == ' ')
}

// row returns a line of a table without the bars at its edges.
func row(s string) string {
	s = strings.TrimPrefix(strings.TrimLeft(s, " "), "|")
	if strings.HasSuffix(s, "|") && !strings.HasSuffix(s, `\|`) {
		s = s[:len(s)-1]
	}
	return s
}

// cellsOf counts the cells of a line of a table.
func cellsOf(s string) int {
	s = row(s)
	return 1 + strings.Count(s, "|") - strings.Count(s, `\|`)
}

// isDelimiter reports whether a line divides the head of a table from its rows.
func isDelimiter(s string) bool {
	if strings.IndexByte(s, '|') < 0 {
		return false
	}
	for cell := range strings.SplitSeq(row(s), "|") {
		dashes := strings.TrimSuffix(strings.TrimPrefix(strings.Trim(cell, " "), ":"), ":")
		if dashes == "" || strings.Trim(dashes, "-") != "" {
			return false
		}
	}
	return true
}
