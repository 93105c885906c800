package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Values reads the records of JSON Lines, or of JSON that is laid out otherwise: an
// object over several lines is one record, and the elements of an array are one each.
// JSON Lines are recovered at each line; JSON that is laid out otherwise is read up to
// the first place where it is not clear where a value ends. Either is read one record
// at a time.
type Values struct {
	// Max is the maximum length of a record in bytes: [MaxLine], or a smaller value
	// set before the first record is read.
	Max int

	r       *bufio.Reader
	lines   *Reader // of JSON Lines; nil otherwise
	started bool
	ended   bool // nothing can be read after an error

	line    int   // of the next byte, from 1
	offset  int64 // of the next byte
	at      int   // line of the last record
	inArray bool
	index   int // of the last record in its array, or -1
	buf     []byte
}

// NewValues reads the records of r.
func NewValues(r io.Reader) *Values {
	return &Values{Max: MaxLine, r: bufio.NewReaderSize(r, 256<<10), line: 1, index: -1}
}

// Line returns the number of the line where the last record begins, from 1; after an
// error about it, of the line that has the error.
func (v *Values) Line() int {
	if v.lines != nil {
		return v.lines.Line()
	}
	return v.at
}

// Index returns the index of the last record in the array that it is an element of,
// or -1.
func (v *Values) Index() int { return v.index }

// Offset returns the position in bytes of the end of the last record.
func (v *Values) Offset() int64 {
	if v.lines != nil {
		return v.lines.Offset()
	}
	return v.offset
}

// IsLines reports, after the first record, whether these are JSON Lines.
func (v *Values) IsLines() bool { return v.lines != nil }

// Next returns the next record, which is valid until the following call. Records of
// JSON Lines may be invalid JSON, others are not. An error that wraps [ErrLine]
// concerns this record only. At the end it is io.EOF.
func (v *Values) Next() ([]byte, error) {
	if !v.started {
		if err := v.start(); err != nil {
			return nil, err
		}
		v.started = true
	}
	if v.lines != nil {
		return v.lines.Next()
	}
	if v.ended {
		return nil, io.EOF
	}
	raw, err := v.next()
	if errors.As(err, new(*broken)) {
		v.ended = true
	}
	return raw, err
}

// malformed is an error about a record that is not JSON.
type malformed struct{ message string }

func (e *malformed) Error() string        { return "invalid JSON: " + e.message }
func (e *malformed) Is(target error) bool { return target == ErrLine }

// broken is one after which it is not known where the next record begins.
type broken struct{ malformed }

func brokenBy(format string, args ...any) error {
	return &broken{malformed{fmt.Sprintf(format, args...)}}
}

// start decides by the first value whether r has JSON Lines. Of an array it reads
// nothing.
func (v *Values) start() error {
	head, err := v.blank()
	if err != nil {
		return err
	}
	if c, err := v.r.Peek(1); err == nil && c[0] == '[' {
		v.again(head)
		return nil
	}
	head, open, err := v.firstValue(head)
	if err != nil {
		return err
	}
	v.again(head)
	if !open {
		v.lines = NewReader(v.r)
		v.lines.Max = v.Max
	}
	return nil
}

// again puts the start back that has been read.
func (v *Values) again(head []byte) {
	v.r = bufio.NewReaderSize(io.MultiReader(bytes.NewReader(head), v.r), 256<<10)
}

// blank reads the white space at the start.
func (v *Values) blank() (head []byte, err error) {
	if mark, _ := v.r.Peek(3); string(mark) == "\xef\xbb\xbf" {
		head = append(head, mark...)
		_, _ = v.r.Discard(3) // has been peeked
	}
	for len(head) <= v.Max {
		c, err := v.r.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return head, nil
		case err != nil:
			return nil, err
		case !isSpace(c):
			return head, v.r.UnreadByte()
		}
		head = append(head, c)
	}
	return head, nil
}

// firstValue reads the first line, and if it begins an object that it does not end, the
// whole object. It reports whether that is so; otherwise these are lines, whose first
// may be broken.
func (v *Values) firstValue(head []byte) (all []byte, open bool, err error) {
	var b balance
	if c, err := v.r.Peek(1); err != nil || c[0] != '{' {
		return head, false, nil // an error comes again
	}
	ends := []int{len(head)} // of the white space and of the first two lines that are not blank
	for {
		line, err := v.r.ReadSlice('\n')
		more := errors.Is(err, bufio.ErrBufferFull)
		end := errors.Is(err, io.EOF)
		if err != nil && !more && !end {
			return nil, false, err
		}
		first := len(ends) == 1
		head = append(head, line...)
		if !more && len(ends) < 3 && len(bytes.TrimSpace(head[ends[len(ends)-1]:])) > 0 {
			ends = append(ends, len(head))
		}
		closed, wrong := b.all(line)
		switch {
		case first && (closed || wrong != nil || end):
			return head, false, nil
		case closed:
			return head, true, nil
		case wrong != nil, end, len(head) > v.Max:
			// If the second line is an object by itself, these are lines.
			own := len(ends) > 2 && IsObject(head[ends[1]:ends[2]]) && json.Valid(head[ends[1]:ends[2]])
			return head, !first && !own, nil
		}
	}
}

// next returns the next record of JSON that is not JSON Lines.
func (v *Values) next() ([]byte, error) {
	after := byte(0) // what is before the record in its array
	if v.inArray && v.index >= 0 {
		after = 'v'
	}
	for {
		c, err := v.significant()
		if err != nil {
			return nil, err
		}
		switch {
		case !v.inArray && c == '[':
			v.inArray, v.index, after = true, -1, 0
			continue
		case !v.inArray && c == '{':
			v.index = -1
			return v.value(c)
		case !v.inArray:
			return nil, brokenBy("want an object or an array, got %q", c)
		case c == ']' && after != ',':
			v.inArray, v.index = false, -1
			continue
		case c == ',' && after == 'v':
			after = ','
			continue
		case c == ',' || c == ']' || c == '}' || c == ':':
			return nil, brokenBy("want a value%s, got %q", v.afterElement(), c)
		case after == 'v':
			return nil, brokenBy("want a comma%s, got %q", v.afterElement(), c)
		}
		v.index++
		return v.value(c)
	}
}

func (v *Values) afterElement() string {
	if v.index < 0 {
		return ""
	}
	return fmt.Sprintf(" after element %d", v.index)
}

// significant returns the next byte that is not white space, and its line in v.at.
func (v *Values) significant() (byte, error) {
	for {
		c, err := v.byte()
		switch {
		case errors.Is(err, io.EOF) && v.inArray:
			return 0, brokenBy("the array does not end")
		case err != nil:
			return 0, err
		case v.offset == 1 && c == '\xef': // the byte order mark, as start found it
			_, err := v.r.Discard(2)
			v.offset += 2
			if err != nil {
				return 0, err
			}
		case !isSpace(c):
			v.at = v.line
			return c, nil
		}
	}
}

func (v *Values) byte() (byte, error) {
	c, err := v.r.ReadByte()
	if err != nil {
		return 0, err
	}
	v.offset++
	if c == '\n' {
		v.line++
	}
	return c, nil
}

// value reads the rest of the value that begins with c.
func (v *Values) value(c byte) ([]byte, error) {
	if cap(v.buf) > keep {
		v.buf = nil
	}
	v.buf = v.buf[:0]
	var b balance
	for long := false; ; {
		if len(v.buf) < v.Max {
			v.buf = append(v.buf, c)
		} else {
			long = true
		}
		closed, err := b.next(c)
		if err != nil {
			v.at = v.line
			if c == '\n' {
				v.at-- // the line that it ends
			}
			return nil, err
		}
		if closed || b.scalar() && v.delimited() {
			return v.checked(long)
		}
		if c, err = v.byte(); errors.Is(err, io.EOF) {
			return nil, brokenBy("the value that begins on this line does not end")
		}
		if err != nil {
			return nil, err
		}
	}
}

// delimited reports whether a number, or a word such as null, ends here.
func (v *Values) delimited() bool {
	c, err := v.r.Peek(1)
	return err != nil || isSpace(c[0]) || c[0] == ',' || c[0] == ']' || c[0] == '}'
}

// checked returns the value that has been read if it is valid.
func (v *Values) checked(long bool) ([]byte, error) {
	if long {
		return nil, Long("want at most %s", size(v.Max))
	}
	if i := invalidUTF8(v.buf); i >= 0 {
		v.at += bytes.Count(v.buf[:i], []byte("\n"))
		return nil, &malformed{fmt.Sprintf("invalid UTF-8 (0x%02x)", v.buf[i])}
	}
	if json.Valid(v.buf) {
		return v.buf, nil
	}
	var value json.RawMessage
	err := json.Unmarshal(v.buf, &value)
	var at *json.SyntaxError
	if errors.As(err, &at) {
		v.at += bytes.Count(v.buf[:max(0, min(int(at.Offset)-1, len(v.buf)))], []byte("\n"))
	}
	return nil, &malformed{fmt.Sprint(err)}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// balance follows brackets and strings, to find where a value ends without decoding it.
type balance struct {
	depth            int
	inString, escape bool
	last             byte // the last byte outside strings that is not white space
}

// next takes a byte; closed means that an object, an array or a string ends with it
// which is not part of another.
func (b *balance) next(c byte) (closed bool, err error) {
	switch {
	case b.inString && c == '\n':
		return false, brokenBy("line break in a string")
	case b.escape:
		b.escape = false
	case b.inString && c == '\\':
		b.escape = true
	case b.inString:
		b.inString = c != '"'
		return !b.inString && b.depth == 0, nil
	case isSpace(c):
	case c == '{' || c == '[' || c == '"':
		// Without this, a line that lacks its end would take in all that follow.
		if b.last == '"' || b.last == '}' || b.last == ']' {
			return false, brokenBy("want a comma before %q", c)
		}
		b.last, b.inString = c, c == '"'
		if !b.inString {
			b.depth++
		}
	case c == '}' || c == ']':
		b.last = c
		b.depth--
		return b.depth <= 0, nil
	default:
		b.last = c
	}
	return false, nil
}

// all takes bytes up to the end of a value.
func (b *balance) all(line []byte) (closed bool, err error) {
	for _, c := range line {
		if closed, err = b.next(c); closed || err != nil {
			return closed, err
		}
	}
	return false, nil
}

// scalar reports whether the value is a number, or a word such as null.
func (b *balance) scalar() bool { return b.depth == 0 && !b.inString }
