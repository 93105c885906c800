package records

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/cerasum/cerasum/internal/jsonl"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// parquetRows are decoded at once. Rows may be large.
const parquetRows = 32

// parquetLines are the rows of a Parquet file as objects, without fields that are
// null.
type parquetLines struct {
	total  int64
	fields []*field
	groups []parquet.RowGroup
	in     parquet.Rows // of the current group; nil before the first
	rows   []parquet.Row
	at, n  int // of rows
	max    int
	row    int
	offset int64
	line   []byte
}

// field is a field of the schema. Rows come as one list of values per column, which
// is a field without fields, with levels that say where lists begin and how much of a
// path is there (Melnik et al. 2010, Dremel).
type field struct {
	name               string
	optional, repeated bool
	defined            int // the definition level from which it is there
	level              int // the repetition level of its elements, if repeated
	fields             []*field
	column             int // the first of its columns
	text               func(b []byte, v parquet.Value) ([]byte, error)
}

func openParquet(r io.Reader, most int) (_ *parquetLines, err error) {
	in, ok := r.(interface {
		io.ReaderAt
		io.Seeker
	})
	if !ok {
		return nil, fmt.Errorf("%w: Parquet can only be read from a file", ErrOptions)
	}
	size, err := in.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	// The library panics for some damaged files.
	defer recovered(&err)
	f, err := parquet.OpenFile(in, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, err
	}
	p := &parquetLines{total: f.NumRows(), groups: f.RowGroups(), rows: make([]parquet.Row, parquetRows), max: most}
	columns := 0
	for _, node := range f.Schema().Fields() {
		p.fields = append(p.fields, newField(node, 0, 0, &columns))
	}
	return p, nil
}

// recovered turns a panic into an error.
func recovered(err *error) {
	if fault := recover(); fault != nil {
		*err = fmt.Errorf("damaged Parquet: %v", fault)
	}
}

func newField(node parquet.Field, defined, level int, columns *int) *field {
	f := &field{name: node.Name(), optional: node.Optional(), repeated: node.Repeated(), defined: defined, level: level, column: *columns}
	if f.optional || f.repeated {
		f.defined++
	}
	if f.repeated {
		f.level++
	}
	if node.Leaf() {
		*columns++
		f.text = textOf(node.Type())
		return f
	}
	for _, child := range node.Fields() {
		f.fields = append(f.fields, newField(child, f.defined, f.level, columns))
	}
	return f
}

// list returns the repeated field of a list, which the format wraps in a group, and
// what its elements are.
func (f *field) list() (*field, bool) {
	if len(f.fields) != 1 || !f.fields[0].repeated {
		return nil, false
	}
	return f.fields[0], true
}

// Close frees what the current group holds. The file is the caller's.
func (p *parquetLines) Close() error {
	if p.in == nil {
		return nil
	}
	return p.in.Close()
}

// Rows is the number of rows of the file.
func (p *parquetLines) Rows() int64 { return p.total }

func (p *parquetLines) Line() int     { return p.row }
func (p *parquetLines) Offset() int64 { return p.offset }

func (p *parquetLines) Next() (line []byte, err error) {
	defer recovered(&err)
	for p.at >= p.n {
		if err := p.read(); err != nil {
			return nil, err
		}
	}
	row := p.rows[p.at]
	p.at++
	p.row++
	var values [][]parquet.Value
	row.Range(func(_ int, column []parquet.Value) bool {
		values = append(values, column)
		return true
	})
	p.line = append(p.line[:0], '{')
	if p.line, err = appendFields(p.line, p.fields, values); err != nil {
		return nil, bad("column %w", err)
	}
	p.line = append(p.line, '}')
	if len(p.line) > p.max {
		return nil, jsonl.Long("want at most %d bytes, got %d", p.max, len(p.line))
	}
	p.offset += int64(len(p.line))
	return p.line, nil
}

// read reads the next rows.
func (p *parquetLines) read() error {
	if p.in == nil {
		if len(p.groups) == 0 {
			return io.EOF
		}
		p.in, p.groups = p.groups[0].Rows(), p.groups[1:]
	}
	n, err := p.in.ReadRows(p.rows)
	p.at, p.n = 0, n
	if errors.Is(err, io.EOF) {
		err = p.in.Close()
		p.in = nil
	}
	return err
}

// missing reports whether a field is null or an empty list at its place.
func (f *field) missing(values [][]parquet.Value) bool {
	column := values[f.column]
	return len(column) == 0 || column[0].DefinitionLevel() < f.defined
}

// skip passes over the values that stand for a missing field.
func (f *field) skip(values [][]parquet.Value) {
	if f.text != nil {
		values[f.column] = values[f.column][1:]
	}
	for _, child := range f.fields {
		child.skip(values)
	}
}

// appendFields appends the fields of an object that are there.
func appendFields(b []byte, fields []*field, values [][]parquet.Value) (_ []byte, err error) {
	for _, f := range fields {
		if !f.repeated && f.missing(values) {
			f.skip(values)
			continue
		}
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(appendString(b, f.name), ':')
		if b, err = f.append(b, values); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return b, nil
}

// append appends a field that is there: a value, an object, or a list.
func (f *field) append(b []byte, values [][]parquet.Value) ([]byte, error) {
	if f.repeated {
		return f.appendList(b, values, f)
	}
	if list, ok := f.list(); ok {
		if len(list.fields) == 1 { // in a group of its own
			return list.appendList(b, values, list.fields[0])
		}
		return list.appendList(b, values, list)
	}
	return f.appendElement(b, values)
}

// appendList appends the elements of a repeated field.
func (f *field) appendList(b []byte, values [][]parquet.Value, element *field) (_ []byte, err error) {
	b = append(b, '[')
	if f.missing(values) {
		f.skip(values)
		return append(b, ']'), nil
	}
	for first := true; ; first = false {
		if column := values[f.column]; !first && (len(column) == 0 || column[0].RepetitionLevel() != f.level) {
			return append(b, ']'), nil
		}
		if !first {
			b = append(b, ',')
		}
		switch {
		case element == f:
			b, err = f.appendElement(b, values)
		case !element.repeated && element.missing(values):
			element.skip(values)
			b = append(b, "null"...)
		default:
			b, err = element.append(b, values)
		}
		if err != nil {
			return nil, err
		}
	}
}

// appendElement appends a value or an object.
func (f *field) appendElement(b []byte, values [][]parquet.Value) ([]byte, error) {
	if f.text != nil {
		v := values[f.column][0]
		values[f.column] = values[f.column][1:]
		return f.text(b, v)
	}
	b, err := appendFields(append(b, '{'), f.fields, values)
	return append(b, '}'), err
}

var errUTF8 = errors.New("invalid UTF-8")

// textOf returns how the values of a type are written as JSON. Bytes are text, as
// many programs write it without saying so.
func textOf(t parquet.Type) func(b []byte, v parquet.Value) ([]byte, error) {
	if logical := t.LogicalType(); logical != nil {
		switch l := logical.Value.(type) {
		case *format.DateType:
			return func(b []byte, v parquet.Value) ([]byte, error) {
				return appendString(b, time.Unix(int64(v.Int32())*86400, 0).UTC().Format(time.DateOnly)), nil
			}
		case *format.TimestampType:
			unit := l.Unit.Value.Duration()
			return func(b []byte, v parquet.Value) ([]byte, error) {
				n := v.Int64()
				perSecond := int64(time.Second / unit)
				return appendString(b, time.Unix(n/perSecond, n%perSecond*int64(unit)).UTC().Format(time.RFC3339Nano)), nil
			}
		case *format.IntType:
			if !l.IsSigned {
				return func(b []byte, v parquet.Value) ([]byte, error) {
					if v.Kind() == parquet.Int32 {
						return strconv.AppendUint(b, uint64(v.Uint32()), 10), nil
					}
					return strconv.AppendUint(b, v.Uint64(), 10), nil
				}
			}
		case *format.DecimalType:
			return func(b []byte, v parquet.Value) ([]byte, error) { return appendString(b, v.String()), nil }
		}
	}
	return appendPlain
}

func appendPlain(b []byte, v parquet.Value) ([]byte, error) {
	switch v.Kind() {
	case parquet.Boolean:
		return strconv.AppendBool(b, v.Boolean()), nil
	case parquet.Int32:
		return strconv.AppendInt(b, int64(v.Int32()), 10), nil
	case parquet.Int64:
		return strconv.AppendInt(b, v.Int64(), 10), nil
	case parquet.Float:
		return appendFloat(b, float64(v.Float()))
	case parquet.Double:
		return appendFloat(b, v.Double())
	case parquet.ByteArray, parquet.FixedLenByteArray:
		if !utf8.Valid(v.ByteArray()) {
			return nil, errUTF8
		}
		return appendString(b, string(v.ByteArray())), nil
	}
	return appendString(b, v.String()), nil
}

func appendFloat(b []byte, f float64) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(b, "null"...), nil
	}
	raw, err := json.Marshal(f)
	return append(b, raw...), err
}
