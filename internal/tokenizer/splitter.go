package tokenizer

import "github.com/cerasum/cerasum/internal/trie"

// splitter finds the added tokens in a text from the left, longest match first.
type splitter struct {
	trie  *trie.Trie
	first [256]bool // bytes with which one of them starts
	any   bool
}

func newSplitter(tokens []string) (*splitter, error) {
	t, err := trie.New(tokens, make([]int32, len(tokens)))
	if err != nil {
		return nil, err
	}
	s := &splitter{trie: t}
	for _, token := range tokens {
		if token != "" {
			s.first[token[0]] = true
			s.any = true
		}
	}
	return s, nil
}

// split appends to dst the added tokens of a text and the stretches between them.
func (s *splitter) split(dst []string, text string) []string {
	start := 0
	if s.any {
		for i := 0; i < len(text); {
			end := 0
			if s.first[text[i]] {
				end = s.longest(text, i)
			}
			if end == 0 {
				i++
				continue
			}
			if start < i {
				dst = append(dst, text[start:i])
			}
			dst = append(dst, text[i:end])
			i, start = end, end
		}
	}
	if start < len(text) {
		dst = append(dst, text[start:])
	}
	return dst
}

// longest returns the end of the longest token that starts at i, 0 for none.
func (s *splitter) longest(text string, i int) int {
	end := 0
	state, ok := int32(0), true
	for j := i; j < len(text); j++ {
		if state, ok = s.trie.Step(state, text[j]); !ok {
			break
		}
		if s.trie.Nodes[state].Value >= 0 {
			end = j + 1
		}
	}
	return end
}
