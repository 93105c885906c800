package faults

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// brackets are quotation marks whose sides differ in every language that uses them.
var brackets = map[rune]rune{'「': '」', '『': '』', '〝': '〟', '《': '》'}

// quotationMark reports whether r is a quotation mark of either side. Single ones
// are left out, as most are apostrophes.
func quotationMark(r rune) bool {
	_, opens := brackets[r]
	return opens || strings.ContainsRune("\"“”„‟«»＂」』〟》", r)
}

// mark is a quotation mark and its place in bytes.
type mark struct {
	rune
	start, end int
}

// marks returns the quotation marks of s, without those within words (Hebrew acronyms)
// and after digits (inches), and with the “ and ” that old newswire writes as two
// single ones.
func marks(s string) []mark {
	var list []mark
	before := rune(0)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		next, _ := utf8.DecodeRuneInString(s[i+size:])
		end := i + size
		switch {
		case (r == '`' || r == '\'') && next == r:
			end += size
			list = append(list, mark{map[rune]rune{'`': '“', '\'': '”'}[r], i, end})
		case r == '"' && (wordRune(before) && unicode.IsLetter(next) || unicode.IsDigit(before) && len(list)%2 == 0):
		case quotationMark(r):
			list = append(list, mark{r, i, end})
		}
		i, before = end, r
	}
	return list
}

// unbalanced reports whether quotation marks of s lack their other side. Which of “ ”
// „ « » and " opens depends on the language, so that these are counted together.
func unbalanced(s string) bool {
	paired := 0
	var open []rune
	for _, m := range marks(s) {
		closes, opens := brackets[m.rune]
		switch {
		case opens:
			open = append(open, closes)
		case strings.ContainsRune("」』〟》", m.rune):
			if len(open) == 0 || open[len(open)-1] != m.rune {
				return true
			}
			open = open[:len(open)-1]
		default:
			paired++
		}
	}
	return len(open) > 0 || paired%2 == 1
}

// attribution is the largest number of words, or of characters without spaces, of
// which a pronoun leaves nobody named: "he told the court".
const (
	attribution           = 4
	attributionCharacters = 8
)

// nobody reports whether s is speech that does not name who speaks: all of it is
// between quotation marks, what remains is a verb or names a pronoun, or s lies within
// a quotation that begins before it.
func nobody(s string, w *words, p Place) bool {
	list := marks(s)
	switch {
	case len(list)%2 == 1:
		return false // unbalanced
	case len(list) == 0 && dialogue(s):
		return dashed(s, w, p)
	case len(list) == 0:
		return within(p, s)
	}
	said, rest := "", ""
	end := 0
	for i := 0; i < len(list); i += 2 {
		rest += s[end:list[i].start] + " "
		end = list[i+1].end
		said += s[list[i].start:end] + " "
	}
	rest += s[end:]
	return isSpeech(said, p.Language) && unnamed(rest, w, p.Language)
}

// isSpeech tells a quoted sentence from a quoted term or title.
func isSpeech(said, language string) bool {
	if Unspaced(language) {
		return letters(said) >= MinCharacters
	}
	return len(tokens(said, MinWords)) >= MinWords
}

// unnamed reports whether the words around speech name nobody.
func unnamed(rest string, w *words, language string) bool {
	rest = strings.TrimFunc(rest, func(r rune) bool { return !wordRune(r) })
	if Unspaced(language) {
		set, _ := w.opening(rest, language)
		n := letters(rest)
		return n <= 1 || n <= attributionCharacters && set[third]
	}
	list := tokens(rest, attribution+1)
	if len(list) <= 1 {
		return true
	}
	return w != nil && len(list) <= attribution && slices.ContainsFunc(list, func(t token) bool {
		_, is := w[third][t.text]
		return is
	})
}

// dialogue reports whether s begins with a dash as speech does in many languages. An
// en dash may also be a list mark: speech has another one before its speaker.
func dialogue(s string) bool {
	rest, en := strings.CutPrefix(s, "–")
	return en && strings.Contains(rest, "– ") || strings.HasPrefix(s, "—")
}

// dashed reports whether speech after a dash names nobody: "— We stay, — he said."
func dashed(s string, w *words, p Place) bool {
	dash, size := utf8.DecodeRuneInString(s)
	parts := strings.Split(s[size:], string(dash))
	rest := ""
	for i := 1; i < len(parts); i += 2 {
		rest += parts[i] + " "
	}
	return isSpeech(parts[0], p.Language) && unnamed(rest, w, p.Language)
}

// within reports whether a quote without quotation marks lies between those of its
// paragraph, which must balance for this to be known.
func within(p Place, quote string) bool {
	return len(marks(p.Before))%2 == 1 && !unbalanced(p.Before+quote+p.After)
}
