package core

import (
	"math"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/lexical"
)

// Parallel documents, which translate each other, are detected by alignment: what
// stands at the same relative position in both, names and numbers that occur once in
// each, or sentences with similar embeddings; or by correlated sentence lengths, if
// both have the same number of sentences. In ten sets of news in three languages
// about nine in ten pairs of translations were detected without an encoder, and about
// one in a hundred pairs of unrelated texts was detected wrongly.
const (
	// samePlace is the maximum distance between the middles of aligned sentences, as a
	// fraction of the document.
	samePlace = 0.12
	// Two documents are parallel if at least minAnchors shared words are aligned, and
	// at least anchorShare of all shared words.
	minAnchors  = 3
	anchorShare = 0.6
	// lengthsAgree is the square of the minimum t = r √((n−2)/(1−r²)), where r is the
	// correlation of the lengths of n sentences.
	lengthsAgree = 2.5 * 2.5
	// sameSpan is the fraction of the shorter of two sentences that must overlap the
	// other in relative position for them to be translations.
	sameSpan = 0.3
)

// parallels finds parallel documents and aligned sentences.
type parallels struct {
	cluster  *cluster.Cluster
	refs     []cluster.Ref
	analysis *lexical.Analysis
	first    []int        // by document, and one after the last: its first row
	span     [][2]float64 // by row: its position in its document, in 0..1
	// anchors, if not nil, lists pairs of rows of two documents with similar
	// embeddings.
	anchors func(d, e int) [][2]int
	once    []map[int32]int32 // see mentions; by document, nil until computed
	pairs   map[[2]int]bool   // see translate
	of      [][]bool          // see translating; by document, nil until computed
}

func newParallels(s *Session) *parallels {
	documents := s.cluster.Documents
	p := &parallels{
		cluster: s.cluster, refs: s.refs, analysis: s.analysis, first: []int{0},
		span: make([][2]float64, 0, len(s.refs)), once: make([]map[int32]int32, len(documents)), of: make([][]bool, len(documents)), pairs: map[[2]int]bool{},
	}
	for d := range documents {
		sentences := documents[d].Sentences
		p.first = append(p.first, p.first[d]+len(sentences))
		total, at := 0, 0
		for i := range sentences {
			total += sentences[i].EndUTF16 - sentences[i].StartUTF16
		}
		for i := range sentences {
			from := at
			at += sentences[i].EndUTF16 - sentences[i].StartUTF16
			p.span = append(p.span, [2]float64{float64(from) / float64(total), float64(at) / float64(total)})
		}
	}
	return p
}

// translating reports for each document whether it is in another language than d and
// parallel to d, directly or through other documents.
func (p *parallels) translating(d int) []bool {
	if p.of[d] != nil {
		return p.of[d]
	}
	documents := p.cluster.Documents
	found, queue := make([]bool, len(documents)), []int{d}
	found[d] = true
	for len(queue) > 0 {
		from := queue[0]
		queue = queue[1:]
		for e := range documents {
			if !found[e] && documents[e].Language != documents[from].Language && p.translate(min(from, e), max(from, e)) {
				found[e] = true
				queue = append(queue, e)
			}
		}
	}
	for e := range documents {
		found[e] = found[e] && documents[e].Language != documents[d].Language
	}
	p.of[d] = found
	return found
}

// translate reports whether documents d < e are parallel.
func (p *parallels) translate(d, e int) bool {
	pair := [2]int{d, e}
	is, known := p.pairs[pair]
	if !known {
		is = p.aligned(d, e)
		p.pairs[pair] = is
	}
	return is
}

// together reports whether two rows are aligned.
func (p *parallels) together(a, b int) bool {
	x, y := p.span[a], p.span[b]
	return min(x[1], y[1])-max(x[0], y[0]) >= sameSpan*min(x[1]-x[0], y[1]-y[0])
}

// aligned reports whether the words that occur once in both documents, the sentences
// with similar embeddings, or the lengths of the sentences are aligned. With embeddings,
// which find translations in other documents, too, words and lengths must be surer: a
// name of two words is one anchor, and lengths do not count against anchors. Reports of
// one event have many names in common, and those of the same length are frequent.
func (p *parallels) aligned(d, e int) bool {
	words := p.sharedWords(d, e)
	if p.anchors == nil {
		return words.agree() || p.sameLengths(d, e)
	}
	var meanings tally
	for _, pair := range p.anchors(d, e) {
		meanings.add(p.span[pair[0]], p.span[pair[1]])
	}
	return words.agree() || meanings.agree() ||
		!words.disagree() && !meanings.disagree() && p.sameLengths(d, e)
}

// sharedWords tallies the words that occur once in both documents, or if there are
// embeddings, the pairs of sentences that have them.
func (p *parallels) sharedWords(d, e int) (words tally) {
	theirs := p.mentions(e)
	pairs := map[[2]int32]bool{}
	for term, row := range p.mentions(d) {
		other, ok := theirs[term]
		if pair := [2]int32{row, other}; ok && row >= 0 && other >= 0 && !pairs[pair] {
			pairs[pair] = p.anchors != nil
			words.add(p.span[row], p.span[other])
		}
	}
	return words
}

// tally counts anchors, and those that are aligned.
type tally struct{ near, all int }

func (t *tally) add(a, b [2]float64) {
	if math.Abs(a[0]+a[1]-b[0]-b[1]) < 2*samePlace {
		t.near++
	}
	t.all++
}

func (t *tally) agree() bool {
	return t.near >= minAnchors && float64(t.near) >= anchorShare*float64(t.all)
}

func (t *tally) disagree() bool {
	return t.all >= minAnchors && float64(t.near) < anchorShare*float64(t.all)
}

// mentions maps each term of document d except stop words to the row that contains it,
// or to several.
func (p *parallels) mentions(d int) map[int32]int32 {
	if p.once[d] != nil {
		return p.once[d]
	}
	const several = -1
	m := map[int32]int32{}
	for k := p.first[d]; k < p.first[d+1]; k++ {
		for _, t := range p.analysis.Sentences[k] {
			if p.analysis.Terms[t].Stop {
				continue
			}
			if row, ok := m[t]; !ok {
				m[t] = int32(k)
			} else if row != int32(k) {
				m[t] = several
			}
		}
	}
	p.once[d] = m
	return m
}

func (p *parallels) sameLengths(d, e int) bool {
	n := p.first[d+1] - p.first[d]
	if n < 3 || p.first[e+1]-p.first[e] != n {
		return false
	}
	// Shares sum to 1, so that their mean is 1/n.
	mean := 1 / float64(n)
	var aa, bb, ab float64
	for i := range n {
		x, y := p.span[p.first[d]+i], p.span[p.first[e]+i]
		a, b := x[1]-x[0]-mean, y[1]-y[0]-mean
		aa += float64(a * a)
		bb += float64(b * b)
		ab += float64(a * b)
	}
	// r² (n−2) ≥ t² (1−r²), with r² = ab²/(aa·bb).
	return ab > 0 && ab*ab*(float64(n-2)+lengthsAgree) >= lengthsAgree*aa*bb
}
