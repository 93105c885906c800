package disagreements

import (
	"slices"
	"unicode/utf8"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/lexical"
)

// mention is a number, a date or a day of the week in a sentence.
type mention struct {
	line int // index into reader.lines
	// start and end are the number in the sentence, in bytes; spanEnd is behind what
	// it counts.
	start, end, spanEnd int
	first, last         int // items of the number: [first, last)
	value, other        float64
	// kind is count, or what the unit is: see below.
	kind kind
	unit string
	// heads are the stems of the first content words behind the number.
	heads []int32
	// fate is what happened to the people that it counts, subject the stem of who
	// they are, -1 for people.
	fate    role
	subject int32
	// fateStart and fateEnd are the word of the fate.
	fateStart, fateEnd int
	near               []int32
	weight             float64 // of near
	// rate is the unit of time in "a day", "per hour", behind what it counts.
	rate string
	// words are the content words around it, those behind it first; fates excepted.
	words []word
	names []int32
	mods  role
	// one says that one of them is counted by some and not by others: "including the
	// gunman".
	one   bool
	years []int // in the context
}

// word is a content word in the context of a number.
type word struct {
	term       int32
	start, end int // bytes in the sentence
}

type kind uint8

const (
	count kind = iota
	percent
	money
	duration // in minutes, or with a longer unit
	score    // value : other
	date     // 100 × month + day
	weekday
	ignored // a year, a time, an ordinal, a range
)

// line is a sentence with numbers.
type line struct {
	document, sentence int
	unspaced           bool
	stems              []int32 // content words, ascending
	weight             float64 // of them
	years, dates, days []int
	values             []float64 // of numbers that are no dates
	amounts            int       // numbers of percent and money
}

// reader collects the mentions of documents.
type reader struct {
	ids       map[string]int32
	texts     []string // of each stem, as first written
	frequency []int32  // lines that have it
	lines     []line
	mentions  []mention
	deaths    map[cluster.Ref]bool // sentences with a number that say that people died

	language   string
	vocabulary *vocabulary
	tokenizer  *lexical.Tokenizer
	tokenizers map[string]*lexical.Tokenizer
	entries    map[string]*entry // of the language
	known      map[string]map[string]*entry
	tokens     []lexical.Token
	items      []item
	text       string
}

func newReader() *reader {
	return &reader{ids: map[string]int32{}, deaths: map[cluster.Ref]bool{}, tokenizers: map[string]*lexical.Tokenizer{}, known: map[string]map[string]*entry{}}
}

func (r *reader) use(language string) {
	if language == "nb" || language == "nn" {
		language = "no"
	}
	r.language = language
	r.vocabulary = vocabularyOf(language)
	r.tokenizer = r.tokenizers[language]
	if r.tokenizer == nil {
		r.tokenizer = lexical.NewTokenizer(language)
		r.tokenizers[language] = r.tokenizer
		r.known[language] = map[string]*entry{}
	}
	r.entries = r.known[language]
}

func (r *reader) id(term string) int32 {
	id, ok := r.ids[term]
	if !ok {
		id = int32(len(r.texts))
		r.ids[term] = id
		r.texts = append(r.texts, term)
		r.frequency = append(r.frequency, 0)
	}
	return id
}

// read adds the mentions of a sentence.
func (r *reader) read(document, sentence int, text string) {
	r.text = text
	r.tokens = r.tokenizer.AppendTo(r.tokens[:0], text)
	if !r.readItems() {
		return
	}
	l := line{document: document, sentence: sentence}
	l.unspaced = r.items[0].unspaced
	from := len(r.mentions)
	r.readMentions(&l, from)
	kept, counts := false, false
	for _, m := range r.mentions[from:] {
		kept = kept || m.kind != ignored
		counts = counts || m.kind == count
	}
	if !kept {
		r.mentions = r.mentions[:from]
		return
	}
	for i := range r.items {
		it := &r.items[i]
		if r.content(it) {
			l.stems = append(l.stems, it.term)
		}
		if counts && it.role&roleDead != 0 {
			r.deaths[cluster.Ref{Document: document, Sentence: sentence}] = true
		}
	}
	slices.Sort(l.stems)
	l.stems = slices.Compact(l.stems)
	for _, s := range l.stems {
		r.frequency[s]++
	}
	for k := from; k < len(r.mentions); k++ {
		m := &r.mentions[k]
		m.line = len(r.lines)
		r.describe(m)
		if m.kind != ignored && m.kind != date && m.kind != weekday {
			l.values = append(l.values, m.value)
			if m.kind == percent || m.kind == money {
				l.amounts++
			}
		}
	}
	r.lines = append(r.lines, l)
	// Items refer to mentions by their index: numbers that are ignored go last.
	read := slices.DeleteFunc(r.mentions[from:], func(m mention) bool { return m.kind == ignored })
	r.mentions = r.mentions[:from+len(read)]
}

// readMentions finds the numbers, dates and days in the items.
func (r *reader) readMentions(l *line, from int) {
	for i := 0; i < len(r.items); {
		it := &r.items[i]
		c, _ := utf8.DecodeRuneInString(r.text[it.start:])
		_, digit := digitOf(c)
		switch {
		case digit:
			i = r.digits(i, l)
		case it.unspaced && isNumeral(c) && r.language != "ko":
			i = r.characters(i)
		case it.number > 0:
			i = r.words(i)
		case it.day > 0:
			d := it.day
			l.days = append(l.days, d)
			r.add(mention{first: i, last: i + 1, start: it.start, end: it.end, value: float64(d), kind: weekday})
			i++
		default:
			i++
		}
	}
	r.pairs(from)
	r.durations(from)
	r.measures(from)
}

func (r *reader) add(m mention) {
	k := len(r.mentions)
	m.spanEnd = max(m.spanEnd, m.end)
	m.line = -1
	r.mentions = append(r.mentions, m)
	for i := m.first; i < m.last; i++ {
		r.items[i].mention = k
	}
}
