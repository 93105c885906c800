package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/cerasum/cerasum/internal/jsonl"
)

// Line is a line of a corpus with its position.
type Line struct {
	File   string
	Number int
	Raw    []byte
	// Reason, if not empty, says why the line could not be read.
	Reason string
}

// read splits a file into lines like "cerasum batch": textio accepts invalid UTF-8,
// keeps a BOM, and has no line numbers.
type read struct{ MaxLine int }

// ProcessElement emits the non-blank lines of a file.
func (r *read) ProcessElement(ctx context.Context, file fileio.FileMetadata, emit func(Line)) error {
	fs, err := filesystem.New(ctx, file.Path)
	if err != nil {
		return err
	}
	defer fs.Close()
	raw, err := fs.OpenRead(ctx, file.Path)
	if err != nil {
		return err
	}
	defer raw.Close()
	in, err := inflated(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", file.Path, err)
	}
	lines := jsonl.NewReader(in)
	lines.Max = r.MaxLine
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, jsonl.ErrLine):
			emit(Line{File: file.Path, Number: lines.Line(), Reason: err.Error()})
		case err != nil:
			return fmt.Errorf("%s: after line %d: %w", file.Path, lines.Line(), err)
		default:
			emit(Line{File: file.Path, Number: lines.Line(), Raw: append([]byte(nil), line...)})
		}
	}
}

// inflated returns the decompressed data of gzip, whatever the file's name, and
// other data unchanged.
func inflated(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 1<<20)
	if magic, err := b.Peek(2); err != nil || magic[0] != 0x1f || magic[1] != 0x8b {
		return b, nil
	}
	return gzip.NewReader(b)
}
