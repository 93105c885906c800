package disagreements

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cerasum/cerasum/internal/lexical"
)

// item is a word of a sentence, or a character of a script without spaces.
type item struct {
	*entry
	start, end int // bytes in the sentence
	role       role
	capital    bool // a capital that does not begin the sentence
	unspaced   bool
	gap        gap // before it
	mention    int // index of the number that it belongs to, or -1
}

// entry is what is known of a word in a language.
type entry struct {
	folded     string
	term       int32
	role       role
	stop       bool
	number     float64 // 0 for none
	month, day int     // from 1; 0 for none
}

// gap is what stands between two words.
type gap uint8

const (
	space gap = iota
	comma
	stop
)

// content reports whether an item says what a number is about.
func (r *reader) content(it *item) bool {
	return it.mention < 0 && !it.stop && it.role&(roleAnd|roleAbout|roleLeast|roleMost|rolePart|roleMore|roleMay|roleOf|roleTime) == 0
}

// readItems fills items, and reports whether there may be a number among them.
func (r *reader) readItems() bool {
	r.items = r.items[:0]
	end := 0
	numbers, unspaced := false, false
	for i := range r.tokens {
		t := &r.tokens[i]
		first, width := utf8.DecodeRuneInString(r.text[t.Start:])
		e := r.entry(t)
		it := item{entry: e, role: e.role, start: t.Start, end: t.End, unspaced: t.Unspaced, mention: -1}
		if t.Unspaced {
			it.end = t.Start + width
			unspaced = true
			numbers = numbers || isNumeral(first)
		} else {
			it.capital = i > 0 && unicode.IsUpper(first)
		}
		if it.start > end {
			it.gap = gapOf(r.text[end:it.start])
		}
		end = it.end
		_, digit := digitOf(first)
		numbers = numbers || digit || e.number > 0 || e.day > 0
		r.items = append(r.items, it)
	}
	if numbers && unspaced {
		r.markUnspaced()
	}
	return numbers
}

// entry looks a word up, once in a language.
func (r *reader) entry(t *lexical.Token) *entry {
	e := r.entries[t.Folded]
	if e == nil {
		v := r.vocabulary
		e = &entry{
			folded: t.Folded, term: r.id(t.Term), stop: t.Stop,
			number: v.numbers[t.Folded], month: v.months[t.Folded], day: v.days[t.Folded],
		}
		if !t.Unspaced {
			e.role = v.role(t.Folded)
		}
		r.entries[t.Folded] = e
	}
	return e
}

// markUnspaced gives the characters where words of the vocabulary begin their roles.
func (r *reader) markUnspaced() {
	for w, role := range r.vocabulary.roles {
		for at := 0; ; {
			i := strings.Index(r.text[at:], w)
			if i < 0 {
				break
			}
			at += i
			k, found := slices.BinarySearchFunc(r.items, at, func(it item, at int) int { return it.start - at })
			if found {
				r.items[k].role |= role
			}
			at += len(w)
		}
	}
}

func gapOf(s string) gap {
	g := space
	for _, c := range s {
		switch c {
		case ',', '、', '،', '，':
			g = max(g, comma)
		case ';', ':', '(', ')', '—', '–', '"', '“', '”', '«', '»', '„', '。', '；', '：', '！', '？', '（', '）', '「', '」', '?', '!', '؛', '[', ']', '|', '…':
			g = stop
		}
	}
	return g
}
