package lexical

import (
	_ "embed"
	"math"
	"strings"
)

// backgroundTable is written by internal/lexical/background. It holds, one after the
// other:
//
//	the number of languages (uvarint), and for each the length of its tag (a
//	byte), the tag, the number of its terms and of their bytes in the last
//	part (uvarints);
//	for each term, in byte order within its language, how many bytes it shares
//	with the term before (a byte);
//	the level of each term (a byte);
//	the rest of each term, closed by a zero byte.
//
// Kept apart like this, the parts compress well.
//
//go:embed background.bin
var backgroundTable string

// Shares are kept in levels of half a power of two: a term of level k occurs
// in 2^(−k/2) of the sentences. Rarer ones than the last level are not listed
// and count as [floor].
const (
	// Levels is the number of levels of the background table.
	Levels = 25
	// floor is the share of sentences taken for a term that the table lacks.
	floor = 1.0 / 16384
)

// table is the background of one language: the level of each listed term.
type table struct {
	level map[string]uint8
}

// background returns the share of sentences, in 0..1, that contain the term.
func (l *language) background(term string) float64 {
	if l.table != nil {
		if k, ok := l.table.level[term]; ok {
			return math.Exp2(-float64(k) / 2)
		}
	}
	return floor
}

// readTable decodes the terms of one language; nil where there are none. The
// table is part of the program: a broken one panics.
func readTable(tag string) *table {
	rest := backgroundTable
	number := func() int {
		v, w := uvarint(rest)
		rest = rest[w:]
		return v
	}
	found := false
	var terms, size int             // of the language
	var before, sizeBefore, all int // terms and bytes ahead of it, all terms
	for range number() {
		n := int(rest[0])
		name := rest[1 : 1+n]
		rest = rest[1+n:]
		t, s := number(), number()
		switch {
		case name == tag:
			found, terms, size = true, t, s
		case !found:
			before, sizeBefore = before+t, sizeBefore+s
		}
		all += t
	}
	if !found {
		return nil
	}
	shared := rest[before : before+terms]
	levels := rest[all+before : all+before+terms]
	text := rest[2*all+sizeBefore : 2*all+sizeBefore+size]

	t := &table{level: make(map[string]uint8, terms)}
	term := ""
	for i := range terms {
		var tail string
		tail, text, _ = strings.Cut(text, "\x00")
		term = term[:shared[i]] + tail
		t.level[term] = levels[i]
	}
	return t
}

// uvarint reads what binary.PutUvarint wrote; encoding/binary itself would
// bring reflection into the page.
func uvarint(s string) (value, width int) {
	for i := 0; i < len(s) && i < 5; i++ {
		value |= int(s[i]&0x7f) << (7 * i)
		if s[i] < 0x80 {
			return value, i + 1
		}
	}
	panic("lexical: background.bin is broken")
}
