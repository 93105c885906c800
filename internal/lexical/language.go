package lexical

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
	"github.com/cerasum/cerasum/internal/text"
)

// language holds the data of one language.
type language struct {
	tag     string
	stemmer func(*snowballstem.Env) bool
	prefix  int // length that stems are truncated to; 0 for none
	latin   bool
	stops   map[string]struct{}
	table   *table
	events  []uint32 // hashes of event terms
}

// languages are built on first use and then kept.
var languages struct {
	sync.Mutex
	byTag map[string]*language
}

// lookUp returns the data of a language; unknown tags have no stemmer, no stop words
// and no table.
func lookUp(tag string) *language {
	languages.Lock()
	defer languages.Unlock()
	l := languages.byTag[tag]
	if l == nil {
		l = &language{
			tag:     tag,
			stemmer: stemmer(tag),
			prefix:  prefixLength(tag),
			latin:   !strings.Contains(" ar bg bn ckb el fa he hi hy ja ko mk mr ru sr ta th uk ur zh ", " "+tag+" "),
			table:   readTable(tag),
			events:  readEvents(tag),
		}
		l.stops = readStops(l)
		// Tags come from outside: unknown ones are not kept.
		if l.stemmer != nil || l.stops != nil || l.table != nil || l.events != nil {
			if languages.byTag == nil {
				languages.byTag = map[string]*language{}
			}
			languages.byTag[tag] = l
		}
	}
	return l
}

// primary returns the language of a tag: "pt-BR" is "pt", and Norwegian has one code
// for its two written forms. A malformed tag is "".
func primary(tag string) string {
	code, _ := text.Tag(tag)
	switch code {
	case "nb", "nn":
		return "no"
	}
	return code
}

// stemmer returns Snowball's stemmer of the language, or nil.
func stemmer(tag string) func(*snowballstem.Env) bool {
	switch tag {
	case "ar":
		return arabic.Stem
	case "da":
		return danish.Stem
	case "nl":
		return dutch.Stem
	case "en":
		return english.Stem
	case "fr":
		return french.Stem
	case "de":
		return german.Stem
	case "it":
		return italian.Stem
	case "no":
		return norwegian.Stem
	case "pt":
		return portuguese.Stem
	case "ro":
		return romanian.Stem
	case "ru":
		return russian.Stem
	case "es":
		return spanish.Stem
	case "sv":
		return swedish.Stem
	case "tr":
		return turkish.Stem
	}
	return nil
}

// prefixLength is the number of letters that stems are truncated to, or 0: a
// prefix helps in languages with many endings that have no stemmer, or whose
// stemmer keeps many of them. Measured by the share of the five sentences
// nearest to a sentence of the NTREX news set that are from its article: pl 30 to
// 36 %, cs 27 to 34, uk 28 to 34, bg 33 to 36, el 33 to 36; after the stemmer
// tr 35 to 38, ru 34 to 36. For fi and hu the prefix alone (34, 34) is better
// than Snowball's stem (31, 32) and as good as both, so their stemmers, which
// take 11 kB of the compressed program, are left out. A prefix does not help
// he, fa, hi, id, vi, ca, nor the stemmed languages of western Europe. hr, sk
// and sl are taken to be like their neighbours.
func prefixLength(tag string) int {
	switch tag {
	case "bg", "cs", "el", "fi", "hr", "hu", "pl", "sk", "sl", "tr", "uk":
		return 5
	case "ru":
		return 6
	}
	return 0
}

// longest is the length in bytes of the longest word that is stemmed; longer ones are
// links, hashes and noise.
const longest = 128

// stem returns the stem of a folded word, with env to work in.
func (l *language) stem(env *snowballstem.Env, word string) string {
	stemmer, prefix := l.stemmer, l.prefix
	if !l.latin && isASCII(word) {
		// A name in Latin letters gets the same stem as in an English document of the
		// cluster.
		stemmer, prefix = english.Stem, 0
	}
	if len(word) > longest || strings.ContainsFunc(word, unicode.IsDigit) {
		return word
	}
	if stemmer != nil {
		env.SetCurrent(word)
		env.LimitBackward = 0
		stemmer(env)
		if s := env.Current(); s != "" {
			word = s
		}
	}
	return cut(word, prefix)
}

// cut returns the first n letters of word with their combining marks, or all of it for
// n = 0.
func cut(word string, n int) string {
	if n == 0 {
		return word
	}
	for i, r := range word {
		if unicode.IsMark(r) {
			continue
		}
		if n == 0 {
			return word[:i]
		}
		n--
	}
	return word
}

// strip removes clitics joined to a word by an apostrophe: the elided articles,
// pronouns and prepositions of French, Italian and Catalan, Turkish suffixes of names,
// and the English possessive, in other languages too, since names keep it.
func (l *language) strip(word string) string {
	i := strings.IndexByte(word, '\'')
	if i < 0 {
		return word
	}
	switch l.tag {
	case "tr", "az":
		return word[:i]
	case "fr":
		if oneOf(word[:i], "c d j l m n s t qu jusqu lorsqu puisqu quoiqu quelqu") {
			word = word[i+1:]
		}
	case "it":
		if oneOf(word[:i], "c d gl l m n s t un all anch bell coll com dall dell dov nell nessun quell quest sant sull tutt") {
			word = word[i+1:]
		}
	case "ca":
		if oneOf(word[:i], "d l m n s t") {
			return word[i+1:]
		}
		if oneOf(word[i+1:], "l ls m n ns s t") {
			return word[:i]
		}
	}
	return strings.TrimSuffix(word, "'s")
}

func oneOf(word, list string) bool {
	return slices.Contains(strings.Fields(list), word)
}

func (l *language) isStop(folded string) bool {
	_, ok := l.stops[folded]
	return ok
}

// isStopPair reports whether a pair of characters is a stop word: it is on the
// list, or both characters are. In Japanese Hiragana writes endings and
// particles, so a pair of them is one too.
func (l *language) isStopPair(pair string, s script) bool {
	if s == hiragana && l.tag == "ja" {
		return true
	}
	if l.isStop(pair) {
		return true
	}
	for i, r := range pair {
		if !l.isStop(pair[i : i+utf8.RuneLen(r)]) {
			return false
		}
	}
	return len(l.stops) > 0
}
