package centroid

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// A store is a file of examples whose embeddings do not fit into memory:
//
//	storeMagic, uint32 D
//	each example: uint32 count of documents, uint32 sentences of each,
//	              N×D float32 embeddings, D float32 gold
//	uint64 offset of each example, uint64 count of them, storeEnd
//
// all little-endian.
const (
	storeMagic = "cerasum examples 1\n"
	storeEnd   = "complete"
	storeTail  = 8 + len(storeEnd)
)

// ErrStore is wrapped by errors about invalid or incomplete stores.
var ErrStore = errors.New("unusable store of examples")

// StoreWriter writes a store.
type StoreWriter struct {
	w       *bufio.Writer
	dims    int
	at      uint64
	offsets []uint64
	buf     []byte
}

// NewStoreWriter starts a store of examples with the given dimensions.
func NewStoreWriter(w io.Writer, dimensions int) *StoreWriter {
	s := &StoreWriter{w: bufio.NewWriterSize(w, 1<<20), dims: dimensions}
	// A bufio.Writer keeps its first error until Flush.
	s.write(binary.LittleEndian.AppendUint32([]byte(storeMagic), uint32(dimensions)))
	return s
}

func (s *StoreWriter) write(b []byte) {
	s.w.Write(b)
	s.at += uint64(len(b))
}

// Add validates and appends an example: training would fail on a bad one.
func (s *StoreWriter) Add(x Example) error {
	if len(x.Gold) != s.dims {
		return fmt.Errorf("%w: want %d dimensions, got %d", ErrExample, s.dims, len(x.Gold))
	}
	if _, err := newSample[float32](1, x.Embeddings, x.Documents, x.Gold); err != nil {
		return err
	}
	b := binary.LittleEndian.AppendUint32(s.buf[:0], uint32(len(x.Documents)))
	for _, n := range x.Documents {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	for _, list := range [][]float32{x.Embeddings, x.Gold} {
		for _, v := range list {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
	}
	s.buf = b
	s.offsets = append(s.offsets, s.at)
	s.write(b)
	return nil
}

// Close finishes the store; the caller closes the file.
func (s *StoreWriter) Close() error {
	b := []byte{}
	for _, at := range append(s.offsets, uint64(len(s.offsets))) {
		b = binary.LittleEndian.AppendUint64(b, at)
	}
	s.write(append(b, storeEnd...))
	return s.w.Flush()
}

// Store is a [Source] that reads examples on demand.
type Store struct {
	r       io.ReaderAt
	dims    int
	offsets []int64 // of the examples and of their end
}

// OpenStore opens a store of size bytes; the caller closes the file. An invalid or
// incomplete store is ErrStore.
func OpenStore(r io.ReaderAt, size int64) (*Store, error) {
	bad := func(what string) (*Store, error) { return nil, fmt.Errorf("%w: %s", ErrStore, what) }
	head, tail := make([]byte, len(storeMagic)+4), make([]byte, storeTail)
	if size < int64(len(head)+len(tail)) {
		return bad("too short")
	}
	if _, err := r.ReadAt(head, 0); err != nil {
		return nil, err
	}
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil {
		return nil, err
	}
	if string(head[:len(storeMagic)]) != storeMagic || string(tail[8:]) != storeEnd {
		return bad("not a store, or truncated")
	}
	n := binary.LittleEndian.Uint64(tail)
	end := size - int64(len(tail))
	if n > uint64(end-int64(len(head)))/8 {
		return bad("damaged index")
	}
	end -= 8 * int64(n)
	index := make([]byte, 8*n)
	if _, err := r.ReadAt(index, end); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	s := &Store{r: r, dims: int(binary.LittleEndian.Uint32(head[len(storeMagic):]))}
	last := int64(len(head))
	for i := range int(n) {
		at := int64(binary.LittleEndian.Uint64(index[8*i:]))
		if at < last || at > end || i == 0 && at != last {
			return bad("damaged index")
		}
		s.offsets = append(s.offsets, at)
		last = at
	}
	s.offsets = append(s.offsets, end)
	return s, nil
}

// Len returns the number of examples.
func (s *Store) Len() int { return len(s.offsets) - 1 }

// Dimensions of the embeddings.
func (s *Store) Dimensions() int { return s.dims }

// Read reads example i.
func (s *Store) Read(i int) (Example, error) {
	raw := make([]byte, s.offsets[i+1]-s.offsets[i])
	if _, err := s.r.ReadAt(raw, s.offsets[i]); err != nil {
		return Example{}, fmt.Errorf("example %d: %w", i, err)
	}
	damaged := fmt.Errorf("example %d: %w: damaged", i, ErrStore)
	if len(raw) < 4 {
		return Example{}, damaged
	}
	documents := int64(binary.LittleEndian.Uint32(raw))
	raw = raw[4:]
	if 4*documents > int64(len(raw)) {
		return Example{}, damaged
	}
	x := Example{Documents: make([]int, documents)}
	sentences := int64(0)
	for j := range x.Documents {
		x.Documents[j] = int(binary.LittleEndian.Uint32(raw[4*j:]))
		sentences += int64(x.Documents[j])
	}
	raw = raw[4*documents:]
	if sentences > int64(len(raw)) || int64(len(raw)) != 4*int64(s.dims)*(sentences+1) {
		return Example{}, damaged
	}
	x.Embeddings = make([]float32, len(raw)/4)
	for j := range x.Embeddings {
		x.Embeddings[j] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*j:]))
	}
	x.Embeddings, x.Gold = x.Embeddings[:int(sentences)*s.dims], x.Embeddings[int(sentences)*s.dims:]
	return x, nil
}

// Joined concatenates sources.
type Joined []Source

// Len returns the total number of examples.
func (j Joined) Len() int {
	n := 0
	for _, s := range j {
		n += s.Len()
	}
	return n
}

// Read reads example i of the concatenation.
func (j Joined) Read(i int) (Example, error) {
	for _, s := range j {
		if i < s.Len() {
			return s.Read(i)
		}
		i -= s.Len()
	}
	return Example{}, fmt.Errorf("%w: index out of range", ErrExample)
}
