package tokenizer

import (
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// compose applies a Unicode normalization form like JavaScript's normalize. The library
// inserts a joiner into runs of more than thirty combining marks ("stream-safe text"),
// which JavaScript does not: texts with a long run take a slower path.
func compose(form norm.Form, text string) string {
	n := form.QuickSpanString(text)
	if n == len(text) {
		return text
	}
	if hasLongMarks(form, text) {
		return composeSlowly(form, text)
	}
	return form.String(text)
}

// longMarks is the length of a run of characters with combining marks that may reach
// thirty marks: a character decomposes into at most four.
const longMarks = 7

func hasLongMarks(form norm.Form, text string) bool {
	run := 0
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			run = 0
			i++
			continue
		}
		p := form.PropertiesString(text[i:])
		if p.CCC() != 0 || p.LeadCCC() != 0 || p.TrailCCC() != 0 {
			if run++; run >= longMarks {
				return true
			}
		} else {
			run = 0
		}
		i += max(p.Size(), 1)
	}
	return false
}

// composeSlowly follows the algorithm of Unicode Standard Annex 15 literally.
func composeSlowly(form norm.Form, text string) string {
	decomposing := norm.NFD
	if form == norm.NFKC || form == norm.NFKD {
		decomposing = norm.NFKD
	}
	type char struct {
		r   rune
		ccc uint8
	}
	var chars []char
	for _, r := range text {
		for _, d := range decomposing.String(string(r)) {
			chars = append(chars, char{d, decomposing.PropertiesString(string(d)).CCC()})
		}
	}
	for i := 0; i < len(chars); {
		j := i + 1
		if chars[i].ccc != 0 {
			for j < len(chars) && chars[j].ccc != 0 {
				j++
			}
			slices.SortStableFunc(chars[i:j], func(a, b char) int { return int(a.ccc) - int(b.ccc) })
		}
		i = j
	}
	if form == norm.NFC || form == norm.NFKC {
		starter, last := -1, uint8(0) // last: the class of the previous mark that was not composed
		kept := chars[:0]
		for _, c := range chars {
			if starter >= 0 && (len(kept) == starter+1 || last != 0 && last < c.ccc) {
				if r, ok := composePair(kept[starter].r, c.r); ok {
					kept[starter].r = r
					continue
				}
			}
			if c.ccc == 0 {
				starter = len(kept)
			}
			last = c.ccc
			kept = append(kept, c)
		}
		chars = kept
	}
	out := make([]byte, 0, len(text))
	for _, c := range chars {
		out = utf8.AppendRune(out, c.r)
	}
	return string(out)
}

// composePair returns the composition of two characters, if there is one.
func composePair(a, b rune) (rune, bool) {
	s := norm.NFC.String(string(a) + string(b))
	r, size := utf8.DecodeRuneInString(s)
	return r, size == len(s)
}
