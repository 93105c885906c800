package ingest

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/cerasum/cerasum/core/cluster"
)

// markName is the attribute that names the kind of an element's text: classes and
// ids are gone when readability has found the article.
const markName = "data-block"

// Classes that the programs of many sites share.
var (
	// encyclopedia is what an encyclopedia's pages have besides the article.
	encyclopedia = regexp.MustCompile(`^(?:infobox.*|navbox.*|vertical-navbox|sidebar|reflist|references|mw-references.*|toc|mw-editsection|catlinks|ambox.*|hatnote|noprint)$`)
	// unseen is text for programs that read a page aloud: it repeats what is shown.
	unseen     = regexp.MustCompile(`^(?:sr-only|screen-reader-(?:text|only|response)|visually-?hidden|assistive-text)$`)
	references = regexp.MustCompile(`^(?:bibliography|footnotes?|endnotes?|citations?|refs?-?list)$`)
	raised     = regexp.MustCompile(`^(?:reference|footnote.*)$`)
	captions   = regexp.MustCompile(`caption|^credit$|photo-?credit|image-?credit`)
	metadata   = regexp.MustCompile(`^(?:by-?line|date-?line|time-?stamp|pub-?date|published|author|post-?meta|entry-?meta|article-?meta|meta|tags?)$`)
	navigation = regexp.MustCompile(`^(?:share|sharing|social|related|newsletter|subscribe|breadcrumbs?|pagination|pager|menu|nav)(?:[-_].*)?$`)
)

// The most characters of elements that these classes name: more is content.
const (
	maxCaption    = 400
	maxMetadata   = 200
	maxNavigation = 600
)

// markBlocks removes from a page what is not running text, footnote marks and what
// an encyclopedia has besides its articles, and marks elements whose kind shows in
// their class, their role or their links.
func markBlocks(root *html.Node) {
	targets := map[string]bool{}
	var drop []*html.Node
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if target, ok := footnoteMark(n); ok {
			if target != "" {
				targets[target] = true
			}
			drop = append(drop, n)
		} else if (named(n, encyclopedia) || named(n, unseen)) && n.Data != "body" && n.Data != "html" {
			drop = append(drop, n)
		}
	}
	for _, n := range drop {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode || attr(n, markName) != "" {
			continue
		}
		if id := attr(n, "id"); targets[id] || n.Data == "a" && targets[attr(n, "name")] && attr(n, "name") != "" {
			if note := noteOf(n); note != nil {
				mark(note, cluster.Reference)
			}
		}
		if kind := markOf(n); kind != cluster.Paragraph {
			mark(n, kind)
		}
	}
}

func mark(n *html.Node, kind cluster.Kind) {
	name := html.Attribute{Key: markName, Val: kind.String()}
	n.Attr = append(n.Attr, name)
	if n.Data != "div" && n.Data != "section" || hasBlock(n) {
		return
	}
	// Readability replaces such an element with a paragraph of its own.
	span := &html.Node{Type: html.ElementNode, Data: "span", DataAtom: atom.Span, Attr: []html.Attribute{name}}
	for c := n.FirstChild; c != nil; c = n.FirstChild {
		n.RemoveChild(c)
		span.AppendChild(c)
	}
	n.AppendChild(span)
}

func hasBlock(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && boundary[d.Data] {
			return true
		}
	}
	return false
}

// markOf returns the kind of an element's text as far as its attributes and its
// links tell.
func markOf(n *html.Node) cluster.Kind {
	short := func(most int) bool { return shorter(n, most) }
	switch role := attr(n, "role"); {
	case role == "navigation" || role == "menu" || role == "menubar" || role == "tablist" || role == "toolbar" || role == "search":
		return cluster.Navigation
	case role == "doc-endnotes" || role == "doc-footnote" || role == "doc-bibliography":
		return cluster.Reference
	case role == "heading" && short(maxMetadata):
		return cluster.Heading
	case n.Data == "body" || n.Data == "html" || n.Data == "article" || n.Data == "main" || n.Data == "pre" || headings[n.Data]:
		return cluster.Paragraph
	case (n.Data == "ul" || n.Data == "ol" || n.Data == "dl") && isMenu(n):
		return cluster.Navigation
	case named(n, references):
		return cluster.Reference
	case n.Data == "figure" && isPicture(n), named(n, captions) && short(maxCaption):
		return cluster.Caption
	case n.Data == "a":
		return cluster.Paragraph
	case (n.Data == "address" || strings.Contains(attr(n, "rel"), "author") || named(n, metadata) || dated(n)) && boundary[n.Data] && short(maxMetadata):
		return cluster.Metadata
	case named(n, navigation) && boundary[n.Data] && short(maxNavigation):
		return cluster.Navigation
	}
	return cluster.Paragraph
}

// named reports whether a class or the id of an element matches.
func named(n *html.Node, pattern *regexp.Regexp) bool {
	for _, name := range strings.Fields(attr(n, "class") + " " + attr(n, "id")) {
		if pattern.MatchString(strings.ToLower(name)) {
			return true
		}
	}
	return false
}

func dated(n *html.Node) bool {
	p := attr(n, "itemprop")
	return p == "author" || p == "datePublished" || p == "dateModified"
}

// shorter reports whether an element has at most so many characters.
func shorter(n *html.Node, most int) bool {
	length := 0
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			if length += utf8.RuneCountInString(strings.Join(strings.Fields(d.Data), " ")); length > most {
				return false
			}
		}
	}
	return true
}

// isPicture reports whether a figure's text is about a picture: it holds no table,
// code or quotation.
func isPicture(n *html.Node) bool {
	for d := range n.Descendants() {
		switch d.Data {
		case "table", "pre", "blockquote", "code":
			return false
		}
	}
	return shorter(n, maxNavigation)
}

// Longer lists, and lists with longer items, are no menus.
const (
	maxMenu = 1000 // elements
	maxItem = 300  // characters
)

// isMenu reports whether a list is a menu: two items or more, of which four fifths
// of the text are links, and no item ends as a sentence.
func isMenu(list *html.Node) bool {
	if count(list, maxMenu) >= maxMenu {
		return false
	}
	items := 0
	for c := range list.ChildNodes() {
		if c.Data != "li" && c.Data != "dd" {
			continue
		}
		if items++; !shorter(c, maxItem) || endsSentence(strings.TrimSpace(contentOf(c))) {
			return false
		}
	}
	linked, all := 0, 0
	for d := range list.Descendants() {
		switch {
		case d.Type == html.ElementNode && d.Data == "a" && attr(d, "href") != "":
			linked += solid(d)
		case d.Type == html.TextNode:
			all += solid(d)
		}
	}
	return items > 1 && 5*linked >= 4*all && all > 0
}

// solid counts the characters of a tree without white space.
func solid(n *html.Node) int {
	return utf8.RuneCountInString(strings.Join(strings.Fields(contentOf(n)), ""))
}

// maxMark is the number of characters of a footnote mark without brackets.
const maxMark = 4

// footnoteMark reports whether an element is a footnote mark, and returns the id of
// the note: a superscript in brackets, or a link to a place in the page that is in
// brackets or raised.
func footnoteMark(n *html.Node) (target string, ok bool) {
	switch n.Data {
	case "sup":
		text := oneLine(contentOf(n))
		for d := range n.Descendants() {
			if href := attr(d, "href"); d.Data == "a" && len(href) > 1 && href[0] == '#' && utf8.RuneCountInString(text) <= maxMark {
				return href[1:], true
			}
			if href := attr(d, "href"); d.Data == "a" && len(href) > 1 && href[0] == '#' && bracketed(text) {
				return href[1:], true
			}
		}
		return "", bracketed(text) || named(n, raised)
	case "a":
		href := attr(n, "href")
		if attr(n, "role") == "doc-backlink" {
			return "", true
		}
		return strings.TrimPrefix(href, "#"), len(href) > 1 && href[0] == '#' && bracketed(oneLine(contentOf(n)))
	}
	return "", false
}

// bracketed reports text like [12], [a] and [citation needed].
func bracketed(s string) bool {
	return len(s) > 2 && utf8.RuneCountInString(s) <= 40 && s[0] == '[' && s[len(s)-1] == ']' && !strings.ContainsAny(s[1:len(s)-1], "[]")
}

// noteOf returns the element of a note: the list item, paragraph or row of the
// element to which its mark links.
func noteOf(n *html.Node) *html.Node {
	for p, depth := n, 0; p != nil && depth < 4; p, depth = p.Parent, depth+1 {
		switch p.Data {
		case "li", "dd", "p", "tr", "aside":
			return p
		case "div":
			if p == n && shorter(p, 2000) {
				return p
			}
		case "body", "article", "section", "main":
			return nil
		}
	}
	return nil
}
