package text

import (
	"slices"
	"strings"
	"sync"
)

// kind is the role of a word with a full stop.
type kind uint8

const (
	plain kind = iota
	prefix
	number
	ending
	final
	era
)

// entry is a word of the tables, ready for look-up.
type entry struct {
	kind     kind
	word     bool // a word of one letter
	starter  bool
	month    bool
	lettered bool
	clock    bool
}

// rules are one language's tables, with the common ones, in one map. What is an
// abbreviation only if capitalized has a key with a capital.
type rules struct {
	words     map[string]entry
	ordinals  ordinals
	elision   bool
	countable bool // Hindi: short words with a full stop are abbreviations
	longest   int  // bytes of the longest word
}

var (
	rulesMutex sync.Mutex
	rulesOf    = map[string]*rules{}
)

// rulesFor returns the rules of a language, or the common ones if it is unknown. They
// are built on first use.
func rulesFor(tag string) *rules {
	switch tag {
	case "gl": // close enough in what is written with a full stop
		tag = "pt"
	case "ms":
		tag = "id"
	case "sk":
		tag = "cs"
	case "no", "nn":
		tag = "nb"
	}
	l := &common
	if i := slices.IndexFunc(languages, func(l language) bool { return l.tag == tag }); i >= 0 {
		l = &languages[i]
	}
	tag = l.tag
	rulesMutex.Lock()
	defer rulesMutex.Unlock()
	r := rulesOf[tag]
	if r == nil {
		r = newRules(l)
		r.countable = tag == "hi"
		rulesOf[tag] = r
	}
	return r
}

func newRules(l *language) *rules {
	r := &rules{words: map[string]entry{}, ordinals: l.ordinals, elision: l.elision}
	// The language's own entries take precedence over the common ones.
	for _, t := range []*language{&common, l} {
		r.abbreviations(t.prefix, prefix)
		r.abbreviations(t.number, number)
		r.abbreviations(t.ending, ending)
		r.abbreviations(t.final, final)
		r.abbreviations(t.era, era)
	}
	r.mark(l.letters, func(e *entry) { e.word = true })
	r.mark(l.starters, func(e *entry) { e.starter = true })
	r.mark(l.months, func(e *entry) { e.month = true })
	r.mark(lettered, func(e *entry) { e.lettered = true })
	if l.tag == "en" {
		r.mark(afterClock, func(e *entry) { e.clock = true })
	}
	for w := range r.words {
		r.longest = max(r.longest, len(w))
	}
	return r
}

func (r *rules) abbreviations(list string, k kind) {
	for w := range strings.FieldsSeq(list) {
		e := r.words[w]
		e.kind = k
		r.words[w] = e
	}
}

func (r *rules) mark(list string, set func(*entry)) {
	for w := range strings.FieldsSeq(list) {
		e := r.words[w]
		set(&e)
		r.words[w] = e
	}
}
