package disagreements

import (
	"slices"
	"strings"
)

// pairs joins two numbers with a dash or a word between them: a result of a vote or a
// match, or a range, which is ignored.
func (r *reader) pairs(from int) {
	for k := from + 1; k < len(r.mentions); k++ {
		a, b := &r.mentions[k-1], &r.mentions[k]
		if a.kind == weekday || b.kind == weekday || a.last > b.first || a.end > b.start {
			continue
		}
		between := r.text[a.end:b.start]
		trimmed := strings.TrimSpace(between)
		word := b.first == a.last+1 && r.items[a.last].role&roleTo != 0
		if b.first == a.last+2 && r.items[a.last].role&roleVote != 0 && r.items[a.last+1].role&roleTo != 0 {
			word = true // "27 votes to 24"
		}
		if !word && (trimmed == "" || len(trimmed) > 3 || !strings.Contains("- – — − ~ 至 到 比 対 对 대", trimmed)) {
			continue
		}
		if a.kind == count && b.kind == count && r.hasVote() && a.value < 2000 && b.value < 2000 {
			a.kind, a.other = score, b.value
			a.end, a.spanEnd, a.last = b.end, b.end, b.last
			for i := a.first; i < a.last; i++ {
				r.items[i].mention = k - 1
			}
		} else {
			a.kind = ignored
		}
		b.kind = ignored
	}
}

// measures ignores heights and the like of several parts: "5 feet 9 inches".
func (r *reader) measures(from int) {
	for k := from + 1; k < len(r.mentions); k++ {
		a, b := &r.mentions[k-1], &r.mentions[k]
		if a.kind != count || b.kind != count || a.unit != b.unit || b.first-a.last != 1 || r.items[a.last].unspaced {
			continue
		}
		if between := strings.TrimSpace(r.text[a.end:b.start]); between != "" && r.items[a.last].role == 0 && !r.items[a.last].stop {
			a.kind, b.kind = ignored, ignored
		}
	}
}

func (r *reader) hasVote() bool {
	return slices.ContainsFunc(r.items, func(it item) bool { return it.role&roleVote != 0 })
}

// durations converts hours and minutes to minutes, and joins "7 hours and 35 minutes".
func (r *reader) durations(from int) {
	before := -1
	for k := from; k < len(r.mentions); k++ {
		m := &r.mentions[k]
		if m.kind != count || m.last >= len(r.items) || m.unit != "" && !r.items[m.last].unspaced {
			continue
		}
		switch role := r.items[m.last].role; {
		case role&roleHour != 0:
			m.kind, m.unit = duration, ""
			m.value *= 60
			before = k
		case role&roleMinute != 0:
			m.kind, m.unit = duration, ""
			if before >= 0 && m.first-r.mentions[before].last <= 2 && m.value < 60 {
				h := &r.mentions[before]
				h.value += m.value
				h.end, h.spanEnd = m.end, m.end
				for i := h.last; i < m.last; i++ {
					r.items[i].mention = before
				}
				h.last = m.last
				m.kind = ignored
				h.end = r.items[h.last].end
				h.last++
				continue
			}
		case role&roleTime != 0:
			m.kind, m.unit = duration, r.items[m.last].folded[:1+len(r.items[m.last].folded)/2]
		}
	}
}
