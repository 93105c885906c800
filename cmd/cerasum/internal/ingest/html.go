package ingest

import (
	"fmt"
	"net/url"
	"strings"

	readability "codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"
)

// maxElements bounds the pages that are searched for an article: the search
// walks the tree many times over.
const maxElements = 50_000

// articleOf returns the page's title and the text of its article, or all its
// visible text where it has no article.
func articleOf(page string, from *url.URL) extracted {
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		title, text := visibleTokens(page)
		return extracted{title, text, fmt.Sprintf("%v: took all its visible text", err)}
	}
	title, all := textOf(root, "title"), visible(root)
	titled := title != ""
	for _, heading := range []string{"h1", "h2"} {
		if title == "" {
			title = textOf(root, heading)
		}
	}
	if count(root, maxElements) >= maxElements {
		return extracted{title, all, fmt.Sprintf("more than %d elements: took all its visible text", maxElements)}
	}
	article, err := findArticle(root, from)
	if err != nil {
		return extracted{title, all, fmt.Sprintf("looking for the article failed (%v): took all its visible text", err)}
	}
	// Readability cuts the site's name off a title; but where the page has none
	// it takes that of an icon.
	if t := oneLine(article.Title()); t != "" && titled {
		title = t
	}
	if article.Node != nil {
		if text := articleText(article.Node); !isBlank(text) {
			return extracted{title, text, ""}
		}
	}
	return extracted{title, all, ""}
}

// findArticle runs readability over the tree, which it changes. A panic on a
// strange page is an error like others.
func findArticle(root *html.Node, from *url.URL) (article readability.Article, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	parser := readability.NewParser()
	return parser.ParseAndMutate(root, from)
}

// textOf is the text of the first element of a kind that has any.
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

// count counts elements up to a bound.
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
