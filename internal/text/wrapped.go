package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A hard-wrapped text breaks a line where the next word would not have fit. One
// line break does not show that; all of the document's, or a block's, together do.

// Slack in columns: tight is for programs, which may let a closing mark hang over
// the margin; loose for lines that do not all have the same limit, as in newswire
// and mail. Verse has lines of similar length too, so that loosely wrapped text has
// to be wider than a line of verse.
const (
	tightSlack = 2
	looseSlack = 12
	minLoose   = 55
)

// minBreaks is the number of line breaks from which a text is judged.
const minBreaks = 3

// layout is how lines were broken, as far as a text shows it.
type layout struct {
	// floor is the width from which a line is full: a line with the first word of the
	// next would be longer. 0: unknown or not wrapped.
	floor int
	// lines means that most lines end where the author wanted: verse, a list, code.
	lines bool
	// marked means that the lines are of a block that an extractor found, not of a text
	// that may be a list or verse.
	marked bool
}

// tally counts line breaks within sentences: those after a line that does not end
// with a terminal mark.
type tally struct {
	breaks int
	// paragraphs counts the breaks at lines too long to be wrapped.
	paragraphs int
	// tight[w] and loose[w] are how many more breaks width w explains than width w−1.
	tight, loose [maxWrap + 2]int
	// capital counts the breaks before a capital; widest is the width of the widest line.
	capital, widest int
}

// add counts the breaks between the lines of a block, except those before least.
func (t *tally) add(doc string, block []line, least int) {
	for i := 1; i < len(block); i++ {
		a, b := &block[i-1], &block[i]
		textA, textB := doc[a.start:a.end], doc[b.start:b.end]
		if a.width > maxWrap || b.width > maxWrap {
			t.paragraphs++
			continue
		}
		need := a.need(b)
		if need <= least || endsClosed(textA) || tabular(textA) || textA[0] == '#' || bullet(textB) || listed(textB) {
			continue
		}
		t.breaks++
		t.widest = max(t.widest, a.width)
		t.tight[a.width]++
		t.tight[min(need+tightSlack, maxWrap+1)]--
		t.loose[a.width]++
		t.loose[min(need+looseSlack, maxWrap+1)]--
		if unicode.IsUpper(b.first) {
			t.capital++
		}
	}
}

// addAll measures lines and adds the breaks between them.
func (t *tally) addAll(doc string, lines []line) {
	for group := range groups(lines) {
		if len(group) > 1 {
			for i := range group {
				group[i].measure(doc)
			}
			// Short lines, of an address or a table, do not tell how prose was wrapped.
			t.add(doc, group, minWrap)
		}
	}
}

// layout judges the lines that were added.
func (t *tally) layout() layout {
	if t.breaks < minBreaks {
		return layout{}
	}
	// Where most lines begin with a capital they are verse or headlines. In German, two
	// of five words do.
	prose := 3*t.capital <= 2*t.breaks
	width, explained := best(&t.tight, minWrap)
	all := t.mostly(explained, 19)
	if prose && all {
		return layout{floor: width - tightSlack}
	}
	if width, explained := best(&t.loose, minLoose); prose && t.mostly(explained, 4) {
		return layout{floor: width - looseSlack}
	}
	if prose && t.mostly(explained, 4) {
		return layout{floor: width - tightSlack}
	}
	return layout{lines: 2*explained < t.breaks+t.paragraphs || !prose && !all && t.widest < minLoose}
}

// mostly reports whether a width explains enough breaks: at least share times as many
// as it does not explain, in a text that does not mainly consist of long lines.
func (t *tally) mostly(explained, share int) bool {
	return explained >= minBreaks && explained >= share*(t.breaks-explained) && explained >= t.paragraphs
}

// best returns the largest width from least on that explains most breaks.
func best(differences *[maxWrap + 2]int, least int) (width, explained int) {
	n := 0
	for w, d := range differences[:maxWrap+1] {
		if n += d; w >= least && n >= explained {
			width, explained = w, n
		}
	}
	return width, explained
}

// goesOn reports whether line b of wrapped text continues line a. first is the first
// line of the unit that a belongs to, such as a list item.
func (l layout) goesOn(doc string, first, a, b *line) bool {
	textA, textB := doc[a.start:a.end], doc[b.start:b.end]
	if a.width > maxWrap || textA[0] == '#' || tabular(textA) || tabular(textB) {
		return false
	}
	item := bullet(doc[first.start:first.end]) || listed(doc[first.start:first.end])
	full := a.need(b) > l.floor
	switch {
	case bullet(textB):
		// A hyphen may be a dash: "the house\n- it was old - burned".
		return full && !item && doc[b.start+b.indent] == '-' && !endsClosed(textA)
	case listed(textB) && !dashed(textB):
		if item && b.indent <= first.indent {
			return false
		}
		// "am\n5. Mai" goes on; after a full stop or a colon it is an item.
		return full && !endsClosed(textA)
	case b.indent > a.indent && !item:
		// A paragraph begins, unless the indentation hangs.
		return full && !endsClosed(textA)
	case full:
		return true
	}
	return unicode.IsLower(b.first) && 2*a.width >= l.floor && !endsClosed(textA)
}

// dashed reports whether a line starts with a dash before a small letter, as after
// direct speech.
func dashed(s string) bool {
	s = strings.TrimLeftFunc(s, isBlank)
	rest := strings.TrimLeft(s, "–—")
	r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(rest, isBlank))
	return rest != s && unicode.IsLower(r)
}

// tabular reports whether a line has columns: a tab or three blanks between words, or
// dots that lead to a page number.
func tabular(s string) bool {
	s = strings.TrimFunc(s, isBlank)
	return strings.Contains(s, "   ") || strings.Contains(s, "\t") || strings.Contains(s, ".....") || strings.Contains(s, ". . . .")
}

// pastBreak returns where doc goes on after a line break at doc[i:], and after the
// indentation of the next line; i if there is none. In wrapped text without spaces
// between words they are no space.
func pastBreak(doc string, i int) int {
	if strings.HasPrefix(doc[i:], "\n") || strings.HasPrefix(doc[i:], "\r\n") {
		return skipBlank(doc, i)
	}
	return i
}
