package clustering

import (
	"cmp"
	"math"
	"slices"

	"github.com/cerasum/cerasum/internal/lexical"
	"github.com/cerasum/cerasum/internal/text"
)

// Limits of a document's features.
const (
	// maxText is the number of bytes of a text that are read: news tells what
	// happened at the start.
	maxText = 16 << 10
	// maxDetect is the number of bytes of which the language is detected.
	maxDetect = 1 << 10
	// sketchSize is the number of values of a MinHash sketch.
	sketchSize = 32
	// shingle is the number of words of which a hash is an element of the set that
	// the sketch estimates.
	shingle = 4
)

// A feature is a term of a document.
type feature struct {
	hash  uint32
	count uint8 // times it occurs, at most 255
}

// sketch is a MinHash sketch: the share of equal values of two sketches estimates the
// Jaccard index of the sets of word sequences of two texts. All values are
// math.MaxUint32 if a text has less than [shingle] words.
type sketch [sketchSize]uint32

func (s *sketch) empty() bool { return s[0] == math.MaxUint32 }

// add adds an element by its hash.
func (s *sketch) add(h uint64) {
	for i := range s {
		h = mix(h)
		s[i] = min(s[i], uint32(h>>32))
	}
}

// equal returns the number of equal values.
func (s *sketch) equal(other *sketch) (n int) {
	for i := range s {
		if s[i] == other[i] {
			n++
		}
	}
	return n
}

// Features are what the clustering knows of a text.
type Features struct {
	terms  []feature // by hash
	sketch sketch
}

// Analyzer reads texts. It is not safe for concurrent use.
type Analyzer struct {
	tokenizers map[string]*lexical.Tokenizer
	read       int // documents since the tokenizers were made
	tokens     []lexical.Token
	counts     map[uint32]uint8
}

// NewAnalyzer returns an analyzer of all languages.
func NewAnalyzer() *Analyzer {
	return &Analyzer{tokenizers: map[string]*lexical.Tokenizer{}, counts: map[uint32]uint8{}}
}

// renewEvery is the number of documents after which the tokenizers are replaced: they
// keep each word with its stem.
const renewEvery = 1 << 14

// Features reads a document. If the language, an ISO 639-1 tag, is empty, it is
// detected.
func (a *Analyzer) Features(title, body, language string) *Features {
	if len(body) > maxText {
		body = body[:maxText]
	}
	if language == "" {
		language = text.Detect(body[:min(len(body), maxDetect)])
	}
	if a.read++; a.read%renewEvery == 0 {
		clear(a.tokenizers)
	}
	t := a.tokenizers[language]
	if t == nil {
		t = lexical.NewTokenizer(language)
		a.tokenizers[language] = t
	}
	f := &Features{}
	for i := range f.sketch {
		f.sketch[i] = math.MaxUint32
	}
	clear(a.counts)
	for i, part := range []string{title, body} {
		a.tokens = t.AppendTo(a.tokens[:0], part)
		var window [shingle]uint64
		for n, token := range a.tokens {
			h := hash(token.Term)
			if i == 1 {
				window[n%shingle] = h
				if n+1 >= shingle {
					f.sketch.add(sequence(&window, n+1))
				}
			}
			if key := uint32(h); !token.Stop && a.counts[key] < math.MaxUint8 {
				a.counts[key]++
			}
		}
	}
	f.terms = make([]feature, 0, len(a.counts))
	for key, n := range a.counts {
		f.terms = append(f.terms, feature{key, n})
	}
	slices.SortFunc(f.terms, func(x, y feature) int { return cmp.Compare(x.hash, y.hash) })
	return f
}

// sequence returns the hash of the words in a ring buffer, of which the oldest is at
// from.
func sequence(window *[shingle]uint64, from int) (h uint64) {
	for i := range window {
		h = mix(h*31 + window[(from+i)%shingle])
	}
	return h
}

// hash is FNV-1a, mixed: the same on every machine and in every run.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return mix(h)
}

// mix is the finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
func mix(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
