package reading

import (
	"unicode"
	"unicode/utf8"

	"github.com/cerasum/cerasum/internal/text"
)

// blank reports whether r is white space or an invisible mark.
func blank(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' ' || r >= '\t' && r <= '\r'
	}
	switch r {
	case 0x200b, 0x200e, 0x200f, 0x2060, 0x061c, 0xfeff:
		return true
	}
	return unicode.IsSpace(r)
}

// unspaced reports whether r is of a script that is written without spaces between
// words.
func unspaced(r rune) bool {
	return r >= 0x3040 && r <= 0x30ff || r >= 0x3400 && r <= 0x9fff || r >= 0xf900 && r <= 0xfaff ||
		r >= 0x20000 && r <= 0x3ffff || r >= 0xe00 && r < 0xf00
}

// longer reports whether s has more than n words, or is so long that it must have.
func longer(s string, n int) bool { return len(s) > 40*(n+1) || length(s) > n }

// length estimates the number of words of s: half a word for each letter of a script
// without spaces.
func length(s string) int {
	words, letters := 0, 0
	inside := false
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			if r == ' ' || r == '\n' || r == '\t' {
				inside = false
			} else if !inside && ('0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z') {
				words++
				inside = true
			}
		case unspaced(r):
			letters++
			inside = false
		case blank(r):
			inside = false
		case !inside && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			words++
			inside = true
		}
	}
	return words + (letters+1)/2
}

// fold returns s in small letters, with single spaces, straight apostrophes, without the dot
// or lack of it on the Turkish i and with a comma below s and t, not a cedilla, for comparing
// with tables.
func fold(s string) string {
	b := make([]byte, 0, len(s)+4)
	gap := false
	for i, r := range s {
		if r < utf8.RuneSelf && r > ' ' { // the most frequent case
			if gap {
				b, gap = append(b, ' '), false
			}
			c := s[i]
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			b = append(b, c)
			continue
		}
		switch {
		case blank(r):
			gap = len(b) > 0
			continue
		case r == 0x307, r == 0xad: // the dot of a decomposed İ, the soft hyphen
			continue
		case gap:
			b, gap = append(b, ' '), false
		}
		switch r {
		case '’', '‘', 'ʼ':
			r = '\''
		case 'ı', 'İ':
			r = 'i'
		case 'ё', 'Ё':
			r = 'е'
		default:
			r = withComma(unicode.ToLower(r))
		}
		b = utf8.AppendRune(b, r)
	}
	return string(b)
}

// withComma replaces the letters with a cedilla that many Romanian texts have.
func withComma(r rune) rune {
	switch r {
	case 'ş':
		return 'ș'
	case 'ţ':
		return 'ț'
	}
	return r
}

// folded is fold, which it remembers for the tables that are tried one after another.
func (e *editor) folded(s string) string {
	if s != e.lastIn || s == "" {
		e.lastIn, e.lastOut = s, fold(s)
	}
	return e.lastOut
}

// capital reports whether s starts with a capital, a digit or a letter of a script
// without capitals, after opening marks.
func capital(s string) bool {
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			return !unicode.IsLower(r)
		case unicode.IsDigit(r):
			return true
		}
	}
	return false
}

// shouted reports whether all letters of s are capitals, two at least.
func shouted(s string) bool {
	n := 0
	for _, r := range s {
		if unicode.IsUpper(r) {
			n++
		} else if unicode.IsLetter(r) {
			return false
		}
	}
	return n >= 2
}

// caseless reports whether a text has hardly any capitals inside sentences.
func caseless(s string) bool {
	small, inside := 0, 0
	before, word := rune(0), false // the last mark or letter, whether a space followed it
	for _, r := range s[:min(len(s), 1<<12)] {
		switch {
		case 'a' <= r && r <= 'z':
			small++
			before, word = r, false
		case unicode.IsLower(r):
			small++
			before, word = r, false
		case unicode.IsUpper(r):
			if word && (unicode.IsLetter(before) || before == ',') {
				inside++
			}
			before, word = r, false
		case r == ' ':
			word = true
		default:
			before, word = r, r == '\n'
		}
	}
	return inside*250 < small || small < 20
}

// closedMark reports whether s ends as sentences do.
func closedMark(s string) bool { return text.Closed(s) }

// boundary reports whether a word of a table may begin or end between two characters:
// between letters only where a script has no spaces.
func boundary(before, after rune) bool {
	letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }
	return !letter(before) || !letter(after) || unspaced(before) || unspaced(after)
}
