package text

import (
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/clipperhouse/uax29/v2/words"
)

// CountWords counts the words of s as the paper's budget does: maximal runs of
// letters (L*), numbers (N*) and underscores, which is what \w+ matches in
// Python. "don't" is two words, "3.5" too, and a Chinese clause is one.
func CountWords(s string) int {
	n := 0
	inside := false
	for i := 0; i < len(s); {
		var w bool
		if c := s[i]; c < utf8.RuneSelf {
			w = class[c]&(alphanumeric|underscore) != 0
			i++
		} else {
			r, size := utf8.DecodeRuneInString(s[i:])
			w = isWord(r)
			i += size
		}
		if w && !inside {
			n++
		}
		inside = w
	}
	return n
}

// CountSegments counts the word segments of s by UAX #29 that contain a letter or a
// digit, which is how readers count words: "don't" and "3.5" are one word each, and
// so is every Chinese character.
func CountSegments(s string) int {
	n := 0
	// No segment crosses an ASCII space, so each stretch between two spaces is
	// counted separately, and most are a plain run of letters.
	for i := 0; i < len(s); {
		plain := true
		start := i
		for i < len(s) && s[i] != ' ' {
			plain = plain && class[s[i]]&alphanumeric != 0
			i++
		}
		switch {
		case i == start:
		case plain:
			n++
		default:
			n += countSegments(s[start:i])
		}
		i++
	}
	return n
}

func countSegments(s string) int {
	n := 0
	segments := words.FromString(valid(s))
	for segments.Next() {
		if hasWord(segments.Value()) {
			n++
		}
	}
	return n
}

// CountCharacters counts the user-perceived characters of s: the extended
// grapheme clusters of UAX #29.
func CountCharacters(s string) int {
	n := 0
	for i := 0; i < len(s); {
		// There is always a boundary between two ASCII characters, except in CR LF.
		// Text between such positions is passed to the library in one piece.
		start := i
		for i+1 < len(s) && (s[i]|s[i+1] >= utf8.RuneSelf || s[i] == '\r' && s[i+1] == '\n') {
			i++
		}
		i++
		if i == start+1 {
			n++
			continue
		}
		clusters := graphemes.FromString(valid(s[start:i]))
		for clusters.Next() {
			n++
		}
	}
	return n
}

// valid replaces each invalid byte of s with U+FFFD. The library would treat a
// truncated character and everything after it as one.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// hasWord reports whether s holds a letter or a digit.
func hasWord(s string) bool {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if class[c]&alphanumeric != 0 {
				return true
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if isWord(r) {
			return true
		}
		i += size
	}
	return false
}
