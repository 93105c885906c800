package tokenizer

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// byteLevel splits a text like GPT-2 and represents each byte as a visible character.
type byteLevel struct {
	prefix bool // prepends a space to a text without one
	whole  bool // does not split
}

func readByteLevel(path string, raw json.RawMessage) (preTokenizer, error) {
	var c struct {
		AddPrefixSpace bool  `json:"add_prefix_space"`
		UseRegex       *bool `json:"use_regex"`
	}
	if err := decode(path, raw, &c); err != nil {
		return nil, err
	}
	return byteLevel{prefix: c.AddPrefixSpace, whole: c.UseRegex != nil && !*c.UseRegex}, nil
}

// byteChars are the characters that represent the bytes: themselves if they are visible,
// else the next one from U+0100 on.
var byteChars = func() (chars [256]rune) {
	next := rune(256)
	for b := range chars {
		if b >= '!' && b <= '~' || b >= 0xa1 && b <= 0xac || b >= 0xae {
			chars[b] = rune(b)
		} else {
			chars[b] = next
			next++
		}
	}
	return chars
}()

func (p byteLevel) split(dst []string, text string, _ int) []string {
	if p.prefix && !strings.HasPrefix(text, " ") {
		text = " " + text
	}
	var b []byte // the characters that represent the bytes of the text
	for i := range len(text) {
		b = utf8.AppendRune(b, byteChars[text[i]])
	}
	visible := string(b)
	if p.whole {
		return append(dst, visible)
	}
	done := 0 // bytes of visible that are written
	for start := 0; start < len(text); {
		end := gpt2(text, start)
		size := 0
		for i := start; i < end; i++ {
			size += utf8.RuneLen(byteChars[text[i]])
		}
		dst = append(dst, visible[done:done+size])
		done += size
		start = end
	}
	return dst
}

// contractions are the English suffixes split off by GPT-2; the first match counts.
var contractions = [...]string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}

// gpt2 returns the end of the word that starts at a position, by GPT-2's expression:
// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
func gpt2(text string, start int) int {
	if text[start] == '\'' {
		for _, c := range contractions {
			if strings.HasPrefix(text[start:], c) {
				return start + len(c)
			}
		}
	}
	plane := basicPlane()
	const kinds = classSpace | classLetter | classNumber
	kindAt := func(i int) (uint8, int) {
		r, size := utf8.DecodeRuneInString(text[i:])
		return classOf(plane, r) & kinds, size
	}
	at := start
	kind, size := kindAt(at)
	if text[at] == ' ' && at+1 < len(text) {
		if next, nextSize := kindAt(at + 1); next != classSpace {
			at++
			kind, size = next, nextSize
		}
	}
	last := at // start of the last character
	for at += size; at < len(text); at += size {
		var k uint8
		if k, size = kindAt(at); k != kind {
			// The last space before a word belongs to the word.
			if kind == classSpace && last > start {
				return last
			}
			break
		}
		last = at
	}
	return at
}
