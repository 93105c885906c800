package lexical

import (
	"context"
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/clipperhouse/uax29/v2/words"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/text"
)

// Term is one entry of the vocabulary of a cluster.
type Term struct {
	// Text is the stem, or the pair of characters.
	Text string
	// Stop reports a stop word of its document's language. The same text may be
	// two terms, one of them a stop word: "die" in German and in English, "us" and
	// "US".
	Stop bool
	// Background is the share of sentences, in 0..1, that contain the term in
	// general text of its language; if several languages of the cluster have the
	// term, the largest share.
	Background float64
	// Event reports a word that tells an event, a decision or a figure, such as
	// "killed", "approved", "percent", in one of the languages that have the term.
	Event bool
}

// Analysis is the result of [Analyze].
type Analysis struct {
	// Refs names the N sentences, in document order: row k of every matrix belongs
	// to Refs[k].
	Refs []cluster.Ref
	// Sentences[k] lists the terms of sentence k in order, with repetitions, as
	// indices into Terms.
	Sentences [][]int32
	// Terms is the vocabulary, in order of first appearance.
	Terms []Term

	// languages[t] is the bit set of the cluster's languages that have term t;
	// sentenceLanguage[k] is the bit of sentence k.
	languages        []uint64
	sentenceLanguage []uint64
	// documents is the number of documents that have sentences.
	documents int
}

// checkEvery is the number of sentences between two checks of the context.
const checkEvery = 256

// Analyze converts every sentence of the cluster to terms, in the languages of its
// documents (an unknown or empty language means no stemming and no stop words). It
// accepts any text: invalid UTF-8 separates words. It returns ctx.Err() if the
// context ends first.
func Analyze(ctx context.Context, c *cluster.Cluster) (*Analysis, error) {
	refs := c.Refs()
	an := analyzer{
		out: &Analysis{
			Refs:             refs,
			Sentences:        make([][]int32, len(refs)),
			sentenceLanguage: make([]uint64, len(refs)),
		},
		ids:     map[termKey]int32{},
		readers: map[string]*reader{},
		env:     snowballstem.NewEnv(""),
	}
	var flat []int32
	ends := make([]int, len(refs))
	document, r := -1, (*reader)(nil)
	for k, ref := range refs {
		if k%checkEvery == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		if ref.Document != document {
			document = ref.Document
			an.out.documents++
			r = an.reader(c.Documents[document].Language)
		}
		an.out.sentenceLanguage[k] = r.bit
		flat = r.read(flat, c.At(ref).Text)
		ends[k] = len(flat)
	}
	start := 0
	for k, end := range ends {
		an.out.Sentences[k] = flat[start:end:end]
		start = end
	}
	return an.out, nil
}

// termKey identifies a term.
type termKey struct {
	text string
	stop bool
}

type analyzer struct {
	out     *Analysis
	ids     map[termKey]int32
	readers map[string]*reader
	env     *snowballstem.Env // reused by the stemmers
}

// reader reads the sentences of one language.
type reader struct {
	*analyzer
	lang *language
	bit  uint64
	// cache maps a word as written to its term, to none or to acronym. A word is
	// folded, stemmed and looked up once; later uses cost one map access.
	cache map[string]int32
	// graphemes is reused for runs of characters.
	graphemes *graphemes.Iterator[string]
	// sentence is the current one; shouted is the result of inCapitals.
	sentence string
	shouted  answer
}

// answer is a lazily computed boolean.
type answer uint8

const (
	undecided answer = iota
	yes
	no
)

const (
	none    = -1 // a segment without letters and digits
	acronym = -2 // a stop word in capitals: the sentence decides
)

func (an *analyzer) reader(tag string) *reader {
	tag = primary(tag)
	r := an.readers[tag]
	if r == nil {
		r = &reader{
			analyzer: an,
			lang:     lookUp(tag),
			// In a cluster of more than 64 languages, the last bit is shared.
			bit:       1 << min(len(an.readers), 63),
			cache:     map[string]int32{},
			graphemes: graphemes.FromString(""),
		}
		an.readers[tag] = r
	}
	return r
}

// read appends the terms of a sentence to dst.
func (r *reader) read(dst []int32, sentence string) []int32 {
	sentence = text.OneLine(sentence)
	it := words.FromString(sentence)
	r.sentence, r.shouted = sentence, undecided
	var run span // pending run of characters of a script without spaces
	for it.Next() {
		start, end := it.Start(), it.End()
		b := sentence[start]
		if b < 0x80 {
			if end-start == 1 && !isASCIIWord(b) {
				continue
			}
		} else if s := scriptAt(sentence[start:]); s != spaced {
			if s == sound {
				s = hiragana
				if run.script == katakana {
					s = katakana
				}
			}
			if run.script == s && run.end == start {
				run.end = end
				continue
			}
			dst = r.pairs(dst, sentence, run)
			run = span{s, start, end}
			continue
		}
		if run.script != spaced {
			dst = r.pairs(dst, sentence, run)
			run = span{}
		}
		dst = r.word(dst, sentence[start:end])
	}
	return r.pairs(dst, sentence, run)
}

// word appends the term of a word segment, if it has one.
func (r *reader) word(dst []int32, word string) []int32 {
	id, ok := r.cache[word]
	if !ok {
		id = r.define(word)
		r.cache[word] = id
	}
	switch id {
	case none:
		return dst
	case acronym:
		folded, dotted := r.fold(word)
		if dotted || !r.inCapitals() {
			id = r.term(r.lang.stem(r.env, folded), false)
		} else {
			id = r.term(folded, true)
		}
	}
	return append(dst, id)
}

// inCapitals reports whether the sentence has no small letters. Capitals then do not
// make a stop word an acronym.
func (r *reader) inCapitals() bool {
	if r.shouted == undecided {
		r.shouted = yes
		if strings.ContainsFunc(r.sentence, isLower) {
			r.shouted = no
		}
	}
	return r.shouted == yes
}

// define determines the term of a new word.
func (r *reader) define(word string) int32 {
	if !hasWordRune(word) {
		return none
	}
	folded, dotted := r.fold(word)
	switch {
	case folded == "":
		return none
	case !r.lang.isStop(folded):
		return r.term(r.lang.stem(r.env, folded), false)
	case isAcronym(word, dotted):
		return acronym
	}
	return r.term(folded, true)
}

// fold folds a word and strips clitics joined by an apostrophe.
func (r *reader) fold(word string) (folded string, dotted bool) {
	folded, dotted = fold(word, r.lang.tag)
	return r.lang.strip(folded), dotted
}

// pairs appends the overlapping pairs of characters (grapheme clusters) of a
// run, or its one character.
func (r *reader) pairs(dst []int32, sentence string, run span) []int32 {
	if run.script == spaced {
		return dst
	}
	text := sentence[run.start:run.end]
	r.graphemes.SetText(text)
	before, n := 0, 0
	for r.graphemes.Next() {
		if n++; n > 1 {
			dst = r.pair(dst, text[before:r.graphemes.End()], run.script)
		}
		before = r.graphemes.Start()
	}
	if n == 1 {
		dst = r.pair(dst, text, run.script)
	}
	return dst
}

// pair appends the term of a pair of characters, or of one.
func (r *reader) pair(dst []int32, text string, s script) []int32 {
	id, ok := r.cache[text]
	if !ok {
		// A segment may end in bytes that are no UTF-8.
		valid := strings.ToValidUTF8(text, "")
		id = r.term(valid, r.lang.isStopPair(valid, s))
		r.cache[text] = id
	}
	return append(dst, id)
}

// term returns the index of a term of this language, new or not.
func (r *reader) term(text string, stop bool) int32 {
	key := termKey{text, stop}
	id, ok := r.ids[key]
	if !ok {
		id = int32(len(r.out.Terms))
		r.ids[key] = id
		r.out.Terms = append(r.out.Terms, Term{Text: text, Stop: stop})
		r.out.languages = append(r.out.languages, 0)
	}
	r.out.languages[id] |= r.bit
	t := &r.out.Terms[id]
	t.Background = max(t.Background, r.lang.background(text))
	t.Event = t.Event || r.lang.isEvent(text)
	return id
}
