package translated

import (
	"sort"

	"github.com/cerasum/cerasum/core/cluster"
)

// mostly is the part of the shorter of two sentences that must stand at the
// place of the other in the paragraph for one to translate the other.
const mostly = 0.5

// place is where a sentence stands.
type place struct {
	paragraph int
	index, of int        // among the sentences of the paragraph
	span      [2]float64 // of the characters of these sentences, in 0..1
}

// Repeated tells of each quoted sentence whether another quoted one, of another
// language, translates it, wholly or mostly. The cluster has been prepared.
//
// Two sentences translate each other if they stand in the same paragraph and
// at the same place there. Where the two languages have the paragraph in
// equally many sentences, that is the same index; else at least half of the
// shorter of the two stands at the place of the longer one, in parts of the
// paragraph. So both count, the sentence that says more and the one whose
// content it has. Documents of one language are no translations of each other.
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

// place finds a sentence's. One that reaches over the end of a paragraph
// belongs to that in which it begins.
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
