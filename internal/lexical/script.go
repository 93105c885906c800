package lexical

import (
	"unicode"
	"unicode/utf8"
)

// script identifies writing systems that need special word segmentation.
type script uint8

const (
	spaced script = iota // words are separated by spaces
	han
	hiragana
	katakana
	hangul // has spaces, but particles are attached to words
	thai   // and Lao
	khmer
	myanmar
	sound // the long-vowel mark of both kanas: belongs to the run before it
)

// span is a run of characters of one script: sentence[start:end].
type span struct {
	script     script
	start, end int
}

// scriptAt returns the script of the first character of s. Digits and punctuation of a
// script are not part of it.
func scriptAt(s string) script {
	if len(s) < 3 || s[0] < 0xE0 {
		return spaced
	}
	r, _ := utf8.DecodeRuneInString(s)
	switch {
	case r < 0x0E01:
		return spaced
	case r <= 0x0E4E:
		if r == 0x0E3F { // baht
			return spaced
		}
		return thai
	case r >= 0x0E81 && r <= 0x0ECD, r >= 0x0EDC && r <= 0x0EDF:
		return thai
	case r >= 0x1000 && r <= 0x103F, r >= 0x1050 && r <= 0x108F, r >= 0x109A && r <= 0x109F,
		r >= 0xA9E0 && r <= 0xA9EF, r >= 0xA9FA && r <= 0xA9FE, r >= 0xAA60 && r <= 0xAA7F:
		return myanmar
	case r >= 0x1100 && r <= 0x11FF, r >= 0x3131 && r <= 0x318E, r >= 0xA960 && r <= 0xA97C,
		r >= 0xAC00 && r <= 0xD7FB:
		return hangul
	case r >= 0x1780 && r <= 0x17D3, r == 0x17D7, r == 0x17DC:
		return khmer
	case r < 0x2E80:
		return spaced
	case r <= 0x2FDF, r == 0x3005, r == 0x3007, r >= 0x3021 && r <= 0x3029,
		r >= 0x3400 && r <= 0x4DBF, r >= 0x4E00 && r <= 0x9FFF, r >= 0xF900 && r <= 0xFAFF,
		r >= 0x20000 && r <= 0x3FFFF:
		return han
	case r >= 0x3041 && r <= 0x309F:
		return hiragana
	case r == 0x30FC:
		return sound
	case r >= 0x30A1 && r <= 0x30FF && r != 0x30FB, r >= 0x31F0 && r <= 0x31FF,
		r >= 0xFF66 && r <= 0xFF9F:
		return katakana
	}
	return spaced
}

func isASCIIWord(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// hasWordRune reports whether a segment has a letter or a digit.
func hasWordRune(s string) bool {
	for _, r := range s {
		if r < utf8.RuneSelf {
			if isASCIIWord(byte(r)) {
				return true
			}
		} else if r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return true
		}
	}
	return false
}

func isLower(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z'
	}
	return unicode.IsLower(r)
}

// isAcronym reports whether a stop word is written as an acronym: "US", "WHO", "IT",
// "U.S". It has at least two capitals; whether they are significant depends on the rest
// of the sentence.
func isAcronym(word string, dotted bool) bool {
	n := 0
	for _, r := range word {
		switch {
		case unicode.IsUpper(r):
			n++
		case r != '.' || !dotted:
			return false
		}
	}
	return n >= 2
}
