package core

import (
	"math"
	"unicode/utf8"

	"github.com/cerasum/cerasum/core/cluster"
)

// Block is a part of a document of one kind; see [cluster.Block].
type Block = cluster.Block

// BlockKind is the kind of a block; see [cluster.Kind].
type BlockKind = cluster.Kind

// DecodeBlocks reads the blocks of a text from decoded JSON: an array of
// [start, end, "caption"], with offsets in UTF-16 units. The returned blocks have
// offsets in bytes. The error is an [*OptionError] whose Name is the path below the
// blocks, such as "[3]".
func DecodeBlocks(text string, tree any) ([]Block, error) {
	list, ok := tree.([]any)
	if !ok {
		return nil, typeError("", "an array of blocks", tree)
	}
	blocks := make([]Block, len(list))
	at := units{text: text}
	for i, v := range list {
		path := indexed("", i)
		triple, ok := v.([]any)
		if !ok || len(triple) != 3 {
			if ok {
				return nil, optionError(path, "want [start, end, kind], got an array of %d", len(triple))
			}
			return nil, typeError(path, "[start, end, kind]", v)
		}
		var offsets [2]int
		for j := range offsets {
			f, ok := triple[j].(float64)
			if !ok {
				return nil, typeError(path+indexed("", j), "a whole number", triple[j])
			}
			if f != math.Trunc(f) || f < 0 || f > 1<<53 {
				return nil, optionError(path+indexed("", j), "want a whole number, got %v", f)
			}
			offsets[j] = int(f)
		}
		name, ok := triple[2].(string)
		if !ok {
			return nil, typeError(path+"[2]", "a kind of block", triple[2])
		}
		kind, ok := cluster.ParseKind(name)
		if !ok {
			return nil, optionError(path+"[2]", "want %s, got %q", OneOf(cluster.KindNames()), name)
		}
		start, end := offsets[0], offsets[1]
		if start >= end {
			return nil, optionError(path, "want a start before the end, got %d and %d", start, end)
		}
		if start < at.units {
			return nil, optionError(path, "start: want at least %d, the end of the previous block, got %d", at.units, start)
		}
		b := Block{Kind: kind}
		if b.Start, ok = at.seek(start); ok {
			b.End, ok = at.seek(end)
		}
		switch {
		case !ok && at.bytes == len(text):
			return nil, optionError(path, "end: want at most %d, the length of the text in UTF-16 units, got %d", at.units, end)
		case !ok:
			return nil, optionError(path, "offsets must not split a character, got %d and %d", start, end)
		}
		blocks[i] = b
	}
	return blocks, nil
}

// units converts offsets in UTF-16 units, in ascending order, to bytes. An invalid
// byte counts as one unit.
type units struct {
	text         string
	bytes, units int
}

// seek returns the byte at which the unit n begins; false inside of a character or
// behind the text.
func (u *units) seek(n int) (int, bool) {
	for u.units < n && u.bytes < len(u.text) {
		if u.text[u.bytes] < utf8.RuneSelf {
			u.bytes++
			u.units++
			continue
		}
		_, size := utf8.DecodeRuneInString(u.text[u.bytes:])
		u.bytes += size
		u.units++
		if size == 4 {
			u.units++
		}
	}
	return u.bytes, u.units == n
}

// checkBlocks refuses blocks that are out of range, overlap or cut a character.
func checkBlocks(path, text string, blocks []Block) error {
	before := 0
	for i, b := range blocks {
		path := indexed(path+".blocks", i)
		switch {
		case b.Start < 0 || b.End > len(text):
			return optionError(path, "want offsets from 0 to %d, the length of the text in bytes, got %d and %d", len(text), b.Start, b.End)
		case b.Start >= b.End:
			return optionError(path, "want a start before the end, got %d and %d", b.Start, b.End)
		case b.Start < before:
			return optionError(path, "start: want at least %d, the end of the previous block, got %d", before, b.Start)
		case inside(text, b.Start) || inside(text, b.End):
			return optionError(path, "offsets must not split a character, got %d and %d", b.Start, b.End)
		case int(b.Kind) >= len(cluster.KindNames()):
			return optionError(path, "want a kind of block, got %d", int(b.Kind))
		}
		before = b.End
	}
	return nil
}

// inside reports whether byte i of s is in the middle of a character.
func inside(s string, i int) bool {
	if i == len(s) || utf8.RuneStart(s[i]) {
		return false
	}
	for start := i - 1; start >= 0 && start > i-utf8.UTFMax; start-- {
		if utf8.RuneStart(s[start]) {
			_, size := utf8.DecodeRuneInString(s[start:])
			return start+size > i
		}
	}
	return false
}

// checkDate refuses what is neither a date nor a date with a time and its zone.
func checkDate(path, date string) error {
	if date == "" || cluster.IsDate(date) {
		return nil
	}
	if len(date) > 100 {
		date = date[:20] + "…"
	}
	return optionError(path+".date", "want a date like 2026-04-21 or 2026-04-21T17:30:00Z, got %q", date)
}
