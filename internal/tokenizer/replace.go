package tokenizer

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// replaceString replaces one string with another.
type replaceString struct{ old, new string }

func (r replaceString) normalize(text string) string {
	return strings.ReplaceAll(text, r.old, r.new)
}

// replaceChars applies many replacements of single characters in one pass. The result
// is that of applying them one after the other: each maps every character
// independently of its context, and so does their composition.
type replaceChars struct {
	pages map[rune]*[256]uint16 // by the character's upper bits: places in out, 0 where it stays
	low   *[256]uint16          // the page of Latin-1, never nil
	out   []string
}

// maxGrowth is the maximum number of bytes that replacements may make of a character.
const maxGrowth = 1 << 10

// newReplaceChars composes replacements whose old is one character each.
func newReplaceChars(list []replaceString) (*replaceChars, error) {
	chars := map[rune]bool{}
	for _, r := range list {
		c, _ := utf8.DecodeRuneInString(r.old)
		chars[c] = true
	}
	n := &replaceChars{pages: map[rune]*[256]uint16{}, low: new([256]uint16), out: []string{""}}
	n.pages[0] = n.low
	for c := range chars {
		text := string(c)
		for _, r := range list {
			if text = r.normalize(text); len(text) > maxGrowth {
				return nil, fmt.Errorf("the replacements make more than %d bytes of %q", maxGrowth, c)
			}
		}
		if text == string(c) {
			continue
		}
		page := n.pages[c>>8]
		if page == nil {
			page = new([256]uint16)
			n.pages[c>>8] = page
		}
		page[c&255] = uint16(len(n.out))
		n.out = append(n.out, text)
	}
	return n, nil
}

func (n *replaceChars) normalize(text string) string {
	var b []byte
	kept := 0 // length of the text already copied to b
	high, page := rune(0), n.low
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if r>>8 != high {
			high = r >> 8
			page = n.pages[high]
		}
		if page != nil && page[r&255] != 0 {
			if b == nil {
				b = make([]byte, 0, len(text)+8)
			}
			b = append(b, text[kept:i]...)
			b = append(b, n.out[page[r&255]]...)
			kept = i + size
		}
		i += size
	}
	if b == nil {
		return text
	}
	return string(append(b, text[kept:]...))
}

// maxFused is the maximum number of replacements in one pass.
const maxFused = 1 << 15

// fuse joins neighbouring replacements of single characters. Other normalizers are left
// in place.
func fuse(list []normalizer) (normalizers, error) {
	var out normalizers
	for len(list) > 0 {
		var run []replaceString
		for _, n := range list[:min(len(list), maxFused)] {
			r, ok := n.(replaceString)
			if !ok || utf8.RuneCountInString(r.old) != 1 {
				break
			}
			run = append(run, r)
		}
		if len(run) < 2 {
			out = append(out, list[0])
			list = list[1:]
			continue
		}
		one, err := newReplaceChars(run)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
		list = list[len(run):]
	}
	return out, nil
}
