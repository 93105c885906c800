package lexical

import "strings"

// FrontCode packs the terms of n languages, which of returns in byte order, some with a level
// for each. The table holds in sequence:
//
//	the number of languages (uvarint), and for each the length of its tag (a
//	byte), the tag, the number of its terms and of their bytes in the last
//	part (uvarints);
//	for each term, how many bytes it shares with the term before in its language
//	(a byte);
//	the level of each term (a byte), if there are levels;
//	the rest of each term, followed by a zero byte.
//
// The parts compress well when separated like this.
func FrontCode(n int, of func(i int) (tag string, terms []string, levels []byte)) []byte {
	table := appendUvarint(nil, n)
	var shared, allLevels, rest []byte
	for i := range n {
		tag, terms, levels := of(i)
		start, before := len(rest), ""
		for _, term := range terms {
			n := 0
			for n < min(len(before), len(term), 255) && before[n] == term[n] {
				n++
			}
			shared = append(shared, byte(n))
			rest = append(append(rest, term[n:]...), 0)
			before = term
		}
		allLevels = append(allLevels, levels...)
		table = append(append(table, byte(len(tag))), tag...)
		table = appendUvarint(table, len(terms))
		table = appendUvarint(table, len(rest)-start)
	}
	return append(append(append(table, shared...), allLevels...), rest...)
}

// readFrontCoded calls f for each term of a language in a table of [FrontCode], with its
// level if there are levels. Tables are embedded: it panics if one is damaged. An empty one
// has no terms.
func readFrontCoded(table, tag string, levels bool, f func(term string, level uint8)) {
	if table == "" {
		return
	}
	number := func() int {
		v, w := uvarint(table)
		table = table[w:]
		return v
	}
	terms, size := 0, 0                 // of the language
	before, bytesBefore, all := 0, 0, 0 // terms and bytes of earlier languages, all terms
	found := false
	for range number() {
		name := table[1 : 1+int(table[0])]
		table = table[1+len(name):]
		t, s := number(), number()
		switch {
		case name == tag:
			found, terms, size = true, t, s
		case !found:
			before, bytesBefore = before+t, bytesBefore+s
		}
		all += t
	}
	if !found {
		return
	}
	shared, level := table[before:before+terms], ""
	table = table[all:]
	if levels {
		level, table = table[before:before+terms], table[all:]
	}
	rest := table[bytesBefore : bytesBefore+size]
	term := ""
	for i := range terms {
		var tail string
		tail, rest, _ = strings.Cut(rest, "\x00")
		term = term[:shared[i]] + tail
		if levels {
			f(term, level[i])
		} else {
			f(term, 0)
		}
	}
}

// appendUvarint appends an integer as encoding/binary does, which itself would add
// reflection to the page.
func appendUvarint(b []byte, v int) []byte {
	for ; v >= 0x80; v >>= 7 {
		b = append(b, byte(v)|0x80)
	}
	return append(b, byte(v))
}

// uvarint reads an integer written by appendUvarint.
func uvarint(s string) (value, width int) {
	for i := 0; i < len(s) && i < 5; i++ {
		value |= int(s[i]&0x7f) << (7 * i)
		if s[i] < 0x80 {
			return value, i + 1
		}
	}
	panic("lexical: a table is damaged")
}
