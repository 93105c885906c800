package ingest

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/pdfium"
)

// From the pieces of text of a PDF's pages to lines. pdf_text.go makes paragraphs of
// them. web/common/read/pdf-text.ts does the same.

// pdfLine is a line of a page.
type pdfLine struct {
	text                string
	x, y, right, height float64
	page                int
	head                bool   // running
	toLeft              bool   // read from right to left
	drawn               []byte // text in the order of drawing
	leftward            bool   // has letters that are written to the left
	pieces              []pdfium.Piece
}

var manyBlanks = regexp.MustCompile("[ \t\u00a0]+")

// linesOfPage returns the lines of a page, in the order in which they are drawn.
func linesOfPage(page *pdfium.Page, index int) []*pdfLine {
	var found []*pdfLine
	var line *pdfLine
	ends := false // line ends with a blank
	left, right := directions(page.Pieces)
	for _, piece := range page.Pieces {
		if piece.Text == "" {
			continue
		}
		// Superscripts and subscripts belong to their line; table cells and adjacent
		// columns are lines of their own.
		size, same := 0.0, false
		leftward := left > 0 && strings.ContainsFunc(piece.Text, pdfium.IsLeftward)
		if line != nil {
			size = max(line.height, piece.Height)
			// Lines that are read to the left may be drawn in that order, too.
			follows := piece.X > line.right-size || (line.leftward || leftward) && piece.X+piece.Width > line.x-3*size
			same = math.Abs(piece.Y-line.y) < 0.5*size && follows && piece.X < line.right+3*size
		}
		if isBlank(piece.Text) {
			// Its width is ignored, which is unreliable in justified lines.
			if same && !ends {
				line.drawn = append(line.drawn, ' ')
				ends = true
			}
			if same && left > 0 {
				line.pieces = append(line.pieces, piece)
			}
			continue
		}
		if !same {
			line = &pdfLine{drawn: []byte(piece.Text), leftward: leftward, x: piece.X, y: piece.Y, right: piece.X + piece.Width, height: piece.Height, page: index, pieces: []pdfium.Piece{piece}}
			found = append(found, line)
			ends = endsBlank(piece.Text)
			continue
		}
		if piece.X-line.right > 0.2*size && !ends && strings.TrimLeft(piece.Text, blanks) == piece.Text {
			line.drawn = append(line.drawn, ' ')
		}
		line.drawn = append(line.drawn, piece.Text...)
		ends = endsBlank(piece.Text)
		line.right = max(line.right, piece.X+piece.Width)
		line.leftward = line.leftward || leftward
		if line.leftward {
			line.x = min(line.x, piece.X)
		}
		if left > 0 {
			line.pieces = append(line.pieces, piece)
		}
		// Larger characters determine the base line.
		if piece.Height > line.height {
			line.height, line.y = piece.Height, piece.Y
		}
	}
	for _, l := range found {
		if l.leftward {
			l.toLeft = isLeftwardLine(l.pieces, left > right)
			l.text = readingOrder(l.pieces, l.toLeft)
		} else {
			l.text = strings.TrimSpace(manyBlanks.ReplaceAllString(string(l.drawn), " "))
		}
		l.pieces, l.drawn = nil, nil
	}
	return slices.DeleteFunc(found, func(l *pdfLine) bool { return l.text == "" })
}

const blanks = " \t\r\n\f\v\u00a0\u3000\u2028\u2029"

func endsBlank(s string) bool { return strings.TrimRight(s, blanks) != s }

const (
	// edge is the maximum distance of a running head from the edge of the page, relative
	// to its height.
	edge = 0.13
	// edgeLines at each edge may be running heads.
	edgeLines = 3
)

var (
	loneNumber = regexp.MustCompile(`(?i)^(?:[–—-]|(?:page|p\.|seite|pagina|página|pág\.?|стр\.?|sayfa)\s)?\s*\d{1,4}\s*(?:[–—-]|(?:of|de|von|sur|di|из|van|/)\s*\d{1,4})?$`)
	counting   = regexp.MustCompile(`\d+|\b[ivxlc]+\b`)
)

// markHeads marks the lines that repeat, except for numbers, at the same place on
// several pages, and lone page numbers.
func markHeads(pages []pdfium.Page, all [][]*pdfLine) {
	type place struct {
		top  bool
		y    float64
		text string
	}
	places := map[place][]*pdfLine{}
	for i, own := range all {
		height := pages[i].Height
		sorted := slices.Clone(own)
		slices.SortStableFunc(sorted, func(a, b *pdfLine) int {
			switch {
			case a.y < b.y:
				return -1
			case a.y > b.y:
				return 1
			}
			return 0
		})
		var near []*pdfLine
		for _, l := range sorted[:min(edgeLines, len(sorted))] {
			if l.y < edge*height {
				near = append(near, l)
			}
		}
		for _, l := range sorted[max(0, len(sorted)-edgeLines):] {
			if l.y > (1-edge)*height {
				near = append(near, l)
			}
		}
		for _, l := range near {
			key := place{l.y < height/2, math.Round(l.y / 6), counting.ReplaceAllString(strings.ToLower(l.text), "#")}
			places[key] = append(places[key], l)
			if loneNumber.MatchString(l.text) {
				l.head = true
			}
		}
	}
	// Left and right pages may have heads of their own.
	enough := max(2, (len(pages)+3)/4)
	for _, found := range places {
		if len(found) >= enough {
			for _, l := range found {
				l.head = true
			}
		}
	}
}

// units returns the length of a text in UTF-16, by which the page's reader counts.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}
