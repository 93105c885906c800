package tokenizer

import (
	"math"
	"sync"
	"unicode/utf8"

	"github.com/cerasum/cerasum/internal/trie"
)

// unigram splits a word into the pieces with the highest sum of scores, which are log
// probabilities (Kudo 2018).
type unigram struct {
	trie     *trie.Trie // values are places in pieces
	pieces   []piece    // in the order of the file
	unkScore float64    // of an unknown character
	unknowns *unknowns  // merges unknown text
	scratch  sync.Pool  // of *lattice
}

type piece struct {
	score float64
	id    int32
	unk   bool // has the id of the unknown token
}

// unkPenalty is the difference between the worst piece and an unknown character.
const unkPenalty = 10

// newUnigram creates a model from the pieces, in order of their ids, and the id of the
// unknown token. The added tokens must already be in the vocabulary.
func newUnigram(v *vocabulary, tokens []string, scores []float64, unk int32) (*unigram, error) {
	least := math.Inf(1)
	for _, s := range scores {
		least = min(least, s)
	}
	u := &unigram{unkScore: least - unkPenalty, unknowns: newUnknowns(v, unk), pieces: make([]piece, len(tokens))}
	scores[unk] = u.unkScore
	values := make([]int32, len(tokens))
	for i, token := range tokens {
		values[i] = int32(i)
		own := v.ids[token] // not i for duplicates and for added tokens with another id
		final, _ := v.id(token)
		u.pieces[i] = piece{score: scores[own], id: final, unk: own == unk}
	}
	var err error
	if u.trie, err = trie.New(tokens, values); err != nil {
		return nil, err
	}
	u.scratch.New = func() any { return new(lattice) }
	return u, nil
}

// lattice holds, for each byte of a word at which a piece may end, the best path there.
type lattice struct {
	ways    []way
	path    []int32 // ends of pieces, last first
	pending []byte  // unknown text not yet written
	open    bool    // there is such text
}

type way struct {
	score float64
	from  int32 // start of the last piece
	piece int32 // the last piece, -1 for an unknown character
}

func (u *unigram) encode(dst []int32, words []string) []int32 {
	l := u.scratch.Get().(*lattice)
	l.pending, l.open = l.pending[:0], false
	for _, word := range words {
		if !u.viterbi(l, word) {
			u.viterbiExact(l, word)
		}
		dst = u.appendPath(dst, l, word)
	}
	if l.open {
		dst = u.unknowns.flush(dst, l.pending)
	}
	u.scratch.Put(l)
	return dst
}

// near is the difference of two paths below which rounding may change their order: the
// reference compares sums that already include the next piece's score.
const near = 1e-10

// viterbi fills the lattice. It returns false if two paths are so close that only the
// reference's order of additions can decide.
func (u *unigram) viterbi(l *lattice, word string) bool {
	n := len(word)
	if cap(l.ways) < n+1 {
		l.ways = make([]way, n+1, 2*n+64)
	}
	ways := l.ways[:n+1]
	for i := range ways {
		ways[i] = way{score: math.Inf(-1), from: -1}
	}
	ways[0].score = 0
	nodes, pieces := u.trie.Nodes, u.pieces
	for at := 0; at < n; {
		first := 1
		if word[at] >= utf8.RuneSelf {
			_, first = utf8.DecodeRuneInString(word[at:])
		}
		here := ways[at].score
		state, single := int32(0), false
		for end := at; end < n; {
			next := nodes[state].Base + int32(word[end])
			if int(next) >= len(nodes) || nodes[next].Owner != state || next == 0 {
				break
			}
			state = next
			end++
			if p := nodes[state].Value; p >= 0 {
				if !better(&ways[end], here+pieces[p].score, int32(at), p) {
					return false
				}
				single = single || end == at+first
			}
		}
		if !single && !better(&ways[at+first], here+u.unkScore, int32(at), -1) {
			return false
		}
		at += first
	}
	l.ways = ways
	return true
}

// better replaces the current path with another if that is better; ties keep the
// earlier start. It returns false if they are too close to decide.
func better(w *way, score float64, from, piece int32) bool {
	if d := score - w.score; d > 0 {
		if d < near*-score && w.from >= 0 {
			return false
		}
		*w = way{score: score, from: from, piece: piece}
	} else if d < 0 && -d < near*-score {
		return false
	}
	return true
}

// appendPath writes the pieces of the best path through a word.
func (u *unigram) appendPath(dst []int32, l *lattice, word string) []int32 {
	l.path = l.path[:0]
	for end := int32(len(word)); end > 0; end = l.ways[end].from {
		l.path = append(l.path, end)
	}
	for i := len(l.path) - 1; i >= 0; i-- {
		end := l.path[i]
		w := l.ways[end]
		if w.piece >= 0 && !u.pieces[w.piece].unk {
			if l.open {
				dst = u.unknowns.flush(dst, l.pending)
				l.pending, l.open = l.pending[:0], false
			}
			dst = append(dst, u.pieces[w.piece].id)
			continue
		}
		l.pending = u.unknowns.add(l.pending, word[w.from:end], l.open)
		l.open = true
	}
	return dst
}

// viterbiExact is viterbi with the additions and comparisons of the reference in the
// same order: the best path to a piece includes the piece's own score.
func (u *unigram) viterbiExact(l *lattice, word string) {
	type cut struct {
		from, piece int32
		score       float64 // of the path up to and including this piece
	}
	n := len(word)
	ends := make([][]cut, n+1) // pieces by where they end, in order of their starts
	ends[0] = []cut{{from: -1, piece: -1}}
	// The path to a piece starts with the previous piece, identified by its end (this
	// piece's start) and its index in ends.
	before := make([][]int32, n+1)
	insert := func(from, end int, piece int32, score float64) {
		best, bestScore := int32(-1), 0.0
		for i, c := range ends[from] {
			if s := c.score + score; best < 0 || s > bestScore {
				best, bestScore = int32(i), s
			}
		}
		ends[end] = append(ends[end], cut{int32(from), piece, bestScore})
		before[end] = append(before[end], best)
	}
	for at := 0; at < n; {
		_, first := utf8.DecodeRuneInString(word[at:])
		state, single := int32(0), false
		for end := at; end < n; {
			next, ok := u.trie.Step(state, word[end])
			if !ok {
				break
			}
			state = next
			end++
			if p := u.trie.Nodes[state].Value; p >= 0 {
				insert(at, end, p, u.pieces[p].score)
				single = single || end == at+first
			}
		}
		if !single {
			insert(at, at+first, -1, u.unkScore)
		}
		at += first
	}
	if cap(l.ways) < n+1 {
		l.ways = make([]way, n+1)
	}
	l.ways = l.ways[:n+1]
	best, bestScore := int32(-1), 0.0
	for i, c := range ends[n] {
		if best < 0 || c.score > bestScore {
			best, bestScore = int32(i), c.score
		}
	}
	for end := n; end > 0; {
		c := ends[end][best]
		l.ways[end] = way{from: c.from, piece: c.piece}
		best, end = before[end][best], int(c.from)
	}
}
