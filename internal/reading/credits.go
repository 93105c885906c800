package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// nameWords is the length of the longest name in a credit, in words.
const nameWords = 3

// creditEnd returns the end of the credit at s[i:], "Photo: Reuters", 0 if there is none, or
// -1 if it cannot be told. A name and the sentence after it are told apart if it is an
// agency's, or in Vietnamese.
func (e *editor) creditEnd(s string, i int) int {
	picture := e.prefixLength(s[i:], &e.words.picture)
	n := e.labelled(s[i:])
	if n == 0 && picture == 0 {
		return 0
	}
	name := strings.TrimLeftFunc(s[i+max(n, picture):], blank)
	at := len(s) - len(name)
	if n == 0 {
		// "Ảnh minh họa Hôm thứ Hai …": two capitals are rather the name of what is shown.
		if _, second, _ := strings.Cut(name, " "); upperStart(name) && !upperStart(second) && strings.Contains(s[i:i+picture], " ") {
			return at
		}
		return 0
	}
	end := e.prefixLength(name, &e.words.agency)
	if end == 0 || end < len(name) && name[end] != ' ' {
		end = 0
		if picture > 0 {
			end = e.nameEnd(name)
		}
	}
	if end > 0 && capital(name[end:]) {
		return at + end
	}
	return -min(picture, 1) // -1 for a picture
}

// nameEnd returns the length of the names at the start of s, which a sentence follows, or 0.
// In Vietnamese only the first word of a sentence has a capital, unless a name follows,
// and names are written in syllables: a sentence begins with the last word that has a
// capital, or earlier with a word that names hardly have.
func (e *editor) nameEnd(s string) int {
	words, last, before := 0, 0, "" // last: where the word before begins
	for at := 0; ; {
		word, _, more := strings.Cut(s[at:], " ")
		short := strings.Contains(before, ".") || shouted(before) // "Đ.Hà", "VOV", "ANH HÒA"
		switch {
		case !more:
			return 0
		case words > 0 && (short && !shouted(word) || word == before || words > 1 && shouted(word) && !short),
			words > 0 && (strings.IndexAny(word, "“\"'") == 0 || upperStart(word) && e.prefixLength(s[at:], &e.words.opener) > 0):
			return at
		case word == "-": // "Trần An - TTXVN"
			words = 0
		case upperStart(word) || strings.Contains(word, "."):
			if c := word[len(word)-1]; c == ',' || c == ':' {
				return 0
			}
			slash := strings.LastIndexByte(word, '/') + 1
			if slash > 0 {
				words, word = 0, word[slash:]
			}
			words, last = words+1, at
			at += slash
		case words > nameWords+1:
			return 0
		default:
			return last
		}
		at, before = at+len(word)+1, word
	}
}

// upperStart reports whether s starts with a capital.
func upperStart(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}
