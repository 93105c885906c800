package reading

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed furniture.txt
var furnitureLists string

// furniture holds the terms of one language, of English and of all languages: what
// surrounds the text of documents. furniture.txt explains the kinds.
type furniture struct {
	by, label, alone, has, act, thing, cookie, we, fresh, cut, agency terms
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
	kinds := map[string]*terms{
		"by": &f.by, "label": &f.label, "alone": &f.alone, "has": &f.has, "act": &f.act, "thing": &f.thing,
		"cookie": &f.cookie, "we": &f.we, "new": &f.fresh, "cut": &f.cut, "agency": &f.agency,
	}
	for line := range strings.Lines(furnitureLists) {
		tag, rest, _ := strings.Cut(line, " ")
		if tag != "xx" && tag != "en" && tag != language {
			continue
		}
		kind, terms, _ := strings.Cut(strings.TrimSuffix(rest, "\n"), " ")
		if list := kinds[kind]; list != nil {
			for _, term := range strings.Split(fold(terms), "|") {
				list.add(term)
				if kind == "has" || kind == "cookie" {
					f.marks.add(term)
				}
			}
		}
	}
	switch language {
	case "tr", "ja", "ko", "hi", "fa":
		f.actLast = true
	}
	return f
}
