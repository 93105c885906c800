package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cerasum/cerasum/core/cluster"
)

const (
	// joinedWords is the length of the longest quotation, with its speaker, that is
	// joined into one sentence.
	joinedWords = 60
	// joinedSentences is the number of sentences it has at most.
	joinedSentences = 5
	// speakerWords is the number of words before a verb of speech that may name a speaker.
	speakerWords = 4
	// strayWords is the length of a quotation from which one of its marks is taken to be
	// missing: only the sentences with the marks are then unquotable.
	strayWords = 150
	// nearQuotations is how many quotations on each side of one are looked at.
	nearQuotations = 200
)

// speech is a quotation: from the mark at open to the mark at shut, bytes of the
// document. shut is −1 where there is no closing mark.
type speech struct {
	open, shut int
	// from, to: the sentences of the marks.
	from, to int
}

// quotations joins sentences that one pair of quotation marks encloses with the clause
// that names the speaker, and marks as unquotable what is left of other quotations
// and speech without a speaker. lines has the line of each sentence.
func (e *editor) quotations(sentences []cluster.Sentence, lines []int) []cluster.Sentence {
	found, stray := e.speeches(sentences, lines)
	e.dashes(sentences, lines)
	if len(found) == 0 && len(stray) == 0 {
		return sentences
	}
	for _, k := range stray {
		sentences[k].Unquotable = true
	}
	joined := make([]int, len(sentences)) // the last sentence to join with this one, or 0
	for i, q := range found {
		s := &sentences[q.from]
		switch {
		case q.shut < 0:
			s.Unquotable = true
			if q.from == q.to {
				continue
			}
			words := 0
			for k := q.from; k <= q.to; k++ {
				words += length(sentences[k].Text)
			}
			for k := q.from; k <= q.to && words <= strayWords; k++ {
				sentences[k].Unquotable = true
			}
		default:
			last := q.to
			outside := e.outside(found, i, s.Start, sentences[q.to].End) >= 2
			if !outside && q.shut == sentences[q.to].End && e.spokenAfter(sentences, lines, q.to) && !startsSpeech(found[i+1:], q.to+1) {
				last, outside = q.to+1, true
			}
			words := 0
			if last > q.from {
				words = length(e.doc.Text[s.Start:sentences[last].End])
			}
			switch {
			case outside && last == q.from:
			case outside && words <= joinedWords && last-q.from < joinedSentences:
				joined[q.from] = max(joined[q.from], last)
			case !outside && q.from == q.to && e.title(q):
			default:
				for k := q.to; k <= last; k++ {
					sentences[k].Unquotable = true
				}
				for k := q.from; k < q.to && (words <= strayWords || k == q.from); k++ {
					sentences[k].Unquotable = true
				}
			}
		}
	}
	return e.join(sentences, joined)
}

// join joins the sentences k … joined[k] where joined[k] > k.
func (e *editor) join(sentences []cluster.Sentence, joined []int) []cluster.Sentence {
	out := sentences[:0:0]
	for k := 0; k < len(sentences); {
		s := sentences[k]
		last := k
		for i := k; i <= last; i++ {
			last = max(last, joined[i])
		}
		if last > k {
			end := sentences[last]
			text := e.doc.Text[s.Start:end.End]
			if length(text) <= joinedWords+20 {
				s = cluster.Sentence{Text: text, Start: s.Start, End: end.End, StartUTF16: s.StartUTF16, EndUTF16: end.EndUTF16}
				for _, part := range sentences[k : last+1] {
					s.Unquotable = s.Unquotable || part.Unquotable
				}
			} else {
				for i := k; i <= last; i++ {
					sentences[i].Unquotable = true
				}
				out = append(out, sentences[k:last+1]...)
				k = last + 1
				continue
			}
		}
		out = append(out, s)
		k = last + 1
	}
	return out
}

// outside counts the words of Text[start:end] around the i-th quotation, less the other
// quotations; without spaces, the letters. Two may name the speaker: it counts no further, and
// looks at the nearest quotations only.
func (e *editor) outside(found []speech, i, start, end int) int {
	first, last := i, i
	for first > 0 && found[first-1].open >= start {
		if first--; i-first == nearQuotations {
			start = found[first].open
			break
		}
	}
	for last+1 < len(found) && found[last+1].open < end {
		if last++; last-i == nearQuotations {
			end = found[last].open
			break
		}
	}
	n, at := 0, start
	for _, q := range found[first : last+1] {
		if q.shut < 0 {
			continue
		}
		if n += wordsOrLetters(e.doc.Text[at:max(at, min(end, q.open))]); n >= 2 {
			return n
		}
		at = max(at, min(end, q.shut))
	}
	return n + wordsOrLetters(e.doc.Text[at:end])
}

// wordsOrLetters returns the number of words of s, or of letters without spaces.
func wordsOrLetters(s string) int {
	letters := 0
	for _, r := range s {
		if unspaced(r) {
			letters++
		}
	}
	return max(length(s), letters)
}

// title reports whether a quotation that is a whole sentence is rather a title or a
// word than speech: it has no terminal mark and few words.
func (e *editor) title(q speech) bool { return length(e.doc.Text[q.open:q.shut]) == 0 }

// spokenAfter reports whether the sentence after the k-th may name its speaker: a short
// clause, "“Never!” Smith said.", or one that begins so, "“Never!” Smith said on Tuesday,
// adding …".
func (e *editor) spokenAfter(sentences []cluster.Sentence, lines []int, k int) bool {
	if k+1 >= len(sentences) || lines[k+1] != lines[k] {
		return false
	}
	s := sentences[k+1].Text
	n := length(s)
	return n > 1 && n <= 4 || exclaims(sentences[k].Text) && e.says(s)
}

// exclaims reports whether a sentence ends in a question or exclamation mark inside a
// quotation: after other marks, what follows is a sentence of its own.
func exclaims(s string) bool {
	s = strings.TrimRight(s, "\"”»'’")
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "!")
}

// says reports whether a sentence begins with up to four words and a verb of speech.
func (e *editor) says(s string) bool {
	of := wordsOf(e.doc.Language).of
	for i, word := range strings.Fields(s) {
		if i > speakerWords {
			break
		}
		if i > 0 && of[strings.TrimRight(fold(word), ",.")]&says != 0 {
			return true
		}
	}
	return false
}

// startsSpeech reports whether the first of the quotations that follow opens in the k-th
// sentence, at the latest.
func startsSpeech(following []speech, k int) bool {
	return len(following) > 0 && following[0].from <= k
}

// speeches finds the quotations of the sentences, and the sentences with a closing
// mark that closes nothing. A quotation ends at the end of a paragraph at the latest.
func (e *editor) speeches(sentences []cluster.Sentence, lines []int) (found []speech, stray []int) {
	text := e.doc.Text
	paragraphs := strings.Contains(text, "\n\n")
	kind, q := rune(0), speech{} // the opening mark, 0: none is open
	inner := false               // another one is open within it
	unclosed := func(to int) {
		if kind != 0 {
			q.shut, q.to = -1, to
			found = append(found, q)
			kind = 0
		}
	}
	for k, s := range sentences {
		if k > 0 && lines[k] != lines[k-1] {
			gap := text[sentences[k-1].End:s.Start]
			if i := strings.IndexByte(gap, '\n'); !paragraphs || strings.IndexByte(gap[i+1:], '\n') >= 0 {
				unclosed(k - 1)
			}
		}
		if !mayQuote(s.Text) {
			continue
		}
		before := rune(' ')
		for i := 0; i < len(s.Text); {
			r, size := utf8.DecodeRuneInString(s.Text[i:])
			at := i
			i += size
			switch r {
			case '"', '“', '”', '„', '«', '»', '「', '」', '『', '』', '‟':
				if isInner(s.Text, at) {
					before = r
					continue
				}
			case '`', '\'':
				if i >= len(s.Text) || rune(s.Text[i]) != r {
					before = r
					continue
				}
				i++
				if r == '\'' {
					r = '”'
					if kind != '`' {
						before = r
						continue
					}
				}
			default:
				before = r
				continue
			}
			after, _ := utf8.DecodeRuneInString(s.Text[i:])
			if i == len(s.Text) {
				after = ' '
			}
			// Within straight marks others quote, too: "I told him “no”," she said.
			if kind == '"' && r != '"' {
				if beginning := startsInner(inner, r, before, after); beginning || inner {
					inner, before = beginning, r
					continue
				}
			}
			does := role(kind, r, before, after)
			if does == strays && r == '"' && unicode.IsLetter(after) && hasMark(s.Text[i:]) {
				does = opens // Arabic و"نعم"
			}
			if does != nothing {
				inner = false
			}
			switch does {
			case opens:
				if kind != 0 {
					unclosed(q.from)
				}
				kind, q = r, speech{open: s.Start + at, from: k}
			case shuts:
				q.shut, q.to = s.Start+i, k
				found = append(found, q)
				kind = 0
			case strays:
				stray = append(stray, k)
			}
			before = r
		}
	}
	unclosed(len(sentences) - 1)
	return found, stray
}

// hasMark reports whether s has a straight mark of quotation.
func hasMark(s string) bool {
	for i := range len(s) {
		if s[i] == '"' && !isInner(s, i) {
			return true
		}
	}
	return false
}

// mayQuote is false for most sentences without quotation marks.
func mayQuote(s string) bool {
	for i := range len(s) {
		switch s[i] {
		case '"', '`', '\'', 0xc2, 0xe2, 0xe3: // the first bytes of « “ 「
			return true
		}
	}
	return false
}

// What a quotation mark does.
const (
	nothing = iota
	opens
	shuts
	strays
)

// startsQuote reports whether a mark between two characters may open a quotation: after a
// space or an opening mark, before a letter.
func startsQuote(before, after rune) bool {
	return (blank(before) || strings.ContainsRune("([{—–-‘'¿¡:", before)) && !blank(after)
}

// startsInner reports whether the mark r between two characters may open a quotation within
// one of straight marks; open says that one is open there. An opening mark may also stand right
// after another mark, an apostrophe or a prefix (l’“Avare”), and « before a space.
func startsInner(open bool, r, before, after rune) bool {
	if strings.ContainsRune(",.;:!?)", after) {
		return false
	}
	if !open && strings.ContainsRune("“„‟«‹「『", r) && (isWord(after) || blank(after) && (r == '«' || blank(before))) {
		return true
	}
	return startsQuote(before, after)
}

// role tells what the mark r between two characters does while a quotation that kind
// opened is open; 0: none is.
func role(kind, r, before, after rune) int {
	opening := startsQuote(before, after)
	apart := blank(before) && blank(after) // tokenized text
	switch r {
	case '「', '『', '„', '`', '‟':
		if kind == 0 {
			return opens
		}
		return nothing
	case '」':
		if kind == '「' {
			return shuts
		}
	case '』':
		if kind == '『' {
			return shuts
		}
	case '“':
		switch {
		case kind == '„' || kind == '‟':
			return shuts
		case (kind == '“' || kind == '"') && !opening && !unicode.IsLetter(after):
			return shuts
		case kind == 0:
			return opens
		}
	case '”':
		switch {
		case kind == '"' && !opening, kind == '“' || kind == '„' || kind == '`' || kind == '”' || kind == '‟':
			return shuts
		case kind == 0 && opening: // Swedish, Finnish
			return opens
		case kind == 0:
			return strays
		}
	case '«':
		switch {
		case kind == '»':
			return shuts
		case kind == 0:
			return opens
		}
	case '»':
		switch {
		case kind == '«' || kind == '»':
			return shuts
		case kind == 0 && opening: // German books, Danish, Swedish
			return opens
		case kind == 0:
			return strays
		}
	case '"':
		switch {
		case kind == '"' && opening && unicode.IsUpper(after):
			return opens // the last one was not closed
		case kind == '"' || kind == '`' || kind == '“' && !opening:
			return shuts
		case kind != 0:
		case unicode.IsDigit(before) && !apart:
			return nothing // inches
		case opening || apart || unspaced(after) && !unspaced(before), unicode.IsPunct(before) && unicode.IsLetter(after):
			return opens
		default:
			return strays
		}
	}
	return nothing
}

// dashes marks dialogue without a speaker: a sentence that opens a line with a dash and
// has no second one, and the short sentences after it.
func (e *editor) dashes(sentences []cluster.Sentence, lines []int) {
	spoken := false
	for k := range sentences {
		s := sentences[k].Text
		rest, opens := strings.CutPrefix(s, "—")
		if !opens {
			rest, opens = strings.CutPrefix(s, "–")
		}
		speaker := strings.Contains(rest, "—") || strings.Contains(rest, " –")
		spoken = !speaker && (opens || spoken && k > 0 && lines[k] == lines[k-1] && length(s) <= 8)
		if spoken {
			sentences[k].Unquotable = true
		}
	}
}
