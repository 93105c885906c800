package ingest

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	mdhtml "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/legible"
)

// proseOf returns the title and the blocks of Markdown, without front matter, images
// and raw tags; links become their text. The title is that of the front matter, else
// the first heading. A heading of the first level that comes first is not in the text.
func proseOf(source string) extracted {
	title, source := cutFrontMatter(source)
	if why := limit(source); why != "" {
		return extracted{title: title, text: source, blocks: plainBlocks(source), warning: why + ": read as plain text"}
	}
	var page bytes.Buffer
	page.WriteString("<!doctype html>") // styles are read as in pages of today
	if err := markdown().Convert([]byte(withoutTags(source)), &page); err != nil {
		return extracted{text: source, warning: fmt.Sprintf("%v: read as plain text", err)}
	}
	root, err := html.Parse(&page)
	if err != nil {
		title, text := flatten(page.String())
		return extracted{title: title, text: text, warning: fmt.Sprintf("%v: using the text without its structure", err)}
	}
	legible.DropHidden(root, silent)
	x := extracted{title: title}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode || !headings[n.Data] {
			continue
		}
		if x.title == "" {
			x.title = oneLine(contentOf(n))
		}
		if x.title == "" {
			continue
		}
		if n.Data == "h1" && n.Parent.Data == "body" && first(n) && !last(n) {
			n.Parent.RemoveChild(n) // titles are not quoted, as in the web page
		}
		break
	}
	markBlocks(root)
	x.text, x.blocks = join(blocksOf(root))
	return x
}

// first and last report whether nothing but white space is before or after a node.
func first(n *html.Node) bool {
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
		if s.Type == html.ElementNode || !isBlank(s.Data) {
			return false
		}
	}
	return true
}

func last(n *html.Node) bool {
	for s := n.NextSibling; s != nil; s = s.NextSibling {
		if s.Type == html.ElementNode || !isBlank(s.Data) {
			return false
		}
	}
	return true
}

func markdown() goldmark.Markdown {
	// Raw tags are read as those of a page are.
	return goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList), goldmark.WithRendererOptions(mdhtml.WithUnsafe()))
}

// cutFrontMatter returns the title in a leading block between two lines of --- (YAML)
// or +++ (TOML), and what follows the block.
func cutFrontMatter(s string) (title, body string) {
	for _, fence := range []string{"---", "+++"} {
		first, rest, ok := strings.Cut(s, "\n")
		if !ok || strings.TrimRight(first, " \t\r") != fence {
			continue
		}
		for len(rest) > 0 {
			line, after, _ := strings.Cut(rest, "\n")
			line = strings.TrimRight(line, " \t\r")
			if line == fence || fence == "---" && line == "..." {
				return title, after
			}
			if m := titled.FindStringSubmatch(line); m != nil && title == "" {
				title = strings.Trim(m[1], `"'`)
			}
			rest = after
		}
	}
	return "", s
}

// titled is the line of the title in front matter.
var titled = regexp.MustCompile(`^title[ \t]*[:=][ \t]*(.+)$`)
