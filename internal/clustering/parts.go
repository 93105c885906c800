package clustering

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// The steps of [Finder.Clusters] for a program that divides the work among machines, on any
// part of a corpus. Documents have numbers in the order of the corpus. Hashes of 32 bits are
// int64: as int32 some would be negative, which Beam's Go and Java code encode differently.

// Sketched is what is known of a document before its copies are found.
type Sketched struct {
	Doc int64
	// First and Last are its date in Unix seconds; First > Last if it is unknown.
	First, Last int64
	Sketch      []int64
}

// Text is a text with its near-duplicates.
type Text struct {
	Doc         int64 // the first of Members
	First, Last int64 // dates of the members, as in [Sketched]
	Copies      int32 // members
	// Notice is set if there are more copies than [Options.MaxCopies].
	Notice  bool
	Members []int64
}

// Sketch returns the sketch as [Sketched] has it.
func (f *Features) Sketch() []int64 {
	s := make([]int64, sketchSize)
	for i, v := range f.sketch {
		s[i] = int64(v)
	}
	return s
}

// Bands returns hashes of which near-duplicates share one with a probability of 0.99; none if
// the text is too short.
func (f *Features) Bands() []int64 {
	if f.sketch.empty() {
		return nil
	}
	bands := make([]int64, 0, sketchSize/rows)
	for b := 0; b < sketchSize; b += rows {
		h := uint64(b)
		for _, v := range f.sketch[b : b+rows] {
			h = mix(h ^ uint64(v))
		}
		bands = append(bands, int64(h))
	}
	return bands
}

// Terms returns the hashes of the terms and how often each occurs.
func (f *Features) Terms() (hashes []int64, counts []byte) {
	hashes, counts = make([]int64, len(f.terms)), make([]byte, len(f.terms))
	for i, t := range f.terms {
		hashes[i], counts[i] = int64(t.hash), t.count
	}
	return hashes, counts
}

// Texts finds near-duplicates among documents, which are ascending. Documents that share no
// band, directly or through others, can be in different calls.
func Texts(o Options, documents []Sketched) []Text {
	f := &Finder{options: o.filled()}
	for _, d := range documents {
		var s sketch
		for i, v := range d.Sketch {
			s[i] = uint32(v)
		}
		f.place(&s, document{first: d.First, last: d.Last, copies: 1})
	}
	texts := make([]Text, len(f.docs))
	for i, s := range f.sources {
		texts[s].Members = append(texts[s].Members, documents[i].Doc)
	}
	for k := range texts {
		d := &f.docs[k]
		t := &texts[k]
		t.Doc, t.First, t.Last, t.Copies, t.Notice = t.Members[0], d.first, d.last, d.copies, f.notice(int32(k))
	}
	return texts
}

// Slots returns the number of bits of the slots of terms, by the number of terms of all texts.
func Slots(terms int64) int { return slotBits(terms) }

// Slot returns the slot of a term by its hash.
func Slot(hash int64, bits int) int32 { return int32(uint32(hash) >> (32 - bits)) }

// Vector is a text that can be compared.
type Vector struct {
	Doc, First, Last int64
	Notice           bool
	Terms            []int32 // slots, ascending
	Weights          []float32
	// Squares are the squared inverse document frequencies of the terms.
	Squares []float32
	// Read are the positions of the terms, the rarest first, whose documents are read.
	Read []byte
}

// SetTerms sets the terms, weights and squares of a vector: of n texts, df have a slot.
func (v *Vector) SetTerms(hashes []int64, counts []byte, bits int, n int64, df func(slot uint32) uint32) {
	terms := make([]feature, len(hashes))
	for i, h := range hashes {
		terms[i] = feature{uint32(h), counts[i]}
	}
	w := weigher{size: bits, n: n, df: df}
	entries, length := w.entries(terms)
	v.Terms, v.Weights, v.Squares, v.Read = make([]int32, 0, len(entries)), make([]float32, 0, len(entries)), make([]float32, 0, len(entries)), []byte{}
	for _, e := range entries {
		v.Terms = append(v.Terms, int32(e.term))
		v.Weights = append(v.Weights, e.weight/length)
		v.Squares = append(v.Squares, w.square(e.term))
	}
}

// Choose sets Read by the number of vectors that have a term.
func (v *Vector) Choose(used func(slot int32) int64) {
	order := make([]byte, len(v.Terms))
	for i := range order {
		order[i] = byte(i)
	}
	slices.SortStableFunc(order, func(a, b byte) int { return cmp.Compare(used(v.Terms[a]), used(v.Terms[b])) })
	v.Read = v.Read[:0]
	read := int64(0)
	for _, k := range order {
		if read += used(v.Terms[k]); read > visits {
			break
		}
		v.Read = append(v.Read, k)
	}
}

// Block compares texts with some of a corpus.
type Block struct {
	s       *searcher
	numbers map[int32]uint32 // of terms
	docs    []int64
}

// NewBlock returns a block of texts, which it sorts.
func NewBlock(o Options, vectors []Vector) *Block {
	slices.SortFunc(vectors, func(a, b Vector) int { return cmp.Compare(a.Doc, b.Doc) })
	b := &Block{numbers: map[int32]uint32{}}
	f := &Finder{options: o.filled()}
	f.options.MaxCopies = 1 // notices have two copies here
	x := &index{starts: []int64{0}}
	for i := range vectors {
		v := &vectors[i]
		for _, t := range v.Terms {
			n, ok := b.numbers[t]
			if !ok {
				n = uint32(len(b.numbers))
				b.numbers[t] = n
			}
			x.terms = append(x.terms, n)
		}
		x.weights = append(x.weights, v.Weights...)
		x.starts = append(x.starts, int64(len(x.terms)))
		f.docs = append(f.docs, document{first: v.First, last: v.Last, text: int32(i)})
		f.texts = append(f.texts, 1)
		if v.Notice {
			f.texts[i] = 2
		}
		b.docs = append(b.docs, v.Doc)
	}
	x.post(uint32(len(b.numbers)))
	b.s = newSearcher(f, x)
	return b
}

// Neighbours are texts near one. The slices are never nil.
type Neighbours struct {
	Docs            []int64
	Scores, Cosines []float32
}

// Search returns the texts of the block that share most rare terms with a text.
func (b *Block) Search(v *Vector) (found Neighbours) {
	s := b.s
	for _, k := range v.Read {
		if t, ok := b.numbers[v.Terms[k]]; ok {
			s.visit(t, v.Squares[k])
		}
	}
	self := int32(-1)
	if i, ok := slices.BinarySearch(b.docs, v.Doc); ok {
		self = int32(i)
	}
	s.collect(self, &document{first: v.First, last: v.Last})
	terms, weights := make([]uint32, 0, len(v.Terms)), make([]float32, 0, len(v.Terms))
	for k, t := range v.Terms {
		if n, ok := b.numbers[t]; ok {
			terms, weights = append(terms, n), append(weights, v.Weights[k])
		}
	}
	scores := slices.Clone(s.found)
	s.cosines(terms, weights)
	found = Neighbours{make([]int64, len(s.found)), make([]float32, len(s.found)), make([]float32, len(s.found))}
	for k, e := range s.found {
		found.Docs[k], found.Scores[k], found.Cosines[k] = b.docs[e.doc], scores[k].similarity, e.similarity
	}
	return found
}

// Nearest returns the neighbours of a text among those found in all blocks, nearest first,
// and its background.
func Nearest(o Options, found []Neighbours) (docs []int64, cosines []float32, level float32) {
	type candidate struct {
		doc           int64
		score, cosine float32
	}
	var all []candidate
	for _, f := range found {
		for k, doc := range f.Docs {
			all = append(all, candidate{doc, f.Scores[k], f.Cosines[k]})
		}
	}
	slices.SortFunc(all, func(a, b candidate) int { return nearer(a.score, b.score, a.doc, b.doc) })
	all = all[:min(candidates, len(all))]
	slices.SortFunc(all, func(a, b candidate) int { return nearer(a.cosine, b.cosine, a.doc, b.doc) })
	from, to := (&Finder{options: o.filled()}).surroundings()
	all = all[:min(to, len(all))]
	level = background(func(k int) float32 { return all[k].cosine }, len(all), from, to)
	for _, c := range all[:min(kept, len(all))] {
		docs, cosines = append(docs, c.doc), append(cosines, c.cosine)
	}
	return docs, cosines, level
}

// Linked is a text with its neighbours.
type Linked struct {
	Doc, First, Last int64
	Copies           int32
	To               []int64
	Similarities     []float32
}

// Merge returns for each text one of its cluster, the same for all of them. The texts are
// ascending; they are those that pairs above the threshold connect.
func Merge(ctx context.Context, o Options, texts []Linked) ([]int64, error) {
	f := &Finder{options: o.filled()}
	numbers := make(map[int64]int32, len(texts))
	for i, t := range texts {
		numbers[t.Doc] = int32(i)
		f.docs = append(f.docs, document{first: t.First, last: t.Last, copies: t.Copies})
	}
	near := make([][]neighbour, len(texts))
	for i, t := range texts {
		for k, to := range t.To {
			if n, ok := numbers[to]; ok {
				near[i] = append(near[i], neighbour{n, t.Similarities[k]})
			}
		}
	}
	merged, err := f.merge(ctx, near)
	if err != nil {
		return nil, err
	}
	docs := make([]int64, len(merged))
	for i, m := range merged {
		docs[i] = texts[m].Doc
	}
	return docs, nil
}

// Unknown are the dates of a document without one.
const (
	UnknownFirst = math.MaxInt64
	UnknownLast  = math.MinInt64
)
