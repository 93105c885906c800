package disagreements

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// How far the context of a number reaches: content words behind and before it, and
// items altogether.
const (
	wordsBehind, wordsBefore = 5, 5
	pairsBehind, pairsBefore = 10, 12
	itemsAround              = 16
)

// describe fills in what m counts and the words around it.
func (r *reader) describe(m *mention) {
	m.subject = -1
	if m.kind == ignored {
		return
	}
	behind, before := r.behind(m), r.before(m)
	r.modify(m, before, behind)
	if m.kind == count {
		r.readFate(m, before, behind)
	}
	r.readHeads(m, behind)
	for _, i := range slices.Concat(behind, before) {
		it := &r.items[i]
		m.mods |= it.role & (roleMay | roleGrave)
		if it.mention >= 0 {
			if v := r.mentions[it.mention].value; v >= 1500 && v <= 2100 {
				m.years = append(m.years, int(v))
			}
		}
		if r.content(it) {
			m.near = append(m.near, it.term)
			m.words = append(m.words, word{it.term, it.start, it.end})
			if it.capital {
				m.names = append(m.names, it.term)
			}
			if it.unspaced && isPlace(r.text[it.end:]) {
				m.names = append(m.names, it.term)
			}
		}
	}
	slices.Sort(m.near)
	m.near = slices.Compact(m.near)
	slices.Sort(m.names)
	// "In 2009, a fire killed 14 people."
	for i := range r.items[:min(4, len(r.items))] {
		m.mods |= r.items[i].role & roleMay
		if r.items[i].mention < 0 && r.items[i].capital && r.items[i].month > 0 {
			m.mods |= roleMay // "In January, nine people died."
		}
		if k := r.items[i].mention; k >= 0 && r.mentions[k].kind == ignored && r.mentions[k].value >= 1500 && r.mentions[k].value <= 2100 {
			m.years = append(m.years, int(r.mentions[k].value))
		}
	}
	slices.Sort(m.years)
	m.years = slices.Compact(m.years)
}

// behind lists the items of the clause behind m, up to the next number that counts.
func (r *reader) behind(m *mention) []int {
	var list []int
	n, most := 0, wordsBehind
	for i := m.last; i < len(r.items) && i < m.last+itemsAround+8; i++ {
		it := &r.items[i]
		if it.unspaced {
			most = pairsBehind
		}
		if it.gap != space || r.counts(it) || n == most {
			break
		}
		if it.role&roleAnd != 0 && r.numberWithin(i, 8) {
			break
		}
		list = append(list, i)
		if r.content(it) {
			n++
		}
	}
	return list
}

// counts reports whether an item is of a number that is not ignored.
func (r *reader) counts(it *item) bool {
	return it.mention >= 0 && r.mentions[it.mention].kind != ignored
}

func (r *reader) numberWithin(i, n int) bool {
	for k := i + 1; k < min(i+1+n, len(r.items)) && r.items[k].gap != stop; k++ {
		if r.items[k].mention >= 0 {
			return true
		}
	}
	return false
}

// before lists the items of the clause before m, nearest first.
func (r *reader) before(m *mention) []int {
	var list []int
	n, most := 0, wordsBefore
	if m.first < len(r.items) && r.items[m.first].gap != space {
		return nil
	}
	for i := m.first - 1; i >= 0 && i >= m.first-itemsAround; i-- {
		it := &r.items[i]
		if it.unspaced {
			most = pairsBefore
		}
		if r.counts(it) || n == most || it.role&roleAnd != 0 {
			break
		}
		list = append(list, i)
		if r.content(it) {
			n++
		}
		if it.gap != space {
			break
		}
	}
	return list
}

// modify reads the words that say how exact m is, or that it is a part of another.
func (r *reader) modify(m *mention, before, behind []int) {
	near := 3
	if len(before) > 0 && r.items[before[0]].unspaced {
		near = 4
	}
	for k, i := range before {
		if k >= near {
			break
		}
		m.mods |= r.items[i].role & (roleAbout | roleLeast | roleMost | rolePart | roleMore)
	}
	for k, i := range behind {
		it := &r.items[i]
		if k == 0 || k == 1 && m.kind == duration {
			m.mods |= it.role & (rolePart | roleMore)
			if it.role&roleOf != 0 && m.value < 1e6 {
				m.mods |= rolePart
			}
		}
		if k < 2 && it.role&roleMore != 0 {
			m.mods |= roleMore
		}
		if it.unspaced && k < 3 {
			m.mods |= it.role & (roleAbout | roleLeast | roleMost)
		}
	}
	// "13, including the gunman"
	if i := m.last + len(behind); i < len(r.items) && r.items[i].gap == comma && r.items[i].role&rolePart != 0 && !r.numberWithin(i, 3) {
		m.one = true
	}
	// "1 of 39"
	if i := m.first - 2; i >= 0 && r.items[i+1].role&roleOf != 0 && r.items[i].mention >= 0 && m.value < 1e6 {
		m.mods |= rolePart
	}
	// A part that a comma precedes: "14 people, including three children".
	if i := m.first - 1; i >= 0 && r.items[i].role&rolePart != 0 {
		m.mods |= rolePart
	}
}

// readFate finds what happened to the people that m counts.
func (r *reader) readFate(m *mention, before, behind []int) {
	set := func(i int) bool {
		if f := r.items[i].role & roleFates; f != 0 {
			m.fate = f & -f
			m.fateStart, m.fateEnd = r.items[i].start, r.items[i].end
			if r.items[i].unspaced {
				m.fateEnd = r.fateEnd(i)
			}
			return true
		}
		return false
	}
	unspaced := m.last < len(r.items) && r.items[m.last].unspaced
	if unspaced && m.unit != "人" && m.unit != "名" && m.unit != "명" && m.unit != "" {
		return
	}
	for k, i := range before {
		if k == 3 || unspaced || set(i) || r.content(&r.items[i]) {
			break
		}
	}
	said := false // something other than who they are
	for _, i := range behind {
		it := &r.items[i]
		if m.fate != 0 || said && it.role&roleAnd != 0 || set(i) {
			break
		}
		said = said || r.content(it) && it.role&roleWho == 0
	}
	for k, i := range behind {
		// Something else is counted.
		if k < 3 && !unspaced && r.content(&r.items[i]) && r.items[i].role&roleWho == 0 {
			before = nil
		}
	}
	for _, i := range before {
		if m.fate != 0 || set(i) {
			break
		}
	}
	if m.fate == 0 || unspaced || len(behind) == 0 || behind[0] != m.last {
		return
	}
	for k, i := range behind {
		it := &r.items[i]
		if it.role&(roleWho|roleFates) != 0 || it.stop && k == 0 || k > 1 {
			break
		}
		if r.content(it) {
			m.subject = it.term
			break
		}
	}
}

// readHeads finds the words for what m counts, and the end of the span.
func (r *reader) readHeads(m *mention, behind []int) {
	end := -1
	for k, i := range behind {
		it := &r.items[i]
		if it.unspaced || k > 3 || len(m.heads) == 2 {
			break
		}
		if it.role&roleWho != 0 && end < 0 && i == m.last {
			end = it.end
		}
		if !r.content(it) {
			if k > 0 && len(m.heads) > 0 {
				break
			}
			continue
		}
		m.heads = append(m.heads, it.term)
		if end < 0 && i-m.last <= 1 && m.kind == count {
			end = it.end
		}
	}
	for k, i := range behind {
		if k > 1 && k < 4 && r.items[i].role&roleTime != 0 && r.items[i-1].stop && len(m.heads) > 0 {
			m.rate = r.items[i].folded
		}
	}
	if m.kind == count && m.unit != "" && m.last < len(r.items) && r.items[m.last].unspaced && strings.HasPrefix(r.text[m.end:], m.unit) {
		end = m.end + len(m.unit)
	}
	m.spanEnd = max(m.end, end)
	// Signs that belong to the value.
	if c, w := utf8.DecodeRuneInString(r.text[m.spanEnd:]); unicode.Is(unicode.Sc, c) || c == '%' {
		m.spanEnd += w
	}
}

// fateEnd returns the end of the longest word of a fate that begins at item i.
func (r *reader) fateEnd(i int) int {
	it := &r.items[i]
	end := it.end
	for w, role := range r.vocabulary.roles {
		if role&roleFates != 0 && strings.HasPrefix(r.text[it.start:], w) {
			end = max(end, it.start+len(w))
		}
	}
	return end
}

// isPlace reports whether a character is the last of a name before the word for a
// county, town or village.
func isPlace(behind string) bool {
	c, _ := utf8.DecodeRuneInString(behind)
	return strings.ContainsRune("县縣市镇鎮乡村省区區州岛島郡町군구", c)
}
