package faults

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"
)

//go:embed words.txt
var table string

// kind says what an entry of the table is; words.txt explains the kinds.
type kind uint8

const (
	third kind = iota
	first
	lean
	free
	label
	byline
	kinds
)

var kindNames = [kinds]string{"third", "first", "lean", "free", "label", "byline"}

// words are the entries of one language by kind: lower-case words joined by _.
type words [kinds]map[string]condition

// condition is what must follow an entry.
type condition uint8

const (
	anything condition = iota
	lowerWord
	comma
)

// maxEntry is the largest number of words in an entry.
const maxEntry = 6

// languages maps ISO 639-1 codes to their words.
var languages = parse(table)

func parse(table string) map[string]*words {
	all := map[string]*words{}
	for line := range strings.Lines(table) {
		head, entries, found := strings.Cut(line, ":")
		if strings.HasPrefix(line, "#") || !found {
			continue
		}
		code, name, _ := strings.Cut(head, " ")
		if all[code] == nil {
			all[code] = &words{}
		}
		for k, n := range kindNames {
			if n == name {
				all[code][k] = parseEntries(entries)
			}
		}
	}
	return all
}

func parseEntries(s string) map[string]condition {
	m := map[string]condition{}
	for e := range strings.FieldsSeq(s) {
		c := anything
		if rest, ok := strings.CutSuffix(e, "_~"); ok {
			e, c = rest, lowerWord
		} else if rest, ok := strings.CutSuffix(e, "_,"); ok {
			e, c = rest, comma
		}
		m[e] = c
	}
	return m
}

// token is a word of a text: its lower-case form and its place in bytes.
type token struct {
	text       string
	start, end int
}

// tokens returns up to n words of s: runs of letters, marks, digits and joiners.
func tokens(s string, n int) []token {
	var list []token
	start := -1
	for i, r := range s {
		inside := unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) || start >= 0 && (r == '\u200c' || r == '\u200d')
		if inside && start < 0 {
			start = i
		}
		if !inside && start >= 0 {
			if list = append(list, token{strings.ToLower(s[start:i]), start, i}); len(list) == n {
				return list
			}
			start = -1
		}
	}
	if start >= 0 {
		list = append(list, token{strings.ToLower(s[start:]), start, len(s)})
	}
	return list
}

// opening returns the kinds of the longest entries with which s begins, as a set of
// bits, and the end in bytes of the longest one of each kind.
func (w *words) opening(s, language string) (set [kinds]bool, end [kinds]int) {
	if w == nil {
		return
	}
	if Unspaced(language) {
		for k := range kinds {
			for e := range w[k] {
				if strings.HasPrefix(s, e) && len(e) > end[k] {
					set[k], end[k] = true, len(e)
				}
			}
		}
		return
	}
	list := tokens(s, maxEntry+1)
	joined := ""
	for i, t := range list[:min(len(list), maxEntry)] {
		if i > 0 {
			joined += "_"
		}
		joined += t.text
		for k := range kinds {
			if c, ok := w[k][joined]; ok && c.holds(s[t.end:]) {
				set[k], end[k] = true, t.end
			}
		}
	}
	return
}

// holds reports whether the text after an entry meets the condition.
func (c condition) holds(rest string) bool {
	switch c {
	case lowerWord:
		next := tokens(rest, 1)
		if len(next) == 0 {
			return false
		}
		r, _ := utf8.DecodeRuneInString(rest[next[0].start:])
		return unicode.IsLower(r)
	case comma:
		r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " "))
		return strings.ContainsRune(",،，、", r)
	}
	return true
}
