package rouge

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// class is the role of a character in the Unicode tokenizer.
type class uint8

const (
	breaks  class = iota // ends a token
	part                 // letters and digits: form tokens with their neighbours
	mark                 // belongs to the character before it
	solid                // a character of a script without spaces: a token, with its marks
	ignored              // invisible inside words
)

// unspaced are the scripts written without spaces between words.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao,
	unicode.Khmer, unicode.Myanmar, unicode.Yi, unicode.Bopomofo,
	unicode.Javanese, unicode.Balinese, unicode.Tai_Le, unicode.New_Tai_Lue, unicode.Tai_Tham, unicode.Tai_Viet,
}

func classOf(c rune) class {
	if c < utf8.RuneSelf {
		if lower[c] != 0 {
			return part
		}
		return breaks
	}
	switch c {
	case '\u00ad', '\u200c', '\u200d', '\u2060', '\ufeff': // soft hyphen, joiners
		return ignored
	case 'ー', 'ｰ': // part of katakana words
		return solid
	}
	switch {
	case unicode.IsMark(c):
		return mark
	case c == '〇' || unicode.IsLetter(c) && unicode.In(c, unspaced...):
		return solid
	case unicode.IsLetter(c) || unicode.IsDigit(c):
		return part
	}
	return breaks
}

// appendUnicode appends the tokens of a line: runs of letters, marks and digits in
// normalization form C, lower-cased, and single characters of scripts without
// spaces, each with its marks.
func (v *vocabulary) appendUnicode(ids []int32, line string) []int32 {
	if !norm.NFC.IsNormalString(line) {
		v.line = norm.NFC.AppendString(v.line[:0], line)
		line = string(v.line)
	}
	v.token = v.token[:0]
	end := func() {
		if len(v.token) > 0 {
			ids = append(ids, v.number(v.token))
			v.token = v.token[:0]
		}
	}
	alone := false // the token is a solid character
	for _, c := range line {
		switch classOf(c) {
		case breaks:
			end()
		case part:
			if alone {
				end()
			}
			alone = false
			v.token = utf8.AppendRune(v.token, lowered(c))
		case mark:
			// A mark without a preceding letter is not a token.
			if len(v.token) > 0 {
				v.token = utf8.AppendRune(v.token, c)
			}
		case solid:
			end()
			alone = true
			v.token = utf8.AppendRune(v.token, c)
		}
	}
	end()
	return ids
}

// lowered returns the lower case; final sigma becomes the medial one, since both
// have the same capital.
func lowered(c rune) rune {
	if c == 'ς' {
		return 'σ'
	}
	return unicode.ToLower(c)
}
