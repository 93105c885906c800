package ingest

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/legible"
)

var void = set("area base br col embed hr img input link meta param source track wbr")

// nested returns the elements of a page as its tags are nested: an end tag closes the
// nearest element of its name.
func nested(page string) *html.Node {
	root := &html.Node{Type: html.DocumentNode}
	document := &html.Node{Type: html.ElementNode, Data: "html"}
	body := &html.Node{Type: html.ElementNode, Data: "body"}
	root.AppendChild(document)
	document.AppendChild(body)
	top := body
	// How many of each name are open: a search for one that is not would take
	// quadratic time.
	open := map[string]int{}
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return root
		case html.DoctypeToken:
			root.InsertBefore(&html.Node{Type: html.DoctypeNode}, document)
		case html.TextToken:
			top.AppendChild(&html.Node{Type: html.TextNode, Data: string(z.Text())})
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			switch n := (&html.Node{Type: html.ElementNode, Data: t.Data, Attr: t.Attr}); {
			case t.Data == "html":
				document.Attr = append(document.Attr, t.Attr...)
			case t.Data == "body":
				body.Attr = append(body.Attr, t.Attr...)
			default:
				top.AppendChild(n)
				if kind == html.StartTagToken && !void[t.Data] {
					top = n
					open[t.Data]++
				}
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			for closed := ""; open[string(name)] > 0 && closed != string(name); top = top.Parent {
				closed = top.Data
				open[closed]--
			}
		}
	}
}

// flatten returns the visible text of a page that is nested too deeply for a tree of
// the parser. Same rules as web/demo/src/read/flat.ts.
func flatten(page string) (title, text string) {
	root := nested(page)
	seen := legible.New(root)
	var p prose
	// Not by recursion: the tree may be deep. A step without a node ends an element.
	type step struct {
		node *html.Node
		tag  string
		in   *legible.Sight
	}
	steps := []step{{node: root}}
	for len(steps) > 0 {
		s := steps[len(steps)-1]
		steps = steps[:len(steps)-1]
		switch {
		case s.node == nil:
			p.newlines(s.tag)
			continue
		case s.node.Type == html.TextNode:
			if s.in.Shown() {
				p.text(s.node.Data)
			}
			continue
		case s.node.Type == html.ElementNode:
			if s.node.Data == "title" && title == "" {
				title = oneLine(contentOf(s.node))
			}
			// Without end tags, a head would hold the whole page.
			if silent[s.node.Data] && s.node.Data != "head" {
				continue
			}
			if s.in = seen.Enter(s.node, s.in); s.in == nil {
				continue
			}
			p.newlines(s.node.Data)
			steps = append(steps, step{tag: s.node.Data})
		}
		for c := s.node.LastChild; c != nil; c = c.PrevSibling {
			steps = append(steps, step{node: c, in: s.in})
		}
	}
	return title, p.String()
}
