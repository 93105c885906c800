package reading

import (
	"strings"
	"unicode/utf8"
)

// begins returns the classes of what text begins with, and the length in bytes of the
// longest entry that matches; an entry of class alone hides the others. Entries that only have
// classes of [voice] hide none and have no length.
func (w *words) begins(text string) (c class, length int) {
	voice := class(0)
	for n, end := 0, 0; n <= w.longest && end < len(text); n++ {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
		switch found := w.of[text[:end]]; {
		case found&^spoken != 0:
			c, length = found, end // longer entries hide shorter ones
		default:
			voice |= found
		}
	}
	return c | voice, length
}

// each passes the classes of the entries in a text without spaces, one after the other, and
// returns the number of its characters. A demonstrative of one character is often a part of
// another word, so it does not count.
func (w *words) each(text string, do func(class)) (characters int) {
	skip := 0
	for at := range text {
		characters++
		if at >= skip {
			c, n := w.begins(text[at:])
			if n <= 3 {
				c &^= demonstrative
			}
			do(c)
			skip = at + n
		}
	}
	return characters
}

// nearCharacters is the number of characters in which an unspaced sentence begins.
const nearCharacters = 8

// unspaced finds the signals of a sentence in a language without spaces.
func (s *scanner) unspaced(x *[numSignals]float64) {
	text := strings.TrimLeft(s.sentence, " \u3000\"“”「『«‘")
	c, length := s.words.begins(text)
	if c&alone != 0 {
		c = 0
	}
	set := func(k int, b bool) {
		if b {
			x[k] = 1
		}
	}
	set(signalPronoun, c&pronoun != 0)
	deictic := false
	if c&near != 0 {
		next, _ := s.words.begins(text[length:])
		deictic = next&when != 0
	}
	set(signalNear, c&near != 0 && !deictic)
	set(signalFar, c&far != 0)
	set(signalLink, c&link != 0)
	set(signalOther, c&other != 0)
	set(signalTime, c&relative != 0)
	set(signalVerb, c&verb != 0)
	set(signalSelf, c&self != 0 && !s.speaks)
	if len(s.words.particle) > 0 {
		set(signalDropped, !s.hasSubject())
	}
	if k := strings.LastIndexAny(s.sentence, "”」』"); s.speaks && k >= 0 {
		_, size := utf8.DecodeRuneInString(s.sentence[k:])
		if c, _ := s.words.begins(s.sentence[k+size:]); c&pronoun != 0 {
			x[signalSpeech] = 1 // "…", he said
		}
	}
	// After the beginning.
	rest := text[length:]
	if length == 0 {
		_, size := utf8.DecodeRuneInString(text)
		rest = text[size:]
	}
	characters := 0
	for skip, at := 0, 0; at < len(rest); {
		_, size := utf8.DecodeRuneInString(rest[at:])
		if at >= skip && size > 1 {
			inner := characters > nearCharacters
			if c, n := s.words.begins(rest[at:]); n > 0 {
				skip = at + n
				quoted := s.speaks
				switch {
				case c&alone != 0 || quoted:
				case c&pronoun != 0 && inner:
					x[signalUnnamed] = 1
				case c&pronoun != 0, c&demonstrative != 0 && n > 3 && !inner:
					x[signalEarly] = 1
				case c&relative != 0 && n > 3 && !inner:
					x[signalTime] = 1
				}
			}
		}
		characters++
		at += size
	}
}

// eachPair passes the pairs of adjacent characters of a run.
func (s *scanner) eachPair(t *token, f func(hash uint64)) {
	last := rune(-1)
	for _, r := range string(s.word(t)) {
		if last >= 0 {
			f((uint64(last)<<21|uint64(r))*0x9E3779B97F4A7C15 | 1)
		}
		last = r
	}
}

// pairs counts the pairs of a run, and those that are known.
func (s *scanner) pairs(t *token, i int, elsewhere bool) (all, seen int) {
	s.eachPair(t, func(hash uint64) {
		all++
		if s.document.any(hash, i, elsewhere) {
			seen++
		}
	})
	return all, seen
}
