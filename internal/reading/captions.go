package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// captionBytes is how far into a sentence the credit of a caption is searched for.
	captionBytes = 600
	// creditBytes is the length of the longest credit or headline in brackets.
	creditBytes = 120
	// captionRest is the number of words that must follow a caption.
	captionRest = 6
	// headlineWords is the length of the shortest headline in square brackets.
	headlineWords = 4
)

// trimCaption trims a caption, a headline in brackets and links, which the sentence follows
// without a line break or a full stop. It drops those whose end cannot be told.
func (e *editor) trimCaption(p *part) {
	if e.caseless {
		return
	}
	cut, unclear, closed := 0, 0, closedMark(p.text)
	for i, r := range p.text[:min(len(p.text), captionBytes)] {
		end := e.captionEnd(p, i, r)
		if end < 0 {
			unclear = i + 1
		} else if end > 0 && closed && capital(p.text[end:]) && longer(p.text[end:], captionRest-1) {
			cut = end
		}
	}
	p.cutStart(cut)
	p.drop = unclear > cut
}

// captionEnd returns the end of the caption whose credit begins with r at p.text[i:]: "The
// march (Photo: A. Tran)", "The march - Ảnh: Reuters". It returns 0 if there is none, -1 if
// it cannot be told.
func (e *editor) captionEnd(p *part, i int, r rune) int {
	s := p.text
	switch r {
	case '(', '（', '[':
		return e.creditInBrackets(s, i)
	case '>':
		if e.doc.Language == "vi" && strings.HasPrefix(s[i:], ">> ") {
			return -1 // links to other reports
		}
	default:
		// At the start of a line it may be the label of that line, which dropLine judges.
		if unicode.IsUpper(r) && (i > 0 && (s[i-1] == ' ' || s[i-1] == '.') || i == 0 && (!p.opens || !p.closes && e.doc.Language == "vi")) {
			return e.creditEnd(s, i)
		}
	}
	return 0
}

// creditInBrackets returns the end of the credit in the brackets at s[i:], or of a headline
// in square brackets at the start, a link: "[The road is closed again] The council …".
// It returns 0 if there is none.
func (e *editor) creditInBrackets(s string, i int) int {
	j := strings.IndexAny(s[i:min(len(s), i+creditBytes)], ")）]")
	if j < 0 {
		return 0
	}
	inside := strings.TrimLeft(s[i:i+j], "(（[")
	bare := e.prefixLength(inside, &e.words.picture) // "(Ảnh AP)"; "(ảnh)" belongs to the sentence
	if e.labelled(inside) == 0 && (bare == 0 || !strings.Contains(inside, " ")) && (i > 0 || s[j] != ']' || strings.LastIndexByte(s[:j], '[') != 0 || length(inside) < headlineWords) {
		return 0
	}
	_, size := utf8.DecodeRuneInString(s[i+j:])
	return i + j + size
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
