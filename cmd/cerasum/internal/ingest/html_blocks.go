package ingest

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/cerasum/cerasum/core/cluster"
)

// walker collects the blocks of a tree. web/common/read/blocks.ts does the same;
// testdata/blocks holds them together.
type walker struct {
	parts []part

	line   strings.Builder
	space  string // white space before the next word
	breaks int    // line breaks before the next word
	linked int    // bytes of line that are links
	coded  int    // bytes of line that are code
	timed  int    // bytes of line that are times
}

// place is what the ancestors of a text say about it.
type place struct {
	kind cluster.Kind
	// fixed means that elements inside do not change the kind.
	fixed bool
	// row means that the blocks inside are cells of a row.
	row bool
	// data means that the rows inside are of a table of data.
	data                  bool
	pre, link, code, time bool
}

// blocksOf returns the blocks of a tree that [markBlocks] has seen.
func blocksOf(n *html.Node) []part {
	var w walker
	w.node(n, place{})
	w.flush(place{})
	return w.parts
}

func (w *walker) node(n *html.Node, c place) {
	switch n.Type {
	case html.TextNode:
		w.text(n.Data, c)
		return
	case html.ElementNode:
		if silent[n.Data] || isHidden(n.Attr) {
			return
		}
		outer := c
		switch tag := n.Data; {
		case tag == "br" || tag == "hr" && c.row:
			w.lineBreak(c)
			return
		case (tag == "td" || tag == "th") && c.row:
			if w.line.Len() > 0 {
				w.space = "\t"
			}
		case boundary[tag] && c.row:
			w.gap()
			defer w.gap()
		case boundary[tag] && c.pre:
			lines := 1
			if tag == "p" {
				lines = 2
			}
			w.breaks = max(w.breaks, lines)
			defer func() { w.breaks = max(w.breaks, lines) }()
		case boundary[tag]:
			w.flush(c)
			c = enter(n, c)
			defer func() { w.flush(c) }()
		default:
			c = enter(n, c)
			if c.kind != outer.kind {
				w.flush(outer)
				defer func() { w.flush(c) }()
			}
		}
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		w.node(child, c)
	}
}

// boundary are the elements that begin and end a block.
var boundary = set(`address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption
	figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main ol option p pre section summary table tbody td
	tfoot th thead tr ul`)

func set(names string) map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(names) {
		m[name] = true
	}
	return m
}

// text adds a text node.
func (w *walker) text(s string, c place) {
	if c.pre {
		for i, line := range strings.Split(s, "\n") {
			if i > 0 {
				w.breaks++
				w.space = ""
			}
			shown := strings.TrimRight(line, " \t\r")
			w.word(shown, c)
			w.space += line[len(shown):]
		}
		return
	}
	for len(s) > 0 {
		i := strings.IndexFunc(s, collapses)
		if i == 0 {
			w.gap()
			s = strings.TrimLeftFunc(s, collapses)
			continue
		}
		if i < 0 {
			i = len(s)
		}
		w.word(s[:i], c)
		s = s[i:]
	}
}

func (w *walker) gap() {
	if w.space == "" {
		w.space = " "
	}
}

// lineBreak is a <br>: two of them are a paragraph.
func (w *walker) lineBreak(c place) {
	if c.row {
		w.gap()
		return
	}
	if w.breaks++; w.breaks > 1 && !c.pre {
		w.flush(c)
	}
}

func (w *walker) word(s string, c place) {
	// A soft hyphen only marks a possible line break and would prevent word matches.
	s = strings.ReplaceAll(s, "\u00ad", "")
	if s == "" {
		return
	}
	before := w.line.Len()
	if before > 0 {
		w.line.WriteString(strings.Repeat("\n", min(w.breaks, 2)))
		if w.breaks == 0 || c.pre {
			w.line.WriteString(w.space)
		}
	}
	w.breaks, w.space = 0, ""
	w.line.WriteString(s)
	n := w.line.Len() - before
	if c.link {
		w.linked += n
	}
	if c.code {
		w.coded += n
	}
	if c.time {
		w.timed += n
	}
}

// flush ends a block.
func (w *walker) flush(c place) {
	text := strings.TrimRight(w.line.String(), " \t\n")
	if !c.pre {
		text = strings.TrimSpace(text)
	}
	linked, coded, timed := w.linked, w.coded, w.timed
	w.line.Reset()
	w.space, w.breaks, w.linked, w.coded, w.timed = "", 0, 0, 0, 0
	if isBlank(text) {
		return
	}
	kind := c.kind
	if !c.fixed {
		switch {
		case coded >= len(text):
			kind = cluster.Code
		case timed >= len(text):
			kind = cluster.Metadata
		case linked >= len(text) && !endsSentence(text):
			kind = cluster.Navigation
		case kind == cluster.Paragraph || kind == cluster.ListItem:
			kind = kindOfText(text, kind)
		}
	}
	if kind == cluster.Code && c.pre && looksLikeProse(text) {
		for _, b := range plainBlocks(text) {
			w.parts = append(w.parts, part{b.Kind, text[b.Start:b.End]})
		}
		return
	}
	w.parts = append(w.parts, part{kind, text})
}

// enter returns the place inside of an element.
func enter(n *html.Node, c place) place {
	switch n.Data {
	case "a":
		c.link = c.link || attr(n, "href") != ""
	case "code", "samp", "kbd", "tt":
		c.code = true
	case "time":
		c.time = true
	}
	if c.fixed {
		return c
	}
	if kind, ok := cluster.ParseKind(attr(n, markName)); ok {
		c.kind, c.fixed = kind, true
		c.pre = n.Data == "pre"
		return c
	}
	switch n.Data {
	case "pre":
		c.kind, c.fixed, c.pre = cluster.Code, true, true
	case "figcaption", "caption":
		c.kind, c.fixed = cluster.Caption, true
	case "h1", "h2", "h3", "h4", "h5", "h6":
		c.kind, c.fixed = cluster.Heading, true
	case "blockquote":
		c.kind = cluster.BlockQuotation
	case "li", "dt", "dd":
		c.kind = cluster.ListItem
		if holdsParagraphs(n) {
			c.kind = cluster.Paragraph
		}
	case "table":
		c.data = isData(n)
	case "tr":
		if c.data {
			c.kind, c.fixed, c.row = cluster.TableRow, true, true
		}
	}
	return c
}

// holdsParagraphs reports whether a list item is a section: it has a heading or two
// paragraphs.
func holdsParagraphs(n *html.Node) bool {
	paragraphs := 0
	for d := range n.Descendants() {
		switch {
		case d.Type != html.ElementNode:
		case d.Data == "p":
			paragraphs++
		case headings[d.Data]:
			return true
		}
	}
	return paragraphs > 1
}

var headings = set("h1 h2 h3 h4 h5 h6")

// blocksInCells are elements that a table of data does not have in its cells, unless they
// are short.
var blocksInCells = set("p ul ol dl pre blockquote h1 h2 h3 h4 h5 h6 div figure")

const (
	// longCell is the mean number of characters of the cells from which those with
	// blocks are a layout.
	longCell = 80
	// longestCell is the number of characters from which a cell of a table without
	// headers is one.
	longestCell = 300
)

// isData reports whether a table holds data. Others lay out a page: their cells
// hold its blocks.
func isData(table *html.Node) bool {
	if role := attr(table, "role"); role == "presentation" || role == "none" {
		return false
	}
	for d := range table.Descendants() {
		if d.Data == "table" || d.Data == "pre" {
			return false
		}
	}
	cells, characters, longest, widest := 0, 0, 0, 0
	header, blocks := false, false
	row := map[*html.Node]int{}
	for d := range table.Descendants() {
		if d.Type != html.ElementNode {
			continue
		}
		switch {
		case d.Data == "th" || d.Data == "td":
			header = header || d.Data == "th"
			n := utf8.RuneCountInString(oneLine(contentOf(d)))
			cells++
			characters += n
			longest = max(longest, n)
			row[d.Parent]++
			widest = max(widest, row[d.Parent])
		case blocksInCells[d.Data]:
			blocks = true
		}
	}
	switch {
	case widest < 2:
		return false
	case blocks && characters > longCell*cells:
		return false
	}
	return header || longest < longestCell
}

// contentOf returns the text of a tree, as it is in the page.
func contentOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// attr returns an attribute, empty if there is none.
func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
