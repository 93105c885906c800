// Package disagreements finds where documents give different figures, dates or days
// for the same thing. Start with [Find].
//
// It compares only numbers, and never decides which one is right. Numbers are found
// and described by a small vocabulary of each language (vocabulary.txt); that two
// numbers are of one thing is judged by the words around them. In languages without a
// vocabulary only figures in digits are compared.
package disagreements

import (
	"math"
	"slices"

	"github.com/cerasum/cerasum/core/cluster"
)

// Disagreement is one thing for which documents give different values; package core
// has the same type.
type Disagreement struct {
	// What names it in the documents' words.
	What string
	// Update says that the newest documents agree on one value and older ones on
	// others, of something that grows with time: victims, or a share. Values are then
	// in the order of time. A speed or a price does not grow: two sources differ.
	Update bool
	Values []Value
}

// Value is what one document says: Text is the text of the span.
type Value struct {
	Text string
	cluster.Span
	// Sentence is the sentence of the document in which it stands.
	Sentence int
	// Outdated says that a newer document has another value: by date, or where no
	// dates are known and the numbers of the dead or injured have grown.
	Outdated bool
}

// Find lists the figures, dates and days for which documents give different
// values, in the order of the documents. It is made for precision: where a number may
// be a part, a rounding, a plan, or of another thing, it says nothing. It also returns the
// sentences that give a number and say that people died.
func Find(documents []cluster.Document) ([]Disagreement, map[cluster.Ref]bool) {
	if len(documents) < 2 {
		return nil, nil
	}
	r := newReader()
	for d := range documents {
		r.use(documents[d].Language)
		for s := range documents[d].Sentences {
			if prose(&documents[d], s) && len(documents[d].Sentences[s].Text) <= longestSentence {
				r.read(d, s, documents[d].Sentences[s].Text)
			}
		}
	}
	c := &comparison{reader: r, documents: documents}
	var list []Disagreement
	for _, group := range c.find() {
		list = append(list, c.disagreement(group))
	}
	insertionSort(len(list), func(i, j int) bool {
		x, y := &list[i].Values[0], &list[j].Values[0]
		return x.Document < y.Document || x.Document == y.Document && x.Start < y.Start
	}, func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list, r.deaths
}

// prose reports whether a sentence is in a block that states facts.
func prose(d *cluster.Document, s int) bool {
	at := d.Sentences[s].Start
	i := 0
	for i < len(d.Blocks) && d.Blocks[i].End <= at {
		i++
	}
	if i == len(d.Blocks) || d.Blocks[i].Start > at {
		return true
	}
	switch d.Blocks[i].Kind {
	case cluster.Paragraph, cluster.ListItem, cluster.BlockQuotation:
		return true
	}
	return false
}

// longestSentence is the length in bytes of a sentence from which on it is none: text
// without punctuation.
const longestSentence = 4000

type comparison struct {
	*reader
	documents []cluster.Document
	weights   []float64 // of the stems
}

// mostInBucket bounds the numbers of one kind that are compared with each other.
const mostInBucket = 100

type bucket struct {
	kind kind
	unit string
	head int32
	fate role
}

// edge joins two mentions of one thing.
type edge struct {
	a, b int
	same bool // compatible values
	like float64
}

// find compares the mentions of each bucket, and returns groups of mentions of one
// thing with different values, one of each document.
func (c *comparison) find() [][]int {
	c.weigh()
	buckets := map[bucket][]int{}
	var order []bucket
	put := func(b bucket, k int) {
		if buckets[b] == nil {
			order = append(order, b)
		}
		buckets[b] = append(buckets[b], k)
	}
	for k := range c.mentions {
		m := &c.mentions[k]
		if m.mods&(rolePart|roleMore) != 0 {
			continue
		}
		switch {
		case m.fate != 0:
			put(bucket{fate: m.fate, head: m.subject}, k)
		case m.kind == count && m.unit == "":
			for _, h := range m.heads {
				put(bucket{head: h}, k)
			}
		default:
			put(bucket{kind: m.kind, unit: m.unit}, k)
		}
	}
	used := make([]bool, len(c.mentions))
	var list [][]int
	for _, b := range order {
		for _, group := range c.compare(buckets[b], used) {
			if !slices.ContainsFunc(list, func(g []int) bool { return c.repeats(g, group) }) {
				list = append(list, group)
			}
		}
	}
	return list
}

// repeats reports whether two groups begin with the same values of the same documents:
// "wounded" and "injured", or a number that counts two things.
func (c *comparison) repeats(g, h []int) bool {
	for i := range 2 {
		if c.document(g[i]) != c.document(h[i]) || c.mentions[g[i]].value != c.mentions[h[i]].value {
			return false
		}
	}
	return true
}

// compare finds the disagreements among the mentions of a bucket.
func (c *comparison) compare(bucket []int, used []bool) [][]int {
	if len(bucket) < 2 || len(bucket) > mostInBucket {
		return nil
	}
	var edges, unlike []edge
	for i, a := range bucket {
		for _, b := range bucket[i+1:] {
			ma, mb := &c.mentions[a], &c.mentions[b]
			if c.lines[ma.line].document == c.lines[mb.line].document {
				continue
			}
			if like := c.likeness(ma, mb); like > 0 {
				e := edge{a, b, compatible(ma, mb), like}
				edges = append(edges, e)
				if !e.same {
					unlike = append(unlike, e)
				}
			}
		}
	}
	insertionSort(len(unlike), func(i, j int) bool { return unlike[i].like > unlike[j].like },
		func(i, j int) { unlike[i], unlike[j] = unlike[j], unlike[i] })
	var list [][]int
	for _, e := range unlike {
		if used[e.a] || used[e.b] || !c.clear(bucket, e) {
			continue
		}
		group := []int{e.a, e.b}
		for _, f := range edges {
			for _, k := range [2][2]int{{f.a, f.b}, {f.b, f.a}} {
				if (k[0] == e.a || k[0] == e.b) && !used[k[1]] && !c.hasDocument(group, k[1]) && (f.same || c.clear(bucket, f)) {
					group = append(group, k[1])
				}
			}
		}
		for _, k := range group {
			used[k] = true
		}
		insertionSort(len(group), func(i, j int) bool { return c.document(group[i]) < c.document(group[j]) },
			func(i, j int) { group[i], group[j] = group[j], group[i] })
		list = append(list, group)
	}
	return list
}

func (c *comparison) hasDocument(group []int, k int) bool {
	return slices.ContainsFunc(group, func(g int) bool { return c.document(g) == c.document(k) })
}

func (c *comparison) document(k int) int { return c.lines[c.mentions[k].line].document }

// clear reports whether neither document of e has the other's value too, nor another
// number that the other's could be compared with.
func (c *comparison) clear(bucket []int, e edge) bool {
	a, b := &c.mentions[e.a], &c.mentions[e.b]
	if a.kind == count && (slices.Contains(c.lines[a.line].values, b.value) || slices.Contains(c.lines[b.line].values, a.value)) {
		return false
	}
	for _, k := range bucket {
		m := &c.mentions[k]
		if k == e.a || k == e.b {
			continue
		}
		for _, x := range [2][2]*mention{{a, b}, {b, a}} {
			if c.lines[m.line].document != c.lines[x[0].line].document {
				continue
			}
			if m.value == x[1].value && m.other == x[1].other {
				return false
			}
			if m.value != x[0].value && !compatible(m, x[0]) {
				if like := c.likeness(m, x[1]); like >= 0.7*e.like || a.fate != 0 && !(x[0].value > m.value && x[0].line < m.line) {
					return false
				}
			}
		}
	}
	return true
}

// disagreement reports the mentions of one thing, one of each document.
func (c *comparison) disagreement(group []int) Disagreement {
	d := Disagreement{What: c.name(group), Update: c.update(group)}
	if d.Update {
		insertionSort(len(group), func(i, j int) bool { return c.date(group[i]) < c.date(group[j]) },
			func(i, j int) { group[i], group[j] = group[j], group[i] })
	}
	newest := c.newest(group, d.Update)
	for _, k := range group {
		v := c.value(k)
		v.Outdated = newest != nil && !compatible(newest, &c.mentions[k])
		d.Values = append(d.Values, v)
	}
	return d
}

// newest returns the mention of which the other values of the group are older versions;
// nil if that is not known. The group is in the order of time if it is an update.
func (c *comparison) newest(group []int, update bool) *mention {
	if update {
		return &c.mentions[group[len(group)-1]]
	}
	var most *mention
	for _, k := range group {
		m := &c.mentions[k]
		if m.fate&(roleDead|roleHurt) == 0 || c.date(k) != "" {
			return nil
		}
		if most == nil || m.value > most.value {
			most = m
		}
	}
	return most
}

// date is the day on which the document of mention k was published.
func (c *comparison) date(k int) string {
	d := c.documents[c.document(k)].Date
	return d[:min(len(d), len("2026-04-21"))]
}

// update reports whether the documents with one value are all later than those with
// others.
func (c *comparison) update(group []int) bool {
	if m := &c.mentions[group[0]]; m.fate == 0 && m.kind != percent {
		return false
	}
	newest := ""
	for _, k := range group {
		if c.date(k) == "" {
			return false
		}
		newest = max(newest, c.date(k))
	}
	var last *mention
	for _, k := range group {
		if c.date(k) == newest {
			if last != nil && !compatible(last, &c.mentions[k]) {
				return false
			}
			last = &c.mentions[k]
		}
	}
	// Documents with the newest value follow those with others.
	first := newest
	for _, k := range group {
		if compatible(last, &c.mentions[k]) {
			first = min(first, c.date(k))
		}
	}
	for _, k := range group {
		if !compatible(last, &c.mentions[k]) && c.date(k) >= first {
			return false
		}
	}
	return true
}

// value is the text and place of mention k.
func (c *comparison) value(k int) Value {
	m := &c.mentions[k]
	l := &c.lines[m.line]
	s := &c.documents[l.document].Sentences[l.sentence]
	utf16 := func(end int) int {
		n := s.StartUTF16
		for _, r := range s.Text[:end] {
			if n++; r >= 0x10000 {
				n++
			}
		}
		return n
	}
	return Value{
		Text:     s.Text[m.start:m.spanEnd],
		Sentence: l.sentence,
		Span: cluster.Span{
			Document: l.document, Start: s.Start + m.start, End: s.Start + m.spanEnd,
			StartUTF16: utf16(m.start), EndUTF16: utf16(m.spanEnd),
		},
	}
}

// compatible reports whether two values may be the same: equal, one a rounding of the
// other, or a bound that holds.
func compatible(a, b *mention) bool {
	if a.kind == score {
		return a.value == b.value && a.other == b.other
	}
	if a.kind == date || a.kind == weekday {
		return a.value == b.value
	}
	if a.value > b.value {
		a, b = b, a
	}
	lo, hi := a.value, b.value
	switch {
	case lo == hi, (a.one || b.one) && hi-lo == 1:
		return true
	case a.mods&roleLeast != 0 && hi < lo+step(lo), a.mods&roleLeast != 0 && significant(lo) == 1 && lo >= 50 && hi < 2*lo:
		return true
	case b.mods&roleMost != 0:
		return true
	case (a.mods|b.mods)&roleAbout != 0 && lo >= 0.88*hi:
		return true
	}
	if a.kind == money || a.kind == duration || a.unit != "" {
		if lo >= 0.97*hi {
			return true
		}
	}
	if hi < 50 && lo == math.Trunc(lo) && hi == math.Trunc(hi) {
		return false
	}
	n := min(significant(lo), significant(hi))
	coarse, fine := lo, hi
	if significant(lo) > n {
		coarse, fine = hi, lo
	}
	unit := step(coarse)
	return n < 4 && significant(fine) > n && (rounded(fine, n) == coarse || math.Floor(fine/unit)*unit == coarse)
}

// insertionSort sorts short lists stably. It is not slices.SortStableFunc, of which the
// page's program would have a copy for each type.
func insertionSort(n int, less func(i, j int) bool, swap func(i, j int)) {
	for i := 1; i < n; i++ {
		for j := i; j > 0 && less(j, j-1); j-- {
			swap(j, j-1)
		}
	}
}
