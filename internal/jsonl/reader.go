// Package jsonl reads JSON Lines strictly: unknown, repeated or missing members,
// values of the wrong type and lines that are not JSON are errors with their
// location.
// Start with [NewReader] for the lines, [NewValues] for JSON in any layout, and [Object]
// for the members of a record.
package jsonl

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// MaxLine is the maximum length of a line in bytes.
const MaxLine = 512 << 20

// ErrLine is wrapped by errors of [Reader.Next] after which reading can continue
// with the next line.
var ErrLine = errors.New("unreadable line")

// ErrLong is wrapped, besides [ErrLine], by errors about lines above the maximum.
var ErrLong = errors.New("too long")

// Long returns an error about a line above the maximum.
func Long(format string, args ...any) error { return long(fmt.Sprintf(format, args...)) }

type long string

func (e long) Error() string        { return ErrLine.Error() + ": " + string(e) }
func (e long) Is(target error) bool { return target == ErrLine || target == ErrLong }

// Reader reads lines one at a time, however long.
type Reader struct {
	// Max is the maximum length of a line in bytes: [MaxLine], or a smaller value
	// set before the first line is read.
	Max    int
	r      *bufio.Reader
	line   int
	offset int64
	buf    []byte
}

// keep is the size of the buffer that is reused from line to line: larger ones are
// released.
const keep = 1 << 20

// NewReader reads the lines of r.
func NewReader(r io.Reader) *Reader {
	return &Reader{Max: MaxLine, r: bufio.NewReaderSize(r, 256<<10)}
}

// Line returns the number of the last line returned by Next, from 1.
func (r *Reader) Line() int { return r.line }

// Offset returns the position in bytes of the end of that line.
func (r *Reader) Offset() int64 { return r.offset }

// Next returns the next non-blank line without its line end; it is valid until the
// following call. A line that is too long or not UTF-8 returns an error that wraps
// [ErrLine]. At the end it returns io.EOF.
func (r *Reader) Next() ([]byte, error) {
	for {
		line, long, err := r.read()
		if err != nil {
			return nil, err
		}
		r.line++
		if long {
			return nil, Long("want at most %s", size(r.Max))
		}
		if r.line == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if i := invalidUTF8(line); i >= 0 {
			return nil, fmt.Errorf("%w: invalid UTF-8 at byte %d (0x%02x)", ErrLine, i+1, line[i])
		}
		return line, nil
	}
}

// read returns the next line with its line end; long means that it exceeded the
// limit and was skipped.
func (r *Reader) read() (line []byte, long bool, err error) {
	if cap(r.buf) > keep {
		r.buf = nil
	}
	r.buf = r.buf[:0]
	for {
		part, err := r.r.ReadSlice('\n')
		r.offset += int64(len(part))
		if !long && len(r.buf)+len(part) > r.Max {
			long = true
		}
		if !long {
			r.buf = append(r.buf, part...)
		}
		switch {
		case err == nil:
			return r.buf, long, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && (long || len(r.buf) > 0):
			return r.buf, long, nil
		default:
			return nil, false, err
		}
	}
}

func size(n int) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

func invalidUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		c, size := utf8.DecodeRune(b[i:])
		if c == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}
