package tokenizer

import (
	"fmt"
	"slices"
	"strings"
)

// trie is a double array: from state s the byte c leads to t = base[s] + c,
// if owner[t] is s. State 0 is the root.
type trie struct {
	nodes []node
}

type node struct {
	base  int32
	owner int32 // -1: free
	value int32 // what the key that ends here carries, -1 for none
}

const (
	maxTokenBytes = 1 << 16 // the longest token that is taken
	maxTrieBytes  = 1 << 28 // of all tokens together
)

// newTrie builds a trie of keys, which need no order; the value of a key that
// stands twice is that of its last place. Empty keys are left out.
func newTrie(keys []string, values []int32) (*trie, error) {
	order := make([]int32, 0, len(keys))
	total := 0
	for i, key := range keys {
		if len(key) > maxTokenBytes {
			return nil, fmt.Errorf("a token has %d bytes; the most is %d", len(key), maxTokenBytes)
		}
		if key != "" {
			order = append(order, int32(i))
			total += len(key)
		}
	}
	if total > maxTrieBytes {
		return nil, fmt.Errorf("the tokens have %d bytes together; the most is %d", total, maxTrieBytes)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return strings.Compare(keys[a], keys[b]) })
	b := builder{keys: keys, values: values, order: order}
	b.grow(1 << 10)
	b.nodes[0].owner = 0
	b.place(0, 0, 0, len(order))
	return &trie{nodes: slices.Clip(b.nodes)}, nil
}

type builder struct {
	nodes  []node
	keys   []string
	values []int32
	order  []int32 // places of the keys, sorted
	first  int     // no free node comes before this one
	labels [256]byte
}

func (b *builder) grow(n int) {
	for len(b.nodes) < n {
		b.nodes = append(b.nodes, node{owner: -1, value: -1})
	}
}

// place lays out the children of a state, of which the keys order[from:to]
// share their first depth bytes. The recursion is as deep as the longest key.
func (b *builder) place(state int32, depth, from, to int) {
	for from < to && len(b.keys[b.order[from]]) == depth {
		b.nodes[state].value = b.values[b.order[from]]
		from++
	}
	if from == to {
		return
	}
	labels := b.labels[:0]
	for i := from; i < to; i++ {
		c := b.keys[b.order[i]][depth]
		if len(labels) == 0 || labels[len(labels)-1] != c {
			labels = append(labels, c)
		}
	}
	base := b.find(labels)
	b.nodes[state].base = base
	for _, c := range labels {
		b.nodes[base+int32(c)].owner = state
	}
	for from < to {
		c := b.keys[b.order[from]][depth]
		next := from + 1
		for next < to && b.keys[b.order[next]][depth] == c {
			next++
		}
		b.place(base+int32(c), depth+1, from, next)
		from = next
	}
}

// find returns a base at which all the labels fall on free nodes.
func (b *builder) find(labels []byte) int32 {
	for b.first < len(b.nodes) && b.nodes[b.first].owner >= 0 {
		b.first++
	}
	tries := 0
	for at := max(b.first, int(labels[0])+1); ; at++ {
		if need := at - int(labels[0]) + 256; need > len(b.nodes) {
			b.grow(need + need/4)
		}
		if b.nodes[at].owner >= 0 {
			continue
		}
		base := at - int(labels[0])
		free := true
		for _, c := range labels[1:] {
			if b.nodes[base+int(c)].owner >= 0 {
				free = false
				break
			}
		}
		if free {
			// A stretch that has become too full to search is left behind.
			if tries > 64 {
				b.first = max(b.first, at-256)
			}
			return int32(base)
		}
		tries++
	}
}

// step follows a byte from a state; ok is false where no key goes on so.
func (t *trie) step(state int32, c byte) (next int32, ok bool) {
	next = t.nodes[state].base + int32(c)
	// Only states with children have a base above 0, and only such a one owns
	// a node: an index past the end needs no child to be asked for.
	if int(next) >= len(t.nodes) {
		return 0, false
	}
	return next, t.nodes[next].owner == state && next != 0
}

// walk follows all of a string from the root.
func (t *trie) walk(key string) (state int32, ok bool) {
	for i := range len(key) {
		if state, ok = t.step(state, key[i]); !ok {
			return 0, false
		}
	}
	return state, true
}
