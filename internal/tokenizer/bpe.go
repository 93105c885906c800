package tokenizer

import (
	"sync"
	"unicode/utf8"
)

// bpe merges the characters of a word pair by pair: pairs learned earlier first, and of
// equal pairs the leftmost (Sennrich et al. 2016).
type bpe struct {
	vocabulary   *vocabulary
	symbols      map[string]int32  // characters and the results of merges
	names        []string          // of the symbols
	merges       map[uint64]merged // by left and right symbol
	wordSuffix   string            // of the last character of a word
	inner        string            // suffix of all tokens of a word but the last
	unk          int32             // -1: unknown text is left out
	fuse         bool
	byteFallback bool
	whole        bool      // a word that is a token is not split
	bytes        []int32   // ids of <0x00> to <0xFF>, -1 if there is none
	scratch      sync.Pool // of *bpeScratch
}

type merged struct {
	rank   int32
	symbol int32
}

type bpeScratch struct {
	parts []part
	heap  []candidate
	text  []byte
}

// part is a symbol of the current word.
type part struct {
	symbol     int32 // -1 for a character that no merge contains
	start, end int   // offsets in the word, in bytes
	prev, next int32 // parts, -1 at the ends
	version    int32 // changes with the symbol; -1 for a part that was merged into another
}

// candidate is a pair that may be merged.
type candidate struct {
	rank, left        int32
	version, version2 int32
	symbol            int32
}

func (c candidate) before(d candidate) bool {
	return c.rank < d.rank || c.rank == d.rank && c.left < d.left
}

// newBPE creates a model from its merges, pairs in the order of the file.
func newBPE(v *vocabulary, pairs [][2]string) *bpe {
	b := &bpe{vocabulary: v, symbols: map[string]int32{}, merges: make(map[uint64]merged, len(pairs))}
	symbol := func(name string) int32 {
		s, ok := b.symbols[name]
		if !ok {
			s = int32(len(b.names))
			b.symbols[name] = s
			b.names = append(b.names, name)
		}
		return s
	}
	for rank, pair := range pairs {
		key := pairKey(symbol(pair[0]), symbol(pair[1]))
		// The later rank of a duplicate pair counts.
		b.merges[key] = merged{int32(rank), symbol(pair[0] + pair[1])}
	}
	b.scratch.New = func() any { return new(bpeScratch) }
	return b
}

func pairKey(left, right int32) uint64 { return uint64(uint32(left))<<32 | uint64(uint32(right)) }

func (b *bpe) setByteFallback() {
	b.byteFallback = true
	b.bytes = make([]int32, 256)
	for i := range b.bytes {
		name := "<0x" + string("0123456789ABCDEF"[i>>4]) + string("0123456789ABCDEF"[i&15]) + ">"
		b.bytes[i] = -1
		if _, ok := b.vocabulary.ids[name]; ok {
			b.bytes[i], _ = b.vocabulary.id(name)
		}
	}
}

func (b *bpe) encode(dst []int32, words []string) []int32 {
	start := len(dst)
	s := b.scratch.Get().(*bpeScratch)
	for _, word := range words {
		if word == "" {
			continue
		}
		if b.whole {
			if _, ok := b.vocabulary.ids[word]; ok {
				id, _ := b.vocabulary.id(word)
				dst = append(dst, id)
				continue
			}
		}
		dst = b.encodeWord(dst, s, word)
	}
	b.scratch.Put(s)
	if b.fuse {
		dst = collapse(dst, start, b.unk)
	}
	return dst
}

func (b *bpe) encodeWord(dst []int32, s *bpeScratch, word string) []int32 {
	s.parts = s.parts[:0]
	for i := 0; i < len(word); {
		_, size := utf8.DecodeRuneInString(word[i:])
		n := int32(len(s.parts))
		s.parts = append(s.parts, part{start: i, end: i + size, prev: n - 1, next: n + 1})
		i += size
	}
	last := len(s.parts) - 1
	s.parts[last].next = -1
	for i := range s.parts {
		p := &s.parts[i]
		p.symbol = -1
		s.text = b.partText(s.text[:0], word, p)
		if symbol, ok := b.symbols[string(s.text)]; ok {
			p.symbol = symbol
		}
	}
	s.heap = s.heap[:0]
	for i := range last {
		b.consider(s, int32(i))
	}
	for len(s.heap) > 0 {
		c := s.pop()
		left := &s.parts[c.left]
		if left.version != c.version || left.next < 0 || s.parts[left.next].version != c.version2 {
			continue
		}
		right := &s.parts[left.next]
		left.symbol, left.end, left.next = c.symbol, right.end, right.next
		left.version++
		right.version = -1
		if left.next >= 0 {
			s.parts[left.next].prev = c.left
			b.consider(s, c.left)
		}
		if left.prev >= 0 {
			b.consider(s, left.prev)
		}
	}
	for i := int32(0); i >= 0; i = s.parts[i].next {
		p := &s.parts[i]
		s.text = b.partText(s.text[:0], word, p)
		if p.next >= 0 {
			s.text = append(s.text, b.inner...)
		}
		dst = b.appendToken(dst, s.text)
	}
	return dst
}

// partText appends the text of a part as merges and vocabulary contain it.
func (b *bpe) partText(dst []byte, word string, p *part) []byte {
	dst = append(dst, word[p.start:p.end]...)
	if p.end == len(word) {
		dst = append(dst, b.wordSuffix...)
	}
	return dst
}

// appendToken appends the id of a token, or of the unknown token.
func (b *bpe) appendToken(dst []int32, token []byte) []int32 {
	if id, ok := b.vocabulary.ids[string(token)]; ok {
		if added, ok := b.vocabulary.added[string(token)]; ok {
			id = added
		}
		return append(dst, id)
	}
	if b.byteFallback {
		start := len(dst)
		for _, c := range token {
			if b.bytes[c] < 0 {
				dst = dst[:start]
				break
			}
			dst = append(dst, b.bytes[c])
		}
		if len(dst) > start {
			return dst
		}
	}
	if b.unk >= 0 {
		dst = append(dst, b.unk)
	}
	return dst
}

// consider adds the pair of a part and the next one to the heap if it can be merged.
func (b *bpe) consider(s *bpeScratch, i int32) {
	left := &s.parts[i]
	right := &s.parts[left.next]
	if left.symbol < 0 || right.symbol < 0 {
		return
	}
	m, ok := b.merges[pairKey(left.symbol, right.symbol)]
	if !ok {
		return
	}
	s.push(candidate{rank: m.rank, left: i, version: left.version, version2: right.version, symbol: m.symbol})
}

func (s *bpeScratch) push(c candidate) {
	s.heap = append(s.heap, c)
	i := len(s.heap) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !s.heap[i].before(s.heap[up]) {
			break
		}
		s.heap[i], s.heap[up] = s.heap[up], s.heap[i]
		i = up
	}
}

func (s *bpeScratch) pop() candidate {
	top := s.heap[0]
	n := len(s.heap) - 1
	s.heap[0] = s.heap[n]
	s.heap = s.heap[:n]
	for i := 0; ; {
		child := 2*i + 1
		if child >= n {
			break
		}
		if child+1 < n && s.heap[child+1].before(s.heap[child]) {
			child++
		}
		if !s.heap[child].before(s.heap[i]) {
			break
		}
		s.heap[i], s.heap[child] = s.heap[child], s.heap[i]
		i = child
	}
	return top
}
