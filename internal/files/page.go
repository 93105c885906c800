package files

import (
	"html"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/core/cluster"
)

// page builds the HTML of a document from its paragraphs.
type page struct {
	out   []byte
	notes []byte // footnotes, which come last
	list  bool   // in a list
	// title is the first paragraph with the style of titles, heading the first heading.
	title, heading string
}

// style is what a paragraph is: a kind of block, and the level of headings from 1.
// Listed without a kind is an item of a list.
type style struct {
	kind  cluster.Kind
	level int
	title bool
}

// letters are the content of a paragraph as HTML, in which adjacent letters that look
// alike are one element.
type letters struct {
	strings.Builder
	css string // of the element that is open; empty for none
}

// letters adds letters with the declarations of their look.
func (l *letters) letters(s, css string) {
	if css != l.css {
		if l.css != "" {
			l.WriteString("</span>")
		}
		if l.css = css; css != "" {
			l.WriteString(`<span style="` + css + `">`)
		}
	}
	l.WriteString(escape(s))
}

// end returns the content, and begins another paragraph.
func (l *letters) end() string {
	if l.css != "" {
		l.WriteString("</span>")
	}
	content := l.String()
	l.Reset()
	l.css = ""
	return content
}

func (p *page) raw(s string) { p.out = append(p.out, s...) }

// open and close end a list.
func (p *page) open(tag string) {
	p.endList()
	p.raw("<" + tag + ">")
}

func (p *page) close(tag string) {
	p.endList()
	p.raw("</" + tag + ">")
}

func (p *page) endList() {
	if p.list {
		p.raw("</ul>")
	}
	p.list = false
}

// paragraph adds a paragraph, whose content is HTML.
func (p *page) paragraph(s style, content string) {
	if strings.TrimSpace(content) == "" {
		return
	}
	if item := bullet.FindStringSubmatch(content); item != nil && s.kind == cluster.Paragraph {
		s.kind, content = cluster.ListItem, content[len(item[0]):]
		if item[2] == "" {
			content = item[1] + content // the element goes on after the mark
		}
	}
	if s.kind != cluster.ListItem {
		p.endList()
	}
	switch s.kind {
	case cluster.Paragraph:
		p.raw("<p>" + content + "</p>")
	case cluster.Heading:
		if plain := plainOf(visible(content)); s.title && p.title == "" {
			p.title = plain
		} else if p.heading == "" {
			p.heading = plain
		}
		tag := "h" + strconv.Itoa(min(max(s.level, 1), 6))
		p.raw("<" + tag + ">" + content + "</" + tag + ">")
	case cluster.ListItem:
		if !p.list {
			p.raw("<ul>")
		}
		p.list = true
		p.raw("<li>" + content + "</li>")
	case cluster.BlockQuotation:
		p.raw("<blockquote>" + content + "</blockquote>")
	case cluster.Code:
		p.raw("<pre>" + content + "</pre>")
	default:
		p.raw(`<p data-block="` + s.kind.String() + `">` + content + "</p>")
	}
	p.raw("\n")
}

// bullet is the mark of an item that is written as text.
var bullet = regexp.MustCompile(`^(<span [^>]*>)?\s*[•‣◦▪■●○▶►➢✓·](</span>)?\s+`)

// note adds a footnote, whose content is HTML.
func (p *page) note(content string) {
	if strings.TrimSpace(content) != "" {
		p.notes = append(p.notes, `<p data-block="reference">`+content+"</p>\n"...)
	}
}

// document returns the document; title is what it states.
func (p *page) document(title, date string) Document {
	p.endList()
	d := Document{Title: title, Date: date}
	for _, other := range []string{p.title, p.heading} {
		if d.Title == "" {
			d.Title = other
		}
	}
	if content := string(p.out) + string(p.notes); strings.TrimSpace(plainOf(content)) != "" {
		d.Pages = []string{content}
	}
	return d
}

var tags = regexp.MustCompile(`<[^>]*>`)

// plainOf returns the text of HTML that a page has made.
func plainOf(s string) string {
	return oneLine(html.UnescapeString(tags.ReplaceAllString(strings.ReplaceAll(s, "<br>", " "), "")))
}

var (
	styled   = regexp.MustCompile(`(?s)<span style="([^"]*)">.*?</span>`)
	stylings = regexp.MustCompile(`(?:^|;)(color|background|font-size):#?([0-9a-fA-F]{6})?`)
)

// visible returns HTML that a page has made without the letters that their look hides.
// Readers of the HTML find these themselves, but not in titles.
func visible(content string) string {
	return styled.ReplaceAllStringFunc(content, func(span string) string {
		is := map[string]string{"background": "ffffff"}
		for _, m := range stylings.FindAllStringSubmatch(styled.FindStringSubmatch(span)[1], -1) {
			is[m[1]] = m[2]
		}
		// A size is only stated if it is too small.
		_, tiny := is["font-size"]
		if tiny || is["color"] != "" && alike(is["color"], is["background"]) {
			return ""
		}
		return span
	})
}

// alike reports whether colours cannot be told apart: all channels are close, and the
// contrast (WCAG 2.2) is low.
func alike(a, b string) bool {
	var light [2]float64
	var apart float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		var channel [2]float64
		for k, color := range []string{a, b} {
			n, _ := strconv.ParseUint(color[2*i:2*i+2], 16, 8)
			channel[k] = float64(n)
			if n <= 10 {
				light[k] += weight * channel[k] / 3294.6
			} else {
				light[k] += weight * math.Pow((channel[k]/255+0.055)/1.055, 2.4)
			}
		}
		apart = max(apart, math.Abs(channel[0]-channel[1]))
	}
	return apart < 40 && (max(light[0], light[1])+0.05)/(min(light[0], light[1])+0.05) < 1.15
}

func escape(s string) string { return html.EscapeString(s) }

var (
	numberedStyle = regexp.MustCompile(`^heading (\d)`)
	contents      = regexp.MustCompile(`^(?:toc|table of figures|index|contents|illustration index|user index|bibliography heading)(?: |$)`)
)

// styleNamed returns the kind of the paragraphs of a style that programs ship, by its
// English name in lower case.
func styleNamed(name string) (style, bool) {
	if m := numberedStyle.FindStringSubmatch(name); m != nil {
		return style{kind: cluster.Heading, level: int(m[1][0] - '0')}, true
	}
	switch name {
	case "title":
		return style{kind: cluster.Heading, level: 1, title: true}, true
	case "subtitle", "heading", "abstract title", "toc heading":
		return style{kind: cluster.Heading, level: 2}, true
	case "caption", "image caption", "table caption", "captioned figure", "illustration", "figure", "table", "drawing":
		return style{kind: cluster.Caption}, true
	case "quote", "intense quote", "block text", "quotations":
		return style{kind: cluster.BlockQuotation}, true
	case "html preformatted", "preformatted text", "source code", "macro text", "macro":
		return style{kind: cluster.Code}, true
	case "footnote", "endnote", "footnote text", "endnote text", "footnote block text", "bibliography", "bibliography 1":
		return style{kind: cluster.Reference}, true
	case "header", "footer", "header left", "header right", "footer left", "footer right", "page number":
		return style{kind: cluster.Navigation}, true
	case "author", "date", "sender", "addressee", "signature", "byline":
		return style{kind: cluster.Metadata}, true
	}
	if contents.MatchString(name) {
		return style{kind: cluster.Navigation}, true
	}
	return style{}, false
}

var written = regexp.MustCompile(`^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?)?)?)?`)

// isoDate returns a date as documents have it, without a time whose zone is unknown;
// empty if s is no date to the day.
func isoDate(s string) string {
	m := written.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil || m[3] == "" {
		return ""
	}
	date := m[1] + "-" + m[2] + "-" + m[3]
	if m[5] != "" {
		date += "T" + m[4] + m[5]
	}
	if !cluster.IsDate(date) {
		return ""
	}
	return date
}

// inline matches the tags of blocks, which footnotes do not have.
var inline = regexp.MustCompile(`</?(?:p|h[1-6]|ul|li|table|tr|td|blockquote|pre)(?: [^>]*)?>\n?`)
