package rouge

import (
	_ "embed"
	"strings"
	"sync"
)

// Derived from WordNet 3.0, whose licence is in WORDNET-LICENSE.txt; written by
// eval/rouge/wordnet.
//
// WordNet's exception lists are in Debian's package wordnet-base.
//
//go:generate go run ./wordnet -dir /usr/share/wordnet -out exceptions.txt
//go:embed exceptions.txt
var exceptionList string

// exceptions maps each irregular form of more than three letters in WordNet's lists
// of adjectives, adverbs, nouns and verbs to its base form. If a form is in several
// lists, the last one counts; of several bases, the first.
var exceptions = sync.OnceValue(func() map[string]string {
	return parseExceptions(exceptionList)
})

// parseExceptions reads lines of four parts without separator: the length of the
// prefix shared with the previous form, the rest of the form and a space, the
// length of the prefix that the base shares with it, and the rest of the base. A
// length is a letter, a for 0.
func parseExceptions(list string) map[string]string {
	base := make(map[string]string, 6000)
	form := ""
	for line := range strings.Lines(list) {
		one, two, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !ok || one == "" || two == "" || int(one[0]-'a') > len(form) {
			panic("rouge: bad line in the table of exceptions: " + line)
		}
		form = form[:one[0]-'a'] + one[1:]
		if int(two[0]-'a') > len(form) {
			panic("rouge: bad line in the table of exceptions: " + line)
		}
		base[form] = form[:two[0]-'a'] + two[1:]
	}
	return base
}
