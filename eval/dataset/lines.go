package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/cerasum/cerasum/internal/jsonl"
)

// MaxLine is the maximum length in bytes of a line, and of a file that holds one
// document or summary.
const MaxLine = 64 << 20

// lineReader reads the lines of a stream, including blank ones, without line
// ends.
type lineReader struct {
	r    *bufio.Reader
	buf  []byte
	line int // the last one returned, from 1
	max  int
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 64<<10), max: MaxLine}
}

// next returns a line, valid until the next call. ErrTooLong, ErrEncoding and
// [jsonl.ErrLine] of the stream concern that line only; any other error is final.
func (l *lineReader) next() ([]byte, error) {
	l.buf = l.buf[:0]
	long, some := false, false
	for {
		part, err := l.r.ReadSlice('\n')
		some = some || len(part) > 0
		if long = long || len(l.buf)+len(part) > l.max; !long {
			l.buf = append(l.buf, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if errors.Is(err, jsonl.ErrLine) {
			l.line++
			return nil, err
		}
		if err != nil && !(errors.Is(err, io.EOF) && some) {
			return nil, err
		}
		break
	}
	l.line++
	if long {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrTooLong, l.max)
	}
	line := bytes.TrimSuffix(bytes.TrimSuffix(l.buf, []byte("\n")), []byte("\r"))
	if l.line == 1 {
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	return line, checkUTF8(line)
}

// lineError distinguishes errors about one line from those that end the stream.
func lineError(err error) bool {
	return errors.Is(err, ErrTooLong) || errors.Is(err, ErrEncoding) || errors.Is(err, jsonl.ErrLine)
}

// checkUTF8 reports the first invalid byte, counting from 1.
func checkUTF8(b []byte) error {
	if utf8.Valid(b) {
		return nil
	}
	for i := 0; ; {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size <= 1 {
			return fmt.Errorf("%w: byte %d is 0x%02x; convert the file to UTF-8", ErrEncoding, i+1, b[i])
		}
		i += size
	}
}
