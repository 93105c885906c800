package tokenizer

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normalizer rewrites a text. Texts are valid UTF-8.
type normalizer interface {
	normalize(text string) string
}

// normalizers apply one after the other.
type normalizers []normalizer

func (s normalizers) normalize(text string) string {
	for _, n := range s {
		text = n.normalize(text)
	}
	return text
}

// form is one of the Unicode normalization forms.
type form norm.Form

func (f form) normalize(text string) string { return compose(norm.Form(f), text) }

type lowercase struct{}

func (lowercase) normalize(text string) string { return lower(text) }

type prepend string

func (p prepend) normalize(text string) string { return string(p) + text }

type strip struct{ left, right bool }

func (s strip) normalize(text string) string {
	if s.left {
		text = trimStart(text)
	}
	if s.right {
		text = trimEnd(text)
	}
	return text
}

func trimStart(text string) string { return strings.TrimLeftFunc(text, isSpace) }
func trimEnd(text string) string   { return strings.TrimRightFunc(text, isSpace) }

// stripAccents removes all combining marks.
type stripAccents struct{}

func (stripAccents) normalize(text string) string { return without(text, classMark) }

// without removes the characters of a class.
func without(text string, class uint8) string {
	plane := basicPlane()
	for i, r := range text {
		if r < utf8.RuneSelf || classOf(plane, r)&class == 0 {
			continue
		}
		var b strings.Builder
		b.Grow(len(text))
		b.WriteString(text[:i])
		for _, r := range text[i:] {
			if classOf(plane, r)&class == 0 {
				b.WriteRune(r)
			}
		}
		return b.String()
	}
	return text
}

// bert is the normalizer of BERT.
type bert struct {
	clean, ideographs, lowercase, accents bool // accents: remove them
}

func (n bert) normalize(text string) string {
	if n.clean || n.ideographs {
		text = n.characters(text)
	}
	if n.lowercase {
		text = lower(text)
	}
	if n.accents && !isASCII(text) {
		text = without(compose(norm.NFD, text), classNonspace)
	}
	return text
}

// characters drops controls, replaces all white space with spaces and separates
// ideographs.
func (n bert) characters(text string) string {
	plane := basicPlane()
	i := 0
	for i < len(text) && text[i] >= ' ' && text[i] < 0x7f {
		i++
	}
	if i == len(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + len(text)/4)
	b.WriteString(text[:i])
	for _, r := range text[i:] {
		if n.clean {
			if r == 0 || r == utf8.RuneError {
				continue
			}
			class := classOf(plane, r)
			if class&classControl != 0 {
				continue
			}
			if class&classSpace != 0 {
				r = ' '
			}
		}
		if n.ideographs && isIdeograph(r) {
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// precompiled approximates SentencePiece's character maps like the reference: NFKC
// without controls and with uniform white space, whatever the map says; the fullwidth
// tilde is kept.
type precompiled struct{}

const fullwidthTilde = "\uff5e"

func (precompiled) normalize(text string) string {
	plain := true
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f {
			plain = false
			break
		}
	}
	if plain {
		return text
	}
	text = strings.Map(precompiledRune, text)
	parts := strings.Split(text, fullwidthTilde)
	for i, part := range parts {
		parts[i] = compose(norm.NFKC, part)
	}
	return strings.Join(parts, fullwidthTilde)
}

func precompiledRune(r rune) rune {
	switch {
	case r >= 1 && r <= 8, r == 0xb, r >= 0xe && r <= 0x1f, r == 0x7f, r == 0x8f, r == 0x9f:
		return -1
	case r == '\t', r == '\n', r == '\f', r == '\r', r == 0xa0, r == 0x1680, r >= 0x2000 && r <= 0x200f,
		r == 0x2028, r == 0x2029, r == 0x202f, r == 0x205f, r == 0x2581, r == 0x3000, r == 0xfeff, r == utf8.RuneError:
		return ' '
	}
	return r
}

// valid replaces invalid UTF-8 with U+FFFD, byte by byte.
func valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}
