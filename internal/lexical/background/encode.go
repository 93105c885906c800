package main

import (
	"encoding/binary"
)

// share is the level of a term: its share of sentences, see internal/lexical.
type share struct {
	term  string
	level int
}

// entry is one language of the table, its terms in byte order.
type entry struct {
	tag   string
	terms []share
}

// encode writes the table in the form that internal/lexical/background.go
// describes.
func encode(table []entry) []byte {
	var shared, levels, texts []byte
	file := binary.AppendUvarint(nil, uint64(len(table)))
	for _, e := range table {
		start, before := len(texts), ""
		for _, s := range e.terms {
			n := 0
			for n < min(len(before), len(s.term), 255) && before[n] == s.term[n] {
				n++
			}
			shared = append(shared, byte(n))
			levels = append(levels, byte(s.level))
			texts = append(append(texts, s.term[n:]...), 0)
			before = s.term
		}
		file = append(file, byte(len(e.tag)))
		file = append(file, e.tag...)
		file = binary.AppendUvarint(file, uint64(len(e.terms)))
		file = binary.AppendUvarint(file, uint64(len(texts)-start))
	}
	file = append(file, shared...)
	file = append(file, levels...)
	return append(file, texts...)
}
