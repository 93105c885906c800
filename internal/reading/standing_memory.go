package reading

// memory holds the words of a document by their hashes: an open-addressed table, as
// each word of each sentence is looked up.
type memory struct {
	entries []entry // a power of two; hash 0 is free
	used    int
}

// entry is a word. Sentences are counted from 1; 0 means none.
type entry struct {
	hash        uint64
	first, last int32 // sentences that have it
	nameFirst   int32 // sentences that have it as the last word of a name
	nameLast    int32
	lower       bool // once without a capital
}

func (m *memory) find(hash uint64) *entry {
	if len(m.entries) == 0 {
		return nil
	}
	mask := uint64(len(m.entries) - 1)
	for k := (hash ^ hash>>32) & mask; ; k = (k + 1) & mask {
		if e := &m.entries[k]; e.hash == hash {
			return e
		} else if e.hash == 0 {
			return nil
		}
	}
}

// add returns the entry of a word of sentence i, made if need be. It is valid until
// the next add.
func (m *memory) add(hash uint64, i int) *entry {
	if 2*m.used >= len(m.entries) {
		m.grow()
	}
	mask := uint64(len(m.entries) - 1)
	k := (hash ^ hash>>32) & mask
	for m.entries[k].hash != 0 && m.entries[k].hash != hash {
		k = (k + 1) & mask
	}
	e := &m.entries[k]
	if e.hash == 0 {
		e.hash, e.first = hash, int32(i+1)
		m.used++
	}
	e.last = int32(i + 1)
	return e
}

func (m *memory) grow() {
	old := m.entries
	m.entries = make([]entry, max(512, 2*len(old)))
	mask := uint64(len(m.entries) - 1)
	for _, e := range old {
		if e.hash == 0 {
			continue
		}
		k := (e.hash ^ e.hash>>32) & mask
		for m.entries[k].hash != 0 {
			k = (k + 1) & mask
		}
		m.entries[k] = e
	}
}

func (e *entry) introduce(i int) {
	if e.nameFirst == 0 {
		e.nameFirst = int32(i + 1)
	}
	e.nameLast = int32(i + 1)
}

// any reports whether a sentence before the i-th has the word; with elsewhere, whether
// any other has it.
func (m *memory) any(hash uint64, i int, elsewhere bool) bool {
	e := m.find(hash)
	return e != nil && (int(e.first) < i+1 || elsewhere && int(e.last) > i+1)
}

// common is any for words that also stand without a capital.
func (m *memory) common(hash uint64, i int, elsewhere bool) bool {
	e := m.find(hash)
	return e != nil && e.lower && (int(e.first) < i+1 || elsewhere && int(e.last) > i+1)
}

func (m *memory) lowerCase(hash uint64) bool {
	e := m.find(hash)
	return e != nil && e.lower
}

// surname returns the sentence before the i-th that has the word as the last of a full
// name, or -1; with elsewhere, any other sentence.
func (m *memory) surname(hash uint64, i int, elsewhere bool) int {
	e := m.find(hash)
	switch {
	case e == nil || e.nameFirst == 0:
		return -1
	case int(e.nameFirst) < i+1:
		return int(e.nameFirst) - 1
	case elsewhere && int(e.nameLast) > i+1:
		return int(e.nameLast) - 1
	}
	return -1
}
