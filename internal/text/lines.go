package text

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// line is one line of a document, without its line break. Widths are in columns: wide
// characters count two.
type line struct {
	start, end int
	// last means that a blank line or the end of a paragraph follows.
	last bool
	// What [line.measure] sets: the width of the line, of its indentation (in bytes) and
	// of its first word; that word's first letter or digit; whether the line opens and
	// closes with a character of a script without spaces.
	width, indent, word int
	first               rune
	opens, closes       bool
}

// need is the width of line a with the first word of line b.
func (a *line) need(b *line) int {
	if a.closes && b.opens {
		return a.width + b.word
	}
	return a.width + 1 + b.word
}

// Widths of text that was wrapped by hand or by a mail program. In narrower blocks a
// line is an item of its own, in wider ones a paragraph.
const (
	minWrap = 40
	maxWrap = 140
)

// units calls yield for every stretch of doc within which a sentence may span line
// breaks: paragraphs, joined if they were wrapped; headings; list items; lines of
// quoted mail. Blank lines and lines without a word end a stretch.
func units(doc string, yield func(start, end int)) {
	lines := readLines(doc, 0)
	var whole tally
	whole.addAll(doc, lines)
	page := whole.layout()
	for group := range groups(lines) {
		unitsOfGroup(doc, group, page, yield)
	}
}

// readLines returns the lines of doc[from:] that have a word, or close a sentence.
func readLines(doc string, from int) []line {
	var lines []line
	quoted := false
	for pos := from; pos < len(doc); {
		l, next, hard := cutLine(doc, pos)
		pos = next
		text := doc[l.start:l.end]
		blank := wordless(text) && !closing(text)
		// A sentence cannot span the marks of quoted mail.
		before := quoted
		quoted = strings.HasPrefix(strings.TrimLeft(text, " "), ">")
		if n := len(lines); n > 0 && (blank || quoted || before) {
			lines[n-1].last = true
		}
		if !blank {
			l.last = hard
			lines = append(lines, l)
		}
	}
	return lines
}

// groups yields the lines between two blank lines.
func groups(lines []line) iter.Seq[[]line] {
	return func(yield func([]line) bool) {
		start := 0
		for i := range lines {
			if i+1 < len(lines) && !lines[i].last {
				continue
			}
			if !yield(lines[start : i+1]) {
				return
			}
			start = i + 1
		}
	}
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

// unitsOfGroup joins the lines of a group, which has no blank line, into units. page is
// the layout of the document.
func unitsOfGroup(doc string, group []line, page layout, yield func(start, end int)) {
	own := page
	if len(group) > minBreaks {
		var t tally
		t.add(doc, group, 0)
		if l := t.layout(); l.floor > 0 && (page.floor == 0 || l.floor < page.floor) || l.lines && page.floor == 0 {
			own = l
		}
	}
	wrap := 0
	for i := range group {
		wrap = max(wrap, group[i].width)
	}
	first := 0
	for i := 1; i < len(group); i++ {
		a, b := &group[i-1], &group[i]
		var joined bool
		switch {
		case own.floor > 0:
			joined = own.goesOn(doc, &group[first], a, b)
		case wrap <= maxWrap:
			joined = wrapped(doc, a, b, wrap, own.lines)
		}
		if joined && unicode.IsUpper(b.first) && headline(doc[a.start:a.end]) && !headline(doc[b.start:b.end]) {
			joined = false
		}
		if !joined && !(page.marked && goesOnSmall(doc, a, b)) {
			yield(group[first].start, a.end)
			first = i
		}
	}
	yield(group[first].start, group[len(group)-1].end)
}

// headline reports whether a line is in capitals and long enough not to be a name.
func headline(s string) bool {
	capitals := 0
	for _, r := range s {
		if unicode.IsLower(r) {
			return false
		}
		if unicode.IsUpper(r) {
			capitals++
		}
	}
	return capitals >= 15
}

// goesOnSmall reports whether line b of a block, which begins with a small letter, goes
// on with the sentence of line a.
func goesOnSmall(doc string, a, b *line) bool {
	textB := doc[b.start:b.end]
	return unicode.IsLower(b.first) && !endsClosed(doc[a.start:a.end]) && !bullet(textB) && !listed(textB)
}

// wrapped reports whether line a was broken before line b only because the first word
// of b did not fit the width of the block, in a text that does not show how it was
// wrapped. lines is [layout.lines].
func wrapped(doc string, a, b *line, wrap int, lines bool) bool {
	textA, textB := doc[a.start:a.end], doc[b.start:b.end]
	if textA[0] == '#' || bullet(textB) {
		return false
	}
	full := wrap >= minWrap && a.need(b) > wrap && !lines
	if listed(textB) {
		return full && !endsClosed(textA)
	}
	if full {
		return true
	}
	// Where the next line begins with a small letter, a looser wrapping is accepted; a
	// narrow block is verse.
	if lines && wrap < minLoose {
		return false
	}
	return unicode.IsLower(b.first) && wrap >= minWrap && 2*a.width >= wrap && !endsClosed(textA)
}

// measure sets the widths of the line, counting only until they exceed those of any
// wrapped text.
func (l *line) measure(doc string) {
	s := doc[l.start:l.end]
	l.width = columns(s)
	word := strings.TrimLeftFunc(s, isBlank)
	l.indent = len(s) - len(word)
	r, _ := utf8.DecodeRuneInString(word)
	l.opens = unspaced(r)
	r, _ = utf8.DecodeLastRuneInString(s)
	l.closes = unspaced(r)
	for _, r := range word {
		if isBlank(r) || l.word > maxWrap || l.word >= 10 && unbroken(r) {
			return
		}
		if l.first == 0 && isWord(r) {
			l.first = r
		}
		l.word++
		if wide(r) {
			l.word++
			if unspaced(r) {
				return
			}
		}
	}
}

// columns returns the width of s, counting only until it exceeds that of any wrapped
// text. Combining marks count, as for most programs that wrap text.
func columns(s string) int {
	n := 0
	for _, r := range s {
		if n++; wide(r) {
			n++
		} else if r == '\t' {
			n += 7 - (n-1)%8
		}
		if n > maxWrap {
			break
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

// unbroken reports whether r is of a script of South-East Asia that has no spaces
// between words, so that a line may be broken within what looks like one: Thai, Lao,
// Burmese, Khmer.
func unbroken(r rune) bool {
	return r >= 0xe00 && r < 0xf00 || r >= 0x1000 && r < 0x10a0 || r >= 0x1780 && r < 0x1800
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

// closing reports whether a line holds only the marks that close a sentence: "».".
func closing(s string) bool {
	s = strings.TrimFunc(s, isBlank)
	for i, r := range s {
		if !isCloser(r) && !isTerminal(r) && !isPause(r) || r == '*' || r == '_' || i > 8 {
			return false
		}
	}
	return s != ""
}

// wordless reports whether a line has neither letters nor digits: a blank line or a
// ruler, for instance.
func wordless(s string) bool { return !hasWord(s) }
