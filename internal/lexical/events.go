package lexical

import (
	_ "embed"
	"slices"
)

// eventTable holds the terms of words that tell events, decisions and figures, as hashes.
// internal/lexical/tables packs events.txt into it. It holds in sequence for each language: the
// length of its tag (a byte), the tag, the number of its terms and of the bytes that follow
// (uvarints), and the hashes in ascending order, each as the difference from the one before
// (uvarints).
//
//go:embed events.bin
var eventTable string

// EventRange is the number of possible hashes for each event term of a language: about one in
// so many other terms is mistaken for an event term.
const EventRange = 128

// EventHash is the hash of a term of a language with n event terms, in 0..n·EventRange: FNV-1a.
func EventHash(term string, n int) uint32 {
	h := uint32(2166136261)
	for i := range len(term) {
		h = (h ^ uint32(term[i])) * 16777619
	}
	return h % uint32(n*EventRange)
}

// isEvent reports whether a term tells an event.
func (l *language) isEvent(term string) bool {
	if len(l.events) == 0 {
		return false
	}
	_, found := slices.BinarySearch(l.events, EventHash(term, len(l.events)))
	return found
}

// readEvents returns the hashes of the event terms of a language, in ascending order; nil
// if there are none. The table is embedded: it panics if it is damaged.
func readEvents(tag string) []uint32 {
	rest := eventTable
	number := func() int {
		v, w := uvarint(rest)
		rest = rest[w:]
		return v
	}
	for rest != "" {
		name := rest[1 : 1+int(rest[0])]
		rest = rest[1+len(name):]
		n, size := number(), number()
		if name != tag {
			rest = rest[size:]
			continue
		}
		hashes, last := make([]uint32, n), uint32(0)
		for i := range hashes {
			last += uint32(number())
			hashes[i] = last
		}
		return hashes
	}
	return nil
}
