package ingest

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/cerasum/cerasum/core/cluster"
)

var (
	sentenceEnd = regexp.MustCompile(`[.!?…‥。．！？｡।॥؟۔։።]["'”’»›)\]」』）】]*$`)
	colonEnd    = regexp.MustCompile(`[:：]$`)
	entry       = regexp.MustCompile(`^(?:\[\d{1,4}\]|\[\^[^\]\s]{1,20}\]:|[\^↑])\s`)
	// numbered begins a caption in the languages whose papers and reports number
	// figures and tables.
	numbered = regexp.MustCompile(`(?i)^(?:fig(?:ure|ura|uur)?|abb(?:ildung)?|tab(?:le|elle|ela|ella|la|leau|lica|el)?|рис(?:унок)?|табл(?:ица)?|图|圖|図|表|그림|표|şekil|tablo|rys(?:unek)?|hình|bảng|चित्र|तालिका|شكل|جدول)\.?\s*\d{1,3}\s*(?:[.:：–—]|$)`)
	listItem = regexp.MustCompile(`^\s*(?:[-*+•‣◦▪■●○▶►➢✓]|\(?\d{1,3}[.)]|[a-z]\))\s+\S`)
	columns  = regexp.MustCompile(`\S(?:\t+|   +)\S|^\s*\|.*\||\.\.\.\.\.`)
	quoted   = regexp.MustCompile(`^\s*>`)
	fence    = regexp.MustCompile("^\\s*(?:```|~~~)")
	title    = regexp.MustCompile(`^#{1,6}\s+\S`)
)

// endsSentence reports whether a text ends with a terminal mark.
func endsSentence(s string) bool { return sentenceEnd.MatchString(s) }

// kindOfText returns the kind of a paragraph or list item that its text alone
// tells, else the kind it has.
func kindOfText(s string, kind cluster.Kind) cluster.Kind {
	switch {
	case entry.MatchString(s):
		return cluster.Reference
	case kind == cluster.Paragraph && numbered.MatchString(s):
		return cluster.Caption
	}
	return kind
}

// maxHeading is the number of characters of a heading in plain text.
const maxHeading = 80

// plainBlocks returns the blocks of a plain text: its stretches between blank
// lines, and the lines of lists and tables. web/common/read/plain.ts does the same.
func plainBlocks(s string) []cluster.Block {
	var blocks []cluster.Block
	add := func(start, end int, kind cluster.Kind) {
		if start < end {
			blocks = append(blocks, cluster.Block{Start: start, End: end, Kind: kind})
		}
	}
	groups := linesOf(s)
	for i, g := range groups {
		first, last := g.lines[0], g.lines[len(g.lines)-1]
		text := s[first.start:last.end]
		switch {
		case g.code:
			add(first.start, last.end, cluster.Code)
		case g.all(s, quoted):
			add(first.start, last.end, cluster.BlockQuotation)
		case g.all(s, columns):
			for _, l := range g.lines {
				add(l.start, l.end, cluster.TableRow)
			}
		case g.items(s) > 1 || g.items(s) == 1 && listItem.MatchString(s[first.start:first.end]) && (endsSentence(text) || !isHeading(s, g)):
			start, kind := first.start, cluster.Paragraph
			for j, l := range g.lines {
				if listItem.MatchString(s[l.start:l.end]) {
					if j > 0 {
						add(start, g.lines[j-1].end, kind)
					}
					start, kind = l.start, cluster.ListItem
				}
			}
			add(start, last.end, kind)
		case title.MatchString(text) && len(g.lines) == 1, i+1 < len(groups) && isHeading(s, g) && endsSentence(groups[i+1].text(s)):
			add(first.start, last.end, cluster.Heading)
		default:
			add(first.start, last.end, kindOfText(strings.TrimSpace(text), cluster.Paragraph))
		}
	}
	return blocks
}

// span is a line without its line break.
type span struct{ start, end int }

// group is the lines between two blank ones, or a block of code between fences.
type group struct {
	lines []span
	code  bool
}

func (g group) text(s string) string { return s[g.lines[0].start:g.lines[len(g.lines)-1].end] }

func (g group) all(s string, p *regexp.Regexp) bool {
	for _, l := range g.lines {
		if !p.MatchString(s[l.start:l.end]) {
			return false
		}
	}
	return true
}

// items counts the lines that begin a list item.
func (g group) items(s string) int {
	n := 0
	for _, l := range g.lines {
		if listItem.MatchString(s[l.start:l.end]) {
			n++
		}
	}
	return n
}

func linesOf(s string) []group {
	var groups []group
	var g group
	end := func() {
		if len(g.lines) > 0 {
			groups = append(groups, g)
		}
		g = group{}
	}
	for at := 0; at < len(s); {
		n := strings.IndexByte(s[at:], '\n')
		next := at + n + 1
		if n < 0 {
			next = len(s)
			n = next - at
		}
		l := span{at, at + len(strings.TrimRight(s[at:at+n], " \t\r\f\v\u00a0\u2028\u2029"))}
		at = next
		if text := s[l.start:l.end]; fence.MatchString(text) {
			if !g.code {
				end()
			}
			g.lines = append(g.lines, l)
			if g.code {
				end()
			} else {
				g.code = true
			}
			continue
		}
		if l.start == l.end && !g.code {
			end()
		} else {
			g.lines = append(g.lines, l)
		}
	}
	end()
	return groups
}

// isHeading reports whether a group is one short line that does not end as a
// sentence does.
func isHeading(s string, g group) bool {
	text := strings.TrimSpace(g.text(s))
	return len(g.lines) == 1 && utf8.RuneCountInString(text) <= maxHeading && !endsSentence(text) && !colonEnd.MatchString(text)
}

// Preformatted text of minProse characters and more is prose where at most one
// in maxSymbols of them is a symbol of programs.
const (
	minProse   = 400
	maxSymbols = 50
)

// looksLikeProse reports whether preformatted text is running text, as in archives
// of mail and standards.
func looksLikeProse(s string) bool {
	all, symbols := 0, 0
	for _, r := range s {
		switch {
		case strings.ContainsRune("{}<>=;\\|~^$@#&", r):
			symbols++
		case collapses(r):
			continue
		}
		all++
	}
	return all >= minProse && maxSymbols*symbols <= all
}
