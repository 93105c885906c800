package lexical

import (
	_ "embed"
	"strings"
)

// stopwordLists has one line per language: its tag, then its words.
//
// CERASUM_BLEVE and CERASUM_STOPWORDS_ISO are the folders of the collections: see
// ./stopwords.
//
//go:generate go run ./stopwords -bleve ${CERASUM_BLEVE} -iso ${CERASUM_STOPWORDS_ISO} -out stopwords.txt
//go:embed stopwords.txt
var stopwordLists string

// readStops returns the stop words of a language, folded like the words of a
// text, or nil if there is no list.
func readStops(l *language) map[string]struct{} {
	_, list, ok := strings.Cut(stopwordLists, "\n"+l.tag+" ")
	if !ok || l.tag == "" {
		return nil
	}
	list, _, _ = strings.Cut(list, "\n")
	words := strings.Fields(list)
	stops := make(map[string]struct{}, len(words))
	for _, w := range words {
		folded, _ := fold(w, l.tag)
		stops[l.strip(folded)] = struct{}{}
	}
	return stops
}
