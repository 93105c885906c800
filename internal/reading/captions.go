package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// captionBytes is how far into a sentence the credit of a caption is searched for.
	captionBytes = 600
	// creditBytes is the length of the longest credit in brackets.
	creditBytes = 80
	// captionRest is the number of words that must follow a caption.
	captionRest = 6
)

// captionEnd returns the length of a caption at the start of s, with the credit of its
// picture, if the sentence follows it without a line break or a full stop: "The march
// (Photo: A. Tran) On Monday …", "The march - Ảnh: Reuters Hôm thứ Hai …". It returns 0 if
// there is none.
func (e *editor) captionEnd(s string) (n int) {
	if e.caseless || !closedMark(s) {
		return 0
	}
	for i, r := range s[:min(len(s), captionBytes)] {
		end := 0
		switch r {
		case '(', '（', '[':
			end = e.creditInBrackets(s, i)
		case '-', '–', '—':
			end = e.creditAfterDash(s, i, i+utf8.RuneLen(r))
		}
		if end > 0 && capital(strings.TrimLeftFunc(s[end:], blank)) && longer(s[end:], captionRest-1) {
			n = end
		}
	}
	return n
}

// creditInBrackets returns the end of the credit in the brackets at s[i:], or 0.
func (e *editor) creditInBrackets(s string, i int) int {
	j := strings.IndexAny(s[i:min(len(s), i+creditBytes)], ")）]")
	if j < 0 || e.labelled(strings.TrimLeft(s[i:i+j], "(（[")) == 0 {
		return 0
	}
	_, size := utf8.DecodeRuneInString(s[i+j:])
	return i + j + size
}

// creditAfterDash returns the end of the credit after the dash s[i:after], or 0. A name and
// the sentence after it are told apart if it is an agency's, or in Vietnamese, in which
// only the first word of a sentence has a capital.
func (e *editor) creditAfterDash(s string, i, after int) int {
	rest := strings.TrimLeftFunc(s[after:], blank)
	if i == 0 || len(rest) == len(s[after:]) {
		return 0
	}
	n := e.labelled(rest)
	if n == 0 {
		return 0
	}
	name := strings.TrimLeftFunc(rest[n:], blank)
	at := len(s) - len(name)
	if agency := e.words.agency.prefix(fold(name[:min(len(name), 100)])); agency != "" {
		return at + unfold(name, len(agency))
	}
	if e.doc.Language != "vi" {
		return 0
	}
	last := 0 // the last word of those with a capital
	for from := 0; from < len(name); {
		if r, _ := utf8.DecodeRuneInString(name[from:]); !unicode.IsUpper(r) {
			break
		}
		last = from
		space := strings.IndexByte(name[from:], ' ')
		if space < 0 {
			return 0
		}
		from += space + 1
	}
	if last == 0 {
		return 0
	}
	return at + last
}

// gluedAgency returns the length of a dateline at the start of s whose closing bracket the
// sentence follows without a space: "Washington (CNN)The president …".
func (e *editor) gluedAgency(s string) int {
	i := strings.IndexByte(s[:min(len(s), creditBytes)], '(')
	if i < 0 || length(s[:i]) > 4 {
		return 0
	}
	j := strings.IndexByte(s[i:min(len(s), i+creditBytes)], ')')
	if j < 0 || !e.agency(s[i+1:i+j]) || !capital(s[i+j+1:]) {
		return 0
	}
	return i + j + 1
}
