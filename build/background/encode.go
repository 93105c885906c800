package main

import (
	"encoding/binary"
	"slices"

	"github.com/cerasum/cerasum/core/lexical"
)

// encode writes the terms of one language: for each level their number, then
// each term in byte order as the number of bytes it shares with the one before,
// the rest, and a zero byte.
func encode(levels [lexical.Levels][]string) []byte {
	var block []byte
	for _, terms := range levels {
		slices.Sort(terms)
		block = binary.AppendUvarint(block, uint64(len(terms)))
		before := ""
		for _, t := range terms {
			n := 0
			for n < min(len(before), len(t), 255) && before[n] == t[n] {
				n++
			}
			block = append(block, byte(n))
			block = append(block, t[n:]...)
			block = append(block, 0)
			before = t
		}
	}
	return block
}

// appendBlock adds a language to the file.
func appendBlock(file []byte, tag string, block []byte) []byte {
	file = append(file, byte(len(tag)))
	file = append(file, tag...)
	file = binary.AppendUvarint(file, uint64(len(block)))
	return append(file, block...)
}
