package reading

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// early is the number of words at the beginning of a sentence, after the first, in
// which a pronoun or a time leans on what precedes.
const early = 4

// token is a word of a sentence, or two characters of one without spaces.
type token struct {
	start, end int32 // in scanner.folded
	hash       uint64
	upper      bool
	digit      bool
	quoted     bool
	joined     bool // only a space stands between it and the token before
	comma      bool // a comma or colon stands between
}

// scanner finds the signals of sentences. Its buffers are used again.
type scanner struct {
	words    *words
	document memory
	sentence string
	folded   []byte
	tokens   []token
	phrase   []byte
	letters  int
	// marks of quotation
	opened, closed, straight int
	speaks                   bool // begins with a quotation mark
	after                    bool // has a word outside of quotation marks
	inside                   int  // sentences for which a quotation may go on
	plain, inner             bool // it began with a straight mark; another is open within it
	began                    bool // the sentence begins inside a quotation
	lower                    bool
	dispatch                 bool // names a place that only the dateline of its document tells
	last                     rune
}

func newScanner(language string) *scanner {
	return &scanner{words: wordsOf(language)}
}

// longestQuotation is the number of sentences after which an opening quotation mark
// without its end counts as an error of the text.
const longestQuotation = 3

// scan cuts a sentence into tokens.
func (s *scanner) scan(sentence string) {
	s.sentence = sentence
	s.folded, s.tokens = s.folded[:0], s.tokens[:0]
	s.opened, s.closed, s.straight, s.letters = 0, 0, 0, 0
	s.speaks, s.after, s.lower, s.dispatch, s.last = false, false, false, false, 0
	s.began = s.inside > 0
	s.plain, s.inner = s.plain && s.began, s.inner && s.began
	if strings.HasPrefix(sentence, "(") || strings.HasPrefix(sentence, "（") {
		s.lower = true // an aside
	}
	quoted := s.began
	started := false
	joined, comma := false, false
	for i := 0; i < len(sentence); {
		r, size := rune(sentence[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(sentence[i:])
		}
		if isWord(r) {
			t := token{start: int32(len(s.folded)), upper: isUpper(r), quoted: quoted, joined: joined, comma: comma}
			if !started && !s.lower {
				s.lower = r < utf8.RuneSelf && r >= 'a' && r <= 'z' || r >= utf8.RuneSelf && unicode.IsLower(r)
			}
			if !quoted {
				s.after = true
			}
			hash := uint64(14695981039346656037)
			for {
				s.letters++
				t.digit = t.digit || r >= '0' && r <= '9'
				from := len(s.folded)
				s.folded = s.fold(s.folded, r)
				for _, b := range s.folded[from:] {
					hash = (hash ^ uint64(b)) * 1099511628211
				}
				i += size
				if i == len(sentence) {
					break
				}
				r, size = rune(sentence[i]), 1
				if r >= utf8.RuneSelf {
					r, size = utf8.DecodeRuneInString(sentence[i:])
				}
				if !isWord(r) {
					break
				}
			}
			if t.end, t.hash = int32(len(s.folded)), hash|1; t.end == t.start {
				continue // an Arabic vowel without a letter
			}
			s.tokens = append(s.tokens, t)
			started, joined, comma = true, true, false
			s.last = 0
			continue
		}
		switch r {
		case ' ', '\u00a0', '\n':
		case '"':
			if isInner(sentence, i) {
				break
			}
			s.straight++
			if begins := startsMark(sentence, i, size); quoted && !s.plain && (begins || s.inner) {
				s.inner, joined = begins, false
				break
			}
			quoted = !quoted
			s.plain, s.inner = quoted, false
			s.speaks = s.speaks || !started
			joined = false
		case '“', '„', '«', '「', '『', '‹':
			// “ closes in German and other languages, » opens in Danish.
			if isInner(sentence, i) {
				break
			}
			if begins := s.startsInner(i, r, size); quoted && s.plain && (begins || s.inner) {
				s.within(begins)
			} else if quoted && (r == '«' || r == '“' && (s.opened > s.closed || !startsMark(sentence, i, size))) {
				s.closed++
				quoted, s.plain, s.inner = false, false, false
			} else {
				s.opened++
				quoted = true
				s.speaks = s.speaks || !started
			}
			joined = false
		case '”', '»', '」', '』', '›':
			// ” also opens in Swedish and Finnish.
			if isInner(sentence, i) {
				break
			}
			if begins := s.startsInner(i, r, size); quoted && s.plain && (begins || s.inner) {
				s.within(begins)
			} else if !quoted && (r == '”' || r == '»' && !started) {
				s.opened++
				quoted = true
				s.speaks = s.speaks || !started
			} else {
				s.closed++
				quoted, s.plain, s.inner = false, false, false
			}
			joined = false
		case ',', ':', '،', '、', '，', '：', ';':
			joined, comma = false, true
			s.last = r
		case '\'', '’', '-', '.':
			// Elided words, double names and initials.
			s.last = r
		default:
			joined = false
			s.last = r
		}
		i += size
	}
	if quoted && (!s.began || s.inside > 1) {
		if !s.began {
			s.inside = longestQuotation
		} else {
			s.inside--
		}
	} else {
		s.inside = 0
	}
}

// within counts a mark that opens or closes a quotation within one of straight marks.
func (s *scanner) within(begins bool) {
	s.inner = begins
	if begins {
		s.opened++
	} else {
		s.closed++
	}
}

// startsInner is startsInner for the mark at i.
func (s *scanner) startsInner(i int, r rune, size int) bool {
	before, after := around(s.sentence, i, size)
	return startsInner(s.inner, r, before, after)
}

// startsMark reports whether the mark of that size at i may open a quotation.
func startsMark(s string, i, size int) bool { return startsQuote(around(s, i, size)) }

// around returns the characters before and after the mark of that size at i.
func around(s string, i, size int) (before, after rune) {
	before, after = ' ', ' '
	if i > 0 {
		before, _ = utf8.DecodeLastRuneInString(s[:i])
	}
	if i+size < len(s) {
		after, _ = utf8.DecodeRuneInString(s[i+size:])
	}
	return before, after
}

// isInner reports whether the quotation mark at i stands within an acronym in Hebrew: before
// its last letter, or after more than prefixes, which stand before quotations, too.
func isInner(s string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	_, size := utf8.DecodeRuneInString(s[i:])
	after, next := utf8.DecodeRuneInString(s[i+size:])
	if before < 0x0590 || before >= 0x0600 || !isWord(before) || !isWord(after) {
		return false
	}
	if following, _ := utf8.DecodeRuneInString(s[i+size+next:]); !isWord(following) {
		return true
	}
	for n := 0; i > 0; n++ {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		if !isWord(r) {
			return false
		}
		if n == mostPrefixes || !strings.ContainsRune("בהוכלמש", r) {
			return true
		}
		i -= size
	}
	return false
}

// mostPrefixes is more than a Hebrew word has.
const mostPrefixes = 6

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || r == '\u200c' || unicode.IsDigit(r)
}

func isUpper(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'A' && r <= 'Z'
	}
	return unicode.IsUpper(r)
}

// fold appends the lower-case form of r.
func (s *scanner) fold(dst []byte, r rune) []byte {
	switch {
	case s.words.turkic && r == 'I':
		return append(dst, "ı"...)
	case s.words.turkic && r == 'İ':
		return append(dst, 'i')
	case r < utf8.RuneSelf:
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return append(dst, byte(r))
	case r >= 0x064b && r <= 0x0652: // Arabic vowels
		return dst
	case r >= 0x2e80:
		return utf8.AppendRune(dst, r)
	}
	if r = unicode.ToLower(r); !s.words.turkic {
		r = withComma(r)
	}
	return utf8.AppendRune(dst, r)
}

func (s *scanner) word(t *token) []byte { return s.folded[t.start:t.end] }

// classes returns the classes of the word at k, and of the phrases that begin with it.
func (s *scanner) classes(k int) class {
	t := &s.tokens[k]
	c := s.words.of[string(s.word(t))]
	if s.words.longest > 1 {
		s.phrase = append(s.phrase[:0], s.word(t)...)
		for n := 1; n < s.words.longest && k+n < len(s.tokens); n++ {
			next := &s.tokens[k+n]
			s.phrase = append(append(s.phrase, '_'), s.word(next)...)
			c |= s.words.of[string(s.phrase)]
		}
	}
	return c
}

// prefixed returns the classes of the prefixes that the sentence begins with, of two
// words at most.
func (s *scanner) prefixed() (c class) {
	if len(s.words.prefixes) == 0 {
		return 0
	}
	s.phrase = append(s.phrase[:0], s.word(&s.tokens[0])...)
	if len(s.tokens) > 1 {
		s.phrase = append(append(s.phrase, '_'), s.word(&s.tokens[1])...)
	}
	for p, of := range s.words.prefixes {
		if strings.HasPrefix(string(s.phrase), p) {
			c |= of
		}
	}
	return c
}

// endsAs reports whether a word has an ending of verbs, and a stem before it.
func (s *scanner) endsAs(word []byte) bool {
	for _, e := range s.words.endings {
		if len(word) > len(e)+2 && string(word[len(word)-len(e):]) == e {
			return true
		}
	}
	return false
}

// signals returns the signals of the scanned sentence, the i-th of its document, and
// which sentence introduces its surname, or -1. Known is what preceding sentences
// have; with elsewhere, what any other has.
func (s *scanner) signals(i int, elsewhere bool) (x [numSignals]float64, introduction int) {
	introduction = -1
	s.form(&x)
	if len(s.tokens) == 0 {
		return x, introduction
	}
	var common, names int
	if s.words.unspaced {
		s.unspaced(&x)
	} else {
		introduction = s.spaced(&x, i, elsewhere)
	}
	for k := range s.tokens {
		t := &s.tokens[k]
		if s.words.unspaced {
			n, seen := s.pairs(t, i, elsewhere)
			common, names = common+n, names+seen
			continue
		}
		if t.digit || t.end-t.start < 4 {
			continue
		}
		common++
		if s.document.any(t.hash, i, elsewhere) {
			names++
		}
	}
	if common > 0 {
		x[signalRepeats] = float64(names) / float64(common)
	}
	return x, introduction
}

// aged reports whether the sentence begins with a person described only by age: "The
// 44-year-old was", "Die 78-Jährige". News reports do this with people named before.
func (s *scanner) aged() bool {
	if len(s.tokens) < 5 || !s.tokens[1].digit || s.classes(0)&article == 0 {
		return false
	}
	next := s.tokens[2:5]
	switch string(s.word(&next[0])) {
	case "year":
		// Not "The 200-year-old church".
		return string(s.word(&next[1])) == "old" && strings.Contains(" was is has had will said from who died man woman boy girl suspect ", " "+string(s.word(&next[2]))+" ")
	case "jährige":
		return next[0].upper
	}
	return false
}

// form finds the signals that need no table.
func (s *scanner) form(x *[numSignals]float64) {
	n := s.length()
	set := func(k int, b bool) {
		if b {
			x[k] = 1
		}
	}
	set(signalSpeech, s.speaks && !s.after)
	set(signalInside, s.began)
	// Some begin with one kind of mark and end with another: "…”.
	set(signalUnbalanced, (s.straight+s.opened+s.closed)%2 == 1 || s.straight%2 == 0 && s.opened != s.closed)
	set(signalQuestion, s.last == '?' || s.last == '!' || s.last == '？' || s.last == '！' || s.last == '؟' || s.last == '\u037e' || s.last == ';' && s.words.of["και"] != 0)
	set(signalFragment, s.last == 0 || s.last == ',' || s.last == ':' || s.last == '-')
	set(signalLower, s.lower)
	x[signalShort] = max(0, 1-n/9)
	x[signalLength] = min(1, n/40)
	for k := range s.tokens {
		if s.tokens[k].digit {
			x[signalDigits] = 1
		}
	}
}

// length returns the length of the sentence in words of English.
func (s *scanner) length() float64 {
	for _, t := range s.tokens {
		if w := s.word(&t); w[0] >= utf8.RuneSelf {
			r, _ := utf8.DecodeRune(w)
			if r >= 0x0e00 && r < 0x0e80 {
				return float64(s.letters) / 4
			}
			if r >= 0x2e80 { // a character for a syllable or a word
				return float64(s.letters) / 2
			}
			break
		}
	}
	return float64(s.letters) / 4.7
}

// opensWith reports whether the first word of the sentence is of a class.
func (s *scanner) opensWith(c class) bool {
	return len(s.tokens) > 0 && s.words.of[string(s.word(&s.tokens[0]))]&c != 0
}

// placeWithin is the number of words after "this" of which one may name a kind of place.
const placeWithin = 3

// spaced finds the signals of a language with spaces; see signals.
func (s *scanner) spaced(x *[numSignals]float64, i int, elsewhere bool) (introduction int) {
	// The classes of the first words, and of the one after.
	var classes [early + 2]class
	for k := range min(len(classes), len(s.tokens)) {
		classes[k] = s.classes(k)
	}
	first := classes[0] | s.prefixed()
	if first&alone != 0 {
		first &= article | title
	}
	if first&(pronoun|title) == pronoun|title && len(s.tokens) > 1 && s.tokens[1].upper {
		first &^= pronoun // Vietnamese "ông": he, Mr
	}
	speech := s.tokens[0].quoted
	openings := []struct {
		class  class
		signal int
	}{{pronoun, signalPronoun}, {far, signalFar}, {link, signalLink}, {other, signalOther}}
	for _, o := range openings {
		if first&o.class != 0 {
			x[o.signal] = 1
		}
	}
	if first&(pronoun|article) == pronoun|article {
		x[signalPronoun] = 0.5 // Danish "det": it, the
	}
	if first&near != 0 && classes[1]&when == 0 {
		x[signalNear] = 1
	}
	if first&self != 0 && !speech {
		x[signalSelf] = 1
	}
	if s.unnamedSpeech() {
		x[signalSpeech] = 1
	}
	s.verbs(x, first)
	if len(s.words.particle) > 0 && !s.hasSubject() {
		x[signalDropped] = 1
	}
	introduction = s.names(x, i, elsewhere)
	named := false
	thisPlace := 0 // the token up to which a place is that of "this" before it
	for k := range s.tokens {
		t := &s.tokens[k]
		c := s.words.of[string(s.word(t))]
		if c&near != 0 && !t.quoted {
			thisPlace = k + placeWithin
		}
		if c&place != 0 && k <= thisPlace && k > 0 {
			x[signalEarly] = 1 // "moved over this capital city", "arrived here"
			s.dispatch = true
		}
		if k > early {
			if c&pronoun != 0 && c&(link|article) == 0 && !t.quoted {
				if x[signalFullName] > 0 {
					x[signalNamed] = 1
				} else {
					x[signalUnnamed] = 1
				}
			}
			if c&self != 0 && !t.quoted {
				x[signalSelf] = 1
			}
			continue
		}
		c = classes[k]
		if c&relative != 0 && first&alone == 0 {
			x[signalTime] = 1
		}
		deictic := classes[k+1]&when != 0 || k > 0 && classes[k-1]&when != 0
		if k > 0 && !t.quoted && c&(article|link) == 0 && (c&pronoun != 0 && k < 3 || c&near != 0 && !deictic) {
			if named {
				x[signalNamed] = 1
			} else {
				x[signalEarly] = 1
			}
		}
		named = named || t.upper && k > 0 && !t.digit && (!s.tokens[k-1].upper || t.joined)
		if k > 0 && c&self != 0 && !t.quoted {
			x[signalSelf] = 1
		}
	}
	// The common noun that it begins with.
	head := 0
	if first&article != 0 && len(s.tokens) > 1 {
		head = 1
	}
	if first&(pronoun|demonstrative|link) == 0 || head == 1 {
		if t := &s.tokens[head]; s.document.common(t.hash, i, elsewhere) && t.end-t.start > 3 {
			if head == 1 {
				x[signalDefinite] = 1
				if len(s.tokens) > 2 && s.tokens[2].upper {
					x[signalDefinite] = 0.5 // what follows says which
				}
			} else {
				x[signalKnown] = 1
			}
		}
	}
	return introduction
}

// unnamedSpeech reports whether a sentence of speech ends with "she said" or the like:
// a few words outside of the quotation marks, one of them a pronoun or none a name.
func (s *scanner) unnamedSpeech() bool {
	if !s.tokens[0].quoted {
		return false
	}
	outside := 0
	person, cased := false, false
	for k := range s.tokens {
		t := &s.tokens[k]
		cased = cased || t.upper
		if t.quoted {
			continue
		}
		if outside++; t.upper {
			return false
		}
		if c := s.words.of[string(s.word(t))]; c&pronoun != 0 && outside < 4 {
			person = true
		}
	}
	return outside > 0 && (person || cased && outside < 3)
}

// verbs finds a verb at the beginning.
func (s *scanner) verbs(x *[numSignals]float64, first class) {
	if first&(pronoun|demonstrative|link|other) != 0 && first&verb == 0 {
		return
	}
	if first&(verb|alone) == 0 && !s.endsAs(s.word(&s.tokens[0])) || first&verb == 0 && first&alone != 0 {
		return
	}
	x[signalVerbFirst] = 1
	if len(s.tokens) == 1 {
		return
	}
	if next := &s.tokens[1]; next.comma && s.words.of[","]&clause != 0 || s.words.of[string(s.word(next))]&clause != 0 && !next.upper {
		x[signalVerb], x[signalVerbFirst] = 1, 0
	}
}

// hasSubject reports whether a word ends with a particle of the subject.
func (s *scanner) hasSubject() bool {
	if s.words.unspaced {
		for _, p := range s.words.particle {
			if strings.Contains(s.sentence, p) {
				return true
			}
		}
		return false
	}
	for k := range s.tokens {
		for _, p := range s.words.particle {
			if w := s.word(&s.tokens[k]); len(w) > len(p) && bytes.HasSuffix(w, []byte(p)) {
				return true
			}
		}
	}
	return false
}

// names finds full names, and surnames near the beginning without the rest of the name.
func (s *scanner) names(x *[numSignals]float64, i int, elsewhere bool) (introduction int) {
	introduction = -1
	s.runs(func(from, to int) {
		if to-from > 1 {
			x[signalFullName] = 1
			return
		}
		t := &s.tokens[from]
		if from > early || t.quoted {
			return
		}
		at := s.document.surname(t.hash, i, elsewhere)
		if at < 0 {
			return
		}
		introduction = at
		if from > 0 && s.words.of[string(s.word(&s.tokens[from-1]))]&title != 0 {
			x[signalTitled] = 1
		} else {
			x[signalSurname] = 1
		}
	})
	return introduction
}

// runs calls f for the runs of capitalized words, without forms of address, and without
// a first word that has a class or is known as a common word.
func (s *scanner) runs(f func(from, to int)) {
	for k := 0; k < len(s.tokens); k++ {
		t := &s.tokens[k]
		if !t.upper || t.digit {
			continue
		}
		w := s.words.of[string(s.word(t))] &^ content
		if w&title != 0 || k == 0 && (w != 0 || s.document.lowerCase(t.hash)) {
			continue
		}
		end := k + 1
		for end < len(s.tokens) && s.tokens[end].upper && s.tokens[end].joined && !s.tokens[end].digit {
			end++
		}
		f(k, end)
		k = end - 1
	}
}

// remember adds the sentence, the i-th, to what is known of the document.
func (s *scanner) remember(i int) {
	for k := range s.tokens {
		t := &s.tokens[k]
		if s.words.unspaced {
			s.eachPair(t, func(hash uint64) { s.document.add(hash, i) })
			continue
		}
		e := s.document.add(t.hash, i)
		if !t.upper {
			e.lower = true
		}
	}
	if s.words.unspaced {
		return
	}
	s.runs(func(from, to int) {
		if to-from > 1 && to-from < 5 {
			s.document.add(s.tokens[to-1].hash, i).introduce(i)
		}
	})
}
