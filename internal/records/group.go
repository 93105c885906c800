package records

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/internal/jsonl"
)

// grouped are clusters of the rows that share a value, sorted by it: an external
// merge sort, so that memory depends neither on the number of rows nor on that of
// a group.
type grouped struct {
	ctx     context.Context // of the sorting
	options Options
	folder  string
	runs    []sorted
	buffer  []row
	held    int // bytes of the buffer
	largest int // row
	in      *merge
	ahead   *row // of the next group
	number  int
	offset  int64
	line    []byte
}

// row is a document, as JSON, with the key of its group. An error about a row has no
// key, so that it sorts before all groups; its text is a byte for the kind of error and
// the message.
type row struct{ key, text []byte }

const (
	rowLong       = 'l'
	rowUnreadable = 'u'
)

// sorted is a file of sorted rows. Its level is the number of times that its rows have
// been merged.
type sorted struct {
	name  string
	level int
}

// mergeAt is the maximum number of files that are read at once.
const mergeAt = 256

// most returns the number of files that may be read at once: the next row of each is
// in memory.
func (g *grouped) most() int {
	return min(mergeAt, max(2, g.options.Memory/max(1, g.largest)))
}

// group reads all rows and sorts them.
func group(ctx context.Context, lines Lines, o Options) (*grouped, error) {
	o.Memory = cmp.Or(o.Memory, 64<<20)
	folder, err := os.MkdirTemp("", "cerasum-group-")
	if err != nil {
		return nil, err
	}
	g := &grouped{ctx: ctx, options: o, folder: folder}
	if err := g.sort(lines); err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g, nil
}

func (g *grouped) sort(lines Lines) error {
	report := func(int, bool) {}
	if p := g.options.Progress; p != nil {
		report = p.Sorting
	}
	rows := 0
	for ; ; rows++ {
		if rows%1024 == 0 {
			report(rows, false)
		}
		if err := g.ctx.Err(); err != nil {
			return err
		}
		raw, err := lines.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		var r row
		if err == nil {
			r.key, r.text, err = g.options.Row(raw)
		}
		if errors.Is(err, jsonl.ErrLine) {
			kind := byte(rowUnreadable)
			if errors.Is(err, jsonl.ErrLong) {
				kind = rowLong
			}
			r = row{nil, append([]byte{kind}, inRow(lines.Line(), err)...)}
		} else if err != nil {
			return err
		}
		if err := g.add(r); err != nil {
			return err
		}
	}
	err := g.spill()
	for err == nil && len(g.runs) > g.most() {
		err = g.fold(min(g.most(), len(g.runs)-g.most()+1))
	}
	if err == nil {
		g.in, err = openMerge(g.runs)
		report(rows, true)
	}
	return err
}

// Row returns a row as a document, and the key of its group: documents with the same key are of
// one cluster.
func (o *Options) Row(raw []byte) (key, document []byte, err error) {
	fields, err := object(raw)
	if err != nil {
		return nil, nil, err
	}
	keys, err := find(raw, o.GroupBy)
	if err != nil {
		return nil, nil, err
	}
	if len(keys) != 1 {
		return nil, nil, errKey(o.GroupBy)
	}
	if key, err = keyOf(keys[0], o.GroupBy); err != nil {
		return nil, nil, err
	}
	path := cmp.Or(o.Documents, "text")
	texts, err := find(raw, path)
	if err != nil {
		return nil, nil, err
	}
	if len(texts) != 1 || texts[0][0] != '"' {
		return nil, nil, bad("%s: want a text", path)
	}
	for _, path := range []string{o.GroupBy, path} {
		first, _, _ := strings.Cut(path, ".")
		delete(fields, first)
	}
	fields["text"] = texts[0]
	return key, join(fields), nil
}

// InRow names the row in an error about it.
func InRow(number int, err error) error {
	if errors.Is(err, jsonl.ErrLong) {
		return jsonl.Long("%s", inRow(number, err))
	}
	return bad("%s", inRow(number, err))
}

func inRow(number int, err error) string {
	return fmt.Sprintf("row %d: %s", number, strings.TrimPrefix(err.Error(), jsonl.ErrLine.Error()+": "))
}

// Group is a cluster of rows with the same key.
type Group struct {
	Key []byte
	Max int // bytes of its line

	documents, size int
}

// Add counts a document, and reports whether the documents fit in a line up to this one.
func (g *Group) Add(document int) bool {
	if g.documents++; g.documents == 1 {
		g.size = len(g.Begin(nil)) + len("]}") - len(",")
	}
	g.size += document + len(",")
	return g.size <= g.Max
}

// Err returns an error that says how large the group is, if it does not fit in a line.
func (g *Group) Err() error {
	if g.size <= g.Max {
		return nil
	}
	return jsonl.Long("group %s: %d documents with %d bytes, want at most %d bytes", idOf(nil, g.Key), g.documents, g.size, g.Max)
}

// Begin appends the line up to the first document. Commas separate the documents, and "]}" ends it.
func (g *Group) Begin(line []byte) []byte {
	return append(idOf(append(line, `{"id":`...), g.Key), `,"documents":[`...)
}

func errKey(field string) error { return bad("%s: want one string or number", field) }

// keyOf returns the key of a value: equal for equal values, however they are written,
// and in their order by byte. A string is its text after a quotation mark. A number is
// its canonical form after eight bytes that sort like it, after a zero. Integers keep
// all digits; other numbers are those of float64.
func keyOf(value json.RawMessage, field string) ([]byte, error) {
	switch first := value[0]; {
	case first == '"':
		var s string
		if err := json.Unmarshal(value, &s); err != nil {
			return nil, bad("%s: %w", field, err)
		}
		return append([]byte{'"'}, s...), nil
	case first != '-' && (first < '0' || first > '9'):
		return nil, errKey(field)
	}
	f, err := strconv.ParseFloat(string(value), 64)
	if err != nil {
		return nil, bad("%s: want a number in the range of float64, got %s", field, value)
	}
	if f == 0 {
		f, value = 0, []byte("0") // no negative zero
	} else if bytes.ContainsAny(value, ".eE") {
		if value, err = json.Marshal(f); err != nil {
			return nil, err
		}
	}
	bits := math.Float64bits(f)
	if f < 0 {
		bits = ^bits
	} else {
		bits |= 1 << 63
	}
	return append(binary.BigEndian.AppendUint64([]byte{'0'}, bits), value...), nil
}

// idOf appends the value of a key as JSON.
func idOf(b, key []byte) []byte {
	if key[0] == '"' {
		return appendString(b, string(key[1:]))
	}
	return append(b, key[9:]...)
}

func (g *grouped) add(r row) error {
	size := len(r.key) + len(r.text) + 64
	g.buffer = append(g.buffer, r)
	g.largest = max(g.largest, size)
	if g.held += size; g.held < g.options.Memory {
		return nil
	}
	if err := g.spill(); err != nil {
		return err
	}
	// As many files of one level as can be read at once become one of the next level:
	// each row is then merged a logarithmic number of times.
	for n := g.most(); len(g.runs) >= n && g.runs[len(g.runs)-n].level == g.runs[len(g.runs)-1].level; n = g.most() {
		if err := g.fold(n); err != nil {
			return err
		}
	}
	return nil
}

// fold merges the last n files into one.
func (g *grouped) fold(n int) error {
	first := len(g.runs) - n
	in, err := openMerge(g.runs[first:])
	if err != nil {
		return err
	}
	name, err := g.write(in.next)
	if err = errors.Join(err, in.Close()); err != nil {
		return err
	}
	for _, run := range g.runs[first:] {
		if err := os.Remove(run.name); err != nil {
			return err
		}
	}
	g.runs = append(g.runs[:first], sorted{name, g.runs[first].level + 1})
	return nil
}

// spill writes the rows in memory to a file, sorted; rows of a group keep their
// order.
func (g *grouped) spill() error {
	slices.SortStableFunc(g.buffer, func(a, b row) int { return bytes.Compare(a.key, b.key) })
	at := 0
	name, err := g.write(func() (row, error) {
		if at == len(g.buffer) {
			return row{}, io.EOF
		}
		at++
		return g.buffer[at-1], nil
	})
	clear(g.buffer)
	g.buffer, g.held = g.buffer[:0], 0
	g.runs = append(g.runs, sorted{name: name})
	return err
}

// write writes rows to a file of its own.
func (g *grouped) write(next func() (row, error)) (string, error) {
	f, err := os.CreateTemp(g.folder, "run-")
	if err != nil {
		return "", err
	}
	b := bufio.NewWriterSize(f, 256<<10)
	for {
		r, err := next()
		if err == nil {
			err = g.ctx.Err()
		}
		if errors.Is(err, io.EOF) {
			return f.Name(), errors.Join(b.Flush(), f.Close())
		}
		if err == nil {
			err = writeRow(b, r)
		}
		if err != nil {
			return "", errors.Join(err, f.Close())
		}
	}
}

func writeRow(b *bufio.Writer, r row) error {
	for _, part := range [][]byte{r.key, r.text} {
		var size [binary.MaxVarintLen64]byte
		if _, err := b.Write(size[:binary.PutUvarint(size[:], uint64(len(part)))]); err != nil {
			return err
		}
		if _, err := b.Write(part); err != nil {
			return err
		}
	}
	return nil
}

func (g *grouped) Line() int     { return g.number }
func (g *grouped) Offset() int64 { return g.offset }

// Next returns the next group as a cluster. A group above the limit is an error
// that says how large it is; it is not kept in memory.
func (g *grouped) Next() ([]byte, error) {
	first := g.ahead
	if g.ahead = nil; first == nil {
		r, err := g.in.next()
		if err != nil {
			return nil, err
		}
		first = &r
	}
	g.number++
	if len(first.key) == 0 {
		if first.text[0] == rowLong {
			return nil, jsonl.Long("%s", first.text[1:])
		}
		return nil, bad("%s", first.text[1:])
	}
	cluster := Group{Key: first.key, Max: g.options.MaxLine}
	g.line = cluster.Begin(g.line[:0])
	for r := *first; ; {
		if cluster.Add(len(r.text)) {
			g.line = append(append(g.line, r.text...), ',')
		}
		var err error
		if r, err = g.in.next(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if !bytes.Equal(r.key, first.key) {
			g.ahead = &r
			break
		}
	}
	if err := cluster.Err(); err != nil {
		g.line = nil
		return nil, err
	}
	g.line = append(g.line[:len(g.line)-1], "]}"...)
	g.offset += int64(len(g.line))
	return g.line, nil
}

// Close removes the files.
func (g *grouped) Close() error {
	var err error
	if g.in != nil {
		err = g.in.Close()
	}
	return errors.Join(err, os.RemoveAll(g.folder))
}

// merge reads sorted files as one.
type merge struct {
	files []*os.File
	heads sources
}

type source struct {
	in    *bufio.Reader
	head  row
	index int
}

// sources is a heap by value and file.
type sources []*source

func (h sources) Len() int { return len(h) }
func (h sources) Less(i, j int) bool {
	return cmp.Or(bytes.Compare(h[i].head.key, h[j].head.key), cmp.Compare(h[i].index, h[j].index)) < 0
}
func (h sources) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *sources) Push(x any)   { *h = append(*h, x.(*source)) }
func (h *sources) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

func openMerge(runs []sorted) (*merge, error) {
	m := &merge{}
	for i, run := range runs {
		f, err := os.Open(run.name)
		if err != nil {
			return nil, errors.Join(err, m.Close())
		}
		m.files = append(m.files, f)
		r := &source{in: bufio.NewReaderSize(f, 64<<10), index: i}
		if more, err := r.advance(); err != nil {
			return nil, errors.Join(err, m.Close())
		} else if more {
			m.heads = append(m.heads, r)
		}
	}
	heap.Init(&m.heads)
	return m, nil
}

func (m *merge) next() (row, error) {
	if len(m.heads) == 0 {
		return row{}, io.EOF
	}
	least := m.heads[0]
	r := least.head
	more, err := least.advance()
	if more {
		heap.Fix(&m.heads, 0)
	} else {
		heap.Pop(&m.heads)
	}
	return r, err
}

func (m *merge) Close() error {
	var errs []error
	for _, f := range m.files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// advance reads the next row of a file; false at its end.
func (r *source) advance() (bool, error) {
	var parts [2][]byte
	for i := range parts {
		size, err := binary.ReadUvarint(r.in)
		if errors.Is(err, io.EOF) && i == 0 {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		parts[i] = make([]byte, size)
		if _, err := io.ReadFull(r.in, parts[i]); err != nil {
			return false, err
		}
	}
	r.head = row{parts[0], parts[1]}
	return true, nil
}
