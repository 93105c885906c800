package faults

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Unspaced reports whether a language is written without spaces between words.
func Unspaced(language string) bool {
	return language == "zh" || language == "ja" || language == "th"
}

// stem is the number of letters by which words are compared, so that most of their
// forms are the same word in every language.
const stem = 5

// Content returns the content words of a text, without knowing its language: words of
// four letters or more, by their first five in lower case, words with a digit, and
// words in capital letters. In scripts without spaces these are pairs of characters,
// without hiragana.
func Content(s string) map[string]bool {
	set := map[string]bool{}
	for _, t := range tokens(s, len(s)) {
		word := s[t.start:t.end]
		first, _ := utf8.DecodeRuneInString(word)
		if unicode.In(first, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
			before := rune(0)
			for _, r := range word {
				kana := unicode.In(r, unicode.Hiragana)
				if before != 0 && !kana {
					set[string([]rune{before, r})] = true
				}
				if before = r; kana {
					before = 0
				}
			}
			continue
		}
		runes := []rune(t.text)
		if len(runes) >= 4 || strings.ContainsFunc(word, unicode.IsNumber) || len(runes) > 1 && word == strings.ToUpper(word) && unicode.IsUpper(first) {
			set[string(runes[:min(stem, len(runes))])] = true
		}
	}
	return set
}
