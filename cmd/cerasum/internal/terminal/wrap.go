package terminal

import (
	"math"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// invisible are tags outside of flags, which are kept, and marks of annotations.
var invisible = regexp.MustCompile(`(\x{1f3f4}[\x{e0030}-\x{e0039}\x{e0061}-\x{e007a}]{3,6}\x{e007f})|[\x{fff9}-\x{fffb}\x{e0000}-\x{e007f}]`)

// Safe replaces control characters with U+FFFD and runs of white space and of blank
// letters with one space, and drops direction controls and invisible characters, so
// that no document can send escape sequences to a terminal, break out of its line, turn
// it around or hide text in it. Twin of shown in web/common/shown.ts.
func Safe(s string) string {
	s = invisible.ReplaceAllString(s, "$1")
	before := ' '
	s = strings.Map(func(r rune) rune {
		last := before
		before = r
		switch {
		case unicode.Is(unicode.Bidi_Control, r):
			return -1
		case r >= 0xe0100 && r <= 0xe01ef && !unicode.Is(unicode.Ideographic, last):
			return -1 // a variation selector
		case strings.ContainsRune("\u115f\u1160\u2800\u3164\uffa0", r):
			return ' '
		case unicode.IsControl(r) && !unicode.IsSpace(r):
			return unicode.ReplacementChar
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// Columns returns the width of s in a terminal: East Asian wide characters take two
// columns, combining marks and format characters none.
func Columns(s string) int {
	n := 0
	for _, r := range s {
		n += columns(r)
	}
	return n
}

func columns(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	if isWide(r) {
		return 2
	}
	return 1
}

func isWide(r rune) bool {
	if r < 0x1100 {
		return false
	}
	k := width.LookupRune(r).Kind()
	return k == width.EastAsianWide || k == width.EastAsianFullwidth
}

// Glue is a space at which no line is broken.
const Glue = "\u00a0"

// Lines returns the lines of a paragraph that is indented by some columns: as [Wrap]
// does in a terminal, else one line.
func (t Terminal) Lines(s string, indent int) []string {
	if t.Width == 0 {
		return Wrap(s, math.MaxInt)
	}
	return Wrap(s, t.Width-indent)
}

// Cut cuts off the end of a line that is too long for a terminal after an indent of
// some columns.
func (t Terminal) Cut(s string, indent int) string {
	room := t.Width - indent
	if t.Width == 0 || Columns(s) <= room {
		return s
	}
	used := 0
	for i, r := range s {
		if used += columns(r); used > room-1 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
	}
	return s
}

// Wrap breaks s into lines of at most cols columns: at spaces except [Glue], and between wide
// characters, but not before closing punctuation. A longer piece without a break,
// such as a URL, gets its own line.
func Wrap(s string, cols int) []string {
	var lines []string
	var line strings.Builder
	used := 0
	for _, p := range pieces(s) {
		w := Columns(p.text)
		gap := 0
		if p.spaced && used > 0 {
			gap = 1
		}
		if used > 0 && used+gap+w > cols {
			lines = append(lines, line.String())
			line.Reset()
			used, gap = 0, 0
		}
		if gap > 0 {
			line.WriteByte(' ')
		}
		line.WriteString(p.text)
		used += gap + w
	}
	if used > 0 {
		lines = append(lines, line.String())
	}
	return lines
}

// piece is text that stays on one line.
type piece struct {
	text   string
	spaced bool // preceded by a space
}

func pieces(s string) []piece {
	var out []piece
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) && string(r) != Glue }) {
		word = strings.ReplaceAll(word, Glue, " ")
		start, spaced := 0, true
		var before rune
		for i, r := range word {
			if i > 0 && (isWide(r) || isWide(before)) && !closes(r) && columns(r) > 0 && !opens(before) {
				out = append(out, piece{word[start:i], spaced})
				start, spaced = i, false
			}
			if columns(r) > 0 {
				before = r
			}
		}
		out = append(out, piece{word[start:], spaced})
	}
	return out
}

func closes(r rune) bool {
	return unicode.In(r, unicode.Pe, unicode.Pf, unicode.Po) || r == 'ー' || r == '々'
}

func opens(r rune) bool { return unicode.In(r, unicode.Ps, unicode.Pi) }
