package reading

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// standingWords holds words that tie a sentence to what precedes it, a section a language. See DATA.md.
//
//	pronoun  third person pronouns and possessives
//	this     near demonstratives; with a word of "when" beside them they name the present
//	that     far demonstratives and words like "such"
//	when     spans of time: this year, this week
//	link     connectives that begin a sentence
//	other    the latter, another, both, the second, the same, similar
//	time     times that are counted from a time told before
//	verb     verbs that begin a sentence whose subject is left out
//	ending   endings of such verbs
//	clause   what follows a verb without a subject: that, a comma
//	article  definite articles
//	self     first and second person
//	title    forms of address before a surname
//	alone    openings that look like one of these but are not
//	subject  particles that mark a subject
//	me       I
//	address  you
//	announce what tells what a text will do, or points to another part of it
//	general  what begins a generality
//	point    what points to something else, gives an example or thanks
//	state    what tells what something is, does or has to do
//	hedge    words of conjecture and anecdote
//	says     verbs after the name of a speaker
//	place    what "this" before it makes the place of a dispatch; and "here"
//
// The words of a phrase are joined by _. A * at the end matches any ending.
//
//go:embed standing.txt
var standingWords string

// class is a set of the closed classes of a word or phrase.
type class uint32

const (
	pronoun class = 1 << iota
	near
	far
	when
	link
	other
	relative
	verb
	clause
	article
	self
	title
	alone
	subject
	narrate
	address
	announce
	generality
	point
	state
	hedge
	says
	place

	demonstrative = near | far
	// content says nothing of what precedes; spoken is all that [voice] reads.
	content = point | state | hedge
	spoken  = content | narrate | address | announce | generality
)

// classNames are the names of the classes in standing.txt, in the order of the constants.
const classNames = "pronoun this that when link other time verb clause article self title alone subject me address announce general point state hedge says place"

// words are the closed classes of one language.
type words struct {
	of       map[string]class // words, and phrases joined by '_'
	prefixes map[string]class // what begins so, at the beginning of a sentence
	endings  []string         // of verbs without a subject
	particle []string         // of class subject: in Japanese and Korean
	longest  int              // of a phrase, in words; in an unspaced language in runes
	unspaced bool             // words are not set apart by spaces
	turkic   bool
}

// known holds the tables read so far.
var known struct {
	sync.Mutex
	words map[string]*words
}

var noWords = &words{longest: 1}

// wordsOf returns the table of a language, an empty one where there is none.
func wordsOf(language string) *words {
	switch language {
	case "nb", "nn":
		language = "no"
	}
	known.Lock()
	defer known.Unlock()
	if w := known.words[language]; w != nil {
		return w
	}
	_, section, ok := strings.Cut(standingWords, "\n["+language+"]\n")
	if !ok {
		return noWords
	}
	section, _, _ = strings.Cut(section, "\n[")
	w := readWords(language, section)
	if known.words == nil {
		known.words = map[string]*words{}
	}
	known.words[language] = w
	return w
}

func readWords(language, section string) *words {
	w := &words{
		of: map[string]class{}, prefixes: map[string]class{}, longest: 1,
		unspaced: language == "zh" || language == "ja" || language == "th", turkic: language == "tr",
	}
	names := strings.Fields(classNames)
	for line := range strings.Lines(section) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if fields[0] == "ending" {
			w.endings = fields[1:]
			continue
		}
		c := class(1) << slices.Index(names, fields[0])
		if c == subject {
			w.particle = fields[1:]
			continue
		}
		for _, phrase := range fields[1:] {
			if p, ok := strings.CutSuffix(phrase, "*"); ok {
				w.prefixes[p] |= c
			} else {
				w.of[phrase] |= c
			}
			length := 1 + strings.Count(phrase, "_")
			if w.unspaced {
				length = len([]rune(phrase))
			}
			w.longest = max(w.longest, length)
		}
	}
	return w
}
