package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// noticeWords is the length of the longest notice or call, in words.
	noticeWords = 30
	// caselessNotice is that in text without capitals, where notices run into the
	// sentences after them.
	caselessNotice = 22
	// callWords is the length of the longest call whose verb is last.
	callWords = 15
)

// dropNotices drops notices and calls to act: what a site says to its readers beside
// the text. They stand at an edge of a line, or make up lines that were joined with
// their neighbours because no full stop ends them.
func (e *editor) dropNotices() {
	flat := e.lines*8 < len(e.parts) // the document has lost its lines
	for k := range e.parts {
		p := &e.parts[k]
		if p.drop {
			continue
		}
		e.cutPhrases(p)
		e.cutLines(p)
		edge := p.opens || p.closes || flat || e.parts[k-1].drop || e.parts[k+1].drop
		if edge && e.notice(p.text, p.opens && p.closes, flat && !p.opens && !p.closes) {
			p.drop = true
		}
	}
	e.dropRest()
}

// dropRest drops the short rest of lines in which a notice was dropped: "OK", "Settings".
func (e *editor) dropRest() {
	for k := range e.parts {
		p := &e.parts[k]
		if p.drop || longer(p.text, 4) {
			continue
		}
		after := !p.opens && e.parts[k-1].drop
		before := !p.closes && e.parts[k+1].drop
		if p.opens && p.closes && k > 0 && !closedMark(p.text) { // a button below the notice
			after = e.parts[k-1].drop
		}
		p.drop = after || before && !closedMark(p.text)
	}
}

// cutPhrases removes the phrases of pages from the start of running text.
func (e *editor) cutPhrases(p *part) {
	for range 3 {
		n := e.prefixLength(p.text, &e.words.cut)
		if n == 0 || length(p.text[n:]) < 4 {
			return
		}
		if r, _ := utf8.DecodeRuneInString(p.text[n:]); r != ' ' {
			return
		}
		p.cutStart(n)
	}
}

// prefixLength returns the length in bytes of the longest term with which s begins,
// folded; 0 if there is none.
func (e *editor) prefixLength(s string, t *terms) int {
	if !t.mayBegin(s) {
		return 0
	}
	term := t.prefix(e.folded(s[:min(len(s), 100)]))
	if term == "" {
		return 0
	}
	return unfold(s, len(strings.TrimSuffix(term, "*")))
}

// unfold returns the length of the shortest prefix of s that has n bytes when folded.
func unfold(s string, n int) int {
	for i, r := range s {
		if end := i + utf8.RuneLen(r); utf8.ValidRune(r) && end <= len(s) && len(fold(s[:end])) >= n {
			return end
		}
	}
	return len(s)
}

// cutLines removes lines that are notices from the ends of a sentence that holds a
// line break: the splitter takes them for wrapped text where no full stop ends them.
// What follows a break must look like the start of a line, or it is wrapped text.
func (e *editor) cutLines(p *part) {
	for {
		i := strings.IndexByte(p.text, '\n')
		if i < 0 || !e.startsAfresh(p.text[i:]) || !e.furnitureLine(strings.TrimFunc(p.text[:i], blank)) {
			break
		}
		p.cutStart(i)
	}
	for {
		i := strings.LastIndexByte(p.text, '\n')
		line := strings.TrimFunc(p.text[i+1:], blank)
		if i < 0 || !e.startsAfresh(line) && !strongThing.in(fold(line)) || !e.furnitureLine(line) {
			break
		}
		p.cutEnd(i)
	}
}

// startsAfresh reports whether a line may be the start of a sentence.
func (e *editor) startsAfresh(line string) bool { return e.caseless || capital(line) }

// furnitureLine reports whether a whole line is no text.
func (e *editor) furnitureLine(line string) bool {
	return e.notice(line, true, false) || e.labelled(line) > 0 && length(line) <= 20
}

// notice reports whether a sentence is a notice or a call to act. own: it is a line of
// its own; inside: it is in the middle of a line.
func (e *editor) notice(s string, own, inside bool) bool {
	if len(s) > 600 {
		return false
	}
	n := length(s)
	if n > noticeWords || n == 0 || e.caseless && n > caselessNotice {
		return false
	}
	f := strings.TrimLeft(fold(s), "([{→►▶▷▸•*-–—>|※·« ")
	if startsQuoted(f) || reported(f) {
		return false
	}
	w := e.words
	marked := w.marks.in(f)
	if marked && w.has.in(f) {
		return true
	}
	closed := closedMark(s)
	if !inside && n <= 12 && (own || !e.caseless) {
		// One word may be the subject of a sentence: "Comments are expected by Friday."
		term := w.alone.prefix(f)
		phrase := strings.Contains(term, " ") || unspacedStart(term) && len(term) >= len("续读全文")
		if phrase && (!closed || n <= 8) || term != "" && !closed && n <= 4 {
			return true
		}
	}
	if own && menu(f, closed) {
		return true
	}
	if n <= 25 && (!inside || n <= 12) && marked && w.cookie.in(f) && (w.we.in(f) || n <= 4 || strings.Contains(f, "|")) {
		return true
	}
	if own && !closed && n <= 3 && strongThing.in(f) {
		return true
	}
	if w.actLast {
		if n > callWords || !w.thing.in(f) {
			return false
		}
		tail := len(f) - min(len(f), 45)
		for !utf8.RuneStart((f + " ")[tail]) {
			tail++
		}
		return own && w.act.in(f) || n <= 10 && (w.act.prefix(f) != "" || w.act.in(f[tail:]))
	}
	f = strings.TrimPrefix(strings.TrimLeft(f, "¡¿"), "请")
	if w.act.prefix(f) == "" || n > 25 || inside && n > callWords {
		return false
	}
	_, size := utf8.DecodeRuneInString(f)
	if i := strings.IndexByte(f, ' '); i > 0 { // the verb itself is no thing
		size = i
	}
	return w.thing.in(f[size:])
}

// strongThing holds what a line of three words is enough for: "Newsletter bestellen".
var strongThing = func() (t terms) {
	for _, term := range []string{"newsletter*", "cookie", "cookies"} {
		t.add(term)
	}
	return t
}()

// startsQuoted reports whether s begins with a quotation mark.
func startsQuoted(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	switch r {
	case '"', '“', '„', '«', '「', '『', '‘', '”', '»', '`':
		return true
	}
	return false
}

// reported reports whether s has what news has and calls do not: figures of money or
// percentages.
func reported(s string) bool {
	return strings.IndexByte(s, '%') >= 0 || strings.Contains(s, "％")
}

// menu reports whether a folded line is a row of links or buttons: short pieces between
// bars.
func menu(s string, closed bool) bool {
	if closed || strings.ContainsFunc(s, unicode.IsDigit) {
		return false
	}
	bars := 0
	for _, bar := range []string{" | ", "|", " · ", " > ", " / ", " › ", " » ", " • "} {
		bars = max(bars, strings.Count(s, bar))
	}
	n := length(s)
	return bars >= 2 && n <= 5*(bars+1) || bars == 1 && n <= 6 && strings.ContainsAny(s, "|/")
}
