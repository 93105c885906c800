// Package unigram turns text into the token ids of the shipped sentence encoder: text is
// normalized, spaces become ▁, and each word is split into the pieces of the vocabulary
// with the highest sum of log probabilities (Kudo 2018, https://arxiv.org/abs/1804.10959).
//
// Start with Read, then Append. A Tokenizer is safe for concurrent use.
package unigram

import (
	"math"
	"sync"
	"unicode/utf8"

	"github.com/cerasum/cerasum/internal/trie"
)

// The ids that every vocabulary has.
const (
	BOS     = 0 // <s>, before each window
	PAD     = 1
	EOS     = 2 // </s>, after a title and after each window
	Unknown = 3 // a run of characters that no piece has
)

// space stands for a space in the pieces.
const space = "▁"

// unknownPenalty is the difference between the worst piece and an unknown character.
const unknownPenalty = 10

// Tokenizer is a vocabulary of pieces, ready for use.
type Tokenizer struct {
	normalizer *normalizer
	trie       *trie.Trie // of the pieces; values are ids
	scores     []float32  // log probability of each id
	unknown    float64    // score of an unknown character
	scratch    sync.Pool  // of *lattice
}

// Size is the number of ids: all are in [0, Size).
func (t *Tokenizer) Size() int { return len(t.scores) }

// lattice is the scratch memory of a call.
type lattice struct {
	text []byte // normalized, with ▁
	ways []way  // the best path to each byte of text
	ids  []int32
}

type way struct {
	score float64
	from  int32 // start of the last piece, -1 if no path ends here
	id    int32
}

// Append appends the ids of text to dst, without BOS and EOS, in time linear in the
// length of text. Text without any visible character has none. Invalid UTF-8 is read as
// U+FFFD.
func (t *Tokenizer) Append(dst []int32, text string) []int32 {
	l := t.scratch.Get().(*lattice)
	defer t.scratch.Put(l)
	l.text = t.normalizer.append(l.text[:0], text)
	// A piece has ▁ only as its first character, so that words are independent.
	for rest := l.text; len(rest) > 0; {
		n := len(space)
		for n < len(rest) && !hasSpace(rest[n:]) {
			n++
		}
		dst = t.appendWord(dst, l, rest[:n])
		rest = rest[n:]
	}
	return dst
}

func hasSpace(s []byte) bool { return len(s) >= len(space) && string(s[:len(space)]) == space }

// appendWord appends the ids of a word that starts with ▁.
func (t *Tokenizer) appendWord(dst []int32, l *lattice, word []byte) []int32 {
	n := len(word)
	if cap(l.ways) < n+1 {
		l.ways = make([]way, n+1, 2*n+64)
	}
	ways := l.ways[:n+1]
	for i := range ways {
		ways[i] = way{score: math.Inf(-1), from: -1}
	}
	ways[0].score = 0
	for at := 0; at < n; {
		_, first := utf8.DecodeRune(word[at:])
		here, state, single := ways[at].score, int32(0), false
		for end := at; end < n; {
			next, ok := t.trie.Step(state, word[end])
			if !ok {
				break
			}
			state = next
			end++
			if id := t.trie.Nodes[state].Value; id >= 0 {
				if s := here + float64(t.scores[id]); s > ways[end].score {
					ways[end] = way{score: s, from: int32(at), id: id}
				}
				single = single || end == at+first
			}
		}
		if s := here + t.unknown; !single && s > ways[at+first].score {
			ways[at+first] = way{score: s, from: int32(at), id: Unknown}
		}
		at += first
	}
	l.ids = l.ids[:0]
	for end := int32(n); end > 0; end = ways[end].from {
		id := ways[end].id
		if k := len(l.ids); id == Unknown && k > 0 && l.ids[k-1] == Unknown {
			continue // unknown characters in a row are one token
		}
		l.ids = append(l.ids, id)
	}
	for i := len(l.ids) - 1; i >= 0; i-- {
		if k := len(dst); l.ids[i] == Unknown && k > 0 && dst[k-1] == Unknown {
			continue
		}
		dst = append(dst, l.ids[i])
	}
	return dst
}
