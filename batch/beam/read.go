package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"time"

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

// match finds the files of a pattern. Beam's fileio does so, too, but takes half a minute of
// CPU time to compile.
type match struct{}

// ProcessElement emits the paths of the files; a folder stands for the corpora in it. A pattern
// without files is an error.
func (*match) ProcessElement(ctx context.Context, pattern string, emit func(string)) error {
	fs, err := filesystem.New(ctx, pattern)
	if err != nil {
		return err
	}
	defer fs.Close()
	paths, err := list(ctx, fs, pattern)
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return fmt.Errorf("no files matching pattern %q", pattern)
	}
	for _, p := range paths {
		emit(p)
	}
	return nil
}

// list lists the files of a pattern. In stores without folders, a name that ends in a slash is one.
func list(ctx context.Context, fs filesystem.Interface, pattern string) (files []string, err error) {
	remote := strings.Contains(pattern, "://")
	if remote && strings.HasSuffix(pattern, "/") {
		paths, err := fs.List(ctx, pattern+"*")
		for _, p := range paths {
			if strings.Count(p, "/") == strings.Count(pattern, "/") && records.IsCorpus(path.Base(p)) {
				files = append(files, p)
			}
		}
		return files, err
	}
	paths, err := fs.List(ctx, pattern)
	if err != nil || remote {
		return paths, err
	}
	for _, p := range paths {
		if info, err := os.Stat(p); err != nil || !info.IsDir() {
			files = append(files, p)
			continue
		}
		within, err := records.Files(p)
		if err != nil {
			return nil, err
		}
		files = append(files, within...)
	}
	return files, nil
}

// read splits a file into lines like "cerasum batch": textio accepts invalid UTF-8,
// keeps a BOM, and has no line numbers.
type read struct {
	MaxLine       int
	Documents, ID string // as in Settings
	Rows          bool   // lines are documents of groups
	counters      counters
}

// ProcessElement emits the records of a file as lines.
func (r *read) ProcessElement(ctx context.Context, name string, emit func(Line)) error {
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer fs.Close()
	raw, err := fs.OpenRead(ctx, name)
	if err != nil {
		return err
	}
	defer raw.Close()
	o := records.Options{Format: records.FormatOf(name), Documents: r.Documents, ID: r.ID, MaxLine: r.MaxLine}
	var in io.Reader = raw
	if o.Format == records.Parquet {
		// Its index is at the end, and Beam's files can only be read from the start.
		copied, err := spool(raw)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		defer copied.Close()
		in = copied
	}
	lines, closer, err := records.Open(ctx, in, o)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
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
			if r.Rows {
				err = records.InRow(lines.Line(), err)
			}
			emit(Line{File: name, Number: lines.Line(), Reason: err.Error(), Kind: (&batch.Counts{}).Unread(err)})
		case err != nil:
			return fmt.Errorf("%s: after line %d: %w", name, lines.Line(), err)
		default:
			emit(Line{File: name, Number: lines.Line(), Raw: string(line)})
		}
	}
}

// spool copies a stream to a temporary file that ends with the process, even if it is killed: the
// file has no name any more, except on Windows, which removes no open files.
func spool(r io.Reader) (*spooled, error) {
	f, err := os.CreateTemp("", "cerasum-beam-")
	if err != nil {
		return nil, err
	}
	s := &spooled{File: f, named: os.Remove(f.Name()) != nil}
	if _, err := io.Copy(f, r); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

type spooled struct {
	*os.File
	named bool // must be removed after it is closed
}

func (s *spooled) Close() error {
	err := s.File.Close()
	if s.named {
		err = errors.Join(err, os.Remove(s.Name()))
	}
	return err
}
