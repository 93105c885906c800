package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// preTokenizer splits a text into words and appends them to dst. The section is the
// index of the text among the stretches between added tokens.
type preTokenizer interface {
	split(dst []string, text string, section int) []string
}

// preTokenizers apply one after the other, each to the words of the one before.
type preTokenizers []preTokenizer

func (s preTokenizers) split(dst []string, text string, section int) []string {
	words := []string{text}
	for _, p := range s {
		var next []string
		for _, word := range words {
			next = p.split(next, word, section)
		}
		words = next
	}
	return append(dst, words...)
}

// bertWords splits at white space, which it drops, and around each punctuation mark.
type bertWords struct{}

func (bertWords) split(dst []string, text string, _ int) []string {
	plane := basicPlane()
	start := -1 // of the current word
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		class := classOf(plane, r) & (classSpace | classPunct)
		if class == 0 {
			if start < 0 {
				start = i
			}
		} else {
			if start >= 0 {
				dst = append(dst, text[start:i])
				start = -1
			}
			if class&classPunct != 0 {
				dst = append(dst, text[i:i+size])
			}
		}
		i += size
	}
	if start >= 0 {
		dst = append(dst, text[start:])
	}
	return dst
}

// runs splits a text where the kind of its characters changes, and drops those of kind
// drop.
func runs(dst []string, text string, kind func(r rune) int) []string {
	start, open := 0, drop
	for i, r := range text {
		if k := kind(r); k != open || k == alone {
			if open != drop {
				dst = append(dst, text[start:i])
			}
			start, open = i, k
		}
	}
	if open != drop && start < len(text) {
		dst = append(dst, text[start:])
	}
	return dst
}

// Kinds of characters: those of kind drop are in no word, those of kind alone are words
// of one character.
const (
	drop = iota
	alone
	inner
	other
)

// whitespaceWords splits into runs of ASCII letters, digits and underscores and runs of
// other characters, dropping white space.
type whitespaceWords struct{}

func (whitespaceWords) split(dst []string, text string, _ int) []string {
	return runs(dst, text, func(r rune) int {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_':
			return inner
		case isSpace(r):
			return drop
		}
		return other
	})
}

// whitespaceSplit splits at white space only.
type whitespaceSplit struct{}

func (whitespaceSplit) split(dst []string, text string, _ int) []string {
	return runs(dst, text, func(r rune) int {
		if isSpace(r) {
			return drop
		}
		return inner
	})
}

// punctuation splits between punctuation and other text. Runs of punctuation stay
// together whatever the file's behaviour setting, as in the reference.
type punctuation struct{}

func (punctuation) split(dst []string, text string, _ int) []string {
	plane := basicPlane()
	return runs(dst, text, func(r rune) int {
		if classOf(plane, r)&classPunct != 0 {
			return inner
		}
		return other
	})
}

// digits splits between ASCII digits and other text.
type digits struct{ individual bool }

func (d digits) split(dst []string, text string, _ int) []string {
	return runs(dst, text, func(r rune) int {
		switch {
		case r < '0' || r > '9':
			return other
		case d.individual:
			return alone
		}
		return inner
	})
}

// metaspace replaces spaces with another character and prepends one to the text. It does
// not split.
type metaspace struct {
	replacement string // before which none is prepended
	space       string // what spaces become
	written     string // prepended text
	always      bool   // prepend to every stretch of text
	first       bool   // prepend to the first
}

func (m metaspace) split(dst []string, text string, section int) []string {
	text = strings.ReplaceAll(text, " ", m.space)
	if (m.always || m.first && section == 0) && !strings.HasPrefix(text, m.replacement) {
		text = m.written + text
	}
	return append(dst, text)
}

// fixedLength splits after a fixed number of UTF-16 units. A split within a character
// yields a noncharacter for each half: no vocabulary has halves.
type fixedLength int

const half = 0x1ffff

func (n fixedLength) split(dst []string, text string, _ int) []string {
	var word strings.Builder
	room := int(n)
	flush := func() {
		dst = append(dst, word.String())
		word.Reset()
		room = int(n)
	}
	for _, r := range text {
		switch {
		case r < 1<<16:
			word.WriteRune(r)
			room--
		case room >= 2:
			word.WriteRune(r)
			room -= 2
		default: // one half here, one in the next word
			word.WriteRune(half)
			flush()
			word.WriteRune(half)
			room--
		}
		if room == 0 {
			flush()
		}
	}
	if word.Len() > 0 {
		dst = append(dst, word.String())
	}
	return dst
}
