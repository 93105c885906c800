package reading

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// furnitureLists is what surrounds the text of documents, by language: a kind of terms a
// line. Written for this project. xx holds for all languages. Terms are compared in small letters; * is any end of a word.
//
// by      opens a byline, before a name
// label   opens a line that is no text, before a colon or bar
// alone   opens a short line that is no text
// has     is part of a notice and of nothing else
// act     opens a call to act, or ends it where the verb is last; together with a thing
// thing   what readers are called to
// cookie  is a notice together with we, in a short line
// we      who speaks to whom in notices
// new     labels what follows as new or as a genre; trimmed
// cut     trimmed from the start of running text
// agency  a news agency, in datelines
// picture a label of pictures, which a name may follow without an end
// opener  begins a sentence, and is hardly ever part of a name after its first word
// filler  begins sentences of speech and says nothing; trimmed in transcripts
//
//go:embed furniture.txt
var furnitureLists string

// furniture holds the terms of one language, of English and of all languages: what
// surrounds the text of documents. furnitureLists explains the kinds.
type furniture struct {
	by, label, alone, has, act, thing, cookie, we, fresh, cut, agency, picture, opener, filler terms
	// marks are has and cookie, which most sentences have none of.
	marks terms
	// actLast: the verb of a call stands at its end.
	actLast bool
}

var furnitureCache struct {
	sync.Mutex
	of map[string]*furniture
}

// furnitureOf returns the terms for a language, an ISO 639-1 code or "".
func furnitureOf(language string) *furniture {
	switch language {
	case "nb", "nn":
		language = "no"
	}
	furnitureCache.Lock()
	defer furnitureCache.Unlock()
	f := furnitureCache.of[language]
	if f == nil {
		f = readFurniture(language)
		if furnitureCache.of == nil {
			furnitureCache.of = map[string]*furniture{}
		}
		furnitureCache.of[language] = f
	}
	return f
}

func readFurniture(language string) *furniture {
	f := &furniture{}
	kinds := strings.Fields("by label alone has act thing cookie we new cut agency picture opener filler")
	lists := [...]*terms{&f.by, &f.label, &f.alone, &f.has, &f.act, &f.thing, &f.cookie, &f.we, &f.fresh, &f.cut, &f.agency, &f.picture, &f.opener, &f.filler}
	for line := range strings.Lines(furnitureLists) {
		tag, rest, _ := strings.Cut(line, " ")
		if tag != "xx" && tag != "en" && tag != language {
			continue
		}
		kind, terms, _ := strings.Cut(strings.TrimSuffix(rest, "\n"), " ")
		list := lists[slices.Index(kinds, kind)]
		for _, term := range strings.Split(fold(terms), "|") {
			list.add(term)
			switch kind {
			case "picture":
				f.label.add(term)
			case "has", "cookie":
				f.marks.add(term)
			}
		}
	}
	switch language {
	case "tr", "ja", "ko", "hi", "fa":
		f.actLast = true
	}
	return f
}
