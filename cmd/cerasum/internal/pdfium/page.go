package pdfium

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Piece is a run of characters in one font. Units are points; y grows downwards.
type Piece struct {
	Text string
	X    float64
	// Y is that of the base line.
	Y     float64
	Width float64
	// Height is that of the font.
	Height float64
}

// Page is a page that is turned as a reader sees it.
type Page struct {
	Width, Height float64
	// Pieces in drawing order, which is the reading order in almost all files. Letters
	// that no reader sees are left out, and text across the page, which is a stamp or
	// a watermark.
	Pieces []Piece
}

// matrix maps points: x' = a·x + c·y + e, y' = b·x + d·y + f.
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// times applies n before m.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[2]*n[1], m[1]*n[0] + m[3]*n[1],
		m[0]*n[2] + m[2]*n[3], m[1]*n[2] + m[3]*n[3],
		m[0]*n[4] + m[2]*n[5] + m[4], m[1]*n[4] + m[3]*n[5] + m[5],
	}
}

func (m matrix) apply(x, y float64) (float64, float64) {
	return m[0]*x + m[2]*y + m[4], m[1]*x + m[3]*y + m[5]
}

// Page reads a page, counting from 0.
func (d *Document) Page(index int) (Page, error) {
	e := d.e
	handle := uint64(e.handle("FPDF_LoadPage", d.handle, uint64(index)))
	if handle == 0 {
		// A broken page is empty, like those of other readers.
		return Page{}, d.failure()
	}
	box, _ := e.floats(4, "FPDF_GetPageBoundingBox", handle)
	left, top, right, bottom := box[0], box[1], box[2], box[3]
	page := Page{Width: right - left, Height: top - bottom}
	var view matrix
	switch e.number("FPDFPage_GetRotation", handle) {
	case 1:
		view = matrix{0, 1, 1, 0, -bottom, -left}
	case 2:
		view = matrix{-1, 0, 0, 1, right, -bottom}
	case 3:
		view = matrix{0, -1, -1, 0, top, right}
	default:
		view = matrix{1, 0, 0, -1, -left, top}
	}
	if view[0] == 0 {
		page.Width, page.Height = page.Height, page.Width
	}
	s := &scene{e: e, left: left, bottom: bottom, right: right, top: top, texts: map[uint32]*text{}}
	for i := range e.number("FPDFPage_CountObjects", handle) {
		s.draw(e.handle("FPDFPage_GetObject", handle, uint64(i)), identity, 0)
	}
	s.readLetters(handle)
	s.look()
	page.Pieces = s.pieces(view)
	e.call("FPDF_ClosePage", handle)
	return page, d.failure()
}

// letter is a character with its place in the units of the page.
type letter struct {
	r           rune
	x, y, right float64
}

// text is a text object: the letters of one operator.
type text struct {
	letters      []letter
	matrix       matrix  // of the first letter
	size         float64 // of the font, in units of the matrix
	mode         int     // of rendering
	fill, stroke ink
	areas        int // painted before it
	hidden       bool
}

// readLetters reads the letters of all text objects.
func (s *scene) readLetters(page uint64) {
	e := s.e
	handle := uint64(e.handle("FPDFText_LoadPage", page))
	if handle == 0 {
		return
	}
	var lead rune // the first half of a character in UTF-16
	for i := range e.number("FPDFText_CountChars", handle) {
		if e.err != nil {
			return
		}
		at := uint64(i)
		t := s.texts[e.handle("FPDFText_GetTextObject", handle, at)]
		if t == nil {
			continue // a line break that PDFium adds
		}
		r := rune(e.number("FPDFText_GetUnicode", handle, at))
		switch {
		case r == ' ' && e.number("FPDFText_IsGenerated", handle, at) == 1:
			continue
		case utf16.IsSurrogate(r) && lead == 0:
			lead = r
			continue
		case lead != 0:
			r, lead = utf16.DecodeRune(lead, r), 0
		case r == lineHyphen && e.number("FPDFText_IsHyphen", handle, at) == 1:
			r = '-'
		case r <= 0 || r == noCharacter || e.number("FPDFText_HasUnicodeMapError", handle, at) == 1:
			r = unicode.ReplacementChar
		}
		box, ok := e.floats(4, "FPDFText_GetLooseCharBox", handle, at)
		if !ok {
			continue
		}
		if len(t.letters) == 0 {
			t.matrix, _ = e.floats(6, "FPDFText_GetMatrix", handle, at)
		}
		x, y := e.point("FPDFText_GetCharOrigin", handle, at)
		// The box is as wide as the advance, which starts at the origin.
		t.letters = append(t.letters, letter{r, x, y, x + math.Abs(box[2]-box[0])})
	}
	e.call("FPDFText_ClosePage", handle)
}

const (
	// lineHyphen stands for a hyphen at the end of a line.
	lineHyphen  = 2
	noCharacter = 0xffff
)

// Gaps between letters relative to the size of the font: wider ones are blanks, as in
// pdf.js, or lie between the cells of a table.
const (
	blankGap  = 0.102
	narrowGap = 0.25 // after narrowBox
	wideGap   = 3
)

// narrowBox matches pieces whose boxes are narrower than their advance: lone brackets
// in Hebrew text, and the ligature of lam and alef.
var narrowBox = regexp.MustCompile(`^(?:[()\[\]]|ل[اآأإٱ])$`)

// pieces returns what can be seen of the texts, in drawing order.
func (s *scene) pieces(view matrix) []Piece {
	var pieces []Piece
	last := -1 // the piece with letters before this one
	// Whether last belongs to text that is written to the left, or follows such text.
	lastToLeft, lastBeside := false, false
	for _, t := range s.order {
		toLeft := isToLeft(t.letters)
		m := view.times(t.matrix)
		// Text across the page.
		if math.Abs(m[1]) > math.Abs(m[0]) {
			continue
		}
		height := math.Abs(t.size) * math.Hypot(m[2], m[3])
		for _, run := range runs(t.letters, view, height) {
			gap, follows := 0.0, false
			if last >= 0 {
				before := pieces[last]
				gap = run.X - (before.X + before.Width)
				follows = math.Abs(run.Y-before.Y) < 0.25*height && gap > -height
			}
			switch {
			case t.hidden && follows && gap < 3*height:
				// Letters that cannot be seen are no gap in their line.
				pieces[last].Width = max(pieces[last].Width, run.X+run.Width-pieces[last].X)
			case t.hidden:
			default:
				enough := blankGap
				if last >= 0 && (toLeft || lastToLeft || lastBeside) && narrowBox.MatchString(pieces[last].Text) {
					enough = narrowGap
				}
				if follows && gap > enough*height {
					pieces = append(pieces, Piece{" ", run.X - gap, run.Y, gap, height})
				}
				// Marks are drawn on other letters.
				if strings.IndexFunc(run.Text, func(r rune) bool { return !unicode.IsMark(r) }) >= 0 {
					last = len(pieces)
					lastToLeft, lastBeside = toLeft, follows && lastToLeft
				}
				pieces = append(pieces, run)
			}
		}
	}
	return pieces
}

// runs returns the letters of a text of some height, as pieces without wide gaps.
func runs(letters []letter, view matrix, height float64) []Piece {
	var all []Piece
	var text strings.Builder
	var from, to, line float64
	flush := func() {
		if text.Len() > 0 {
			all = append(all, Piece{Text: normal(text.String()), X: from, Y: line, Width: to - from, Height: height})
			text.Reset()
		}
	}
	// PDFium's order of letters that are written to the left is neither that of drawing
	// nor that of reading: each becomes a piece, as its place tells its order.
	toLeft := isToLeft(letters)
	if toLeft {
		slices.SortStableFunc(letters, func(a, b letter) int { return cmp.Compare(a.x, b.x) })
		for i := 1; i < len(letters); i++ {
			// The parts of the ligature of lam and alef come in either order.
			if a, b := &letters[i-1], &letters[i]; a.x == b.x && b.r == lam && strings.ContainsRune(alefs, a.r) {
				a.r, b.r = b.r, a.r
			}
		}
	}
	for i, l := range letters {
		x, y := view.apply(l.x, l.y)
		right := x + (l.right - l.x)
		if toLeft && i > 0 {
			if letters[i-1].x != l.x {
				flush()
			} else {
				right = to + (l.right - l.x) // each letter of a ligature has its share of the width
			}
		}
		switch gap := max(x-to, from-right); {
		case gap > wideGap*height:
			flush()
		case gap > blankGap*height && text.Len() > 0:
			text.WriteByte(' ')
		}
		if text.Len() == 0 {
			from, to, line = x, right, y
		}
		text.WriteRune(l.r)
		from, to = min(from, x), max(to, right)
	}
	flush()
	return all
}

func isToLeft(letters []letter) bool {
	return slices.ContainsFunc(letters, func(l letter) bool { return IsLeftward(l.r) })
}

// IsLeftward reports whether a character is a letter of a script that is written from
// right to left.
func IsLeftward(r rune) bool {
	return r >= 0x590 && unicode.IsLetter(r) && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
}

const (
	lam   = 'ل'
	alefs = "اآأإٱ"
)

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
