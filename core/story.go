package core

import (
	"cmp"
	"slices"

	"github.com/cerasum/cerasum/internal/reading"
)

// story orders the chosen rows to be read as one text: the row that opens it best,
// or else the one with the highest rank, comes first with the quoted rows just before it,
// the other rows of its document follow, then document by document. The documents are in
// the order of their dates if all that are quoted have one, else as given. A single
// document keeps its order, but the answer to a question comes first. If the documents have several topics, each is ordered so.
func (j *job) story(r choice) []int {
	if r.topics == nil {
		return j.storyOf(r, slices.Clone(r.Rows), j.documentsWithSentences() == 1)
	}
	var rows []int
	for topic := range 1 + slices.Max(r.topics) {
		own, documents := []int(nil), 0
		for _, t := range r.topics {
			if t == topic {
				documents++
			}
		}
		for _, k := range r.Rows {
			if r.topics[j.refs[k].Document] == topic {
				own = append(own, k)
			}
		}
		rows = append(rows, j.storyOf(r, own, documents == 1)...)
	}
	return rows
}

// storyOf orders rows, which are in the order of the documents and their text; single
// says that they are of a text by itself.
func (j *job) storyOf(r choice, rows []int, single bool) []int {
	if len(rows) < 2 {
		return rows
	}
	opening := r.Rank[slices.IndexFunc(r.Rank, func(k int) bool { return slices.Contains(rows, k) })]
	opens := r.opening
	if j.answers != nil {
		opens = j.answers
	}
	if opens != nil {
		for _, k := range rows {
			if opens[k] > opens[opening] {
				opening = k
			}
		}
	}
	dated := !slices.ContainsFunc(rows, func(k int) bool { return j.date(k) == "" })
	if single && j.answers == nil || j.mostly(rows, j.refs[opening].Document) {
		// A text that is quoted alone, or of which most is quoted, keeps its order.
		opening = rows[slices.IndexFunc(rows, func(k int) bool { return j.refs[k].Document == j.refs[opening].Document })]
	}
	first := opening
	for first > 0 && slices.Contains(rows, first-1) && j.refs[first-1].Document == j.refs[opening].Document {
		if j.answers != nil && len(reading.Context(j.standing()[j.refs[first].Document], j.refs[first].Sentence)) == 0 {
			break // an answer that stands alone comes first
		}
		first-- // the opening may lean on the sentence before
	}
	// place is 0 for the opening row and those just before it, 1 for those of its
	// document, 2 for all others.
	place := func(k int) int {
		switch {
		case first <= k && k <= opening:
			return 0
		case j.refs[k].Document == j.refs[opening].Document:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		c := cmp.Compare(place(a), place(b))
		if c == 0 && dated {
			c = cmp.Compare(j.date(a), j.date(b))
		}
		if c == 0 {
			c = cmp.Compare(a, b)
		}
		return c
	})
	return rows
}

// mostly reports whether the rows are more than half of the sentences of a document.
func (j *job) mostly(rows []int, document int) bool {
	n := 0
	for _, k := range rows {
		if j.refs[k].Document == document {
			n++
		}
	}
	return 2*n > len(j.cluster.Documents[document].Sentences)
}

// date is when the document of row k was published; ISO 8601 sorts as text.
func (j *job) date(k int) string { return j.cluster.Documents[j.refs[k].Document].Date }
