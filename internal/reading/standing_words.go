package reading

import (
	_ "embed"
	"strings"
	"sync"
)

// standingWords holds the closed classes; its head explains them.
//
//go:embed standing.txt
var standingWords string

// class is a set of the closed classes of a word or phrase.
type class uint16

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

	demonstrative = near | far
)

var classNames = map[string]class{
	"pronoun": pronoun, "this": near, "that": far, "when": when, "link": link,
	"other": other, "time": relative, "verb": verb, "clause": clause,
	"article": article, "self": self, "title": title, "alone": alone, "subject": subject,
}

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
	for line := range strings.Lines(section) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if fields[0] == "ending" {
			w.endings = fields[1:]
			continue
		}
		c := classNames[fields[0]]
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
