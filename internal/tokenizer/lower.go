package tokenizer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lower is JavaScript's toLowerCase: the mappings of single characters, and of the
// context-dependent ones the two that apply to every language: a dotted capital I keeps
// its dot as a combining mark, and a capital sigma at the end of a word becomes the
// final one.
func lower(text string) string {
	i := 0
	for ; i < len(text); i++ {
		if c := text[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			break
		}
	}
	if i == len(text) {
		return text
	}
	plane := basicPlane()
	var b strings.Builder
	b.Grow(len(text) + 8)
	b.WriteString(text[:i])
	for i < len(text) {
		c := text[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			b.WriteByte(c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == 'İ':
			b.WriteString("i\u0307")
		case r == 'Σ':
			if endsWord(text, i, i+size) {
				b.WriteRune('ς')
			} else {
				b.WriteRune('σ')
			}
		case r < 1<<16:
			b.WriteRune(rune(plane.lower[r]))
		default:
			b.WriteRune(unicode.ToLower(r))
		}
		i += size
	}
	return b.String()
}

// endsWord reports whether a letter from start to end ends a word of several letters: a
// cased letter precedes and none follows it, ignoring case-ignorable characters.
func endsWord(text string, start, end int) bool {
	for {
		if start == 0 {
			return false
		}
		r, size := utf8.DecodeLastRuneInString(text[:start])
		if !isCaseIgnorable(r) {
			if !isCased(r) {
				return false
			}
			break
		}
		start -= size
	}
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !isCaseIgnorable(r) {
			return !isCased(r)
		}
		end += size
	}
	return true
}

func isCased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// isCaseIgnorable follows DerivedCoreProperties.txt: marks, formats, modifiers and the
// characters that occur inside words.
func isCaseIgnorable(r rune) bool {
	switch r {
	case '\'', '.', ':', 0xb7, 0x387, 0x55f, 0x5f4, 0x2018, 0x2019, 0x2024, 0x2027, 0xfe13, 0xfe52, 0xfe55, 0xff07, 0xff0e, 0xff1a:
		return true
	}
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}
