package disagreements

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// likeness says how sure it is that two mentions are of one thing: 0, or more the more
// words they have in common.
func (c *comparison) likeness(a, b *mention) float64 {
	la, lb := &c.lines[a.line], &c.lines[b.line]
	switch {
	case (a.mods|b.mods)&(roleLeast|roleMost) == roleLeast|roleMost,
		a.kind != b.kind || a.unit != b.unit,
		(a.mods^b.mods)&(roleMay|roleGrave) != 0,
		!slices.Equal(a.years, b.years),
		apart(la.days, lb.days) && a.kind != weekday,
		apart(la.dates, lb.dates) && a.kind != date,
		len(a.names) > 0 && len(b.names) > 0 && apart32(a.names, b.names):
		return 0
	}
	lo, hi := min(a.value, b.value), max(a.value, b.value)
	if a.kind != score && a.kind != date && a.kind != weekday && lo*10 < hi {
		return 0
	}
	f := c.common(a, b)
	// The limits are set by reading what they let through: see docs/disagreements.md.
	if a.fate != 0 {
		if la.unspaced {
			f.words /= 2 // pairs of characters
		}
		// Reports give the toll of their event in the first sentences.
		depth := la.sentence + lb.sentence
		toll := f.words >= 2 && f.whole >= 0.2 && depth <= 8 || f.words >= 3 && f.whole >= 0.08 && depth <= 2
		if !toll || a.subject != b.subject || a.subject >= 0 && f.near < 1.3 || !slices.Equal(la.years, lb.years) {
			return 0
		}
		return 1 + f.local + f.whole
	}
	ok := f.shared >= 2 && f.words >= 3 && f.local >= 0.5 && f.whole >= 0.25
	switch a.kind {
	case date:
		ok = f.shared >= 3 && f.words >= 4 && f.local >= 0.6 && f.whole >= 0.5 && !apartValues(la.values, lb.values)
	case weekday:
		// A day is often that of the report.
		ok = f.shared >= 3 && f.words >= 4 && f.local >= 0.75 && f.whole >= 0.7 && !apartValues(la.values, lb.values)
	case score:
		ok = f.shared >= 2 && f.words >= 3 && f.local >= 0.4
	case percent, money:
		ok = ok && f.near >= 0.75 && min(la.amounts, lb.amounts) < 2
	case duration:
		ok = ok && f.words >= 4 && (a.unit == "" || f.near >= 1.3 && len(a.heads) > 0 && len(b.heads) > 0 && a.heads[0] == b.heads[0])
	case count:
		// What is said nearly in the same words needs no other support.
		clause := f.local >= 0.75 && f.near >= 1.8
		switch {
		case strings.Contains(a.unit, "/"):
			ok = f.shared >= 1 && f.words >= 2
		case !sameHead(a, b):
			ok = false
		case a.rate != "" && a.rate == b.rate && a.heads[0] == b.heads[0]:
			ok = f.local >= 0.5
		default:
			ok = f.near >= 1.3 && (ok && (f.words >= 4 || f.local > 0.6) || clause)
		}
	}
	if !ok {
		return 0
	}
	return f.local + f.whole
}

// sameHead reports whether two numbers count the same: the first content word behind
// them is the same, or an adjective precedes it in one.
func sameHead(a, b *mention) bool {
	if len(a.heads) == 0 || len(b.heads) == 0 {
		return a.unit != "" && len(a.heads) == len(b.heads)
	}
	return slices.Contains(a.heads, b.heads[0]) || slices.Contains(b.heads, a.heads[0])
}

// common measures what two mentions have in common.
func (c *comparison) common(a, b *mention) (f common) {
	la, lb := &c.lines[a.line], &c.lines[b.line]
	f.shared, f.near = c.overlap(a.near, b.near)
	words, all := c.overlap(la.stems, lb.stems)
	f.words = words
	f.local = f.near / max(min(a.weight, b.weight), 1e-9)
	f.whole = all / max(min(la.weight, lb.weight), 1e-9)
	return f
}

// overlap returns how many stems two ascending lists share, and their weight.
func (c *comparison) overlap(a, b []int32) (n int, weight float64) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			n++
			weight += c.weights[a[0]]
			a, b = a[1:], b[1:]
		}
	}
	return n, weight
}

// weigh sets the weight of each stem: 1 in one line, less the more lines have it.
func (c *comparison) weigh() {
	c.weights = make([]float64, len(c.frequency))
	for s, n := range c.frequency {
		c.weights[s] = 1 / (1 + math.Log2(float64(max(n, 1))))
	}
	sum := func(stems []int32) (all float64) {
		for _, s := range stems {
			all += c.weights[s]
		}
		return all
	}
	for i := range c.lines {
		c.lines[i].weight = sum(c.lines[i].stems)
	}
	for i := range c.mentions {
		c.mentions[i].weight = sum(c.mentions[i].near)
	}
}

// common is what two mentions have in common.
type common struct {
	shared, words int     // stems in the context, in the sentences
	near          float64 // weight of those in the context
	// local and whole are the shares of the weight of the poorer context and sentence
	// that the other has.
	local, whole float64
}

// apart reports whether both lists have values and share none.
func apart(a, b []int) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	return !slices.ContainsFunc(a, func(v int) bool { return slices.Contains(b, v) })
}

func apartValues(a, b []float64) bool {
	return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(v float64) bool { return slices.Contains(b, v) })
}

func apart32(a, b []int32) bool {
	return !slices.ContainsFunc(a, func(v int32) bool { return contains(b, v) })
}

func contains(sorted []int32, v int32) bool {
	_, found := slices.BinarySearch(sorted, v)
	return found
}

// name returns the words that name what the mentions count: what happened to people,
// or the nearest words of the first that others have too.
func (c *comparison) name(group []int) string {
	m := &c.mentions[group[0]]
	l := &c.lines[m.line]
	text := c.documents[l.document].Sentences[l.sentence].Text
	if m.fate != 0 {
		return text[m.fateStart:m.fateEnd]
	}
	start, end := -1, -1
	for _, w := range m.words {
		if !contains(c.mentions[group[1]].near, w.term) {
			continue
		}
		switch {
		case start < 0:
			start, end = w.start, w.end
		case w.start == end && isUnspaced(text[start:]):
			end = w.end
		case w.end == start && isUnspaced(text[start:]):
			start = w.start
		}
	}
	if start < 0 {
		return text[m.start:m.spanEnd]
	}
	return text[start:end]
}

// isUnspaced reports whether s begins with a character of a script without spaces.
func isUnspaced(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r >= 0x2E80
}
