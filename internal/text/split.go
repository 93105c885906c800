package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cerasum/cerasum/core/cluster"
)

// Split splits doc into its sentences: trimmed, in order, without overlap, each with
// its exact offsets. A sentence may span the line breaks of wrapped text; headings
// and list items are separate sentences. Spans without a letter or digit are not
// returned.
//
// language is an ISO 639-1 tag that selects the abbreviations; if it is empty,
// [Detect] determines it.
func Split(doc, language string) []cluster.Sentence {
	if language == "" {
		language = Detect(doc)
	}
	s := splitter{doc: doc, rules: rulesFor(language), language: language}
	s.readCase()
	// Sentences of 100 bytes are typical; append handles the rest.
	s.out = make([]cluster.Sentence, 0, len(doc)/100+1)
	units(doc, s.join)
	s.flush()
	return s.out
}

// splitter is the state of one Split.
type splitter struct {
	doc      string
	language string
	rules    *rules
	// uncased means that doc is in small letters only, so that a small letter does
	// not indicate a continuation.
	uncased bool
	// flat means that doc has capitals only at the start of sentences, as in corpora
	// with restored capitals.
	flat bool
	// title is the position of an unclosed 《, or -1.
	title int
	// opensWithQuote means that the current sentence starts with a quotation, so that
	// an attribution may follow its end.
	opensWithQuote bool
	out            []cluster.Sentence
	// doc[from:to] is a unit that waits for the next one, if there is any.
	from, to int
	// units counts the UTF-16 units of doc[:at].
	at, units int
}

// join splits the unit doc[start:end], with the units before it that end with a title:
// a line break has taken it from its name.
func (s *splitter) join(start, end int) {
	if s.to > s.from && s.titled(s.from, s.to) && s.leads(start, end) {
		s.to = end
		return
	}
	s.flush()
	s.from, s.to = start, end
}

// flush splits the unit that waits.
func (s *splitter) flush() {
	if s.to > s.from {
		s.unit(s.from, s.to)
	}
	s.to = s.from
}

// minLine is the length in bytes from which a line is part of a text, not of a table.
const minLine = 20

// titled reports whether the line doc[start:end] ends with an abbreviation before a name.
func (s *splitter) titled(start, end int) bool {
	end = skipBlankBack(s.doc, start, end)
	if end-start < minLine || s.doc[end-1] != '.' {
		return false
	}
	tok := s.tokenBefore(s.doc, start, end-1)
	first, _ := utf8.DecodeRuneInString(tok.text)
	return unicode.IsUpper(first) && tok.runes > 1 && !tok.shouted && s.lookupToken(s.doc, start, tok).kind == prefix
}

// leads reports whether the line doc[start:end] may go on with a name.
func (s *splitter) leads(start, end int) bool {
	i := skipBlank(s.doc[:end], start)
	first, _ := utf8.DecodeRuneInString(s.doc[i:end])
	return unicode.IsUpper(first) && end-i >= minLine
}

// unit splits doc[start:end], in which line breaks are spaces, into sentences.
func (s *splitter) unit(start, end int) {
	doc := s.doc[:end]
	quotes := 0 // straight double quotes so far
	s.title, s.opensWithQuote = -1, false
	seen, word := start, false // whether doc[start:seen] has a word
	for i := start; i < end; {
		switch mark[doc[i]] {
		case 0:
			i++
			continue
		case markQuote:
			quotes++
			i++
			continue
		case markTerminal:
			if i+1 < end && class[doc[i+1]]&alphanumeric != 0 && !s.endsUnspaced(doc, i) {
				i++
				continue
			}
		case markLead:
			r, size := utf8.DecodeRuneInString(doc[i:])
			if !isTerminal(r) {
				s.open(doc, start, i, r)
				i += size
				continue
			}
		}
		t := s.terminal(doc, i, quotes)
		for j := t.end; j < t.closed; j++ {
			if doc[j] == '"' {
				quotes++
			}
		}
		i = t.closed
		if !word {
			word = hasWord(doc[seen:t.start])
			seen = t.start
		}
		if t.closed == end {
			break
		}
		if !word || t.glued || s.continues(doc, start, t) {
			continue
		}
		s.emit(start, t.closed)
		start, seen, word = t.closed, t.closed, false
		s.opensWithQuote = false
	}
	s.emit(start, end)
}

// terminalMarks is a possible end of a sentence: doc[start:end] are the terminal
// marks, doc[end:closed] the closing quotes, brackets and footnote marks, and next is
// where the text continues.
type terminalMarks struct {
	start, end, closed, next int
	// strong: ! ? 。 and similar; ellipsis: … or several full stops.
	strong, ellipsis bool
	// tight: no following space is needed; fullWidth: of a script without spaces, where a
	// line break is no space either.
	tight, fullWidth bool
	// quote, bracket: closed after the marks.
	quote, bracket bool
	// glued: a required space is missing.
	glued bool
}

// terminal reads the terminal marks at start and the closing marks after them.
func (s *splitter) terminal(doc string, start, quotes int) terminalMarks {
	t := terminalMarks{start: start}
	i, dots := start, 0
	for i < len(doc) {
		r, size := utf8.DecodeRuneInString(doc[i:])
		if r == ' ' && dots > 0 && !t.strong && i+1 < len(doc) && doc[i+1] == '.' && (i+2 == len(doc) || class[doc[i+2]]&alphanumeric == 0) {
			i++ // a spaced ellipsis: . . .
			continue
		}
		if !isTerminal(r) {
			break
		}
		switch r {
		case '.', '．':
			dots++
		case '…':
			dots += 2
		default:
			t.strong = true
			t.tight = t.tight || tight(r)
			t.fullWidth = t.fullWidth || wide(r)
		}
		i += size
	}
	t.end, t.ellipsis = i, dots > 1
	i = s.closers(doc, i, quotes, &t)
	i += s.reference(doc, t.start, i)
	if t.fullWidth { // a line may start with the closing marks
		if j := pastBreak(doc, i); j > i {
			if k := s.closers(doc, j, quotes, &t); k > j {
				i = k
			}
		}
	}
	t.closed, t.next = i, skipBlank(doc, i)
	// A closing quote may be preceded by a space: « Oui. » Puis.
	if t.next > t.closed && t.next < len(doc) {
		r, size := utf8.DecodeRuneInString(doc[t.next:])
		j := t.next + size
		apart := false
		switch r {
		case '»', '”', '’', '›', ')', ']', '）', '」', '』':
			apart = true
		case '"':
			apart = quotes%2 == 1 && !t.quote
		}
		if apart && (j == len(doc) || skipBlank(doc, j) > j || pauseAt(doc, j)) {
			t.quote = t.quote || isQuote(r)
			t.closed, t.next = j, skipBlank(doc, j)
		}
	}
	// So may numbers of footnotes: It was closed. [12] [13] Trains stopped.
	for t.next > t.closed && t.next+1 < len(doc) && doc[t.next] == '[' && class[doc[t.next+1]]&digit != 0 {
		j := t.next + footnote(doc[t.next:])
		if j == t.next || j < len(doc) && skipBlank(doc, j) == j && doc[j] != '[' {
			break
		}
		t.closed, t.next = j, skipBlank(doc, j)
	}
	if t.next == t.closed && t.next < len(doc) && !t.tight {
		r, _ := utf8.DecodeRuneInString(doc[t.next:])
		// In "End.”The next" and "?她" the space is missing by mistake or custom.
		closedWell := unicode.IsUpper(r) && (t.quote || t.end == t.closed && s.runsOn(doc, t.start, t.end))
		t.glued = !closedWell && !(t.strong && unspaced(r))
	}
	return t
}

// endsUnspaced reports whether the mark at doc[i] can end a sentence although a letter or
// digit follows.
func (s *splitter) endsUnspaced(doc string, i int) bool {
	return s.runsOn(doc, i, i+1) || s.reference(doc, i, i+1) > 0
}

// runsOn reports whether the space after the mark doc[i:j] is missing: it is between a
// word in small letters and one that begins sentences.
func (s *splitter) runsOn(doc string, i, j int) bool {
	n := j
	for n < len(doc) && n < j+maxLook && class[doc[n]]&letter != 0 {
		n++
	}
	return n-j > 2 && n < len(doc) && doc[n] == ' ' && class[doc[j]]&upper != 0 && class[doc[j+1]]&lower != 0 &&
		s.rules.lookup(doc[j:n]).starter && s.word(doc, i)
}

// word reports whether a word of three or more small letters, no abbreviation, ends at
// doc[i].
func (s *splitter) word(doc string, i int) bool {
	tok := s.tokenBefore(doc, 0, i)
	if tok.runes < 3 || s.rules.lookup(tok.text).kind != plain {
		return false
	}
	if before, _ := utf8.DecodeLastRuneInString(doc[:tok.start]); tok.start > 0 && !isBlank(before) && !isOpener(before) {
		return false
	}
	return !strings.ContainsFunc(tok.text, func(r rune) bool { return !unicode.IsLower(r) })
}

// reference returns the length of the numbers of footnotes at doc[i:], directly after the
// mark at doc[at:] and what closes it: adults.1,2 A trial; [12]:45 The.
func (s *splitter) reference(doc string, at, i int) int {
	j := i
	if doc[i-1] == ']' && strings.HasPrefix(doc[i:], ":") {
		j++ // the page
	}
	for n := 0; j < len(doc); j++ {
		switch c := doc[j]; {
		case class[c]&digit != 0 && n < 3:
			n++
			continue
		case n > 0 && (c == ',' || c == '-'):
			n = 0
			continue
		case n > 0 && strings.HasPrefix(doc[j:], "–"):
			j += len("–") - 1
			n = 0
			continue
		case n == 0:
			return 0
		}
		break
	}
	next := skipBlank(doc, j)
	if j == i || next == j || next == len(doc) {
		return 0
	}
	first, _ := utf8.DecodeRuneInString(doc[next:])
	if !unicode.IsUpper(first) && !isOpener(first) || doc[i-1] != ']' && !s.word(doc, at) {
		return 0
	}
	return j - i
}

// closers skips the quotes, brackets and footnote marks directly after terminal marks
// that belong to the sentence.
func (s *splitter) closers(doc string, i, quotes int, t *terminalMarks) int {
	for i < len(doc) {
		r, size := utf8.DecodeRuneInString(doc[i:])
		switch {
		case r == '[':
			n := footnote(doc[i:])
			if n == 0 {
				return i
			}
			i += n
			continue
		case r == 0x200e || r == 0x200f || r == '¹' || r == '²' || r == '³' || r >= 0x2070 && r <= 0x2079:
			i += size
			continue
		case !isCloser(r):
			return i
		}
		// A mark that opens in some languages and closes in others closes here unless a
		// word follows. In scripts without spaces, “ and « open.
		after := i + size
		if t.fullWidth {
			after = pastBreak(doc, after)
		}
		n, _ := utf8.DecodeRuneInString(doc[after:])
		switch {
		case i+size == len(doc) || !opensToo(r):
		case t.tight && r >= utf8.RuneSelf:
			if (r == '“' || r == '‘' || r == '«') && !isBlank(n) {
				return i
			}
		case (isWord(n)) && !(r == '"' && quotes%2 == 1):
			return i
		}
		if isQuote(r) {
			t.quote = true
			if r == '"' {
				quotes++
			}
		} else if r != '*' && r != '_' {
			t.bracket = true
		}
		i += size
	}
	return i
}

// open records the quotation marks and title marks that matter at the next terminal.
// The current sentence started at start.
func (s *splitter) open(doc string, start, i int, r rune) {
	switch r {
	case '《':
		s.title = i
	case '》':
		s.title = -1
	case '“', '「', '『':
		if !s.opensWithQuote {
			s.opensWithQuote = skipBlank(doc, start) == i
		}
	}
}

// isCloser reports whether r can be a closing mark.
func isCloser(r rune) bool {
	switch r {
	case '"', '\'', ')', ']', '}', '*', '_', '`', '«', '»', '‹', '›', '“', '”', '‘', '’', '″', '´', '＂':
		return true
	}
	return mayEnclose(r) && (unicode.Is(unicode.Pe, r) || unicode.Is(unicode.Pf, r))
}

// opensToo reports whether the closer r can also open.
func opensToo(r rune) bool {
	switch r {
	case '"', '\'', '*', '_', '`', '«', '»', '‹', '›', '“', '”', '‘', '’':
		return true
	}
	return false
}

// maxFootnote is the longest footnote mark in bytes.
const maxFootnote = 24

// footnote returns the length of a footnote mark at the start of s: [12], [a],
// [citation needed]; 0 if there is none.
func footnote(s string) int {
	for i := 1; i < len(s) && i < maxFootnote; i++ {
		switch {
		case s[i] == ']':
			if i == 1 {
				return 0
			}
			return i + 1
		case s[i] != ' ' && class[s[i]]&(lower|digit) == 0:
			return 0
		}
	}
	return 0
}

// footnoteBefore returns the length of a footnote mark at the end of s.
func footnoteBefore(s string) int {
	if !strings.HasSuffix(s, "]") {
		return 0
	}
	tail := s[max(0, len(s)-maxFootnote):]
	if i := strings.LastIndexByte(tail, '['); i >= 0 && footnote(tail[i:]) == len(tail)-i {
		return len(tail) - i
	}
	return 0
}

// unspaced reports whether r is a letter of a script without spaces between
// sentences.
func unspaced(r rune) bool {
	return r >= 0x2e80 && r <= 0x9fff || r >= 0xf900 && r <= 0xfaff || r >= 0x20000 && r <= 0x3ffff
}

func skipBlank(doc string, i int) int {
	for i < len(doc) {
		r, size := utf8.DecodeRuneInString(doc[i:])
		if !isBlank(r) {
			break
		}
		i += size
	}
	return i
}

func pauseAt(doc string, i int) bool {
	r, _ := utf8.DecodeRuneInString(doc[i:])
	return isPause(r) || r == '.'
}

// emit adds the sentence doc[start:end], trimmed, if it contains a word.
func (s *splitter) emit(start, end int) {
	start, end = trim(s.doc, start, end)
	if !hasWord(s.doc[start:end]) {
		return
	}
	s.units += utf16Length(s.doc[s.at:start])
	n := utf16Length(s.doc[start:end])
	s.out = append(s.out, cluster.Sentence{
		Text: s.doc[start:end], Start: start, End: end,
		StartUTF16: s.units, EndUTF16: s.units + n,
	})
	s.units, s.at = s.units+n, end
}

// trim drops blanks at both ends of doc[start:end], and bullets, heading and quote
// marks at its start.
func trim(doc string, start, end int) (int, int) {
	for start < end {
		r, size := utf8.DecodeRuneInString(doc[start:end])
		if !isBlank(r) && !leadMark(r, doc[start+size:end]) {
			break
		}
		start += size
	}
	for start < end {
		r, size := utf8.DecodeLastRuneInString(doc[start:end])
		if !isBlank(r) {
			break
		}
		end -= size
	}
	return start, end
}

// leadMark reports whether r, followed by rest, is a bullet, heading or quote mark at
// the start of a line.
func leadMark(r rune, rest string) bool {
	switch r {
	case '#':
		next, _ := utf8.DecodeRuneInString(rest)
		return next == '#' || isBlank(next)
	case '-', '*', '+', '>', '|':
		next, _ := utf8.DecodeRuneInString(rest)
		return isBlank(next)
	}
	if r > utf8.RuneSelf {
		for _, b := range bullets {
			if r == b {
				return true
			}
		}
	}
	return false
}

// utf16Length counts the UTF-16 units of s; an invalid byte counts as one.
func utf16Length(s string) int {
	n := 0
	for i := 0; i < len(s); n++ {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		if size == 4 {
			n++
		}
		i += size
	}
	return n
}

// readCase examines the use of capitals in the first 4 kB of doc. Prose has two to
// five per hundred letters, at least half of them inside sentences.
func (s *splitter) readCase() {
	small, capitals, inside := 0, 0, 0
	open := false // a word starting here is inside a sentence
	start := true // a word may start here
	for _, r := range s.doc[:min(len(s.doc), 1<<12)] {
		var up, low bool
		if r < utf8.RuneSelf {
			up, low = class[r]&upper != 0, class[r]&lower != 0
		} else {
			up, low = unicode.IsUpper(r), unicode.IsLower(r)
		}
		switch {
		case up:
			capitals++
			if open && start {
				inside++
			}
			open, start = true, false
		case low:
			small++
			open, start = true, false
		case isBlank(r):
			start = true
		default:
			open, start = r == ',', true
		}
	}
	s.uncased = small >= 40 && capitals*300 < small
	s.flat = small >= 200 && inside*300 < small
}
