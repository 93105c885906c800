package lexical

import (
	_ "embed"
	"encoding/binary"
	"math"
	"strings"
)

// backgroundTable is written by build/background. It is a list of languages:
// a byte with the length of the tag, the tag, the length of its block (uvarint)
// and the block. A block holds levels from the most common terms on: the number
// of terms (uvarint), then that many terms in byte order, each as the number of
// bytes that it shares with the one before (a byte), the rest, and a zero byte.
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

// readTable decodes the block of one language; nil where there is none. The
// table is part of the program: a broken one panics.
func readTable(tag string) *table {
	rest := backgroundTable
	for rest != "" {
		n := int(rest[0])
		name := rest[1 : 1+n]
		size, w := uvarint(rest[1+n:])
		block := rest[1+n+w:]
		if name == tag {
			return decodeTable(block[:size])
		}
		rest = block[size:]
	}
	return nil
}

func decodeTable(block string) *table {
	t := &table{level: map[string]uint8{}}
	for level := uint8(0); block != ""; level++ {
		n, w := uvarint(block)
		block = block[w:]
		term := ""
		for range n {
			end := 1 + strings.IndexByte(block[1:], 0)
			term = term[:block[0]] + block[1:end]
			block = block[end+1:]
			t.level[term] = level
		}
	}
	return t
}

func uvarint(s string) (value, width int) {
	v, w := binary.Uvarint([]byte(s[:min(len(s), binary.MaxVarintLen64)]))
	if w <= 0 {
		panic("lexical: background.bin is broken")
	}
	return int(v), w
}
