package pdfium

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf16"
)

var (
	// ErrLocked is returned for files that require a password.
	ErrLocked = errors.New("password-protected PDF")
	// ErrDamaged is returned for files that cannot be parsed.
	ErrDamaged = errors.New("damaged PDF")
	// ErrMemory is returned for files that require too much memory.
	ErrMemory = fmt.Errorf("reading this PDF takes more than %d MiB of memory", maxPages>>4)
)

// Document is an open file.
type Document struct {
	e      *engine
	handle uint64
	// Pages is the number of pages.
	Pages int
	// Title in the file's metadata; may be empty.
	Title string
}

// Open parses a file. Reading ends with ctx, but not within one call of PDFium. The
// caller closes the document.
func Open(ctx context.Context, data []byte) (*Document, error) {
	e, err := newEngine(ctx)
	if err != nil {
		return nil, err
	}
	d := &Document{e: e}
	if err := d.open(data); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// The codes of FPDF_GetLastError.
const (
	codePassword = 4
	codeSecurity = 5
)

func (d *Document) open(data []byte) error {
	e := d.e
	d.handle = uint64(e.handle("FPDF_LoadMemDocument", uint64(e.write(data)), uint64(len(data)), 0))
	if e.err == nil && d.handle == 0 {
		switch e.number("FPDF_GetLastError") {
		case codePassword, codeSecurity:
			return ErrLocked
		}
		return ErrDamaged
	}
	if d.Pages = e.number("FPDF_GetPageCount", d.handle); d.Pages < 1 && e.err == nil {
		return ErrDamaged
	}
	d.Title = d.meta("Title")
	return d.failure()
}

// Close frees the memory.
func (d *Document) Close() { d.e.close() }

// failure returns the error of the calls: a fault in the file's reader is one of the
// file, which was made to cause it or is damaged.
func (d *Document) failure() error {
	switch err := d.e.err; {
	case err == nil, errors.Is(err, ErrMemory), d.e.ctx.Err() != nil:
		return err
	default:
		return fmt.Errorf("%w: %v", ErrDamaged, firstLine(err))
	}
}

// maxMeta limits a value of the metadata in bytes.
const maxMeta = 4096

// meta returns a value of the metadata.
func (d *Document) meta(name string) string {
	e := d.e
	tag, value := e.write(append([]byte(name), 0)), e.allocate(maxMeta)
	n := e.number("FPDF_GetMetaText", d.handle, uint64(tag), uint64(value), maxMeta)
	if n < 2 || n > maxMeta || e.err != nil {
		return ""
	}
	b := e.bytes(value, n-2) // without the final NUL
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}
