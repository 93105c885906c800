package lexical

import _ "embed"

// stopwordTable holds the stop words, in the form of [FrontCode]; internal/lexical/tables packs
// stopwords.txt into it.
//
// CERASUM_BLEVE and CERASUM_STOPWORDS_ISO are the folders of the collections: see
// ./stopwords.
//
//go:generate go run ./stopwords -bleve ${CERASUM_BLEVE} -iso ${CERASUM_STOPWORDS_ISO} -out stopwords.txt
//go:generate go run ./tables -dir . stopwords
//go:generate go run ./tables -dir . events
//go:embed stopwords.bin
var stopwordTable string

// readStops returns the stop words of a language, folded like the words of a
// text, or nil if there is no list.
func readStops(l *language) map[string]struct{} {
	var stops map[string]struct{}
	readFrontCoded(stopwordTable, l.tag, false, func(word string, _ uint8) {
		if stops == nil {
			stops = map[string]struct{}{}
		}
		folded, _ := fold(word, l.tag)
		stops[l.strip(folded)] = struct{}{}
	})
	return stops
}
