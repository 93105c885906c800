package rouge

import "bytes"

// porter stems a lower-case token of ASCII letters and digits, in place, with
// Porter's algorithm as implemented in ROUGE-1.5.5: the algorithm of 1980 (M. F.
// Porter, An algorithm for suffix stripping, Program 14(3), 130–137) with its
// author's two later changes (bli → ble instead of abli → able, and logi → log) and
// one of ROUGE's own: in step 4, -ment and -ent are also tried on a word that ends
// in -ment, whether or not another suffix was tried before. Digits count as
// consonants.
func porter(w []byte) []byte {
	if len(w) < 3 {
		return w
	}
	w = plural(w)
	w = past(w)
	if n := len(w) - 1; n >= 0 && w[n] == 'y' && hasVowel(w[:n]) { // step 1c
		w[n] = 'i'
	}
	w = replaced(w, step2)
	w = replaced(w, step3)
	w = step4(w)
	return step5(w)
}

// ending is a suffix and its replacement.
type ending struct{ from, to string }

// Of suffixes with the same ending, the longer one comes first.
var (
	step2 = []ending{
		{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
		{"biliti", "ble"}, {"bli", "ble"}, {"alli", "al"}, {"entli", "ent"}, {"ousli", "ous"}, {"eli", "e"},
		{"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"},
		{"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"}, {"iviti", "ive"}, {"logi", "log"},
	}
	step3 = []ending{
		{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
	}
	step4Endings = []string{
		"al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ou", "ism", "ate", "iti", "ous", "ive", "ize",
	}
)

// plural is step 1a.
func plural(w []byte) []byte {
	switch n := len(w); {
	case hasSuffix(w, "sses"), hasSuffix(w, "ies"):
		return w[:n-2]
	case n > 1 && w[n-1] == 's' && w[n-2] != 's':
		return w[:n-1]
	}
	return w
}

// past is step 1b.
func past(w []byte) []byte {
	stem := w
	switch {
	case hasSuffix(w, "eed"):
		if measure(w[:len(w)-3]) > 0 {
			return w[:len(w)-1]
		}
		return w
	case hasSuffix(w, "ed"):
		stem = w[:len(w)-2]
	case hasSuffix(w, "ing"):
		stem = w[:len(w)-3]
	default:
		return w
	}
	if !hasVowel(stem) {
		return w
	}
	n := len(stem)
	switch {
	case hasSuffix(stem, "at"), hasSuffix(stem, "bl"), hasSuffix(stem, "iz"):
		return append(stem, 'e')
	case n > 1 && stem[n-1] == stem[n-2] && bytes.IndexByte([]byte("aeiouylsz"), stem[n-1]) < 0:
		return stem[:n-1]
	case isShort(stem):
		return append(stem, 'e')
	}
	return stem
}

// replaced is step 2 or 3: replaces the longest suffix, if there is one and the
// measure before it is above 0.
func replaced(w []byte, endings []ending) []byte {
	for _, e := range endings {
		if hasSuffix(w, e.from) {
			if stem := w[:len(w)-len(e.from)]; measure(stem) > 0 {
				return append(stem, e.to...)
			}
			return w
		}
	}
	return w
}

func step4(w []byte) []byte {
	for _, e := range step4Endings {
		if hasSuffix(w, e) {
			w = without(w, e)
			break
		}
	}
	w = without(w, "ment")
	if hasSuffix(w, "ent") {
		return without(w, "ent")
	}
	if hasSuffix(w, "sion") || hasSuffix(w, "tion") {
		return without(w, "ion")
	}
	return w
}

// without removes a suffix if the measure before it is above 1.
func without(w []byte, ending string) []byte {
	if hasSuffix(w, ending) {
		if stem := w[:len(w)-len(ending)]; measure(stem) > 1 {
			return stem
		}
	}
	return w
}

func step5(w []byte) []byte {
	if hasSuffix(w, "e") {
		stem := w[:len(w)-1]
		if m := measure(stem); m > 1 || m == 1 && !isShort(stem) {
			w = stem
		}
	}
	if hasSuffix(w, "ll") && measure(w) > 1 {
		w = w[:len(w)-1]
	}
	return w
}

// isVowel reports whether w[i] is a vowel, given whether w[i-1] is one: y is a
// vowel after a consonant, except at the start.
func isVowel(w []byte, i int, after bool) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return true
	case 'y':
		return i > 0 && !after
	}
	return false
}

func hasVowel(w []byte) bool {
	for i := range w {
		if isVowel(w, i, false) {
			return true
		}
	}
	return false
}

// measure is Porter's m: the number of vowel-consonant sequences.
func measure(w []byte) int {
	m, vowel := 0, false
	for i := range w {
		was := vowel
		vowel = isVowel(w, i, was)
		if was && !vowel {
			m++
		}
	}
	return m
}

// isShort reports whether a word ends like hop: consonants, a vowel, and a consonant
// other than w, x and y.
func isShort(w []byte) bool {
	n := len(w)
	if n < 3 || bytes.IndexByte([]byte("aeiouwxy"), w[n-1]) >= 0 || !isVowel(w, n-2, false) {
		return false
	}
	for i := range n - 2 {
		if isVowel(w, i, false) {
			return false
		}
	}
	return true
}

func hasSuffix(w []byte, suffix string) bool {
	return len(w) >= len(suffix) && string(w[len(w)-len(suffix):]) == suffix
}
