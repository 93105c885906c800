package rouge

import "math/bits"

// ngrams counts the n-grams shared by a summary and a reference. An n-gram is
// identified by its index in a table of pairs of an (n−1)-gram's index and a last
// token. The indices are exact and do not rely on distinct hashes.
type ngrams struct {
	tables     [ROUGE4]table // of the reference's 2-, 3- and 4-grams
	pairs      table         // of its pairs of tokens
	ref, other []int32       // by position: the index of the n-gram that starts there, or -1
}

// maxGap is the maximum number of tokens between those of a skip-bigram.
const maxGap = 4

// add adds the hits of ROUGE-2 to ROUGE-4 and of the pairs of ROUGE-SU4.
func (g *ngrams) add(totals *[Metrics]total, summary, reference []int32) {
	g.ref = append(g.ref[:0], reference...)
	g.other = append(g.other[:0], summary...)
	for metric := ROUGE2; metric <= ROUGE4; metric++ {
		t := &totals[metric]
		n := metric - ROUGE1 + 1
		refs, others := max(0, len(reference)-n+1), max(0, len(summary)-n+1)
		t.reference += refs
		t.summary += others
		table := &g.tables[metric-ROUGE2]
		table.reset(refs)
		for i := range refs {
			g.ref[i] = table.add(key(g.ref[i], reference[i+n-1]))
		}
		for i := range others {
			if g.other[i] < 0 {
				continue
			}
			if g.other[i] = table.find(key(g.other[i], summary[i+n-1])); g.other[i] >= 0 {
				t.hits += table.take(g.other[i])
			}
		}
	}
	g.addPairs(&totals[ROUGESU4], summary, reference)
}

func (g *ngrams) addPairs(t *total, summary, reference []int32) {
	refs := pairsOf(len(reference))
	t.reference += refs
	t.summary += pairsOf(len(summary))
	g.pairs.reset(refs)
	for i, first := range reference {
		for _, second := range reference[i+1 : min(len(reference), i+maxGap+2)] {
			g.pairs.add(key(first, second))
		}
	}
	for i, first := range summary {
		for _, second := range summary[i+1 : min(len(summary), i+maxGap+2)] {
			if at := g.pairs.find(key(first, second)); at >= 0 {
				t.hits += g.pairs.take(at)
			}
		}
	}
}

// pairsOf returns the number of skip-bigrams in n tokens.
func pairsOf(n int) int {
	full := max(0, n-maxGap-1) // tokens with as many partners as may be
	rest := n - full
	return full*(maxGap+1) + rest*(rest-1)/2
}

func key(a, b int32) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }

// trim releases the memory used for an unusually long text.
func (g *ngrams) trim() {
	const most = 1 << 18
	for i := range g.tables {
		g.tables[i].trim(most)
	}
	g.pairs.trim(most)
}

// table is an open-addressing hash table of counts, emptied in constant time.
type table struct {
	slots      []slot
	shift      uint8
	mask       int
	generation uint32
}

type slot struct {
	key        uint64
	generation uint32 // a slot of another generation is empty
	count      int32
}

// reset empties the table and makes room for n keys.
func (t *table) reset(n int) {
	width := max(4, bits.Len(uint(2*n))) // a power of two, at least 2n
	size := 1 << width
	if size > len(t.slots) {
		t.slots, t.generation = make([]slot, size), 0
	}
	t.shift, t.mask = uint8(64-width), size-1
	if t.generation++; t.generation == 0 { // wraps around after 2^32
		clear(t.slots)
		t.generation = 1
	}
}

func (t *table) trim(most int) {
	if len(t.slots) > most {
		t.slots = nil
	}
}

// add counts a key and returns its index.
func (t *table) add(key uint64) int32 {
	at := int(key * 0x9e3779b97f4a7c15 >> t.shift)
	for {
		s := &t.slots[at]
		if s.generation != t.generation {
			*s = slot{key, t.generation, 1}
			return int32(at)
		}
		if s.key == key {
			s.count++
			return int32(at)
		}
		at = (at + 1) & t.mask
	}
}

// find returns the index of a key, or -1.
func (t *table) find(key uint64) int32 {
	at := int(key * 0x9e3779b97f4a7c15 >> t.shift)
	for {
		s := &t.slots[at]
		if s.generation != t.generation {
			return -1
		}
		if s.key == key {
			return int32(at)
		}
		at = (at + 1) & t.mask
	}
}

// take decrements the count at an index and returns 1, or returns 0 if it is 0.
func (t *table) take(at int32) int {
	s := &t.slots[at]
	if s.count == 0 {
		return 0
	}
	s.count--
	return 1
}
