package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cerasum/cerasum/core/cluster"
)

// Split cuts doc into its sentences: trimmed, in order, without overlap, each
// with its exact offsets. A span that has no letter or digit is not returned.
// language is an ISO 639-1 tag; empty means unknown.
func Split(doc, language string) []cluster.Sentence {
	var out []cluster.Sentence
	start, at, units := 0, 0, 0
	cut := func(end int) {
		s := doc[start:end]
		left := len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace))
		s = strings.TrimSpace(s)
		a := start + left
		b := a + len(s)
		start = end
		if !hasWord(s) {
			return
		}
		units += utf16Length(doc[at:a])
		n := utf16Length(s)
		out = append(out, cluster.Sentence{Text: s, Start: a, End: b, StartUTF16: units, EndUTF16: units + n})
		units, at = units+n, b
	}
	for i := 0; i < len(doc); {
		r, size := utf8.DecodeRuneInString(doc[i:])
		i += size
		if r == '\n' || r != '.' && r != '!' && r != '?' && unicode.Is(unicode.Sentence_Terminal, r) ||
			class[doc[i-1]]&terminal != 0 && i < len(doc) && class[doc[i]]&blank != 0 {
			cut(i)
		}
	}
	cut(len(doc))
	return out
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
