package records

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cerasum/cerasum/internal/jsonl"
)

// csvLines are the rows of a table with a header, as objects of strings without the
// empty cells.
type csvLines struct {
	in        *csv.Reader
	from      *measured
	header    []string
	documents string // column that may hold a list
	max, row  int
	offset    int64
	line      []byte
}

func openCSV(r io.Reader, o Options) (*csvLines, error) {
	c := &csvLines{from: &measured{r: r, most: o.MaxLine + 1<<20}, max: o.MaxLine, documents: "documents"}
	if o.Documents != "" {
		c.documents = o.Documents
	}
	b := bufio.NewReader(c.from)
	if head, err := b.Peek(3); err == nil && string(head) == "\ufeff" {
		_, _ = b.Discard(3) // at least three bytes are buffered
	}
	c.in = csv.NewReader(b)
	c.in.ReuseRecord = true
	c.in.FieldsPerRecord = -1
	if o.Format == TSV {
		c.in.Comma = '\t'
	}
	header, err := c.in.Read()
	if errors.Is(err, io.EOF) {
		return c, nil
	}
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	c.header = slices.Clone(header)
	for i, name := range c.header {
		if name == "" || slices.Contains(c.header[:i], name) {
			return nil, fmt.Errorf("header: column %d: want a unique name, got %q", i+1, name)
		}
	}
	return c, nil
}

func (c *csvLines) Line() int     { return c.row }
func (c *csvLines) Offset() int64 { return c.offset }

func (c *csvLines) Next() ([]byte, error) {
	c.from.read = 0
	cells, err := c.in.Read()
	var wrong *csv.ParseError
	switch {
	case errors.As(err, &wrong) && !errors.Is(err, errLong):
		c.row++
		return nil, bad("%w", err)
	case err != nil:
		return nil, err
	}
	c.row++
	if len(cells) != len(c.header) {
		return nil, bad("want %d cells as in the header, got %d", len(c.header), len(cells))
	}
	c.line = append(c.line[:0], '{')
	for i, cell := range cells {
		if cell == "" {
			continue
		}
		if !utf8.ValidString(cell) {
			return nil, bad("column %s: invalid UTF-8", c.header[i])
		}
		if len(c.line) > 1 {
			c.line = append(c.line, ',')
		}
		c.line = append(appendString(c.line, c.header[i]), ':')
		switch {
		case c.header[i] == c.documents && strings.HasPrefix(cell, "[") && json.Valid([]byte(cell)):
			b := bytes.NewBuffer(c.line)
			_ = json.Compact(b, []byte(cell)) // it is valid
			c.line = b.Bytes()
		case c.header[i] == "documents":
			c.line = append(appendString(append(c.line, '['), cell), ']')
		default:
			c.line = appendString(c.line, cell)
		}
	}
	c.line = append(c.line, '}')
	if len(c.line) > c.max {
		return nil, jsonl.Long("want at most %d bytes, got %d", c.max, len(c.line))
	}
	c.offset += int64(len(c.line))
	return c.line, nil
}

// errLong ends a table: it cannot be known where the next row begins.
var errLong = errors.New("a row is too long: is a quotation mark missing?")

// measured limits the bytes read for one row: a quotation mark that is missing would
// make all the rest one cell.
type measured struct {
	r          io.Reader
	read, most int
}

func (m *measured) Read(p []byte) (int, error) {
	if m.read > m.most {
		return 0, errLong
	}
	n, err := m.r.Read(p)
	m.read += n
	return n, err
}
