package ingest

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// prose puts extracted text together: white space collapsed as a browser
// does, blocks on lines of their own, paragraphs a blank line apart.
type prose struct {
	b      strings.Builder
	breaks int    // newlines owed before the next word
	space  string // white space owed before the next word
	// article leaves out what stands beside an article's sentences: captions
	// and footnote marks.
	article bool
}

// text adds running text.
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

// collapses tells the white space that runs together; a no-break space does
// not.
func collapses(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f' }

func (p *prose) word(w string) {
	// A soft hyphen only says where a line may break; it is in the way of
	// whoever looks the word up.
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

// gap asks for white space before the next word, if one comes in this line.
func (p *prose) gap(s string) {
	if p.space != "\t" {
		p.space = s
	}
}

// newline asks for at least n line ends, 1 or 2, before the next word.
func (p *prose) newline(n int) { p.breaks = max(p.breaks, n) }

// preformatted adds text whose line ends count.
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

// silent are the elements whose content no reader of the page's prose sees.
var silent = map[string]bool{
	"head": true, "title": true, "script": true, "style": true, "noscript": true, "template": true,
	"iframe": true, "object": true, "embed": true, "audio": true, "video": true, "canvas": true,
	"svg": true, "map": true, "annotation": true, "annotation-xml": true,
	"button": true, "select": true, "textarea": true, "datalist": true,
}

// boundary breaks the line where an element begins or ends.
func (p *prose) boundary(tag string) {
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

// visible is the text that a page shows.
func visible(n *html.Node) string {
	var p prose
	p.node(n, false)
	return p.String()
}

// articleText is the text of an article, without what stands beside it.
func articleText(n *html.Node) string {
	p := prose{article: true}
	p.node(n, false)
	return p.String()
}

// beside tells captions of figures and footnote marks in brackets.
func beside(n *html.Node) bool {
	switch n.Data {
	case "figcaption":
		return true
	case "sup":
		var p prose
		p.node(&html.Node{FirstChild: n.FirstChild}, false)
		mark := oneLine(p.String())
		return strings.HasPrefix(mark, "[") && strings.HasSuffix(mark, "]")
	}
	return false
}

// node walks a tree; html.Parse bounds its depth.
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
		if silent[n.Data] || isHidden(n.Attr) || p.article && beside(n) {
			return
		}
		pre = pre || n.Data == "pre"
		p.boundary(n.Data)
		defer p.boundary(n.Data)
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
		case "style":
			style := strings.Map(func(r rune) rune {
				if unicode.IsSpace(r) {
					return -1
				}
				return unicode.ToLower(r)
			}, a.Val)
			if strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") {
				return true
			}
		}
	}
	return false
}

// visibleTokens is the text of a page too deeply nested to be made a tree of:
// it reads tag after tag, so that any depth takes constant memory. What is
// hidden by an attribute cannot be told apart this way.
func visibleTokens(page string) (title, text string) {
	var p, t prose
	z := html.NewTokenizer(strings.NewReader(page))
	inside, inTitle := "", false // the silent element that is open
	for {
		kind := z.Next()
		switch kind {
		case html.ErrorToken:
			return oneLine(t.String()), p.String()
		case html.TextToken:
			switch {
			case inTitle:
				t.text(string(z.Text()))
			case inside == "":
				p.text(string(z.Text()))
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			raw, _ := z.TagName()
			tag := string(raw)
			inTitle = tag == "title" && kind == html.StartTagToken && t.b.Len() == 0
			switch {
			case inside != "":
				if kind == html.EndTagToken && tag == inside {
					inside = ""
				}
			case kind == html.StartTagToken && silent[tag] && tag != "head" && tag != "embed":
				inside = tag
			default:
				p.boundary(tag)
			}
		}
	}
}
