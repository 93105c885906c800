package reading

import (
	"strings"
	"unicode/utf8"

	"github.com/cerasum/cerasum/core/cluster"
)

// Edit makes the sentences of documents fit to be quoted. It shrinks their spans to
// what is quotable (no datelines, bylines, credits, list and footnote marks at the
// ends), removes sentences that are no content at all (bylines, captions, calls to
// subscribe, notices, lines that the documents of one site share), joins a short
// quotation with its speaker, and marks the other parts of quotations as unquotable.
//
// Only the documents with an index in fresh are changed; their sentences are those of
// text.Split. A document that would lose all its sentences keeps them, marked as
// unquotable. The elements of documents are changed, their slices of sentences
// replaced.
func Edit(documents []cluster.Document, fresh []int) {
	editors := make([]*editor, 0, len(fresh))
	for _, i := range fresh {
		if e := newEditor(&documents[i]); e != nil {
			editors = append(editors, e)
		}
	}
	dropRepeated(editors)
	for _, e := range editors {
		e.dropNotices()
		e.trimEdges()
		e.dropLines()
		e.finish()
	}
}

// editor edits the sentences of one document.
type editor struct {
	doc   *cluster.Document
	parts []part
	words *furniture
	// source is the folded name of the source, "" if it is unknown.
	source string
	// lastIn was folded last, to lastOut.
	lastIn, lastOut string
	// caseless: the document has no capitals to judge by, because of its script or
	// because they were removed.
	caseless bool
	// prose: most sentences end with a terminal mark.
	prose bool
	// transcript: see Transcript.
	transcript bool
	// lines is the number of lines.
	lines int
	// lastLong: no part after it is long; see tail.
	lastLong int
	// at, units: doc.Text[:at] has units UTF-16 units.
	at, units int
}

// part is a sentence that is being edited.
type part struct {
	text  string
	start int // in bytes; the end is start + len(text)
	// line numbers the runs of sentences without a line break between them, from 0.
	line int
	// opens, closes: first and last of its line.
	opens, closes bool
	drop          bool
	// dateline: a dateline or label was trimmed from the start.
	dateline bool
}

func newEditor(doc *cluster.Document) *editor {
	if len(doc.Sentences) == 0 {
		return nil
	}
	e := &editor{doc: doc, words: furnitureOf(doc.Language), source: fold(doc.Source)}
	e.parts = make([]part, len(doc.Sentences))
	closed, end, line := 0, 0, -1
	for k, s := range doc.Sentences {
		if k == 0 || strings.IndexByte(doc.Text[end:s.Start], '\n') >= 0 {
			line++
			if k > 0 {
				e.parts[k-1].closes = true
			}
		}
		e.parts[k] = part{text: s.Text, start: s.Start, line: line, opens: k == 0 || line != e.parts[k-1].line}
		if closedMark(s.Text) {
			closed++
		}
		end = s.End
	}
	e.parts[len(e.parts)-1].closes = true
	e.lines, e.lastLong = line+1, len(e.parts)-1
	e.prose = 2*closed > len(e.parts)
	e.caseless = caseless(doc.Text)
	e.transcript = Transcript(doc)
	return e
}

// cutStart removes n bytes, and the blanks after them, from the start of a sentence.
func (p *part) cutStart(n int) {
	for n < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[n:])
		if !blank(r) {
			break
		}
		n += size
	}
	p.text, p.start = p.text[n:], p.start+n
}

// cutEnd removes what follows the first n bytes of a sentence, and the blanks before.
func (p *part) cutEnd(n int) { p.text = strings.TrimRightFunc(p.text[:n], blank) }

// finish replaces the document's sentences.
func (e *editor) finish() {
	kept := make([]cluster.Sentence, 0, len(e.parts))
	lines := make([]int, 0, len(e.parts))
	for _, p := range e.parts {
		if !p.drop && p.text != "" {
			kept = append(kept, e.sentence(p.start, p.start+len(p.text)))
			lines = append(lines, p.line)
		}
	}
	if len(kept) == 0 {
		sentences := make([]cluster.Sentence, len(e.doc.Sentences))
		copy(sentences, e.doc.Sentences)
		for k := range sentences {
			sentences[k].Unquotable = true
		}
		e.doc.Sentences = sentences
		return
	}
	e.doc.Sentences = e.quotations(kept, lines)
}

// sentence returns the sentence Text[start:end]. Sentences are asked for in the order
// of the text.
func (e *editor) sentence(start, end int) cluster.Sentence {
	text := e.doc.Text
	e.units += utf16Length(text[e.at:start])
	n := utf16Length(text[start:end])
	s := cluster.Sentence{Text: text[start:end], Start: start, End: end, StartUTF16: e.units, EndUTF16: e.units + n}
	e.at, e.units = end, e.units+n
	return s
}

// utf16Length counts the UTF-16 units of s; an invalid byte counts as one.
func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}
