package unigram

import (
	"errors"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/cerasum/cerasum/internal/errorf"
	"github.com/cerasum/cerasum/internal/trie"
)

// Vocabulary is what a vocabulary file holds. The pieces are in order of their ids: the
// four special tokens, then the others in byte order, so that the file compresses well.
type Vocabulary struct {
	Pieces  []string
	Scores  []float32        // log probability of each piece
	Map     map[rune]string  // what characters become; an empty string leaves one out
	Compose map[[2]rune]rune // a character and a combining mark: what they are together
}

const magic = "cerasum vocabulary 1\n"

const (
	maxPieces   = 1 << 20
	maxPiece    = 255 // bytes
	maxMappings = 1 << 16
)

// Append appends the file of a vocabulary to dst:
//
//	magic, the number of pieces (uvarint)
//	for each piece, the number of bytes that it shares with the piece before (a byte)
//	the rest of each piece, followed by a zero byte
//	the scores, float32, little-endian: first bytes of all, second bytes of all, and so on
//	the number of mapped characters (uvarint); for each, in order, the difference to the
//	one before, the number of characters that it becomes, and these (uvarints)
//	the number of compositions (uvarint); for each the character, the mark, and what
//	they become (uvarints)
func (v *Vocabulary) Append(dst []byte) []byte {
	uv := func(n int) {
		for ; n >= 0x80; n >>= 7 {
			dst = append(dst, byte(n)|0x80)
		}
		dst = append(dst, byte(n))
	}
	dst = append(dst, magic...)
	uv(len(v.Pieces))
	before := ""
	var rest []byte
	for _, p := range v.Pieces {
		n := 0
		for n < min(len(before), len(p)) && before[n] == p[n] {
			n++
		}
		dst = append(dst, byte(n))
		rest = append(append(rest, p[n:]...), 0)
		before = p
	}
	dst = append(dst, rest...)
	for shift := 0; shift < 32; shift += 8 {
		for _, s := range v.Scores {
			dst = append(dst, byte(math.Float32bits(s)>>shift))
		}
	}
	uv(len(v.Map))
	last := rune(0)
	for _, r := range sortedKeys(v.Map, func(a, b rune) int { return int(a - b) }) {
		to := []rune(v.Map[r])
		uv(int(r - last))
		uv(len(to))
		for _, t := range to {
			uv(int(t))
		}
		last = r
	}
	uv(len(v.Compose))
	for _, p := range sortedKeys(v.Compose, func(a, b [2]rune) int { return slices.Compare(a[:], b[:]) }) {
		uv(int(p[0]))
		uv(int(p[1]))
		uv(int(v.Compose[p]))
	}
	return dst
}

func sortedKeys[K comparable, V any](m map[K]V, compare func(a, b K) int) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compare)
	return keys
}

// ReadVocabulary reads a file that Append wrote.
func ReadVocabulary(file []byte) (*Vocabulary, error) {
	r := &reader{rest: file}
	if string(r.bytes(len(magic))) != magic {
		return nil, errors.New("not a vocabulary file of this version")
	}
	n := r.number(maxPieces)
	if r.failed || n <= Unknown {
		return nil, errorf.Errorf("want %d to %d pieces", Unknown+1, maxPieces)
	}
	v := &Vocabulary{Pieces: make([]string, n), Scores: make([]float32, n), Map: map[rune]string{}, Compose: map[[2]rune]rune{}}
	shared := r.bytes(n)
	before := ""
	for i := range shared {
		rest := r.until(0)
		if r.failed || int(shared[i]) > len(before) || int(shared[i])+len(rest) > maxPiece {
			return nil, errorf.Errorf("piece %d is damaged", i)
		}
		before = before[:shared[i]] + string(rest)
		v.Pieces[i] = before
	}
	scores := r.bytes(4 * n)
	if r.failed {
		return nil, errors.New("the scores are incomplete")
	}
	for i := range n {
		v.Scores[i] = math.Float32frombits(uint32(scores[i]) | uint32(scores[n+i])<<8 | uint32(scores[2*n+i])<<16 | uint32(scores[3*n+i])<<24)
		if s := v.Scores[i]; s > 0 || s < -1000 || s != s {
			return nil, errorf.Errorf("score of piece %d: want a log probability, got %v", i, float64(s))
		}
	}
	at := rune(0)
	for range r.number(maxMappings) {
		at += r.rune()
		to := make([]rune, r.number(64))
		for k := range to {
			to[k] = r.rune()
		}
		v.Map[at] = string(to)
	}
	for range r.number(maxMappings) {
		v.Compose[[2]rune{r.rune(), r.rune()}] = r.rune()
	}
	if r.failed {
		return nil, errors.New("the character map is damaged")
	}
	if len(r.rest) > 0 {
		return nil, errors.New("trailing data")
	}
	return v, nil
}

// Read makes a tokenizer of a vocabulary file.
func Read(file []byte) (*Tokenizer, error) {
	v, err := ReadVocabulary(file)
	if err != nil {
		return nil, err
	}
	return New(v)
}

// New makes a tokenizer of a vocabulary.
func New(v *Vocabulary) (*Tokenizer, error) {
	n := &normalizer{runes: map[rune]string{}, compose: map[pair]rune{}}
	for c := range n.ascii {
		n.ascii[c] = byte(c)
	}
	for r, to := range v.Map {
		switch {
		case r >= utf8.RuneSelf:
			n.runes[r] = to
		case to == "":
			n.ascii[r] = 0
		case to == " ":
			n.ascii[r] = ' '
		default:
			return nil, errorf.Errorf("character map: %q becomes %q: want a space or nothing", string(r), to)
		}
	}
	for p, to := range v.Compose {
		n.compose[pair{p[0], p[1]}] = to
	}
	t := &Tokenizer{normalizer: n, scores: v.Scores}
	least := float32(0)
	ids := make([]int32, len(v.Pieces))
	for i, s := range v.Scores {
		least = min(least, s)
		ids[i] = int32(i)
	}
	t.unknown = float64(least) - unknownPenalty
	var err error
	// Text never contains the special tokens, whatever it looks like.
	if t.trie, err = trie.New(v.Pieces[Unknown+1:], ids[Unknown+1:]); err != nil {
		return nil, err
	}
	t.scratch.New = func() any { return new(lattice) }
	return t, nil
}

// reader reads a file; after a failure it returns zeros.
type reader struct {
	rest   []byte
	failed bool
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.rest) {
		r.rest, r.failed = nil, true
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

// until returns the bytes before the next end, and skips it.
func (r *reader) until(end byte) []byte {
	if n := slices.Index(r.rest, end); n >= 0 {
		b := r.rest[:n]
		r.rest = r.rest[n+1:]
		return b
	}
	r.rest, r.failed = nil, true
	return nil
}

func (r *reader) number(most int) int {
	n := 0
	for k, c := range r.rest[:min(len(r.rest), 4)] { // encoding/binary would enlarge the page's program
		n |= int(c&0x7f) << (7 * k)
		if c < 0x80 {
			if n > most {
				break
			}
			r.rest = r.rest[k+1:]
			return n
		}
	}
	r.rest, r.failed = nil, true
	return 0
}

func (r *reader) rune() rune { return rune(r.number(utf8.MaxRune)) }
