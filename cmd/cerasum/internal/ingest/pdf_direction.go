package ingest

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/pdfium"
)

// The order of reading of lines with text that is written to the left. A PDF only
// says where the pieces of a line are: most programs draw them from left to right, some
// in the order of reading. web/common/read/pdf-direction.ts does the same.

// Classes of pieces, by the letters and digits in them.
const (
	neutral = iota
	number
	leftward
	rightward
)

func classOf(s string) int {
	class := neutral
	for _, r := range s {
		switch {
		case pdfium.IsLeftward(r):
			return leftward
		case unicode.IsLetter(r):
			class = rightward
		case unicode.IsNumber(r) && class == neutral:
			class = number
		}
	}
	return class
}

// directions counts the letters that are written to the left, and the others.
func directions(pieces []pdfium.Piece) (left, right int) {
	for _, p := range pieces {
		for _, r := range p.Text {
			switch {
			case pdfium.IsLeftward(r):
				left++
			case unicode.IsLetter(r):
				right++
			}
		}
	}
	return left, right
}

// isLeftwardLine reports whether a line is read from right to left, on a page with
// more such letters than others or not.
func isLeftwardLine(pieces []pdfium.Piece, page bool) bool {
	left, right := directions(pieces)
	return left > right || page && 8*left > right
}

// isMarks reports whether a text is nothing but combining marks.
func isMarks(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsMark(r) }) < 0
}

// side has the classes of the nearest unit on a side of another that is not neutral, and
// of the nearest with letters; neutral if there is none.
type side struct{ any, letters int }

// nearest returns the sides before and after each unit, by the classes of all.
func nearest(classes []int) (before, after []side) {
	before, after = make([]side, len(classes)), make([]side, len(classes))
	pass := func(s side, class int) side {
		if class != neutral {
			s.any = class
		}
		if class == leftward || class == rightward {
			s.letters = class
		}
		return s
	}
	for i := 1; i < len(classes); i++ {
		before[i] = pass(before[i-1], classes[i-1])
	}
	for i := len(classes) - 2; i >= 0; i-- {
		after[i] = pass(after[i+1], classes[i+1])
	}
	return before, after
}

// readingOrder returns the text of a line whose pieces are each in the order of
// reading. It undoes what the bidirectional algorithm of Unicode (UAX #9) does to show
// a line: rule L2, with the levels that its other rules would give most texts.
func readingOrder(pieces []pdfium.Piece, toLeft bool) string {
	// The pieces that marks may belong to, by the index of the mark.
	following := make([]int, len(pieces))
	for i, next := len(pieces)-1, len(pieces); i >= 0; i-- {
		following[i] = next
		if !isBlank(pieces[i].Text) && !isMarks(pieces[i].Text) {
			next = i
		}
	}
	marks := map[int][]string{} // by the index of their piece
	last := -1
	var kept []int
	for i, p := range pieces {
		switch next := following[i]; {
		case isMarks(p.Text):
			// A mark is drawn after its letter in the order of reading, before it in that
			// of the line.
			if next < len(pieces) && (last < 0 || pieces[next].X >= pieces[last].X) {
				marks[next] = append(marks[next], p.Text)
			} else if last >= 0 {
				marks[last] = append(marks[last], p.Text)
			}
		case isBlank(p.Text) && p.Width <= 0.01*p.Height: // between a mark and its letter
		default:
			kept, last = append(kept, i), i
		}
	}
	line := make([]pdfium.Piece, len(kept))
	for i, k := range kept {
		line[i] = pieces[k]
		line[i].Text += strings.Join(marks[k], "")
	}
	slices.SortStableFunc(line, func(a, b pdfium.Piece) int { return cmp.Compare(a.X, b.X) })
	var units []pdfium.Piece
	right := 0.0
	for _, p := range line {
		if len(units) > 0 && p.X-right > 0.2*p.Height && !endsBlank(units[len(units)-1].Text) && strings.TrimLeft(p.Text, blanks) == p.Text {
			units = append(units, pdfium.Piece{Text: " "})
		}
		units = append(units, p)
		right = max(right, p.X+p.Width)
	}

	classes := make([]int, len(units))
	for i, u := range units {
		classes[i] = classOf(u.Text)
	}
	// Points and the like within a number belong to it.
	for i := 1; i+1 < len(units); i++ {
		if classes[i] == neutral && classes[i-1] == number && classes[i+1] == number && strings.Trim(units[i].Text, ".,:/-–") == "" {
			classes[i] = number
		}
	}
	before, after := nearest(classes)
	levels := make([]int, len(units))
	for i, class := range classes {
		enclosed := before[i].letters == leftward && after[i].letters == leftward
		switch {
		case class == leftward:
			levels[i] = 1
		case !toLeft && class == number && enclosed:
			levels[i] = 2
		case !toLeft && class == neutral && enclosed:
			levels[i] = 1
		case !toLeft:
			levels[i] = 0
		case class == neutral && !(before[i].any == rightward && (after[i].any == rightward || after[i].any == number)):
			levels[i] = 1
		default:
			levels[i] = 2
		}
	}
	order := make([]int, len(units))
	for i := range order {
		order[i] = i
	}
	for level := 1; level <= 2; level++ {
		for from := 0; from < len(order); from++ {
			to := from
			for to < len(order) && levels[order[to]] >= level {
				to++
			}
			slices.Reverse(order[from:to])
			from = max(from, to)
		}
	}
	var b strings.Builder
	for _, i := range order {
		b.WriteString(units[i].Text)
	}
	return turnBrackets(strings.TrimSpace(manyBlanks.ReplaceAllString(presentation(b.String()), " ")))
}

// presentation replaces the shapes of Arabic letters by the letters.
func presentation(s string) string {
	if strings.IndexFunc(s, isPresentation) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isPresentation(r) {
			b.WriteString(norm.NFKC.String(string(r)))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isPresentation(r rune) bool { return r >= 0xfb50 && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc }

var mirrored = map[rune]rune{'(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '«': '»', '»': '«'}

// turnBrackets turns the brackets that open where they should close: some programs
// name them as they look, others as they are meant.
func turnBrackets(s string) string {
	runes := []rune(s)
	at := func(i int) rune {
		if i < 0 || i >= len(runes) {
			return ' '
		}
		return runes[i]
	}
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }
	loose := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }
	for i, r := range runes {
		opens := strings.ContainsRune("([{«", r)
		if other, ok := mirrored[r]; ok && (opens && word(at(i-1)) && loose(at(i+1)) || !opens && loose(at(i-1)) && word(at(i+1))) {
			runes[i] = other
		}
	}
	return string(runes)
}
