package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// follow describes the text after a terminal mark: the first word, past opening
// quotes, brackets and dashes.
type follow struct {
	first rune
	// small, capital, digit: what first is. A letter of a script without case
	// is none of them.
	small, capital, digit bool
	// quoted, bracketed: starts with a quotation, with a bracket.
	quoted, bracketed bool
	// pause: a comma or similar, or another terminal mark, comes first.
	pause bool
	// word is the first word, dotted means that a full stop follows it.
	word   string
	dotted bool
	// short: the word is one letter with a full stop (an initial).
	short bool
	// roman: the word is a Roman numeral or a single capital, but not an elision
	// (J’aime).
	roman bool
}

// maxLook limits how many bytes around a terminal mark are examined, so that
// the time is linear for any text.
const maxLook = 64

// following reads the text at doc[i:].
func (s *splitter) following(doc string, i int) follow {
	var f follow
	r, size := utf8.DecodeRuneInString(doc[i:])
	if isPause(r) || isTerminal(r) && r != '…' {
		f.pause = true
		return f
	}
	f.quoted, f.bracketed = isQuote(r), r == '('
	limit := min(len(doc), i+maxLook)
	apostrophe := false
	for i < limit && (isOpener(r) || isBlank(r)) {
		apostrophe = r == '\'' || r == '’' || r == '‘'
		i += size
		r, size = utf8.DecodeRuneInString(doc[i:])
	}
	f.first = r
	f.digit = unicode.IsDigit(r)
	f.capital = unicode.IsUpper(r) || unicode.IsTitle(r)
	f.small = unicode.IsLower(r) && !(r >= 0x10d0 && r <= 0x10ff) // Georgian has no capitals
	if !f.small && !f.capital {
		return f
	}
	j, capitals, letters := i, 0, 0
	for j < limit {
		r, size := utf8.DecodeRuneInString(doc[j:])
		if !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) {
			break
		}
		if unicode.IsUpper(r) {
			capitals++
		}
		letters++
		j += size
	}
	f.word = doc[i:j]
	f.dotted = j < len(doc) && doc[j] == '.'
	f.short = f.dotted && letters == 1
	if f.capital && (letters == 1 || isRoman(f.word)) {
		r, _ := utf8.DecodeRuneInString(doc[j:])
		f.roman = r != '\'' && r != '’'
	}
	if f.small && capitals > 0 {
		f.small, f.capital = false, true // iPhone
	}
	if f.small && apostrophe && letters == 1 && s.language == "nl" {
		f.small, f.capital = false, true // ’s Avonds
	}
	return f
}

// starts reports whether f starts a sentence even after an abbreviation.
func (s *splitter) starts(f follow) bool {
	// "No." before a number is no "No".
	return (f.capital || s.uncased) && !f.dotted && s.rules.lookup(f.word).starter
}

// continues reports whether the sentence that started at start continues after t.
func (s *splitter) continues(doc string, start int, t terminalMarks) bool {
	if t.next == len(doc) {
		return false
	}
	f := s.following(doc, t.next)
	if f.pause || enclosed(doc, start, t) {
		return true
	}
	if t.tight {
		return s.continuesTight(doc, t, f)
	}
	if f.small && !s.uncased && !s.quoteEnds(t, f) {
		return true
	}
	switch {
	case t.strong:
		return aside(doc, start, t)
	case t.ellipsis:
		return false
	}
	return s.continuesPeriod(doc, start, t, f)
}

// quoteEnds reports whether the quotation closed with t ends a sentence even before a
// small letter: if another quotation follows, or if a full stop inside the quotes
// precedes something that does not indicate a continuation in flat text.
func (s *splitter) quoteEnds(t terminalMarks, f follow) bool {
	return t.quote && (f.quoted || s.flat && !t.strong && !t.ellipsis)
}

// maxEnclosed limits how many bytes before and after a terminal mark are searched for
// the brackets around it.
const maxEnclosed = 200

// enclosed reports whether t is within brackets that the sentence has opened after some
// of its words and closes later: "was accepted (Was it late? Nobody knows) and sent".
func enclosed(doc string, start int, t terminalMarks) bool {
	before, after := doc[max(start, t.start-maxEnclosed):t.closed], doc[t.next:min(len(doc), t.next+maxEnclosed)]
	for _, pair := range [...][2]string{{"(", ")"}, {"（", "）"}} {
		open := strings.LastIndex(before, pair[0])
		if open < 0 || strings.Contains(before[open:], pair[1]) || !hasWord(before[:open]) {
			continue
		}
		if r, _ := utf8.DecodeLastRuneInString(before[:open]); r < utf8.RuneSelf && !isBlank(r) {
			continue // f(x), :(
		}
		if end := strings.Index(after, pair[1]); end >= 0 && !strings.Contains(after[:end], pair[0]) {
			return true
		}
	}
	return false
}

// continuesTight decides after a mark that needs no space. A quotation inside a
// Japanese sentence is followed by a particle, a Chinese title by its noun.
func (s *splitter) continuesTight(doc string, t terminalMarks, f follow) bool {
	if t.closed != t.next && !(t.fullWidth && pastBreak(doc, t.closed) == t.next) {
		return false
	}
	if s.title >= 0 && t.start-s.title < 2*maxLook && t.closed == t.end {
		return true // 《你好！世界》
	}
	if t.closed == t.end {
		return false
	}
	if t.quote && s.opensWithQuote && saying(doc[t.next:]) {
		return true // “你是谁？”他问。
	}
	if f.first >= 0x3040 && f.first <= 0x309f {
		return strings.ContainsRune("とはがをにのなへっや", f.first)
	}
	last, _ := utf8.DecodeLastRuneInString(doc[:t.closed])
	return last == '》'
}

// saying reports whether s starts with a few Chinese characters that attribute the
// preceding quotation.
func saying(s string) bool {
	n := 0
	for _, r := range s {
		if n++; n > 10 || !unspaced(r) || isTerminal(r) || isPause(r) {
			return false
		}
		if strings.ContainsRune("说說道问問答喊叫称稱", r) {
			return true
		}
	}
	return false
}

// aside reports whether the strong marks of t are in a bracket of at most one word
// within the sentence: (!), (sic!).
func aside(doc string, start int, t terminalMarks) bool {
	if !t.bracket || t.quote {
		return false
	}
	for i := t.start - 1; i > start && i > t.start-maxLook/2; i-- {
		switch c := doc[i]; {
		case c == '(':
			return hasWord(doc[max(start, i-maxLook):i])
		case class[c]&blank != 0:
			return false
		}
	}
	return false
}

// continuesPeriod decides after a single full stop that is not followed by a small
// letter.
func (s *splitter) continuesPeriod(doc string, start int, t terminalMarks, f follow) bool {
	tok := s.tokenBefore(doc, start, t.start)
	if tok.text == "" {
		return false
	}
	e := s.lookupToken(doc, start, tok)
	if t.quote && e.kind != prefix && !s.uncased {
		return false
	}
	if tok.label && !hasWord(doc[max(start, tok.start-maxLook):tok.start]) {
		return true
	}
	if !t.bracket && opensSmall(doc[max(start, t.start-maxLook):t.start]) {
		return true
	}
	switch e.kind {
	case prefix:
		return !tok.shouted || !s.starts(f) // "by the CA. It"
	case number:
		if f.digit || f.roman && !s.starts(f) {
			return true
		}
	case ending:
		return !s.starts(f)
	case final:
		if tok.acronym && (f.bracketed && f.digit || opening(doc[start:tok.start]) && !strings.ContainsFunc(doc[start:tok.start], unicode.IsLetter)) {
			return true // "5 p.m. (1700 UTC)", and an agenda: "5 p.m. Lunch"
		}
		return f.capital && s.rules.lookup(f.word).clock
	case era:
		return f.capital && !s.starts(f) && opening(doc[start:tok.start])
	}
	if tok.digits {
		return s.continuesNumber(doc, start, tok, f)
	}
	if tok.runes == 1 && !tok.mixed {
		return s.continuesInitial(doc, start, tok, f)
	}
	if s.uncased && f.small && !f.short {
		return false
	}
	if s.language == "th" && utf8.RuneCountInString(tok.text[strings.LastIndexByte(tok.text, '.')+1:]) <= 4 {
		return true // Thai has full stops after abbreviations and initials only
	}
	switch {
	case tok.acronym:
		return !s.starts(f)
	case tok.roman && s.rules.ordinals >= ordinalsBeforeSmall && s.rules.ordinals != datesOnly:
		return !s.starts(f) && s.rules.ordinals == ordinalsBeforeCapitals
	case s.rules.countable && tok.bases <= 2:
		return !strings.Contains(" "+hindiFinals+" ", " "+tok.text+" ")
	case tok.vowelless:
		return !s.starts(f) && !s.tokenBefore(doc, start, skipBlankBack(doc, start, tok.start)).numeric
	}
	return false
}

// continuesNumber decides after a number with a full stop.
func (s *splitter) continuesNumber(doc string, start int, tok token, f follow) bool {
	n := len(tok.text)
	if n <= 3 && f.capital && caption(doc[start:tok.start]) {
		return true
	}
	switch s.rules.ordinals {
	case datesOnly: // 2016. 5. 3.
		if f.digit {
			return n <= 2 || n == 4
		}
		i := skipBlankBack(doc, start, tok.start)
		return n <= 2 && i < tok.start && i > start && doc[i-1] == '.' && s.tokenBefore(doc, start, i-1).digits
	case noOrdinals:
		return false
	}
	switch {
	case s.rules.lookup(f.word).month:
		return true
	case f.digit:
		return n <= 2
	case s.rules.ordinals == ordinalsBeforeCapitals:
		return f.capital && n <= 2 && !s.starts(f)
	}
	return false
}

// caption reports whether s is one word with a capital, which a number follows:
// "Figure 1. Map of the island", "Section 2. Short title".
func caption(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r) && len(s) < maxLook && !strings.Contains(s, ",") && CountWords(s) == 1
}

// opensSmall reports whether s ends with one or two words that open a bracket and begin
// with a small letter, which no sentence does: "(lit", "(par ex".
func opensSmall(s string) bool {
	i := strings.LastIndexByte(s, '(')
	if i < 0 {
		return false
	}
	s = s[i+1:]
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) && !unicode.IsUpper(r) && CountWords(s) <= 2 && !strings.ContainsAny(s, "),;!?")
}

// continuesInitial decides after a single letter with a full stop.
func (s *splitter) continuesInitial(doc string, start int, tok token, f follow) bool {
	r, _ := utf8.DecodeRuneInString(tok.text)
	if p, _ := utf8.DecodeLastRuneInString(doc[start:tok.start]); p == '°' {
		return false
	}
	before := s.tokenBefore(doc, start, skipBlankBack(doc, start, tok.start))
	switch {
	case f.short:
		return true
	case unicode.IsUpper(r):
		if s.rules.lookup(before.text).lettered {
			return false
		}
		return f.capital && !s.starts(f)
	case unicode.IsLower(r) || !unicode.IsLetter(r):
		// "в 1998 г. Он", "XX w. Potem"; but "в 1998 г. Москва", "ул. Мира".
		if s.rules.lookup(tok.text).word || !f.capital && !f.digit {
			return false
		}
		return !before.numeric || !s.starts(f) && opening(doc[start:tok.start])
	}
	// A letter of a script without case: أ. محمد.
	return !unspaced(r) && !unicode.Is(unicode.Hangul, r)
}

// opening reports whether a sentence has barely started: an abbreviation after so few
// words ends a time phrase, not the sentence ("W 72 r. p.n.e. Rzym").
func opening(s string) bool { return len(s) < 2*maxLook && CountWords(s) <= 5 }

// token is the word before a full stop.
type token struct {
	text       string
	start, end int
	runes      int
	bases      int  // runes other than combining marks
	digits     bool // all ASCII digits
	numeric    bool // begins with a digit, or is a Roman numeral
	// label: what begins a list item or a heading rather than ends a sentence: "2", "3.1",
	// "b", "IV", "P.S".
	label     bool
	roman     bool
	acronym   bool // parts of one or two letters with full stops between
	mixed     bool // contains other characters than letters
	shouted   bool // two or more capitals
	vowelless bool // two to four letters, not all capitals, no vowel
}

// tokenBefore reads the word that ends at doc[end], not before start. Of a word
// longer than maxLook bytes it returns the last part.
func (s *splitter) tokenBefore(doc string, start, end int) token {
	i := end
	for i > start && end-i < maxLook {
		r, size := utf8.DecodeLastRuneInString(doc[start:i])
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && !joins(r) {
			break
		}
		i -= size
	}
	for i < end {
		r, size := utf8.DecodeRuneInString(doc[i:end])
		if !joins(r) {
			break
		}
		i += size
	}
	if k := strings.LastIndex(doc[i:end], ".-"); k > 0 && class[doc[min(i+k+2, end-1)]]&digit != 0 {
		i += k + 2 // the second of "15.-22"
	}
	tok := token{text: doc[i:end], start: i, end: end, digits: i < end}
	if s.rules.elision {
		if k := strings.LastIndexAny(tok.text, "'’"); k > 0 && k <= 3 {
			_, size := utf8.DecodeRuneInString(tok.text[k:])
			tok.text, tok.start = tok.text[k+size:], i+k+size
		}
	}
	tok.describe()
	return tok
}

// joins reports whether r can be inside a word.
func joins(r rune) bool {
	switch r {
	case '.', '-', '\'', '’', '‐', '‑', '/', '&', '_':
		return true
	}
	return false
}

func (t *token) describe() {
	vowels, capitals, letters, marks, dots, part, longest := 0, 0, 0, 0, 0, 0, 0
	for i, r := range t.text {
		t.runes++
		ascii := r < utf8.RuneSelf && class[r]&digit != 0
		if !ascii {
			t.digits = false
		}
		if i == 0 && unicode.IsDigit(r) {
			t.numeric = true
		}
		switch {
		case r == '.' || r == '-':
			t.mixed = true
			dots++
			part = 0
		case unicode.IsLetter(r):
			t.bases++
			letters++
			part++
			longest = max(longest, part)
			if unicode.IsUpper(r) {
				capitals++
			}
			if isVowel(r) {
				vowels++
			}
		case unicode.IsMark(r):
			marks++
		default:
			t.bases++
			t.mixed = true
		}
	}
	t.acronym = dots > 0 && longest <= 2 && letters+dots+marks == t.runes && letters > 1
	t.roman = isRoman(t.text)
	first, _ := utf8.DecodeRuneInString(t.text)
	t.numeric = t.numeric || t.roman
	switch {
	case letters == 0:
		t.label = t.digits && t.runes <= 3 || dots > 0 && t.runes <= 8
	case t.runes == 1:
		t.label = unicode.IsUpper(first) || unicode.IsLower(first)
	default:
		t.label = t.roman || t.acronym
	}
	t.shouted = letters >= 2 && capitals == letters && !t.mixed
	t.vowelless = !t.mixed && letters >= 2 && letters <= 4 && vowels == 0 && capitals < letters
}

// isVowel reports whether r is a vowel or can act as one (l and r between consonants).
// Letters of scripts other than Latin and Cyrillic count as vowels, so that their
// absence means nothing.
func isVowel(r rune) bool {
	if r < utf8.RuneSelf {
		return strings.ContainsRune("aeiouylrAEIOUYLR", r)
	}
	if r >= 0x400 && r < 0x530 {
		return strings.ContainsRune("аеёиоуыэюяіїєъАЕЁИОУЫЭЮЯІЇЄЪ", r)
	}
	return !strings.ContainsRune("çčćďđğłñńňřśšşťțźžżÇČĆĎĐĞŁÑŃŇŘŚŠŞŤȚŹŽŻ", r)
}

// isRoman reports whether s has the form of a Roman numeral.
func isRoman(s string) bool {
	for i := range len(s) {
		switch s[i] {
		case 'I', 'V', 'X', 'L', 'C', 'M':
		default:
			return false
		}
	}
	return s != ""
}

// lookupToken looks up the word before a full stop, together with preceding short
// words for abbreviations of several words: "z. B", "и т. д", "EE. UU".
func (s *splitter) lookupToken(doc string, start int, tok token) entry {
	if tok.runes <= 4 {
		var key [maxLook]byte
		at := copyBack(key[:], len(key), tok.text)
		from := tok.start
		var best entry
		for range 3 {
			i := skipBlankBack(doc, start, from)
			if at < 0 || i == from || i <= start || doc[i-1] != '.' {
				break
			}
			p := s.tokenBefore(doc, start, i-1)
			if p.text == "" || p.runes > 3 {
				break
			}
			if at = copyBack(key[:], at, "."); at >= 0 {
				at = copyBack(key[:], at, p.text)
			}
			if at < 0 {
				break
			}
			if e := s.rules.lookup(string(key[at:])); e.kind != plain {
				best = e
			}
			from = p.start
		}
		if best.kind != plain {
			return best
		}
	}
	e := s.rules.lookup(tok.text)
	if e.kind == plain && tok.mixed {
		if k := strings.LastIndexByte(tok.text, '-'); k >= 0 && len(tok.text)-k > 2 {
			e = s.rules.lookup(tok.text[k+1:])
		}
	}
	return e
}

// copyBack copies s to before to[at:] and returns the new position, -1 without room.
func copyBack(to []byte, at int, s string) int {
	at -= len(s)
	if at >= 0 {
		copy(to[at:], s)
	}
	return at
}

// lookup looks up a word, ignoring case except for abbreviations with a capital.
func (r *rules) lookup(word string) entry {
	if len(word) > r.longest {
		return entry{}
	}
	var low [maxLook]byte
	n := 0
	for _, c := range word {
		n = len(utf8.AppendRune(low[:n], unicode.ToLower(c)))
	}
	e := r.words[string(low[:n])]
	if first, size := utf8.DecodeRuneInString(word); unicode.IsUpper(first) && utf8.RuneLen(unicode.ToLower(first)) == size {
		utf8.EncodeRune(low[:], first)
		if as := r.words[string(low[:n])]; as.kind != plain {
			e.kind = as.kind
		}
	}
	return e
}

// skipBlankBack returns the end of the text before the blanks before doc[i].
func skipBlankBack(doc string, start, i int) int {
	for limit := max(start, i-maxLook); i > limit; {
		r, size := utf8.DecodeLastRuneInString(doc[limit:i])
		if !isBlank(r) {
			break
		}
		i -= size
	}
	return i
}
