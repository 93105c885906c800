package text

import (
	"unicode"
	"unicode/utf8"
)

// Classes of ASCII characters, as bits.
const (
	lower = 1 << iota
	upper
	digit
	underscore
	blank     // space and other trimmed characters: controls, tab, line breaks
	lineBreak // LF, VT, FF, CR
	terminal  // . ! ?

	letter       = lower | upper
	alphanumeric = letter | digit
)

// class holds the classes of the bytes below 0x80; the others have none.
var class = [256]uint8{
	'_': underscore, '.': terminal, '!': terminal, '?': terminal, ' ': blank, 0x7f: blank,
}

// Marks at which the splitter stops. All other bytes are skipped.
const (
	markTerminal = 1 + iota // . ! ?
	markQuote               // "
	markLead                // first byte of a character that may be a terminal
)

var mark = [256]uint8{
	'.': markTerminal, '!': markTerminal, '?': markTerminal, '"': markQuote,
}

func init() {
	for c := range ' ' {
		class[c] = blank
	}
	for c := '\n'; c <= '\r'; c++ {
		class[c] |= lineBreak
	}
	for c := range 26 {
		class['a'+c], class['A'+c] = lower, upper
	}
	for c := '0'; c <= '9'; c++ {
		class[c] = digit
	}
	// Every Sentence_Terminal of Unicode, and the ellipsis.
	var b [utf8.UTFMax]byte
	add := func(r rune) {
		if r >= utf8.RuneSelf {
			utf8.EncodeRune(b[:], r)
			mark[b[0]] = markLead
		}
	}
	add('…')
	for _, r := range "《》“「『" { // what splitter.open notes
		add(r)
	}
	for _, t := range unicode.Sentence_Terminal.R16 {
		for r := rune(t.Lo); r <= rune(t.Hi); r += rune(t.Stride) {
			add(r)
		}
	}
	for _, t := range unicode.Sentence_Terminal.R32 {
		for r := rune(t.Lo); r <= rune(t.Hi); r += rune(t.Stride) {
			add(r)
		}
	}
}

// isTerminal reports whether r ends sentences.
func isTerminal(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r == '.' || r == '!' || r == '?'
	case r >= 0x3040 && r <= 0x9fff: // kana and Han: the most frequent case
		return false
	}
	return r == '…' || unicode.Is(unicode.Sentence_Terminal, r)
}

// tight reports whether the terminal r ends a sentence without a following space.
func tight(r rune) bool {
	return r >= utf8.RuneSelf && r != '…' && r != '．'
}

// isBlank reports whether r is white space, a control or an invisible mark that may
// occur between sentences.
func isBlank(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 0 && class[r]&blank != 0
	}
	switch r {
	case 0x85, 0xa0, 0xad, 0x3000, 0xfeff, // NEL, no-break space, soft hyphen, ideographic space, BOM
		0x200b, 0x200e, 0x200f, 0x2060, 0x061c: // zero-width space, directional marks, word joiner
		return true
	}
	return r >= 0x1680 && r <= 0x205f && unicode.IsSpace(r) || r >= 0x80 && r < 0xa0
}

// isOpener reports whether r can open a sentence: a quotation mark, a bracket, ¿ ¡, a
// dash, Markdown emphasis.
func isOpener(r rune) bool {
	switch r {
	case '"', '\'', '(', '[', '{', '*', '_', '`', '-', '¿', '¡', '«', '»', '‹', '›', '…', '・':
		return true
	}
	return r >= 0x2010 && r <= 0x201f || mayEnclose(r) && (unicode.Is(unicode.Ps, r) || unicode.Is(unicode.Pi, r))
}

// mayEnclose is a quick test that is false for most letters: brackets and quotes
// outside ASCII and Latin-1 are in the punctuation blocks.
func mayEnclose(r rune) bool {
	return r >= 0x2000 && (r < 0x3040 || r >= 0xfd00)
}

// isWord reports whether r is a letter (L*) or a number (N*). The ranges avoid
// searching the Unicode tables for common scripts.
func isWord(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return class[r]&alphanumeric != 0
	case r >= 0xc0 && r < 0x250:
		return r != 0xd7 && r != 0xf7
	case r >= 0x400 && r < 0x482, r >= 0x620 && r < 0x64b, r >= 0x904 && r < 0x93a,
		r >= 0x3041 && r < 0x3097, r >= 0x30a1 && r < 0x30fb, r >= 0x4e00 && r < 0xa000, r >= 0xac00 && r < 0xd7a4:
		return true
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// isQuote reports whether r is a quotation mark.
func isQuote(r rune) bool {
	switch r {
	case '"', '\'', '«', '»', '‹', '›', '`', '´', '″':
		return true
	}
	return r >= 0x2018 && r <= 0x201f || r >= 0x300c && r <= 0x300f || r == '＂' || r >= 0x301d && r <= 0x301f || r == '｢' || r == '｣'
}

// isPause reports whether r continues a sentence after a terminal mark.
func isPause(r rune) bool {
	switch r {
	case ',', ';', ':', ')', ']', '}', '，', '、', '；', '：', '،', '؛', '）', '】', '」', '』', '》':
		return true
	}
	return false
}
