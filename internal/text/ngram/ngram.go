// Package ngram splits text into the character n-grams that internal/text uses for
// language detection. It is a separate package so that the generator of the profiles
// (internal/text/profiles) reads text exactly like the detector.
package ngram

import (
	"unicode"
	"unicode/utf8"
)

// Max is the length in characters of the longest n-gram.
const Max = 4

// Walker yields n-grams and reuses its buffers. The zero value is ready to use.
type Walker struct {
	text   []byte // small letters, every stretch of other characters one space
	starts []int  // of the characters of text
}

// Walk calls yield with every n-gram of 1 to [Max] characters in s, in small
// letters. A space stands for the start or the end of a word and is only the
// first or the last character of a longer n-gram. The bytes are valid until
// yield returns.
func (w *Walker) Walk(s string, yield func(gram []byte)) {
	w.text, w.starts = append(w.text[:0], ' '), append(w.starts[:0], 0)
	space := true
	for _, r := range s {
		if r >= utf8.RuneSelf && unicode.Is(unicode.Mn, r) {
			continue // ignored, so that vowel signs of Arabic and others do not matter
		}
		if !unicode.IsLetter(r) {
			if !space {
				w.add(' ')
			}
			space = true
			continue
		}
		w.add(unicode.ToLower(r))
		space = false
	}
	if !space {
		w.add(' ')
	}
	w.starts = append(w.starts, len(w.text))
	for i := range len(w.starts) - 1 {
		for n := 1; n <= Max && i+n < len(w.starts); n++ {
			gram := w.text[w.starts[i]:w.starts[i+n]]
			if n == 1 && gram[0] == ' ' {
				continue
			}
			yield(gram)
			if n > 1 && gram[len(gram)-1] == ' ' {
				break
			}
		}
	}
}

func (w *Walker) add(r rune) {
	w.starts = append(w.starts, len(w.text))
	w.text = utf8.AppendRune(w.text, r)
}
