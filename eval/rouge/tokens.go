package rouge

import (
	"fmt"
	"unicode/utf8"
)

// tokens is a text as token ids, sentence by sentence.
type tokens struct {
	ids  []int32
	ends []int32 // of each sentence, into ids
}

// sentences iterates over the bounds of each.
func (t *tokens) sentences(yield func(start, end int) bool) {
	start := 0
	for _, end := range t.ends {
		if !yield(start, int(end)) {
			return
		}
		start = int(end)
	}
}

// vocabulary numbers tokens.
type vocabulary struct {
	options Options
	forms   map[string]int32 // by the lower-cased token
	stems   map[string]int32 // by the stem, with Stem
	count   int32
	bytes   int
	token   []byte // current token
	stem    []byte
	line    []byte // current normalized line
}

// A vocabulary is kept over many texts, so that most tokens are looked up and
// stemmed only once, but its size is limited.
const (
	maxForms = 1 << 17
	maxBytes = 4 << 20
)

func newVocabulary(o Options) *vocabulary {
	return &vocabulary{options: o, forms: map[string]int32{}, stems: map[string]int32{}}
}

// size returns one more than the highest token id.
func (v *vocabulary) size() int { return int(v.count) }

// trim clears the vocabulary when it is large, which invalidates texts read
// before.
func (v *vocabulary) trim() {
	if len(v.forms) > maxForms || v.bytes > maxBytes {
		*v = vocabulary{options: v.options, forms: map[string]int32{}, stems: map[string]int32{}}
	}
}

// read sets t to the tokens of the lines.
func (v *vocabulary) read(t *tokens, lines []string) error {
	t.ids, t.ends = t.ids[:0], t.ends[:0]
	words := 0
	for i, line := range lines {
		if v.options.LimitWords > 0 && words >= v.options.LimitWords {
			break
		}
		start := len(t.ids)
		if v.options.Unicode {
			t.ids = v.appendUnicode(t.ids, line)
			if rest := v.options.LimitWords - words; v.options.LimitWords > 0 && len(t.ids)-start > rest {
				t.ids = t.ids[:start+rest]
			}
			words += len(t.ids) - start
		} else {
			if v.options.LimitWords > 0 {
				var n int
				line, n = firstWords(line, v.options.LimitWords-words)
				words += n
			}
			t.ids = v.appendASCII(t.ids, line)
		}
		if len(t.ids)-start > MaxSentence {
			return fmt.Errorf("line %d: %w of at most %d tokens", i+1, ErrLongSentence, MaxSentence)
		}
		t.ends = append(t.ends, int32(len(t.ids)))
	}
	return nil
}

func (v *vocabulary) hasToken(lines []string) bool {
	for _, line := range lines {
		if v.options.Unicode {
			for _, c := range line {
				if classOf(c) == solid || classOf(c) == part {
					return true
				}
			}
			continue
		}
		for i := range len(line) {
			if lower[line[i]] != 0 {
				return true
			}
		}
	}
	return false
}

// firstWords truncates a line after n words and returns their number. White space
// is Perl's \s for bytes, and leading white space counts as a word, as with Perl's
// split.
func firstWords(line string, n int) (string, int) {
	words := 0
	for i := 0; i < len(line); {
		start := i
		for i < len(line) && isSpace(line[i]) {
			i++
		}
		if i == len(line) {
			break
		}
		if start == 0 && i > 0 {
			if words++; words == n {
				return "", words
			}
		}
		for i < len(line) && !isSpace(line[i]) {
			i++
		}
		if words++; words == n {
			return line[:i], words
		}
	}
	return line, words
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// lower maps ASCII letters and digits to lower case, and all other bytes to 0.
var lower = func() (table [256]byte) {
	for c := byte('0'); c <= '9'; c++ {
		table[c] = c
	}
	for c := byte('a'); c <= 'z'; c++ {
		table[c] = c
		table[c-'a'+'A'] = c
	}
	return table
}()

// appendASCII appends the tokens that ROUGE-1.5.5 finds in a line: runs of ASCII
// letters and digits. (It separates hyphens, but drops them: tokens never start
// with one.)
func (v *vocabulary) appendASCII(ids []int32, line string) []int32 {
	for i := 0; i < len(line); {
		c := lower[line[i]]
		if c == 0 {
			i++
			continue
		}
		v.token = v.token[:0]
		for c != 0 {
			v.token = append(v.token, c)
			if i++; i == len(line) {
				break
			}
			c = lower[line[i]]
		}
		ids = append(ids, v.number(v.token))
	}
	return ids
}

// number returns the id of a lower-case token.
func (v *vocabulary) number(token []byte) int32 {
	if id, known := v.forms[string(token)]; known {
		return id
	}
	form := string(token)
	v.bytes += len(form)
	if !v.options.Stem {
		id := v.next()
		v.forms[form] = id
		return id
	}
	v.stem = stemTo(v.stem, form)
	id, known := v.stems[string(v.stem)]
	if !known {
		id = v.next()
		v.bytes += len(v.stem)
		v.stems[string(v.stem)] = id
	}
	v.forms[form] = id
	return id
}

func (v *vocabulary) next() int32 {
	v.count++
	return v.count - 1
}

// stemTo returns the stem of a token for Options.Stem, in dst's memory.
func stemTo(dst []byte, token string) []byte {
	dst = append(dst[:0], token...)
	if len(token) <= 3 || !isASCII(token) {
		return dst
	}
	if base, known := exceptions()[token]; known {
		return append(dst[:0], base...)
	}
	return porter(dst)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
