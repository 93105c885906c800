package onnx

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protowire"
)

// Limits on what the decoder keeps, so that a wrong length cannot exhaust the
// memory. No name in a model comes near the first, and no shape has more
// dimensions than the second.
const (
	maxText = 1 << 24
	maxDims = 64
	// maxKept limits the total bytes of all names and messages; keptMessage and
	// keptText are the overhead added for each.
	maxKept     = 1 << 28
	keptMessage = 64
	keptText    = 16
)

// decoder reads protobuf from a stream, which protowire cannot do, and tracks
// the position in the file.
type decoder struct {
	r      *bufio.Reader
	offset int64
	kept   int64
}

func newDecoder(r io.Reader) *decoder {
	return &decoder{r: bufio.NewReaderSize(r, 1<<16)}
}

// span is the part of the file that holds a message: up to end, or to the end
// of the file if end is negative.
type span struct {
	name string
	end  int64
}

func (d *decoder) whole() span { return span{"the model", -1} }

// field is the start of a field. For BytesType, length bytes follow; for
// VarintType, value is the number.
type field struct {
	number protowire.Number
	wire   protowire.Type
	length int64
	value  uint64
	in     span
	at     int64
}

// recognize detects files that are often given by mistake.
func (d *decoder) recognize() error {
	head, err := d.r.Peek(64)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return err
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case len(head) == 0:
		return fmt.Errorf("%w: empty file", ErrFormat)
	case bytes.HasPrefix(head, []byte("version https://git-lfs")):
		return fmt.Errorf("%w: a Git LFS pointer instead of the model", ErrFormat)
	case bytes.HasPrefix(text, []byte("<")):
		return fmt.Errorf("%w: looks like an HTML page", ErrFormat)
	case bytes.HasPrefix(text, []byte(`{"`)), bytes.HasPrefix(text, []byte("{\n")), bytes.HasPrefix(text, []byte("{\r")):
		return fmt.Errorf("%w: looks like JSON", ErrFormat)
	}
	return nil
}

// fault is an error at a field.
func (d *decoder) fault(f field, message string) error {
	return fmt.Errorf("%w: byte %d, in %s: %s", ErrFormat, f.at, f.in.name, message)
}

// cut is the error for a truncated file, or a field that exceeds its message.
func (d *decoder) cut(s span, err error) error {
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: truncated after %d bytes, in %s", ErrFormat, d.offset, s.name)
	}
	return err
}

// byte reads one byte of a span.
func (d *decoder) byte(s span) (byte, error) {
	if s.end >= 0 && d.offset >= s.end {
		return 0, fmt.Errorf("%w: byte %d: a field exceeds %s", ErrFormat, d.offset, s.name)
	}
	b, err := d.r.ReadByte()
	if err != nil {
		return 0, err
	}
	d.offset++
	return b, nil
}

func (d *decoder) varint(s span) (uint64, error) {
	var v uint64
	for shift := 0; shift < 64; shift += 7 {
		b, err := d.byte(s)
		if err != nil {
			return 0, d.cut(s, err)
		}
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v, nil
		}
	}
	return 0, fmt.Errorf("%w: byte %d, in %s: an integer of more than ten bytes", ErrFormat, d.offset, s.name)
}

// fields calls take for every field of a span; take must read or skip it.
func (d *decoder) fields(s span, take func(*decoder, field) error) error {
	for s.end < 0 || d.offset < s.end {
		if s.end < 0 {
			if _, err := d.r.Peek(1); errors.Is(err, io.EOF) {
				return nil
			}
		}
		f := field{in: s, at: d.offset}
		tag, err := d.varint(s)
		if err != nil {
			return err
		}
		f.number, f.wire = protowire.DecodeTag(tag)
		if !f.number.IsValid() {
			return d.fault(f, "no field has such a number")
		}
		switch f.wire {
		case protowire.VarintType:
			if f.value, err = d.varint(s); err != nil {
				return err
			}
		case protowire.Fixed64Type, protowire.Fixed32Type:
			for range map[protowire.Type]int{protowire.Fixed64Type: 8, protowire.Fixed32Type: 4}[f.wire] {
				if _, err := d.byte(s); err != nil {
					return d.cut(s, err)
				}
			}
		case protowire.BytesType:
			n, err := d.varint(s)
			if err != nil {
				return err
			}
			if n > maxBytes || s.end >= 0 && int64(n) > s.end-d.offset {
				return d.fault(f, fmt.Sprintf("a field of %d bytes, more than remain", n))
			}
			f.length = int64(n)
		default:
			return d.fault(f, "bytes that are not protobuf")
		}
		if err := take(d, f); err != nil {
			return err
		}
	}
	return nil
}

// skip skips a field.
func (d *decoder) skip(f field) error {
	n, err := io.CopyN(io.Discard, d.r, f.length)
	d.offset += n
	if err != nil {
		return d.cut(f.in, err)
	}
	return nil
}

// message reads a field that is a message.
func (d *decoder) message(f field, name string, take func(*decoder, field) error) error {
	if f.wire != protowire.BytesType {
		return d.fault(f, name+" is no message")
	}
	if d.kept += keptMessage; d.kept > maxKept {
		return d.fault(f, "too many parts")
	}
	return d.fields(span{name, d.offset + f.length}, take)
}

// text reads a field that is a string.
func (d *decoder) text(f field, name string) (string, error) {
	if f.wire != protowire.BytesType {
		return "", d.fault(f, name+" is no text")
	}
	d.kept += f.length + keptText
	if f.length > maxText || d.kept > maxKept {
		return "", d.fault(f, fmt.Sprintf("%s is %d bytes long", name, f.length))
	}
	b := make([]byte, f.length)
	n, err := io.ReadFull(d.r, b)
	d.offset += int64(n)
	if err != nil {
		return "", d.cut(f.in, err)
	}
	return string(b), nil
}

// integer reads a field that is a number.
func (d *decoder) integer(f field, name string) (int64, error) {
	if f.wire != protowire.VarintType {
		return 0, d.fault(f, name+" is no integer")
	}
	return int64(f.value), nil
}

// integers appends one number, or several packed in one field.
func (d *decoder) integers(f field, name string, to []int64) ([]int64, error) {
	if f.wire == protowire.VarintType {
		to = append(to, int64(f.value))
	} else if f.wire != protowire.BytesType {
		return to, d.fault(f, name+" is no integer")
	} else {
		inner := span{name, d.offset + f.length}
		for d.offset < inner.end && len(to) <= maxDims {
			v, err := d.varint(inner)
			if err != nil {
				return to, err
			}
			to = append(to, int64(v))
		}
	}
	if len(to) > maxDims {
		return to, d.fault(f, fmt.Sprintf("more than %d %s", maxDims, name))
	}
	return to, nil
}
