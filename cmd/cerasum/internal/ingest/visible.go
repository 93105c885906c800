package ingest

import (
	"strings"

	"golang.org/x/net/html"
)

// prose assembles extracted text: white space collapsed as in a browser, blocks on
// their own lines, paragraphs separated by a blank line.
type prose struct {
	b      strings.Builder
	breaks int    // newlines pending before the next word
	space  string // white space pending before the next word
}

// text adds inline text.
func (p *prose) text(s string) {
	for len(s) > 0 {
		i := strings.IndexFunc(s, collapses)
		if i == 0 {
			p.gap(" ")
			s = strings.TrimLeftFunc(s, collapses)
			continue
		}
		if i < 0 {
			i = len(s)
		}
		p.word(s[:i])
		s = s[i:]
	}
}

// collapses reports collapsible white space, which excludes the no-break space.
func collapses(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f' }

func (p *prose) word(w string) {
	// A soft hyphen only marks a possible line break and would prevent word
	// matches.
	w = strings.ReplaceAll(w, "\u00ad", "")
	if w == "" {
		return
	}
	if p.b.Len() > 0 {
		if p.breaks > 0 {
			p.b.WriteString("\n\n"[:p.breaks])
		} else {
			p.b.WriteString(p.space)
		}
	}
	p.breaks, p.space = 0, ""
	p.b.WriteString(w)
}

// gap requests white space before the next word on this line.
func (p *prose) gap(s string) {
	if p.space != "\t" {
		p.space = s
	}
}

// newline requests at least n line breaks, 1 or 2, before the next word.
func (p *prose) newline(n int) { p.breaks = max(p.breaks, n) }

// preformatted adds text whose line breaks are significant.
func (p *prose) preformatted(s string) {
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			p.newline(1)
		}
		p.text(line)
	}
}

func (p *prose) String() string {
	if p.b.Len() == 0 {
		return ""
	}
	return p.b.String() + "\n"
}

// silent are elements whose content is not part of the visible text.
var silent = map[string]bool{
	"head": true, "title": true, "script": true, "style": true, "noscript": true, "template": true,
	"iframe": true, "object": true, "embed": true, "audio": true, "video": true, "canvas": true,
	"svg": true, "math": true, "map": true, "nav": true,
	"button": true, "select": true, "textarea": true, "datalist": true,
}

// newlines breaks the line where an element starts or ends.
func (p *prose) newlines(tag string) {
	switch tag {
	case "p", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "pre", "hr",
		"article", "section", "main", "aside", "nav", "header", "footer":
		p.newline(2)
	case "div", "figure", "figcaption", "li", "dt", "dd", "address", "details", "summary", "dialog",
		"form", "fieldset", "legend", "caption", "thead", "tbody", "tfoot", "tr", "br", "option":
		p.newline(1)
	case "td", "th":
		p.gap("\t")
	}
}

// node traverses a tree, whose depth html.Parse limits.
func (p *prose) node(n *html.Node, pre bool) {
	switch n.Type {
	case html.TextNode:
		if pre {
			p.preformatted(n.Data)
		} else {
			p.text(n.Data)
		}
		return
	case html.ElementNode:
		if silent[n.Data] || isHidden(n.Attr) {
			return
		}
		pre = pre || n.Data == "pre"
		p.newlines(n.Data)
		defer p.newlines(n.Data)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		p.node(c, pre)
	}
}

func isHidden(attrs []html.Attribute) bool {
	for _, a := range attrs {
		switch a.Key {
		case "hidden":
			return true
		case "aria-hidden":
			if a.Val == "true" {
				return true
			}
		}
	}
	return false
}
