package tokenizer

import (
	"unicode/utf8"

	"github.com/cerasum/cerasum/internal/trie"
)

// wordPiece splits a word into pieces from the left, longest match first (Wu et al.
// 2016). A word that cannot be split completely is unknown.
type wordPiece struct {
	trie     *trie.Trie // values are ids
	prefix   int32      // state after the prefix of pieces that continue a word
	prefixed bool       // that state exists
	unk      int32      // id for unknown words
	maxChars int        // longer words are unknown
	fuse     bool       // consecutive unknown words become one
}

func (w *wordPiece) encode(dst []int32, words []string) []int32 {
	start := len(dst)
	for _, word := range words {
		dst = w.encodeWord(dst, word)
	}
	if w.fuse {
		dst = collapse(dst, start, w.unk)
	}
	return dst
}

func (w *wordPiece) encodeWord(dst []int32, word string) []int32 {
	if len(word) > w.maxChars && utf8.RuneCountInString(word) > w.maxChars {
		return append(dst, w.unk)
	}
	start := len(dst)
	nodes := w.trie.Nodes
	for at := 0; at < len(word); {
		state := int32(0)
		if at > 0 {
			if !w.prefixed {
				return append(dst[:start], w.unk)
			}
			state = w.prefix
		}
		id, next := int32(-1), at
		for end := at; end < len(word); {
			to := nodes[state].Base + int32(word[end])
			if int(to) >= len(nodes) || nodes[to].Owner != state || to == 0 {
				break
			}
			state = to
			end++
			if nodes[state].Value >= 0 {
				id, next = nodes[state].Value, end
			}
		}
		if id < 0 {
			return append(dst[:start], w.unk)
		}
		dst = append(dst, id)
		at = next
	}
	return dst
}
