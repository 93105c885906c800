package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fold normalizes a word for stop words, stemmers and the background table: lower
// case by the language's rules, composed characters, ASCII digits, plain apostrophes,
// no invisible characters. dotted means that the dots of an abbreviation were removed
// ("U.S" → "us").
func fold(word, tag string) (folded string, dotted bool) {
	if isASCII(word) && !(turkic(tag) && strings.IndexByte(word, 'I') >= 0) {
		folded = strings.ToLower(word)
	} else {
		folded = foldUnicode(word, tag)
	}
	if strings.IndexByte(folded, '.') >= 0 || strings.IndexByte(folded, ',') >= 0 {
		if n := foldNumber(folded); n != "" {
			return n, false
		}
		if isDotted(folded) {
			return strings.ReplaceAll(folded, ".", ""), true
		}
	}
	return folded, false
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func turkic(tag string) bool { return tag == "tr" || tag == "az" }

func foldUnicode(word, tag string) string {
	var b strings.Builder
	b.Grow(len(word))
	last := rune(-1) // not yet written: may compose with the next one
	flush := func() {
		if last >= 0 {
			b.WriteRune(last)
		}
		last = -1
	}
	for _, r := range word {
		r = foldRune(r, tag)
		if r < 0 {
			continue
		}
		if r >= 0x0300 && r <= 0x0328 && last >= 0 {
			if c := compose(last, r); c >= 0 {
				last = foldRune(c, tag)
				continue
			}
		}
		flush()
		last = r
	}
	flush()
	return b.String()
}

// foldRune folds one character; -1 drops it.
func foldRune(r rune, tag string) rune {
	switch {
	case r == utf8.RuneError, r == 0x0640, unicode.Is(unicode.Cf, r), r >= 0xFE00 && r <= 0xFE0F:
		return -1 // invalid bytes, tatweel, joiners and soft hyphens, variation selectors
	case r == '’', r == '‘', r == 'ʼ', r == '＇', r == '′', r == '՚':
		return '\''
	case r == '٫':
		return '.'
	case r == '٬':
		return ','
	case r >= 0xFF01 && r <= 0xFF5E:
		r -= 0xFEE0 // full-width ASCII
	case unicode.IsDigit(r):
		return '0' + digitValue(r)
	}
	if turkic(tag) {
		r = unicode.TurkishCase.ToLower(r)
	} else {
		r = unicode.ToLower(r)
	}
	switch {
	case r == 'ς':
		return 'σ'
	case r == 'ё' && tag == "ru":
		return 'е'
	case r == 'ș': // Romanian; the stemmer and many texts have a cedilla
		return 'ş'
	case r == 'ț':
		return 'ţ'
	case tag == "el":
		if r == 0x0301 || r == 0x0308 {
			return -1
		}
		return bareGreek(r)
	case tag == "fa" || tag == "ur":
		switch r {
		case 'ي', 'ى':
			return 'ی'
		case 'ك':
			return 'ک'
		}
	}
	return r
}

// bareGreek removes the accents from the vowels of modern Greek, since capitals are
// written without them.
func bareGreek(r rune) rune {
	switch r {
	case 'ά':
		return 'α'
	case 'έ':
		return 'ε'
	case 'ή':
		return 'η'
	case 'ί', 'ϊ', 'ΐ':
		return 'ι'
	case 'ό':
		return 'ο'
	case 'ύ', 'ϋ', 'ΰ':
		return 'υ'
	case 'ώ':
		return 'ω'
	}
	return r
}

// digitValue returns the value of a decimal digit. Unicode encodes them in runs of ten
// from zero to nine.
func digitValue(r rune) rune {
	if r < 0x80 {
		return r - '0'
	}
	for _, x := range unicode.Nd.R16 {
		if rune(x.Lo) <= r && r <= rune(x.Hi) {
			return (r - rune(x.Lo)) % 10
		}
	}
	for _, x := range unicode.Nd.R32 {
		if rune(x.Lo) <= r && r <= rune(x.Hi) {
			return (r - rune(x.Lo)) % 10
		}
	}
	return 0
}

// foldNumber writes a number without thousands separators and with a decimal point,
// "1,234,567" and "1.234.567" as 1234567, "3,5" as 3.5, so that the same figure is the
// same term in two languages. It returns "" unless s consists of digits and
// separators.
func foldNumber(s string) string {
	groups := strings.FieldsFunc(s, func(r rune) bool { return r == '.' || r == ',' })
	for _, g := range groups {
		for i := range len(g) {
			if g[i] < '0' || g[i] > '9' {
				return ""
			}
		}
	}
	if len(groups) < 2 {
		return strings.Join(groups, "")
	}
	thousands := len(groups[0]) <= 3 && groups[0] != "0"
	for _, g := range groups[1:] {
		thousands = thousands && len(g) == 3
	}
	if thousands {
		return strings.Join(groups, "")
	}
	return strings.Join(groups, ".")
}

// isDotted reports whether s is single letters separated by dots: "u.s", "a.m", "с.ш".
func isDotted(s string) bool {
	letter := false
	for _, r := range s {
		switch {
		case r == '.' && letter:
			letter = false
		case r != '.' && !letter && unicode.IsLetter(r):
			letter = true
		default:
			return false
		}
	}
	return true
}
