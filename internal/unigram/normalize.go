package unigram

import "unicode/utf8"

// normalizer maps text as the model's character map does (NFKC, other white space and
// joiners as spaces, control characters left out), collapses spaces and writes them as ▁.
type normalizer struct {
	ascii   [utf8.RuneSelf]byte // the mapped character, 0 for none
	runes   map[rune]string     // mapped characters above ASCII that differ from themselves
	compose map[pair]rune       // a character and a combining mark that have a character together
}

type pair struct{ base, mark rune }

// append appends the normalized text to dst; it starts with ▁ unless it is empty. Of a
// decomposed character with two marks the published tokenizer loses the second one, since it
// asks its map for the shortest match; here both are composed.
func (n *normalizer) append(dst []byte, text string) []byte {
	start := len(dst)
	pending := true // a space before the next character
	last := -1      // where in dst the last character starts, -1 for none to compose with
	for _, r := range text {
		switch mapped, ok := n.one(r); {
		case !ok:
			if last >= 0 && r >= 0x300 {
				base, _ := utf8.DecodeRune(dst[last:])
				if c, ok := n.compose[pair{base, r}]; ok {
					dst = utf8.AppendRune(dst[:last], c)
					continue
				}
			}
			dst, pending = appendSpace(dst, pending), false
			last = len(dst)
			dst = utf8.AppendRune(dst, r)
		default:
			for _, m := range mapped {
				if m == ' ' {
					pending, last = true, -1
					continue
				}
				dst, pending = appendSpace(dst, pending), false
				last = len(dst)
				dst = utf8.AppendRune(dst, m)
			}
		}
	}
	// A space at the end is a word of its own, as in the published tokenizer.
	if pending && len(dst) > start {
		dst = append(dst, space...)
	}
	return dst
}

// one returns what a character becomes; ok is false if it stays.
func (n *normalizer) one(r rune) (mapped string, ok bool) {
	if r < utf8.RuneSelf {
		if c := n.ascii[r]; c == 0 {
			return "", true
		} else if c == ' ' {
			return " ", true
		}
		return "", false
	}
	mapped, ok = n.runes[r]
	return mapped, ok
}

func appendSpace(dst []byte, pending bool) []byte {
	if pending {
		return append(dst, space...)
	}
	return dst
}
