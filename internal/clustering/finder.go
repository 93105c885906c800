package clustering

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"slices"
	"time"
)

// maxTerms is the largest number of terms of a vector.
const maxTerms = 128

// Finder collects documents and finds their clusters.
type Finder struct {
	options   Options
	spool     *os.File
	out       *bufio.Writer
	features  int64 // in the spool
	entries   int64 // of all vectors, at most
	scratch   []byte
	copies    copies
	docs      []document
	texts     []int32 // documents with the text that began with the one at the same index in docs
	sources   []int32 // index in docs of each document added
	duplicate []bool
}

// document is one text, of which near-duplicates may have been added, or a set of texts.
type document struct {
	first, last int64 // dates in Unix seconds; first > last if none is known
	copies      int32 // documents
	// text is the first of docs with nearly the same text: a text is several of docs if
	// the limits of number or time separate its copies.
	text int32
}

// New returns an empty finder. The caller closes it.
func New(o Options) (*Finder, error) {
	o = o.filled()
	spool, err := os.CreateTemp(o.Folder, "cerasum-cluster-")
	if err != nil {
		return nil, err
	}
	return &Finder{options: o, spool: spool, out: bufio.NewWriterSize(spool, 1<<20)}, nil
}

// Close removes the temporary file.
func (f *Finder) Close() error {
	return errors.Join(f.spool.Close(), os.Remove(f.spool.Name()))
}

// Add adds a document; a zero date is unknown.
func (f *Finder) Add(features *Features, date time.Time) error {
	d := document{first: math.MaxInt64, last: math.MinInt64, copies: 1}
	if !date.IsZero() {
		d.first, d.last = date.Unix(), date.Unix()
	}
	if !f.place(&features.sketch, d) {
		return nil
	}
	f.features += int64(len(features.terms))
	f.entries += int64(min(len(features.terms), maxTerms))
	b := binary.AppendUvarint(f.scratch[:0], uint64(len(features.terms)))
	for _, t := range features.terms {
		b = append(binary.LittleEndian.AppendUint32(b, t.hash), t.count)
	}
	f.scratch = b
	_, err := f.out.Write(b)
	return err
}

// place adds a document to the copies of a text, or as a new text; it reports the latter.
func (f *Finder) place(s *sketch, d document) bool {
	index := int32(len(f.docs))
	at, nearest := f.copies.find(s, index, func(i int32) bool { return f.fit(&f.docs[i], &d) })
	if at >= 0 {
		f.texts[f.docs[at].text]++
		f.sources = append(f.sources, at)
		f.duplicate = append(f.duplicate, true)
		f.docs[at].join(&d)
		return false
	}
	f.sources = append(f.sources, index)
	f.duplicate = append(f.duplicate, false)
	d.text = index
	if nearest >= 0 && f.copies.copyOf(s, f.docs[nearest].text) {
		d.text = f.docs[nearest].text
	}
	f.docs = append(f.docs, d)
	f.texts = append(f.texts, 0)
	f.texts[d.text]++
	return true
}

// fit reports whether two sets of documents can be one by their dates and number.
func (f *Finder) fit(a, b *document) bool {
	return int(a.copies)+int(b.copies) <= f.options.Max && f.near(a, b)
}

// near reports whether all documents of two sets are near enough in time.
func (f *Finder) near(a, b *document) bool {
	if f.options.Within == 0 || a.first > a.last || b.first > b.last { // unknown
		return true
	}
	return max(a.last, b.last)-min(a.first, b.first) <= int64(f.options.Within/time.Second)
}

func (d *document) join(other *document) {
	d.first, d.last = min(d.first, other.first), max(d.last, other.last)
	d.copies += other.copies
}

// each reads the features of all documents.
func (f *Finder) each(ctx context.Context, do func(i int, terms []feature)) error {
	if _, err := f.spool.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in := bufio.NewReaderSize(f.spool, 1<<20)
	var terms []feature
	var raw []byte
	for i := range f.docs {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		n, err := binary.ReadUvarint(in)
		if err != nil {
			return err
		}
		raw = slices.Grow(raw[:0], 5*int(n))[:5*n]
		if _, err := io.ReadFull(in, raw); err != nil {
			return err
		}
		terms = terms[:0]
		for k := 0; k < len(raw); k += 5 {
			terms = append(terms, feature{binary.LittleEndian.Uint32(raw[k:]), raw[k+4]})
		}
		do(i, terms)
	}
	return nil
}

// Clusters returns the cluster of each document in the order in which they were
// added: the index of its first document.
func (f *Finder) Clusters(ctx context.Context) ([]int, error) {
	if err := f.out.Flush(); err != nil {
		return nil, err
	}
	x, err := f.index(ctx)
	if err != nil {
		return nil, err
	}
	near, err := f.neighbours(ctx, x)
	if err != nil {
		return nil, err
	}
	merged, err := f.merge(ctx, near)
	if err != nil {
		return nil, err
	}
	return f.labels(merged), nil
}

// labels returns the clusters of documents by those of texts.
func (f *Finder) labels(merged []int32) []int {
	first := make([]int, len(f.docs))
	for i := range first {
		first[i] = -1
	}
	labels := make([]int, len(f.sources))
	for i, s := range f.sources {
		if f.notice(s) {
			labels[i] = i
			continue
		}
		root := merged[s]
		if first[root] < 0 {
			first[root] = i
		}
		labels[i] = first[root]
	}
	return labels
}

// notice reports whether a text has too many copies for an event.
func (f *Finder) notice(i int32) bool {
	return f.options.MaxCopies > 0 && int(f.texts[f.docs[i].text]) > f.options.MaxCopies
}

// Duplicate reports whether a document has nearly the same text as an earlier one.
func (f *Finder) Duplicate(i int) bool { return f.duplicate[i] }
