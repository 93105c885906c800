package text

import (
	"github.com/cerasum/cerasum/core/cluster"
)

// SplitBlocks splits doc as [Split] does, but no sentence crosses the end of a
// block, and only prose gives sentences: paragraphs, block quotations, and list
// items that are sentences. Text outside of the blocks is paragraphs. Where no
// prose is found, list items give sentences, and where there are none, everything
// does. The blocks are in their order and do not overlap; without blocks
// SplitBlocks is Split.
func SplitBlocks(doc, language string, blocks []cluster.Block) []cluster.Sentence {
	if len(blocks) == 0 {
		return Split(doc, language)
	}
	if language == "" {
		language = Detect(doc)
	}
	s := splitter{doc: doc, rules: rulesFor(language), language: language}
	s.readCase()
	s.out = make([]cluster.Sentence, 0, len(doc)/100+1)
	blocks = withGaps(len(doc), blocks)
	lines := make([][]line, len(blocks))
	var whole tally
	for i, b := range blocks {
		if lines[i] = readLines(doc[:b.End], b.Start); isProse(b.Kind) {
			whole.addAll(doc, lines[i])
		}
	}
	page := whole.layout()
	page.marked = true
	kinds := make([]cluster.Kind, 0, cap(s.out))
	for i, b := range blocks {
		for group := range groups(lines[i]) {
			unitsOfGroup(doc[:b.End], group, page, s.join)
		}
		s.flush()
		for len(kinds) < len(s.out) {
			kinds = append(kinds, b.Kind)
		}
	}
	return quotable(s.out, kinds)
}

// withGaps adds the text outside of the blocks as paragraphs.
func withGaps(length int, blocks []cluster.Block) []cluster.Block {
	all := make([]cluster.Block, 0, len(blocks))
	at := 0
	for _, b := range blocks {
		if at < b.Start {
			all = append(all, cluster.Block{Start: at, End: b.Start})
		}
		all = append(all, b)
		at = b.End
	}
	if at < length {
		all = append(all, cluster.Block{Start: at, End: length})
	}
	return all
}

func isProse(k cluster.Kind) bool { return k == cluster.Paragraph || k == cluster.BlockQuotation }

const (
	// fewSentences is the number of sentences of prose below which list items
	// without a full stop are quoted too.
	fewSentences = 5
	// minItem is the number of words from which such a list item is a sentence.
	minItem = 8
	// minClosed is the number of words from which one with a full stop is.
	minClosed = 4
)

// quotable returns the sentences that may be quoted: kinds[i] is the kind of the
// block of all[i].
func quotable(all []cluster.Sentence, kinds []cluster.Kind) []cluster.Sentence {
	// Where prose ends its sentences with marks, what has none is a byline, a caption
	// or a heading that was not marked up as one. In some scripts and in verse no
	// sentence has one.
	closed, open := 0, 0 // bytes
	for i, s := range all {
		switch {
		case !isProse(kinds[i]):
		case Closed(s.Text):
			closed += len(s.Text)
		default:
			open += len(s.Text)
		}
	}
	kept := make([]bool, len(all))
	prose := 0
	for i, s := range all {
		if isProse(kinds[i]) && (closed < open || Closed(s.Text)) {
			kept[i] = true
			prose++
		}
	}
	// Where a page is a list, a sentence beside it is not all of it.
	few, least := prose < fewSentences, minItem
	if items := bytesOf(all, kinds, cluster.ListItem); few && items > 4*closed {
		if least = minClosed; closed == 0 {
			least = 1 // notes
		}
	}
	for i, s := range all {
		if kinds[i] == cluster.ListItem && isSentence(s.Text, few, least) {
			kept[i] = true
			prose++
		}
	}
	for _, last := range []cluster.Kind{cluster.ListItem, cluster.Caption, cluster.Navigation} {
		if prose > 0 {
			break
		}
		for i := range all {
			kept[i] = kinds[i] <= last && (kinds[i] != cluster.Heading || last > cluster.ListItem)
			if kept[i] {
				prose++
			}
		}
	}
	out := make([]cluster.Sentence, 0, prose)
	for i, s := range all {
		if kept[i] {
			out = append(out, s)
		}
	}
	return out
}

func bytesOf(all []cluster.Sentence, kinds []cluster.Kind, kind cluster.Kind) int {
	n := 0
	for i, s := range all {
		if kinds[i] == kind {
			n += len(s.Text)
		}
	}
	return n
}

// isSentence reports whether a list item is a sentence. few means that there are few
// others; then it needs no full stop, but at least so many words.
func isSentence(item string, few bool, least int) bool {
	if Closed(item) {
		return CountSegments(item) >= minClosed
	}
	return few && !endsClosed(item) && CountSegments(item) >= least
}
