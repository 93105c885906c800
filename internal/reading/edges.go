package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// leastRest is the number of words that trimming must leave.
const leastRest = 3

// trimEdges shrinks the sentences to what is quotable.
func (e *editor) trimEdges() {
	for k := range e.parts {
		p := &e.parts[k]
		if p.drop {
			continue
		}
		if e.trimCaption(p); p.drop {
			continue
		}
		if p.opens {
			e.trimLabels(p, k)
			if !p.closes && (k == 0 || k < 3 && shouted(p.text)) && e.city(p.text) {
				p.drop = true
				continue
			}
		} else if e.parts[k-1].drop {
			// "CASTELVIEUX. — Ils étaient …"
			p.cutStart(dash(p.text))
		}
		p.cutStart(listMark(p.text, e, k))
		p.cutStart(leadingFootnote(p.text))
		if e.transcript {
			e.trimFillers(p)
		}
		e.trimEnd(p, k)
	}
}

// trimLabels trims datelines, bylines and labels at the start of a line.
func (e *editor) trimLabels(p *part, k int) {
	for range 4 {
		n := e.dateline(p.text, k)
		if n == 0 {
			n = e.gluedAgency(p.text)
		}
		if n == 0 {
			n = e.fresh(p.text)
			if n > 0 && e.labelled(p.text) > 0 && (length(p.text[n:]) < 8 || !closedMark(p.text)) {
				return // "Video: the moment the bridge fell"
			}
			if n > 0 && length(p.text[n:]) < 5 {
				p.drop = length(p.text) <= 12 // "Update 16:40: Adds army helicopters."
				return
			}
		}
		if n == 0 {
			n = deskCode(p.text)
		}
		if n == 0 || n < len(p.text) && length(p.text[n:]) < leastRest && !unspacedStart(p.text[n:]) {
			return
		}
		if n == len(p.text) {
			p.drop = length(p.text) <= 12
			return
		}
		p.cutStart(n)
		p.cutStart(dash(p.text))
		p.dateline = true
	}
}

// dash returns the length of a dash at the start of s that a space follows.
func dash(s string) int {
	for _, mark := range []string{".--", ".-", ".–", ".—", "--", "—", "–", "-", "―", "_", "=", "："} {
		if rest, ok := strings.CutPrefix(s, mark); ok {
			if r, size := utf8.DecodeRuneInString(rest); size > 0 && (blank(r) || mark == "—" || mark == "：") {
				return len(mark)
			}
		}
	}
	return 0
}

// city reports whether the first sentence of a line is the place, day or agency before
// it: "OSTRUM/HARMSFELD.", "Brückstadt.", "Москва.", "3 мая."
func (e *editor) city(s string) bool {
	if strings.ContainsAny(s, "?!？！…,;:\"“«„") || !strings.HasSuffix(s, ".") || length(s) > 4 || e.caseless {
		return false
	}
	if shouted(s) {
		return true
	}
	words := strings.Fields(s)
	if len(words) > 3 {
		return false
	}
	digits := strings.ContainsFunc(s, unicode.IsDigit)
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); !unicode.IsUpper(r) && !digits && !(len(w) <= 4 && len(words) > 2) {
			return false
		}
	}
	return true
}

// fresh returns the length of a label such as "Update:", "BREAKING —", "Обновлено в
// 18:40." at the start of a sentence, with what ends it; 0 if there is none.
func (e *editor) fresh(s string) int {
	n := e.prefixLength(s, &e.words.fresh)
	if n == 0 {
		return 0
	}
	rest := s[n:]
	// A time or a number may stand between the label and its end.
	i, digits, words := 0, false, 0
	for i < len(rest) && i < 48 {
		r, size := utf8.DecodeRuneInString(rest[i:])
		if unicode.IsDigit(r) {
			digits = true
		}
		next := strings.TrimLeft(rest[min(len(rest), i+size):], " ")
		inNumber := digits && next != "" && next[0] >= '0' && next[0] <= '9'
		switch {
		case (r == ':' || r == '.' || r == ',') && inNumber:
		case r == ':' || r == '：' || r == '|' || r == '｜' || r == '—' || r == '–':
			if words > 0 && !digits {
				return 0
			}
			return n + i + size
		case r == '-' && i > 0 && (rest[i-1] == ' ' || digits) && strings.HasPrefix(rest[i+size:], " "):
			return n + i + size
		case r == '.' && (digits || shouted(s[:n]) || words == 0):
			if next == "" || capital(next) && words <= 4 && (digits || words == 0) {
				return n + i + size
			}
		case blank(r):
			words++
		case !digits && words > 3:
			return 0
		}
		i += size
	}
	if i == len(rest) && (digits || i == 0) {
		return len(s)
	}
	return 0
}

// deskCode returns the length of the codes of a news desk at the start of s: "a0536",
// "r i BC-Quake-Toll 05-11 0423", "ATTN: editors".
func deskCode(s string) int {
	n := 0
	for {
		i := strings.IndexByte(s[n:], ' ')
		if i < 0 {
			return 0
		}
		w := s[n : n+i]
		switch {
		case len(w) == 5 && w[0] >= 'a' && w[0] <= 'z' && strings.Trim(w[1:], "0123456789") == "":
		case len(w) == 1 && n > 0 && w[0] >= 'a' && w[0] <= 'z':
		case len(w) == 1 && w[0] >= 'a' && w[0] <= 'z' && len(s) > 6 && s[1] == ' ' && s[3] == ' ' && (s[4:7] == "BC-" || s[4:7] == "AM-" || s[4:7] == "PM-"):
		case len(w) > 4 && (w[:3] == "BC-" || w[:3] == "AM-" || w[:3] == "PM-"):
		case n > 0 && len(w) >= 4 && strings.Trim(w, "0123456789-") == "":
		default:
			return n
		}
		n += i + 1
	}
}

// listMark returns the length of a mark of a list at the start of a line: "1.", "a)",
// "(2)", "三、". A number with a full stop may be a date or an ordinal: it needs a
// neighbour in the document.
func listMark(s string, e *editor, k int) int {
	if !e.parts[k].opens {
		return 0
	}
	n, value, sure := itemNumber(s)
	if n == 0 || length(s[n:]) < leastRest && !unspacedStart(s[n:]) {
		return 0
	}
	if sure {
		return n
	}
	for i := range e.doc.Sentences {
		if m, other, _ := itemNumber(e.doc.Sentences[i].Text); m > 0 && e.parts[i].opens && (other == value+1 || other == value-1) {
			return n
		}
	}
	return 0
}

// itemNumber reads the number or letter of a list item at the start of s. sure: it can
// be nothing else.
func itemNumber(s string) (n, value int, sure bool) {
	bracket := strings.HasPrefix(s, "(") || strings.HasPrefix(s, "（")
	if bracket {
		_, n = utf8.DecodeRuneInString(s)
	}
	start := n
	for n < len(s) && n-start < 3 && s[n] >= '0' && s[n] <= '9' {
		value = 10*value + int(s[n]-'0')
		n++
	}
	r, size := utf8.DecodeRuneInString(s[n:])
	if n == start {
		if i := strings.IndexRune("一二三四五六七八九十", r); i >= 0 && r != utf8.RuneError {
			value = i/3 + 1
		} else if r >= 'a' && r <= 'h' {
			value = int(r-'a') + 1
			bracket = bracket || strings.HasPrefix(s[n+size:], ")")
			if !bracket {
				return 0, 0, false
			}
		} else {
			return 0, 0, false
		}
		n += size
		r, size = utf8.DecodeRuneInString(s[n:])
	}
	next, _ := utf8.DecodeRuneInString(s[n+size:])
	switch {
	case r == ')' && blank(next), r == '）' && bracket:
		return n + size, value, true
	case r == '.' && blank(next) && !bracket, (r == '、' || r == '．') && !bracket:
		return n + size, value, false
	}
	return 0, 0, false
}

// footnoteMark returns the length of a footnote mark at the start of s: "[12]", "[a]",
// "[citation needed]"; 0 if there is none.
func footnoteMark(s string) int {
	if !strings.HasPrefix(s, "[") {
		return 0
	}
	for i := 1; i < len(s) && i < 24; i++ {
		switch c := s[i]; {
		case c == ']':
			if i == 1 {
				return 0
			}
			return i + 1
		case c != ' ' && (c < '0' || c > '9') && (c < 'a' || c > 'z'):
			return 0
		}
	}
	return 0
}

// leadingFootnote returns the length of the footnote marks at the start of s.
func leadingFootnote(s string) int {
	n := 0
	for {
		m := footnoteMark(s[n:])
		if m == 0 {
			if r, size := utf8.DecodeRuneInString(s[n:]); superscript(r) {
				m = size
			}
		}
		if m == 0 {
			break
		}
		n += m
	}
	if n > 0 && length(s[n:]) < leastRest {
		return 0
	}
	return n
}

// trimEnd trims footnote marks, credits in brackets and the name of an agency from the
// end of a sentence.
func (e *editor) trimEnd(p *part, k int) {
	for range 6 {
		s := p.text
		n := trailingFootnote(s)
		if n == len(s) {
			n = e.trailingCredit(s)
		}
		if n == len(s) && p.closes {
			n = e.trailingPhrase(s)
		}
		if n == len(s) || length(s[:n]) < leastRest && !unspacedStart(s) {
			return
		}
		p.cutEnd(n)
	}
}

// trailingFootnote returns the length of s without a footnote mark at its end, which
// must follow a terminal mark: "m²" is none.
func trailingFootnote(s string) int {
	if strings.HasSuffix(s, "]") {
		i := strings.LastIndexByte(s, '[')
		if i > 0 && footnoteMark(s[i:]) == len(s)-i && (closedMark(s[:i]) || trailingFootnote(s[:i]) < i) {
			return i
		}
		return len(s)
	}
	r, size := utf8.DecodeLastRuneInString(s)
	if superscript(r) && closedMark(s[:len(s)-size]) {
		return len(s) - size
	}
	return len(s)
}

// trailingCredit returns the length of s without a credit in brackets at its end: "…
// said. (Reporting by A. B.)", "… home (Photo: C.)".
func (e *editor) trailingCredit(s string) int {
	body := strings.TrimRight(s, ".。")
	r, size := utf8.DecodeLastRuneInString(body)
	open := rune(0)
	switch r {
	case ')':
		open = '('
	case '）':
		open = '（'
	case ']':
		open = '['
	}
	if open == 0 {
		return len(s)
	}
	i := strings.LastIndex(body[:len(body)-size], string(open))
	if i <= 0 || len(body)-i > 200 {
		return len(s)
	}
	inside := body[i:]
	if !e.credit(inside) || e.words.by.prefix(strings.Trim(fold(inside), "()（）[]")) != "" && !closedMark(s[:i]) {
		return len(s)
	}
	if f := strings.Trim(fold(inside), "()（）[]"); e.words.agency.prefix(f) != "" && !closedMark(s[:i]) {
		return len(s) // "the Press Association (PA)" is content
	}
	// A full stop after the bracket belongs to the sentence, which has none before it.
	return len(strings.TrimRightFunc(s[:i], blank))
}

// trailingPhrase returns the length of s without "— Reuters", "/TTXVN" or "Read more" after
// its terminal mark.
func (e *editor) trailingPhrase(s string) int {
	for i := len(s); i > 0 && len(s)-i < 60; {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
		if r != '.' && r != '!' && r != '?' && r != '。' && r != '”' && r != '"' && r != '।' {
			continue
		}
		rest := strings.TrimLeft(fold(s[i+size:]), " —–-/(")
		rest = strings.TrimRight(rest, " .)…→>»")
		if rest == "" {
			continue
		}
		if !strings.HasPrefix(strings.TrimLeft(s[i+size:], " "), "—") && i+size < len(s) && !blank(rune(s[i+size])) && s[i+size] != '/' {
			continue
		}
		if e.words.agency.has(rest) {
			return i + size
		}
		if e.source != "" && rest == e.source {
			return i + size
		}
		if length(rest) <= 4 {
			if term := e.words.alone.prefix(rest); term != "" && len(rest) <= len(term)+3 {
				return i + size
			}
		}
	}
	return len(s)
}
