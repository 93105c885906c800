// Package cluster defines the data that the packages of the core share: a
// [Cluster] of documents about one event, each split into sentences with their
// offsets in the document.
//
// Package core has aliases of [Document], [Sentence] and [Ref]; core.Prepare
// fills in languages and sentences.
package cluster

// Sentence is one quotable span of a document.
//
// Offsets are half-open. Start and End count bytes of the document's Text, so
// that doc.Text[s.Start:s.End] == s.Text; StartUTF16 and EndUTF16 count UTF-16
// code units, so that the same holds for JavaScript's doc.text.slice. An
// invalid UTF-8 byte counts as one unit, the U+FFFD by which JSON encoders and
// TextDecoder replace it.
type Sentence struct {
	Text                 string
	Start, End           int
	StartUTF16, EndUTF16 int
	// Unquotable marks a part of a quotation whose marks do not balance, or speech
	// without its speaker. It counts as content, and is quoted only if nothing else is
	// left, or in a summary of much of the text by a method that fills the budget.
	Unquotable bool
}

// Document is one text as the user gave it.
type Document struct {
	// Source names where the text comes from: a file, a URL, "-".
	Source string
	// Title is shown to people and never quoted. Method editor prefers sentences that
	// share its words.
	Title string
	// Language is a lower-case ISO 639-1 tag ("en", "pt"). Empty means
	// unknown: core.Prepare detects it.
	Language string
	// Date is when the document was published, as ISO 8601: "2026-04-21" or
	// "2026-04-21T17:30:00Z". Empty means unknown.
	Date string
	// Text is the document's text. Sentences point into it.
	Text string
	// Blocks are the parts of Text with their kinds, in order and without overlap.
	// Text outside of them is of kind [Paragraph]. Sentences do not cross the ends
	// of blocks.
	Blocks []Block
	// Sentences are in the order of the text and do not overlap. Nil means
	// that the text has not been split yet.
	Sentences []Sentence
}

// Kind is the kind of a block of text.
type Kind uint8

// The kinds of blocks.
const (
	Paragraph Kind = iota
	Heading
	ListItem
	TableRow
	Caption
	Code
	BlockQuotation
	Reference  // an entry of a bibliography, a footnote
	Metadata   // bylines, dates, tags
	Navigation // menus, links to other pages, buttons
)

// Block is a part of a document of one kind: Text[Start:End], in bytes.
type Block struct {
	Start, End int
	Kind       Kind
}

// Span is a part of a document's text, in bytes and in UTF-16 units as in
// [Sentence].
type Span struct {
	Document             int
	Start, End           int
	StartUTF16, EndUTF16 int
}

// Cluster is a set of documents about one event, summarized together.
type Cluster struct {
	Documents []Document
}

// Ref identifies a sentence by its document and its index in it, both from 0.
type Ref struct {
	Document, Sentence int
}

// Refs lists every sentence of the cluster in reading order. Row k of an
// embedding matrix belongs to the k-th of them.
func (c *Cluster) Refs() []Ref {
	n := 0
	for i := range c.Documents {
		n += len(c.Documents[i].Sentences)
	}
	refs := make([]Ref, 0, n)
	for i := range c.Documents {
		for j := range c.Documents[i].Sentences {
			refs = append(refs, Ref{i, j})
		}
	}
	return refs
}

// At returns the sentence of r. It panics if there is none.
func (c *Cluster) At(r Ref) *Sentence {
	return &c.Documents[r.Document].Sentences[r.Sentence]
}
