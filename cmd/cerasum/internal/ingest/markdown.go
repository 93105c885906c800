package ingest

import (
	"bufio"
	"fmt"
	"html"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	mdhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

// maxNesting limits the quotations and lists that begin on one line: the parser
// takes time quadratic in their number.
const maxNesting = 256

// proseOf returns the first heading and the prose of Markdown, without the title,
// front matter, code blocks, images and raw tags; links become their text, and
// other headings and list items get their own line.
func proseOf(source string) extracted {
	source = withoutFrontMatter(source)
	for line := range strings.Lines(source) {
		if nesting(line) > maxNesting {
			return extracted{text: source, warning: fmt.Sprintf("more than %d quotations or lists nested on a line: read as plain text", maxNesting)}
		}
	}
	src := []byte(source)
	w := &markdownWriter{src: src}
	w.children(markdownParser().Parse(text.NewReader(src)))
	return extracted{title: w.title, text: w.out.String()}
}

// nesting counts the quotation and list markers at the start of a line.
func nesting(line string) int {
	n := 0
	for i := range len(line) {
		switch c := line[i]; {
		case c == '>', (c == '-' || c == '*' || c == '+') && i+1 < len(line) && line[i+1] == ' ':
			n++
		case c != ' ' && c != '\t':
			return n
		}
	}
	return n
}

func markdownParser() parser.Parser {
	return goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList)).Parser()
}

// withoutFrontMatter drops a leading block between two lines of --- (YAML) or +++
// (TOML).
func withoutFrontMatter(s string) string {
	for _, fence := range []string{"---", "+++"} {
		first, rest, ok := strings.Cut(s, "\n")
		if !ok || strings.TrimRight(first, " \t\r") != fence {
			continue
		}
		for len(rest) > 0 {
			line, after, _ := strings.Cut(rest, "\n")
			line = strings.TrimRight(line, " \t\r")
			if line == fence || fence == "---" && line == "..." {
				return after
			}
			rest = after
		}
	}
	return s
}

// isTitle reports whether a heading is of level one, comes first and is followed
// by something.
func isTitle(n *ast.Heading) bool {
	_, top := n.Parent().(*ast.Document)
	return top && n.Level == 1 && n.PreviousSibling() == nil && n.NextSibling() != nil
}

type markdownWriter struct {
	src   []byte
	title string
	out   prose
}

func (w *markdownWriter) children(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.node(c)
	}
}

// block writes the children between line breaks.
func (w *markdownWriter) block(n ast.Node, breaks int) {
	w.out.newline(breaks)
	w.children(n)
	w.out.newline(breaks)
}

func (w *markdownWriter) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.FencedCodeBlock, *ast.CodeBlock, *ast.ThematicBreak, *extast.FootnoteBacklink:
		w.out.newline(2)
	case *ast.Image, *extast.TaskCheckBox, *extast.FootnoteLink:
	case *ast.RawHTML:
		if tag := strings.ToLower(string(n.Segments.Value(w.src))); strings.HasPrefix(tag, "<br") {
			w.out.newline(1)
		}
	case *ast.HTMLBlock:
		w.out.newline(2)
		raw := string(n.Lines().Value(w.src))
		if n.HasClosure() {
			raw += string(n.ClosureLine.Value(w.src))
		}
		_, seen := visibleTokens(raw)
		w.out.preformatted(seen)
		w.out.newline(2)
	case *ast.Heading:
		inner := markdownWriter{src: w.src}
		inner.children(n)
		heading := strings.TrimSpace(inner.out.String())
		if w.title == "" {
			w.title = oneLine(heading)
		}
		w.out.newline(2)
		if isTitle(n) {
			break // titles are not quoted, as in the web page
		}
		w.out.preformatted(heading)
		w.out.newline(2)
	case *ast.ListItem, *ast.TextBlock, *extast.TableRow, *extast.TableHeader, *extast.DefinitionTerm, *extast.DefinitionDescription, *extast.Footnote:
		w.block(n, 1)
	case *extast.TableCell:
		w.out.gap("\t")
		w.children(n)
	case *ast.Text:
		w.out.text(w.plain(n))
		if n.HardLineBreak() {
			w.out.newline(1)
		} else if n.SoftLineBreak() {
			w.out.gap(" ")
		}
	case *ast.String:
		w.out.text(string(n.Value))
	case *ast.AutoLink:
		w.out.text(string(n.Label(w.src)))
	case *ast.List:
		breaks := 2
		if n.Parent().Kind() == ast.KindListItem {
			breaks = 1
		}
		w.block(n, breaks)
	default:
		if n.Type() == ast.TypeBlock {
			w.block(n, 2)
		} else {
			w.children(n)
		}
	}
}

// plain resolves the escapes and entities of a piece of text via HTML, so that an
// escaped ampersand does not start an entity.
func (w *markdownWriter) plain(n *ast.Text) string {
	value := n.Segment.Value(w.src)
	if n.IsRaw() {
		return string(value)
	}
	var b strings.Builder
	buffered := bufio.NewWriter(&b)
	mdhtml.DefaultWriter.Write(buffered, value)
	// A strings.Builder never fails.
	_ = buffered.Flush()
	return html.UnescapeString(b.String())
}
