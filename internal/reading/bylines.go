package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// labelWords is the length of the longest line that a label marks as no text.
const labelWords = 60

// labelled returns the length in bytes of a label and its colon at the start of s,
// "Photo:"; 0 if there is none.
func (e *editor) labelled(s string) int {
	n := e.prefixLength(s, &e.words.label)
	if n == 0 {
		return 0
	}
	rest := strings.TrimLeft(s[n:], " \u00a0\u3000")
	for _, mark := range []string{":", "：", "|", "｜", "／", "—", "–", "- "} {
		if strings.HasPrefix(rest, mark) {
			if mark != ":" && mark != "：" && mark != "|" && mark != "｜" && len(rest) == len(s[n:]) {
				return 0 // a hyphenated word
			}
			return len(s) - len(rest) + len(mark)
		}
	}
	return 0
}

// dropLines drops lines that are no sentences: bylines, captions, credits, footnotes,
// lines with the name of the source.
func (e *editor) dropLines() {
	first := true
	for k := 0; k < len(e.parts); {
		end := k + 1
		for end < len(e.parts) && !e.parts[end].opens {
			end++
		}
		if e.dropLine(k, end, first) {
			for i := k; i < end; i++ {
				e.parts[i].drop = true
			}
		} else {
			e.dropCredits(k, end)
		}
		for i := k; i < end; i++ {
			if first && !e.parts[i].drop && longer(e.parts[i].text, 5) {
				first = false
			}
		}
		k = end
	}
}

// dropLine reports whether the line of parts[from:to] is no text. head: no text stands
// before it.
func (e *editor) dropLine(from, to int, head bool) bool {
	p := &e.parts[from]
	if p.drop {
		return false
	}
	last := &e.parts[to-1]
	line := e.doc.Text[p.start : last.start+len(last.text)]
	if longer(line, labelWords) {
		return false
	}
	n := length(line)
	tail := to == len(e.parts) || e.tail(to)
	switch {
	case n == 0:
		return true
	case strings.HasPrefix(line, "©") || strings.HasPrefix(line, "&copy;"):
		return n <= 25
	case e.labelled(line) > 0 && !p.dateline:
		return to-from == 1 || n <= 25 || !e.caseless
	case head && n <= 14 && e.byline(line, n):
		return true
	case tail && n <= 8 && e.signature(line, n):
		return true
	case n <= 12 && e.fresh(line) == len(line):
		return true
	case n <= 10 && head && e.announced(line):
		return true
	case n <= 4 && (strings.Contains(line, "://") || strings.Contains(line, "www.")):
		return true
	case enclosed(line) && n <= 40 && e.credit(line):
		return true
	}
	return e.footnoteLine(line, from)
}

// tail reports whether only short lines follow parts[k:].
func (e *editor) tail(k int) bool {
	// Parts are dropped and cut, never the reverse: the last long one is found once.
	for e.lastLong >= 0 && (e.parts[e.lastLong].drop || !longer(e.parts[e.lastLong].text, 8)) {
		e.lastLong--
	}
	return e.lastLong < k
}

// dropCredits drops a caption or credit in the middle of a line, "Photo: Archive", and
// the name of an agency at its end, "— Reuters".
func (e *editor) dropCredits(from, to int) {
	for k := from + 1; k < to; k++ {
		p := &e.parts[k]
		if p.drop || longer(p.text, 8) {
			continue
		}
		n := length(p.text)
		if n <= 4 && p.closes && dash(p.text) > 0 && e.signature(p.text, n) {
			p.drop = true
		}
		if !p.drop && (e.labelled(p.text) > 0 && !e.caseless || enclosed(p.text) && e.credit(p.text)) {
			p.drop = true
		}
	}
}

// byline reports whether a line names its author: "By Dilys Farrant, local democracy
// reporter", or a name alone above prose.
func (e *editor) byline(line string, n int) bool {
	if size := e.prefixLength(line, &e.words.by); size > 0 {
		rest := strings.TrimSpace(line[size:])
		if rest == "" {
			return n <= 5
		}
		if r, _ := utf8.DecodeRuneInString(rest); unspacedStart(line) {
			return (r == ' ' || r == '　' || r == '｜' || r == '：' || r == '・' || n <= 5) && !closedMark(line)
		}
		return names(rest, closedMark(line)) || e.caseless && n <= 5 && !closedMark(line)
	}
	if e.caseless || !e.prose || closedMark(line) || n > 6 || unspacedStart(line) {
		return false
	}
	name, role, comma := strings.Cut(line, ",")
	words := strings.Fields(name)
	if len(words) < 2 || len(words) > 4 || strings.ContainsAny(name, "0123456789:;?|") || comma && length(role) > 3 {
		return false
	}
	for _, w := range words {
		r, _ := utf8.DecodeRuneInString(w)
		if !unicode.IsUpper(r) {
			return false
		}
	}
	return true
}

func unspacedStart(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unspaced(r)
}

// names reports whether s begins with a name: words with capitals up to a comma, bar
// or bracket, at most four. In a closed line all words must be such.
func names(s string, closed bool) bool {
	capitals := 0
	for _, w := range strings.Fields(s) {
		r, _ := utf8.DecodeRuneInString(w)
		switch {
		case r == '|' || r == '(' || r == '–' || r == '—' || r == '-':
			return capitals > 0 && !closed
		case unicode.IsUpper(r) || unicode.IsLetter(r) && !unicode.IsLower(r):
			capitals++
		case capitals == 0:
			return false
		case closed && len(w) > 4:
			return false
		case capitals < 2 && len(w) > 4:
			return false
		}
		if strings.HasSuffix(w, ",") && !closed {
			return capitals > 0
		}
		if capitals > 4 {
			return !closed
		}
	}
	return capitals > 0 && capitals <= 5
}

// signature reports whether a line at the end names the source, an agency or an author:
// "Reuters", "Lusíria/Fim", "(L. Quintal)".
func (e *editor) signature(line string, n int) bool {
	if enclosed(line) {
		return true
	}
	f := strings.Trim(fold(line), " .-–—/")
	if len(e.source) > 1 && n <= 4 && containsWords(f, e.source) && !strings.Contains(f, "://") {
		return true
	}
	if closedMark(line) && n > 2 {
		return false
	}
	name, _, _ := strings.Cut(f, "/")
	if e.words.agency.has(f) || n <= 4 && e.words.agency.has(name) {
		return true
	}
	return n <= 5 && strings.Contains(line, "//") && !strings.Contains(line, "://")
}

// enclosed reports whether s is in one pair of brackets.
func enclosed(s string) bool {
	s = strings.TrimRight(s, ".。")
	open, size := utf8.DecodeRuneInString(s)
	closer := closing(open)
	i := strings.Index(s[size:], closer)
	return closer != "" && i >= 0 && i == len(s)-size-len(closer)
}

// closing returns the bracket that closes open, "" if it is no bracket.
func closing(open rune) string {
	_, rest, _ := strings.Cut("()（）[]［］【】＜＞", string(open))
	_, size := utf8.DecodeRuneInString(rest)
	return rest[:size]
}

// credit reports whether the text in brackets names an author, a photographer or an
// agency, or refers to something else to read.
func (e *editor) credit(s string) bool {
	f := strings.Trim(fold(s), " ()（）[]【】.。＜＞")
	if e.words.agency.prefix(f) != "" && length(f) <= 6 {
		return true
	}
	if term := e.words.by.prefix(f); term != "" {
		return length(f) <= 8 || unspacedStart(f)
	}
	return e.labelled(f) > 0 || e.words.alone.prefix(f) != "" || e.words.has.in(f)
}

// announced reports whether a line says only what is new in the document: "Update
// 16:40: Adds army helicopters."
func (e *editor) announced(line string) bool {
	n := e.prefixLength(line, &e.words.fresh)
	if n == 0 {
		return false
	}
	rest := strings.TrimSpace(line[n:])
	return rest == "" || strings.ContainsFunc(rest, unicode.IsDigit) && !e.caseless || strings.ContainsAny(rest[:1], ":.|") && length(line) <= 6
}

// footnoteLine reports whether a line is a footnote: it starts with a footnote mark, in
// the last third of the document.
func (e *editor) footnoteLine(line string, k int) bool {
	if 3*k < 2*len(e.parts) {
		return false
	}
	p := e.doc.Sentences[k].Text
	r, size := utf8.DecodeRuneInString(p)
	switch {
	case superscript(r):
		return true
	case r == '*' || r == '※':
		next, _ := utf8.DecodeRuneInString(p[size:])
		return next != '*' && !e.parts[max(0, k-1)].starred()
	case r == '[':
		return footnoteMark(p) > 0
	}
	return false
}

// starred reports whether a part is a list item with a star, which is no footnote.
func (p *part) starred() bool { return strings.HasPrefix(p.text, "*") }

func superscript(r rune) bool {
	return r == '¹' || r == '²' || r == '³' || r >= 0x2070 && r <= 0x2079
}
