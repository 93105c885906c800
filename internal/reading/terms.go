package reading

import (
	"strings"
	"unicode/utf8"
)

// terms is a set of folded terms, found by their first bytes. A term with * at its end
// may be the beginning of a word.
type terms struct {
	by map[[3]byte][]string
	// pairs has a bit for the first two bytes of each term: most words of a text are
	// told apart by it.
	pairs [1 << 13]uint8
}

// pair returns the place of the bit for the first two bytes of s; 0 for a second byte
// that s does not have.
func pair(s string) (index int, bit uint8) {
	n := int(s[0]) << 8
	if len(s) > 1 {
		n |= int(s[1])
	}
	return n >> 3, 1 << (n & 7)
}

// lead returns the first n bytes of s, the key of a term or of what may be one.
func lead(s string, n int) (key [3]byte) {
	copy(key[:n], s)
	return key
}

func (t *terms) add(term string) {
	if t.by == nil {
		t.by = map[[3]byte][]string{}
	}
	key := lead(term, min(3, len(strings.TrimSuffix(term, "*"))))
	t.by[key] = append(t.by[key], term)
	if bare := strings.TrimSuffix(term, "*"); len(bare) > 1 {
		i, bit := pair(bare)
		t.pairs[i] |= bit
	} else { // any second byte
		for second := range 1 << 8 {
			i, bit := pair(string([]byte{bare[0], byte(second)}))
			t.pairs[i] |= bit
		}
	}
}

// prefix returns the longest term with which the folded text s begins, "" if none does.
func (t *terms) prefix(s string) string {
	if s == "" {
		return ""
	}
	if i, bit := pair(s); t.pairs[i]&bit == 0 {
		return ""
	}
	best := ""
	for n := min(3, len(s)); n > 0; n-- {
		for _, term := range t.by[lead(s, n)] {
			if len(term) > len(best) && hasPrefix(s, term) {
				best = term
			}
		}
	}
	return best
}

// mayBegin is false for most texts, not folded, that begin with none of the terms.
func (t *terms) mayBegin(s string) bool {
	if len(s) < 2 || s[0] >= utf8.RuneSelf || s[1] >= utf8.RuneSelf || s[0] <= ' ' || s[1] <= ' ' {
		return s != ""
	}
	var two [2]byte
	for i := range two {
		two[i] = s[i]
		if 'A' <= s[i] && s[i] <= 'Z' {
			two[i] += 'a' - 'A'
		}
	}
	i, bit := pair(string(two[:]))
	return t.pairs[i]&bit != 0
}

// has reports whether s is one of the terms.
func (t *terms) has(s string) bool {
	for n := min(3, len(s)); n > 0; n-- {
		for _, term := range t.by[lead(s, n)] {
			if term == s {
				return true
			}
		}
	}
	return false
}

// in reports whether one of the terms is in the folded text s, at the start of a word.
func (t *terms) in(s string) bool {
	before := ' '
	for i, r := range s {
		if r == ' ' || isLetter(before) && isLetter(r) {
			before = r
			continue
		}
		if j, bit := pair(s[i:]); t.pairs[j]&bit != 0 && boundary(before, r) && t.prefix(s[i:]) != "" {
			return true
		}
		before = r
	}
	return false
}

// isLetter reports whether r is a small ASCII letter.
func isLetter(r rune) bool { return 'a' <= r && r <= 'z' }

// hasPrefix reports whether the folded text s begins with a term.
func hasPrefix(s, term string) bool {
	term, open := strings.CutSuffix(term, "*")
	if !strings.HasPrefix(s, term) {
		return false
	}
	if open || len(s) == len(term) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(term)
	after, _ := utf8.DecodeRuneInString(s[len(term):])
	return boundary(before, after)
}

// containsWords reports whether the folded text s has the folded name, as whole words.
func containsWords(s, name string) bool {
	if name == "" || !strings.Contains(s, name) {
		return false
	}
	t := terms{}
	t.add(name)
	return t.in(s)
}
