package main

import "github.com/cerasum/cerasum/internal/lexical"

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

// encode writes the table.
func encode(table []entry) []byte {
	return lexical.FrontCode(len(table), func(i int) (tag string, terms []string, levels []byte) {
		for _, s := range table[i].terms {
			terms, levels = append(terms, s.term), append(levels, byte(s.level))
		}
		return table[i].tag, terms, levels
	})
}
