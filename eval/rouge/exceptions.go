package rouge

import (
	_ "embed"
	"strings"
	"sync"
)

// Derived from WordNet 3.0, whose licence is in WORDNET-LICENSE.txt; written by
// eval/rouge/wordnet.
//
//go:embed exceptions.txt
var exceptionList string

// exceptions returns the base form of each irregular form of more than three
// letters in WordNet's lists of adjectives, adverbs, nouns and verbs. Where a
// form is in several, the last of these counts; of several bases the first.
var exceptions = sync.OnceValue(func() map[string]string {
	return parseExceptions(exceptionList)
})

// parseExceptions reads lines of four parts without separator: the length of
// the beginning that the form shares with the form before and the rest of it,
// and a blank, the length of the beginning that its base shares with it and
// the rest of that. A length is a letter, a for 0.
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
