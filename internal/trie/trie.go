// Package trie finds keys in text byte by byte.
package trie

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/internal/errorf"
)

// Trie is a double array (Aoe 1989): from state s the byte c leads to t = Base[s] + c,
// if Owner[t] is s. State 0 is the root. Loops that cannot afford a call for each byte
// read Nodes.
type Trie struct {
	Nodes []Node
}

// Node is a state.
type Node struct {
	Base  int32
	Owner int32 // -1: free
	Value int32 // value of the key that ends here, -1 for none
}

const (
	maxTokenBytes = 1 << 16 // length limit of a token
	maxTrieBytes  = 1 << 28 // of all tokens together
)

// New builds a trie of keys in any order; of duplicate keys the last value counts.
// Empty keys are ignored.
func New(keys []string, values []int32) (*Trie, error) {
	order := make([]int32, 0, len(keys))
	total := 0
	for i, key := range keys {
		if len(key) > maxTokenBytes {
			return nil, errorf.Errorf("want tokens of at most %d bytes, got %d", maxTokenBytes, len(key))
		}
		if key != "" {
			order = append(order, int32(i))
			total += len(key)
		}
	}
	if total > maxTrieBytes {
		return nil, errorf.Errorf("want at most %d bytes of tokens, got %d", maxTrieBytes, total)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(strings.Compare(keys[a], keys[b]), int(a-b)) })
	b := builder{keys: keys, values: values, order: order, free: -1}
	b.grow()
	b.take(0)
	b.nodes[0].Owner = 0
	b.place(0, 0, 0, len(order))
	return &Trie{Nodes: slices.Clip(b.nodes)}, nil
}

type builder struct {
	nodes      []Node
	next, prev []int32 // free nodes, in a ring
	free       int32   // the first of them, -1 for none
	keys       []string
	values     []int32
	order      []int32 // places of the keys, sorted
	labels     [256]byte
}

const (
	block  = 256        // number of nodes added at a time
	window = 16 * block // free nodes farther from the end are no longer searched
)

// grow adds a block of free nodes at the end of the ring, and removes old ones that are
// no longer searched.
func (b *builder) grow() {
	n := int32(len(b.nodes))
	for i := n; i < n+block; i++ {
		b.nodes = append(b.nodes, Node{Owner: -1, Value: -1})
		b.next = append(b.next, i+1)
		b.prev = append(b.prev, i-1)
	}
	if b.free < 0 {
		b.free = n
	}
	last := b.prevOf(b.free, n)
	b.next[last], b.prev[n] = n, last
	b.next[n+block-1], b.prev[b.free] = b.free, n+block-1
	for b.free < n+block-window {
		b.take(b.free)
	}
}

// prevOf returns the end of the ring before the block that starts at n, or the end of
// that block if it is the only one.
func (b *builder) prevOf(first, n int32) int32 {
	if first == n {
		return n + block - 1
	}
	return b.prev[first]
}

// take removes a node from the ring.
func (b *builder) take(i int32) {
	next, prev := b.next[i], b.prev[i]
	if next == i {
		b.free = -1
		return
	}
	b.next[prev], b.prev[next] = next, prev
	if b.free == i {
		b.free = next
	}
}

// place lays out the children of a state, whose keys order[from:to] share their first
// depth bytes. The recursion depth is the length of the longest key.
func (b *builder) place(state int32, depth, from, to int) {
	for from < to && len(b.keys[b.order[from]]) == depth {
		b.nodes[state].Value = b.values[b.order[from]]
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
	b.nodes[state].Base = base
	for _, c := range labels {
		b.take(base + int32(c))
		b.nodes[base+int32(c)].Owner = state
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

// find returns a base, at least 1, at which all labels fall on free nodes.
func (b *builder) find(labels []byte) int32 {
	first := int32(labels[0])
	for at := b.free; at >= 0; {
		if base := at - first; base > 0 && b.fits(base, labels) {
			return base
		}
		if at = b.next[at]; at == b.free {
			break
		}
	}
	n := int32(len(b.nodes))
	b.grow()
	return n
}

func (b *builder) fits(base int32, labels []byte) bool {
	if last := base + int32(labels[len(labels)-1]); int(last) >= len(b.nodes) {
		return false
	}
	for _, c := range labels[1:] {
		if b.nodes[base+int32(c)].Owner >= 0 {
			return false
		}
	}
	return true
}

// Step follows a byte from a state; ok is false if no key continues so.
func (t *Trie) Step(state int32, c byte) (next int32, ok bool) {
	next = t.Nodes[state].Base + int32(c)
	// Only states with children have a base above 0 and own nodes, so that an index
	// past the end means that there is no child.
	if int(next) >= len(t.Nodes) {
		return 0, false
	}
	return next, t.Nodes[next].Owner == state && next != 0
}
