// Package faults tells by program what keeps a quote from reading well: that it leans
// on what precedes it, is a fragment, speech without a speaker, a question, or carries
// a dateline. It has tables of its own, so that it sees what the methods' tables lack.
//
// Start with [Find]. Faults are what a quote looks like, not what it means: a definite
// without its introduction, filler and wrong leads are for readers to find.
package faults

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fault is a set of faults.
type Fault uint8

// The faults.
const (
	// Leaning: the quote begins with a pronoun, a demonstrative, a connective or
	// another opener that leans on what precedes it.
	Leaning Fault = 1 << iota
	// Fragment: the quote has no terminal mark or ends in an ellipsis, begins in lower
	// case, or has fewer than [MinWords] words.
	Fragment
	// Speech: the quotation marks do not balance, or the quote is speech and does not
	// name its speaker.
	Speech
	// Question: the quote ends in a question mark.
	Question
	// Edge: a dateline, byline, label, list mark, footnote mark or credit is at either
	// end of the quote.
	Edge
)

// MinWords is the number of words below which a quote is a fragment; of scripts without
// spaces, MinCharacters is that of characters.
const (
	MinWords      = 4
	MinCharacters = 8
)

// Place is where a quote comes from.
type Place struct {
	// Language is an ISO 639-1 code; without a table for it nothing leans.
	Language string
	// Before and After are the text of the quote's paragraph around it.
	Before, After string
	// Uncased: the document does not begin sentences with capital letters.
	Uncased bool
}

// Find returns the faults of a quote.
func Find(quote string, p Place) Fault {
	w := languages[p.Language]
	core, edges := trimEdges(strings.TrimSpace(quote), w, p.Language)
	var f Fault
	if edges {
		f |= Edge
	}
	if leans(core, w, p.Language) {
		f |= Leaning
	}
	if fragment(core, p) {
		f |= Fragment
	}
	if unbalanced(core) || nobody(core, w, p) {
		f |= Speech
	}
	if question(core, p.Language) {
		f |= Question
	}
	return f
}

// speaker is who speaks in the minutes of a meeting: "Project Manager: ".
var speaker = regexp.MustCompile(`^\p{Lu}[\p{L}\p{N}.'’-]*(?: \p{Lu}[\p{L}\p{N}.'’-]*){0,4}: `)

// Said returns a line of minutes without its speaker, and any other text as it is.
func Said(s string) string { return s[len(speaker.FindString(s)):] }

// leans reports whether s begins with an opener that leans on what precedes it.
func leans(s string, w *words, language string) bool {
	turn := Said(s)
	inSpeech := len(turn) < len(s)
	s = turn
	body := strings.TrimLeftFunc(s, func(r rune) bool { return !wordRune(r) })
	inSpeech = inSpeech || dialogue(s) || len(marks(s[:len(s)-len(body)])) > 0
	set, end := w.opening(body, language)
	longest := end[third]
	if set[lean] {
		longest = max(longest, end[lean])
	}
	if set[first] && !inSpeech {
		longest = max(longest, end[first])
	}
	// A free opener is longer than the one that it begins with.
	return longest > end[free]
}

// fragment reports whether s is not a whole sentence.
func fragment(s string, p Place) bool {
	end := strings.TrimRightFunc(s, func(r rune) bool { return unicode.IsSpace(r) || closer(r) })
	last, _ := utf8.DecodeLastRuneInString(end)
	switch {
	case strings.HasSuffix(end, "...") || last == '…':
		return true
	case p.Language != "th" && !terminal(last) && !(p.Language == "el" && last == ';') && !(p.Language == "hy" && last == ':'):
		return true // Thai has no terminal marks
	case !p.Uncased && beginsLower(s):
		return true
	case Unspaced(p.Language):
		return letters(s) < MinCharacters
	}
	return len(tokens(s, MinWords)) < MinWords
}

// beginsLower reports whether the first letter of s is lower case and not of a name
// like iPhone. A number before it counts as a capital.
func beginsLower(s string) bool {
	i := strings.IndexFunc(s, wordRune)
	if i < 0 {
		return false
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	next, _ := utf8.DecodeRuneInString(s[i+size:])
	return unicode.IsLower(r) && !unicode.IsUpper(next)
}

func letters(s string) int {
	n := 0
	for _, r := range s {
		if wordRune(r) {
			n++
		}
	}
	return n
}

// question reports whether s ends in a question mark.
func question(s, language string) bool {
	end := strings.TrimRightFunc(s, func(r rune) bool { return unicode.IsSpace(r) || closer(r) })
	last, _ := utf8.DecodeLastRuneInString(end)
	return strings.ContainsRune("?？؟⁇⁈;", last) || language == "el" && last == ';' || language == "hy" && strings.ContainsRune(end, '՞')
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) }

// terminal reports whether r ends sentences in some script.
func terminal(r rune) bool {
	return strings.ContainsRune(".!?…。！？．｡؟۔।॥։⁇⁈‼;", r)
}

// closer reports whether r may follow the terminal mark.
func closer(r rune) bool {
	return strings.ContainsRune("\"'`)]}»«”“„’‘›‹」』）】〉》", r)
}
