package translated

import (
	"sort"

	"github.com/cerasum/cerasum/core/cluster"
)

// mostly is the share of the shorter of two sentences that must overlap with the
// other's position in the paragraph for them to be translations of each other.
const mostly = 0.5

// place is the position of a sentence.
type place struct {
	paragraph int
	index, of int        // among the sentences of the paragraph
	span      [2]float64 // of the characters of these sentences, in 0..1
}

// Repeated reports for each quoted sentence whether another quoted one, in another
// language, translates it, at least in large part. The cluster must be prepared.
//
// Two sentences translate each other if they have the same position in the same
// paragraph: the same index if both languages have equally many sentences in it,
// else if at least half of the shorter sentence overlaps with the longer one, as
// shares of the paragraph. Both sentences count. Documents in the same language are
// not translations of each other.
func (c *Cluster) Repeated(quoted []cluster.Ref) []bool {
	places := make([]place, len(quoted))
	for i, r := range quoted {
		places[i] = c.place(r)
	}
	repeated := make([]bool, len(quoted))
	for i := range quoted {
		for k := range i {
			if c.Languages[quoted[i].Document] != c.Languages[quoted[k].Document] && places[i].same(places[k]) {
				repeated[i], repeated[k] = true, true
			}
		}
	}
	return repeated
}

// place returns the position of a sentence. A sentence that extends over the end of a
// paragraph belongs to the one in which it starts.
func (c *Cluster) place(r cluster.Ref) place {
	sentences := c.Documents[r.Document].Sentences
	paragraphOf := func(i int) int {
		return sort.SearchInts(c.first[r.Document], sentences[i].StartUTF16+1) - 1
	}
	p := place{paragraph: paragraphOf(r.Sentence)}
	before, total := 0, 0
	for i := range sentences {
		if paragraphOf(i) != p.paragraph {
			continue
		}
		if i == r.Sentence {
			p.index, before = p.of, total
		}
		p.of++
		total += sentences[i].EndUTF16 - sentences[i].StartUTF16
	}
	s := &sentences[r.Sentence]
	p.span = [2]float64{float64(before) / float64(total), float64(before+s.EndUTF16-s.StartUTF16) / float64(total)}
	return p
}

func (p place) same(o place) bool {
	if p.paragraph != o.paragraph {
		return false
	}
	if p.of == o.of {
		return p.index == o.index
	}
	shared := min(p.span[1], o.span[1]) - max(p.span[0], o.span[0])
	return shared >= mostly*min(p.span[1]-p.span[0], o.span[1]-o.span[0])
}
