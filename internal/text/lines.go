package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// line is one line of a document, without its line break. Its width is in columns:
// wide characters count two.
type line struct {
	start, end int
	width      int
}

// Widths of text that was wrapped by hand or by a mail program. In narrower blocks a
// line is an item of its own, in wider ones a paragraph.
const (
	minWrap = 40
	maxWrap = 140
)

// units calls yield for every stretch of doc within which a sentence may span line
// breaks: paragraphs, joined if they were wrapped; headings; list items. Blank lines
// and lines without a word end a stretch.
func units(doc string, yield func(start, end int)) {
	var block []line
	for pos := 0; pos < len(doc); {
		l, next, hard := cutLine(doc, pos)
		pos = next
		if wordless(doc[l.start:l.end]) {
			unitsOfBlock(doc, block, yield)
			block = block[:0]
			continue
		}
		block = append(block, l)
		if hard {
			unitsOfBlock(doc, block, yield)
			block = block[:0]
		}
	}
	unitsOfBlock(doc, block, yield)
}

// cutLine returns the line that starts at pos and the start of the next one. hard
// means that a paragraph ends with the line (U+2029, a form feed).
func cutLine(doc string, pos int) (l line, next int, hard bool) {
	for i := pos; i < len(doc); i++ {
		c := doc[i]
		if class[c]&lineBreak != 0 {
			next = i + 1
			if c == '\r' && next < len(doc) && doc[next] == '\n' {
				next++
			}
			return line{start: pos, end: i}, next, c == '\f'
		}
		if c == 0xc2 && strings.HasPrefix(doc[i:], "\u0085") {
			return line{start: pos, end: i}, i + 2, false
		}
		if c == 0xe2 && (strings.HasPrefix(doc[i:], "\u2028") || strings.HasPrefix(doc[i:], "\u2029")) {
			return line{start: pos, end: i}, i + 3, doc[i+2] == 0xa9
		}
	}
	return line{start: pos, end: len(doc)}, len(doc), false
}

// unitsOfBlock joins the lines of a block, which has no blank line, into units.
func unitsOfBlock(doc string, block []line, yield func(start, end int)) {
	if len(block) == 0 {
		return
	}
	if len(block) == 1 {
		yield(block[0].start, block[0].end)
		return
	}
	wrap := 0
	for i := range block {
		l := &block[i]
		l.width = columns(doc[l.start:l.end])
		wrap = max(wrap, l.width)
	}
	start := block[0].start
	for i := 1; i < len(block); i++ {
		a, b := block[i-1], block[i]
		if wrap > maxWrap || !wrapped(doc, a, b, wrap) {
			yield(start, a.end)
			start = b.start
		}
	}
	yield(start, block[len(block)-1].end)
}

// wrapped reports whether line a was broken before line b only because the first word
// of b did not fit the width of the block.
func wrapped(doc string, a, b line, wrap int) bool {
	textA, textB := doc[a.start:a.end], doc[b.start:b.end]
	if textA[0] == '#' || bullet(textB) {
		return false
	}
	first, word := firstWord(textB)
	full := wrap >= minWrap && a.width+1+word > wrap
	if listed(textB) {
		// "am\n5. Mai" goes on; after a full stop or a colon it is an item.
		return full && !endsClosed(textA)
	}
	if full {
		return true
	}
	// A line that goes on with a small letter was wrapped with less care.
	return unicode.IsLower(first) && wrap >= minWrap && 2*a.width >= wrap && !endsClosed(textA)
}

// columns returns the width of s, counting only until it exceeds that of any wrapped
// text.
func columns(s string) int {
	n := 0
	for i := 0; i < len(s) && n <= maxWrap; {
		if s[i] < utf8.RuneSelf {
			n++
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case unicode.Is(unicode.Mn, r):
		case wide(r):
			n += 2
		default:
			n++
		}
	}
	return n
}

// wide reports whether r takes two terminal columns: East Asian scripts and their
// punctuation.
func wide(r rune) bool {
	return r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 ||
		r >= 0xf900 && r <= 0xfaff || r >= 0xff00 && r <= 0xff60 || r >= 0x20000 && r <= 0x3fffd)
}

// firstWord returns the first letter or digit of a line and the columns up to the
// first space after it.
func firstWord(s string) (first rune, width int) {
	started := false
	for _, r := range s {
		if isBlank(r) {
			if started {
				break
			}
			continue
		}
		started = true
		if first == 0 && (isWord(r)) {
			first = r
		}
		if wide(r) {
			width += 2
			break
		}
		if width++; width > maxWrap {
			break
		}
	}
	return first, width
}

const bullets = "•‣◦▪■●○▶►➢➤✓✔"

// bullet reports whether a line starts like a list item, a heading or a table row.
func bullet(s string) bool {
	s = strings.TrimLeftFunc(s, isBlank)
	r, size := utf8.DecodeRuneInString(s)
	switch r {
	case '#', '|':
		return true
	case '-', '*', '+':
		next, _ := utf8.DecodeRuneInString(s[size:])
		return isBlank(next)
	}
	return r > utf8.RuneSelf && strings.ContainsRune(bullets, r)
}

// listed reports whether a line starts like a possible list item: a number or letter
// with a full stop or bracket, or a dash.
func listed(s string) bool {
	s = strings.TrimLeftFunc(s, isBlank)
	if strings.HasPrefix(s, "–") || strings.HasPrefix(s, "—") {
		return true
	}
	s = strings.TrimPrefix(s, "(")
	n := 0
	for n < len(s) && n < 4 && class[s[n]]&digit != 0 {
		n++
	}
	if n == 0 && len(s) > 0 && class[s[0]]&letter != 0 {
		n = 1
	}
	return n > 0 && n+1 < len(s) && (s[n] == '.' || s[n] == ')') && class[s[n+1]]&blank != 0
}

// Closed reports whether a sentence ends with a terminal mark, optionally followed by
// closing quotes, brackets and footnote marks. In prose, anything else is a heading, a
// caption, a list item or a truncated sentence.
func Closed(s string) bool { return isTerminal(lastMark(s)) }

// endsClosed reports whether a line is closed or ends with a colon.
func endsClosed(s string) bool {
	r := lastMark(s)
	return isTerminal(r) || r == ':' || r == '：'
}

// lastMark returns the last character of s before blanks, closing quotes, brackets
// and footnote marks, or utf8.RuneError.
func lastMark(s string) rune {
	for s != "" {
		if n := footnoteBefore(s); n > 0 {
			s = s[:len(s)-n]
			continue
		}
		r, size := utf8.DecodeLastRuneInString(s)
		if !isBlank(r) && !isCloser(r) {
			return r
		}
		s = s[:len(s)-size]
	}
	return utf8.RuneError
}

// wordless reports whether a line has neither letters nor digits: a blank line or a
// ruler, for instance.
func wordless(s string) bool { return !hasWord(s) }
