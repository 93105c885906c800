package ingest

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	readability "codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/legible"
)

// maxElements limits the pages that are searched for an article: the search
// traverses the tree many times.
const maxElements = 50_000

// maxDepths limits the depths of all elements, summed, of the pages that are searched for
// an article: the search looks at what is in each element many times. Of ten thousand
// elements, the average is 200 deep then; those of an article are about 15 deep. Same limit
// as in web/common/read/article.ts.
const maxDepths = 2_000_000

// depths sums the depths of all elements in a page's body, up to a limit.
func depths(root *html.Node, bound int) int {
	sum, depth := 0, 0
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		for c := n.FirstChild; c != nil && sum <= bound; c = c.NextSibling {
			if c.Type != html.ElementNode {
				continue
			}
			in := depth > 0 || c.Data == "body"
			if in {
				depth++
				sum += depth
			}
			visit(c) // html.Parse limits the depth
			if in {
				depth--
			}
		}
	}
	visit(root)
	return sum
}

// articleOf returns the page's title, its date and the blocks of its article, or all
// visible blocks if there is none or only a small part of a short page.
func articleOf(page string, from *url.URL) extracted {
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		title, text := flatten(page)
		return extracted{title: title, text: text, warning: fmt.Sprintf("%v: using all visible text", err)}
	}
	legible.DropHidden(root, silent)
	title := textOf(root, "title")
	titled := title != ""
	for _, heading := range []string{"h1", "h2"} {
		if title == "" {
			title = textOf(root, heading)
		}
	}
	date := dateOf(root)
	large := count(root, maxElements) >= maxElements
	if !large {
		markBlocks(root)
	}
	all := blocksOf(root)
	whole := func(title, warning string) extracted {
		x := extracted{title: title, date: date, warning: warning}
		x.text, x.blocks = join(all)
		return x
	}
	if large {
		return whole(title, fmt.Sprintf("more than %d elements: using all visible text", maxElements))
	}
	if depths(root, maxDepths) > maxDepths {
		return whole(title, "nested too deeply to search for an article: using all visible text")
	}
	article, err := findArticle(root, from)
	if err != nil {
		return whole(title, fmt.Sprintf("no article found (%v): using all visible text", err))
	}
	// Readability removes the site's name from a title, but uses an icon's title
	// if the page has none.
	if t := oneLine(article.Title()); t != "" && titled {
		title = t
	}
	if article.Node != nil {
		parts := blocksOf(article.Node)
		if n := characters(parts); n >= minArticle || n > 0 && 2*n >= characters(all) {
			x := extracted{title: title, date: date}
			x.text, x.blocks = join(parts)
			return x
		}
	}
	return whole(title, "")
}

// minArticle is the number of characters from which an article is not compared with
// the rest of the page.
const minArticle = 200

func characters(parts []part) int {
	n := 0
	for _, p := range parts {
		n += utf8.RuneCountInString(p.text)
	}
	return n
}

// findArticle runs readability on the tree, which it modifies. A panic becomes an
// error.
func findArticle(root *html.Node, from *url.URL) (article readability.Article, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	parser := readability.NewParser()
	return parser.ParseAndMutate(root, from)
}

// textOf returns the text of the first element of a kind that has any.
func textOf(root *html.Node, tag string) string {
	for n := range root.Descendants() {
		// An svg can have a title too; it has a namespace.
		if n.Type != html.ElementNode || n.Data != tag || n.Namespace != "" {
			continue
		}
		var p prose
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			p.node(c, false)
		}
		if t := oneLine(p.String()); t != "" {
			return t
		}
	}
	return ""
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// count counts elements up to a limit.
func count(root *html.Node, bound int) int {
	n := 0
	for d := range root.Descendants() {
		if d.Type == html.ElementNode {
			if n++; n >= bound {
				break
			}
		}
	}
	return n
}
