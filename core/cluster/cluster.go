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
}

// Document is one text as the user gave it.
type Document struct {
	// Source names where the text comes from: a file, a URL, "-".
	Source string
	// Title is shown to people; it is never quoted.
	Title string
	// Language is a lower-case ISO 639-1 tag ("en", "pt"). Empty means
	// unknown: core.Prepare detects it.
	Language string
	// Text is the document's text. Sentences point into it.
	Text string
	// Sentences are in the order of the text and do not overlap. Nil means
	// that the text has not been split yet.
	Sentences []Sentence
}

// Cluster is a set of documents about one event, summarized together.
type Cluster struct {
	Documents []Document
}

// Ref identifies a sentence by its document and its index in it, both from 0.
type Ref struct {
	Document, Sentence int
}

// Less orders references by (document, sentence), the order in which ties are
// broken.
func (r Ref) Less(o Ref) bool {
	if r.Document != o.Document {
		return r.Document < o.Document
	}
	return r.Sentence < o.Sentence
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
