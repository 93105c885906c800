package tokenizer

import (
	"sync"
	"unicode"
	"unicode/utf8"
)

// Classes of characters, one bit each.
const (
	classSpace    uint8 = 1 << iota // what \s matches in JavaScript
	classPunct                      // \p{P} and the ASCII signs that Unicode calls symbols
	classLetter                     // \p{L}
	classNumber                     // \p{N}
	classMark                       // \p{M}
	classNonspace                   // \p{Mn}
	classControl                    // \p{Cc}, \p{Cf} and \p{Co}, but for tab, line feed and carriage return
)

// jsSpace is the white space of \s, trim and similar in JavaScript.
var jsSpace = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: '\t', Hi: '\r', Stride: 1},
		{Lo: ' ', Hi: ' ', Stride: 1},
		{Lo: 0xa0, Hi: 0xa0, Stride: 1},
		{Lo: 0x1680, Hi: 0x1680, Stride: 1},
		{Lo: 0x2000, Hi: 0x200a, Stride: 1},
		{Lo: 0x2028, Hi: 0x2029, Stride: 1},
		{Lo: 0x202f, Hi: 0x202f, Stride: 1},
		{Lo: 0x205f, Hi: 0x205f, Stride: 1},
		{Lo: 0x3000, Hi: 0x3000, Stride: 1},
		{Lo: 0xfeff, Hi: 0xfeff, Stride: 1},
	},
	LatinOffset: 3,
}

// asciiPunct are the ASCII characters that count as punctuation regardless of Unicode.
var asciiPunct = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: '!', Hi: '/', Stride: 1},
		{Lo: ':', Hi: '@', Stride: 1},
		{Lo: '[', Hi: '`', Stride: 1},
		{Lo: '{', Hi: '~', Stride: 1},
	},
	LatinOffset: 4,
}

var classTables = []struct {
	bit    uint8
	tables []*unicode.RangeTable
}{
	{classSpace, []*unicode.RangeTable{jsSpace}},
	{classPunct, []*unicode.RangeTable{unicode.P, asciiPunct}},
	{classLetter, []*unicode.RangeTable{unicode.L}},
	{classNumber, []*unicode.RangeTable{unicode.N}},
	{classMark, []*unicode.RangeTable{unicode.M}},
	{classNonspace, []*unicode.RangeTable{unicode.Mn}},
	{classControl, []*unicode.RangeTable{unicode.Cc, unicode.Cf, unicode.Co}},
}

// basic holds the properties of the 65,536 characters of the basic plane.
type basic struct {
	class [1 << 16]uint8
	lower [1 << 16]uint16 // the lower case, or the character itself if it has none
}

var basicPlane = sync.OnceValue(func() *basic {
	b := new(basic)
	for _, c := range classTables {
		for _, table := range c.tables {
			for _, r := range table.R16 {
				for x := uint32(r.Lo); x <= uint32(r.Hi); x += uint32(r.Stride) {
					b.class[x] |= c.bit
				}
			}
		}
	}
	for _, r := range "\t\n\r" {
		b.class[r] &^= classControl
	}
	for i := range b.lower {
		b.lower[i] = uint16(i)
	}
	for _, r := range unicode.CaseRanges {
		for x := r.Lo; x <= r.Hi && x < 1<<16; x++ {
			b.lower[x] = uint16(unicode.ToLower(rune(x)))
		}
	}
	return b
})

// classOf returns the classes of a character.
func classOf(b *basic, r rune) uint8 {
	if uint32(r) < 1<<16 {
		return b.class[r]
	}
	var class uint8
	for _, c := range classTables {
		for _, table := range c.tables {
			if unicode.Is(table, r) {
				class |= c.bit
			}
		}
	}
	return class
}

func isSpace(r rune) bool { return classOf(basicPlane(), r)&classSpace != 0 }

// isIdeograph reports whether the BERT normalizer separates a character. The reference
// also lists ideographs beyond the basic plane, but never matches them, since it reads
// surrogate pairs by halves.
func isIdeograph(r rune) bool {
	return r >= 0x3400 && (r >= 0x4e00 && r <= 0x9fff || r <= 0x4dbf || r >= 0xf900 && r <= 0xfaff)
}

// isASCII reports whether a text has no byte above 127.
func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
