package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/internal/jsonl"
	"github.com/cerasum/cerasum/internal/records"
)

// Line is a line of a corpus with its position. As in every record that crosses
// between workers, no field may be nil, since Beam's schemas do not allow null there, and
// no int32 negative: runners in Java end the job when they find one.
type Line struct {
	File   string
	Number int
	// Raw is valid UTF-8, because [jsonl.Reader] refuses other lines; empty if
	// there is a reason.
	Raw string
	// Reason, if not empty, says why the line could not be read; Kind is the reason
	// as a label of the counter.
	Reason, Kind string
}

// read splits a file into lines like "cerasum batch": textio accepts invalid UTF-8,
// keeps a BOM, and has no line numbers.
type read struct {
	MaxLine       int
	Documents, ID string // as in Settings
	counters      counters
}

// ProcessElement emits the records of a file as lines.
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
	o := records.Options{Format: records.FormatOf(file.Path), Documents: r.Documents, ID: r.ID, MaxLine: r.MaxLine}
	var in io.Reader = raw
	if o.Format == records.Parquet {
		// Its index is at the end, and Beam's files can only be read from the start.
		copied, err := spool(raw)
		if err != nil {
			return fmt.Errorf("%s: %w", file.Path, err)
		}
		defer os.Remove(copied.Name())
		defer copied.Close()
		in = copied
	}
	lines, closer, err := records.Open(ctx, in, o)
	if err != nil {
		return fmt.Errorf("%s: %w", file.Path, err)
	}
	defer closer.Close()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		var counts batch.Counts
		begun := time.Now()
		line, err := lines.Next()
		counts.Time(batch.Read, begun)
		r.counters.add(ctx, &counts)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, jsonl.ErrLine):
			emit(Line{File: file.Path, Number: lines.Line(), Reason: err.Error(), Kind: (&batch.Counts{}).Unread(err)})
		case err != nil:
			return fmt.Errorf("%s: after line %d: %w", file.Path, lines.Line(), err)
		default:
			emit(Line{File: file.Path, Number: lines.Line(), Raw: string(line)})
		}
	}
}

// spool copies a stream to a temporary file.
func spool(r io.Reader) (*os.File, error) {
	f, err := os.CreateTemp("", "cerasum-beam-")
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(f, r); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return f, nil
}
