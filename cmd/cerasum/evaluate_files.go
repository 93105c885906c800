package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/ingest"
	"github.com/cerasum/cerasum/internal/records"
)

// corpusFiles is a file system of local files under their own paths that
// decompresses gzip and zstd, and shows other formats as JSON Lines: a.jsonl.gz
// appears as a.jsonl.
type corpusFiles struct {
	given      string          // a file that was named with .gz
	corpus     *corpusFlags    // how the records of a dataset are read; nil: other files
	ctx        context.Context // ends the grouping of records, with corpus
	read, size atomic.Int64
}

// datasetName returns a short name for a dataset.
func datasetName(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = path
	}
	name := strings.TrimSuffix(filepath.Base(abs), ".gz")
	// "validation.jsonl" alone is ambiguous.
	if parent := filepath.Base(filepath.Dir(abs)); parent != "." && parent != string(filepath.Separator) {
		name = parent + "/" + name
	}
	return name
}

// root takes the path that the user gave and returns the name to open.
func (c *corpusFiles) root(path string) string {
	if plain, ok := strings.CutSuffix(path, ".gz"); ok {
		c.given = path
		return filepath.ToSlash(plain)
	}
	// Without a trailing slash, as in fs.WalkDir.
	return filepath.ToSlash(filepath.Clean(path))
}

// rewind resets the count of the bytes read.
func (c *corpusFiles) rewind() {
	c.read.Store(0)
	c.size.Store(0)
}

// fraction returns the share of the opened files' bytes that has been read, in 0..1.
func (c *corpusFiles) fraction() float64 {
	if c.size.Load() == 0 {
		return 0
	}
	return float64(c.read.Load()) / float64(c.size.Load())
}

// Open opens a file or a folder; a file that is gzip is decompressed.
func (c *corpusFiles) Open(name string) (fs.File, error) {
	path := filepath.FromSlash(name)
	var f *os.File
	var err error
	if c.given == "" || path+".gz" != c.given {
		f, err = os.Open(path)
	}
	if f == nil && (err == nil || errors.Is(err, fs.ErrNotExist)) {
		zipped, e := os.Open(path + ".gz")
		if e != nil && err == nil {
			err = e
		}
		f = zipped
	}
	if f == nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if info.IsDir() {
		return corpusFolder{f}, nil
	}
	c.size.Add(info.Size())
	in := &corpusFile{File: f}
	counted := ingest.Counted{R: f, N: &c.read}
	var o records.Options
	if c.corpus != nil {
		o = c.corpus.options(name, batch.DefaultMaxLine)
	}
	switch {
	case o.Format == records.Parquet: // its index is at the end
		in.r, in.closer, err = openText(c.ctx, f, o)
	case o != (records.Options{Format: o.Format}) || o.Format == records.CSV || o.Format == records.TSV:
		in.r, in.closer, err = openText(c.ctx, counted, o)
	default:
		in.closer, err = records.Inflate(counted)
		in.r, _ = in.closer.(io.Reader)
	}
	if err != nil {
		return nil, errors.Join(&fs.PathError{Op: "open", Path: name, Err: err}, f.Close())
	}
	return in, nil
}

// openText opens a corpus as a text of JSON Lines.
func openText(ctx context.Context, r io.Reader, o records.Options) (io.Reader, io.Closer, error) {
	lines, closer, err := records.Open(ctx, r, o)
	if err != nil {
		return nil, nil, err
	}
	return records.Text(lines), closer, nil
}

// corpusFile is a file, decompressed, as JSON Lines.
type corpusFile struct {
	*os.File
	r      io.Reader
	closer io.Closer
}

func (f *corpusFile) Close() error { return errors.Join(f.closer.Close(), f.File.Close()) }

func (f *corpusFile) Read(p []byte) (int, error) { return f.r.Read(p) }

// corpusFolder lists its files without the .gz suffix.
type corpusFolder struct{ *os.File }

func (f corpusFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	entries, err := f.File.ReadDir(n)
	for i, e := range entries {
		if !e.IsDir() && strings.HasSuffix(e.Name(), ".gz") {
			entries[i] = unzipped{e}
		}
	}
	return entries, err
}

type unzipped struct{ fs.DirEntry }

func (u unzipped) Name() string { return strings.TrimSuffix(u.DirEntry.Name(), ".gz") }

// bar shows the share of the dataset that is done: of its clusters if their
// number is known, else of its bytes.
func (a *app) bar(files *corpusFiles, reader any, limit int) func(records int) {
	total := 0
	if r, ok := reader.(interface{ Len() int }); ok {
		total = r.Len()
	}
	if limit > 0 && (total == 0 || limit < total) {
		total = limit
	}
	return func(records int) {
		if total > 0 {
			a.progress.bar(float64(records)/float64(total), records)
		} else {
			a.progress.bar(files.fraction(), records)
		}
	}
}

// barWidth is the width of a progress bar in columns.
const barWidth = 30

// bar replaces the line with a bar, at most ten times a second.
func (p *progress) bar(fraction float64, records int) {
	if !p.on || time.Since(p.last) < 100*time.Millisecond {
		return
	}
	p.last, p.shown = time.Now(), true
	fraction = min(max(fraction, 0), 1)
	full := int(fraction * barWidth)
	// An error is ignored: it recurs when the table is written.
	_, _ = io.WriteString(p.w, "\r\x1b[K"+strings.Repeat("█", full)+strings.Repeat("░", barWidth-full)+
		" "+percentOf(fraction)+", "+clusters(records))
}
