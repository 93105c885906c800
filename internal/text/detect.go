package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cerasum/cerasum/internal/text/ngram"
)

// The parts of a long document that Detect reads, in bytes: the start, and a little
// of the middle and the end.
const (
	readStart = 10 << 10
	readMore  = 2 << 10
)

// Size in bytes of the pieces of a text, whose languages are detected separately.
const pieceSize = 512

// In a text of fewer than short letters, a language is detected only if it leads the
// second by at least sure, in log-odds.
const (
	short = 60
	sure  = 1
)

// certain is the lead, in log-odds, from which on the language of a text of one piece is
// certain. Of the sentences of FLORES, and of their first words, at most 0.6 % have such a
// lead in a wrong language. TestUncertainLanguages prints the figures.
const certain = 8

// Detect returns the ISO 639-1 tag of the language of most of doc: one of
// [Languages], or "" if there is too little text. Of a long document it reads the
// start and a little of the middle and the end.
func Detect(doc string) string {
	var c scriptCount
	parts := sampleParts(doc)
	for _, part := range parts {
		c.add(part)
	}
	script := c.dominant()
	if script == nil {
		return ""
	}
	if script.profile == "" {
		return script.language(&c)
	}
	return byProfile(parts, script)
}

// MaybeIn reports whether doc may be in the language of tag although [Detect] returned
// another: its language is not certain, as that of a short text.
func MaybeIn(doc, tag string) bool {
	if len(doc) > 2*pieceSize {
		return false
	}
	var c scriptCount
	c.add(doc)
	script := c.dominant()
	if script == nil {
		return false
	}
	if script.profile == "" {
		// Japanese may be written without kana.
		return script.tag == "zh" && tag == "ja" && lettersOf(doc, script) < short
	}
	p := profiles[script.profile]
	var w ngram.Walker
	sums := p.sums(&w, doc)
	if l := slices.Index(p.tags, tag); l >= 0 {
		urdu := tag == "fa" && isUrdu([]string{doc})
		return !urdu && float64(slices.Max(sums)-sums[l])*p.step < certain
	}
	// A language without a profile.
	other := tag != "ur" && slices.Contains(Languages(), tag)
	return !other && lettersOf(doc, script) < short
}

func lettersOf(s string, script *scriptInfo) int {
	n := 0
	for _, r := range s {
		if unicode.Is(script.table, r) {
			n++
		}
	}
	return n
}

// Languages lists the tags that [Detect] can return, in alphabetical order.
func Languages() []string {
	var tags []string
	for i := range scripts {
		s := &scripts[i]
		if s.profile == "" {
			tags = append(tags, s.tag)
		} else {
			tags = append(tags, strings.Fields(profiles[s.profile].languages)...)
		}
	}
	tags = append(tags, "ja", "ur")
	slices.Sort(tags)
	return slices.Compact(tags)
}

// sampleParts returns the parts of doc that are read.
func sampleParts(doc string) []string {
	if len(doc) <= readStart+2*readMore {
		return []string{doc}
	}
	at := func(i int) int {
		for i < len(doc) && !utf8.RuneStart(doc[i]) {
			i++
		}
		return i
	}
	middle := readStart + (len(doc)-readStart)/2
	return []string{
		doc[:at(readStart)],
		doc[at(middle-readMore/2):at(middle+readMore/2)],
		doc[at(len(doc)-readMore):],
	}
}

// byProfile detects the language by a vote of the pieces of the text, each counted by
// its letters in the given script.
func byProfile(parts []string, script *scriptInfo) string {
	p := profiles[script.profile]
	var w ngram.Walker
	votes := map[string]int{}
	tag, lead, letters := "", 0.0, 0
	for _, part := range parts {
		for part != "" {
			var piece string
			piece, part = cutPiece(part)
			n := lettersOf(piece, script)
			if n == 0 {
				continue
			}
			tag, lead = p.best(&w, piece)
			votes[tag] += n
			letters += n
		}
	}
	if letters < short && lead < sure {
		return ""
	}
	for t, n := range votes {
		if n > votes[tag] || n == votes[tag] && t < tag {
			tag = t
		}
	}
	if script.profile == "arabic" && tag != "ar" && isUrdu(parts) {
		return "ur"
	}
	return tag
}

// cutPiece splits s after a space near pieceSize, or after twice that.
func cutPiece(s string) (piece, rest string) {
	if len(s) <= 2*pieceSize {
		return s, ""
	}
	if i := strings.IndexByte(s[pieceSize:2*pieceSize], ' '); i >= 0 {
		return s[:pieceSize+i], s[pieceSize+i:]
	}
	i := 2 * pieceSize
	for i > pieceSize && !utf8.RuneStart(s[i]) {
		i--
	}
	return s[:i], s[i:]
}

// isUrdu distinguishes Urdu from Persian by letters that only Urdu has.
func isUrdu(parts []string) bool {
	urdu, persian := 0, 0
	for _, part := range parts {
		for _, r := range part {
			switch r {
			case 'ٹ', 'ڈ', 'ڑ', 'ں', 'ے', 'ہ', 'ھ':
				urdu++
			case 'ه', 'ة':
				persian++
			}
		}
	}
	return urdu > persian
}
