package ingest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/cerasum/cerasum/internal/files"
	"github.com/cerasum/cerasum/internal/records"
)

// item is an input that has not been opened.
type item struct {
	name string
	// walked means found in a folder: files that are not text are then skipped.
	walked bool
}

// source is an opened input.
type source struct {
	name, title string
	format      Format
	charset     string   // as declared by the server
	url         *url.URL // nil for files
	r           *bufio.Reader
	max         int64
	regular     bool // can be opened again
	closers     []io.Closer
	taken       atomic.Int64 // bytes read of the input
	given       atomic.Int64 // decompressed bytes returned
	// explain, if set, rewrites a reading error.
	explain func(error) error
}

// Close closes everything. Closing files opened for reading has no errors to
// report.
func (s *source) Close() error {
	for _, c := range s.closers {
		_ = c.Close()
	}
	return nil
}

// IsURL distinguishes URLs from files: a Windows drive has one letter before its colon.
func IsURL(arg string) bool {
	scheme, _, ok := strings.Cut(arg, "://")
	return ok && len(scheme) > 1 && !strings.ContainsAny(scheme, `/\.`)
}

// expand replaces folders with their files in order of their names, without hidden
// ones. Unreadable ones are reported to l.Bad.
func (l *Loader) expand(ctx context.Context, args []string) []item {
	var items []item
	for _, arg := range args {
		if arg == "-" || IsURL(arg) {
			items = append(items, item{name: arg})
			continue
		}
		info, err := os.Stat(arg)
		if errors.Is(err, fs.ErrNotExist) {
			err = notFound{plainPath(err)}
		}
		if err != nil {
			l.Bad(plainPath(err))
			continue
		}
		if !info.IsDir() {
			items = append(items, item{name: arg})
			continue
		}
		files := l.walk(ctx, arg)
		if len(files) == 0 {
			l.Warn(arg + ": no files found")
		}
		items = append(items, files...)
	}
	return items
}

func (l *Loader) walk(ctx context.Context, root string) []item {
	var items []item
	// The callback returns only the error of ctx, which Load checks itself.
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			l.Bad(plainPath(err))
			return nil
		}
		if path != root && strings.HasPrefix(d.Name(), ".") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		// Links to files are followed, links to folders are not, since they may
		// form cycles.
		info, err := os.Stat(path)
		switch {
		case err != nil:
			l.Bad(plainPath(err))
		case info.Mode().IsRegular():
			items = append(items, item{name: path, walked: true})
		case !info.IsDir():
			l.Warn("skipped: " + path + ": not a regular file")
		}
		return nil
	})
	return items
}

// shown returns the name of a source for messages.
func (s *source) shown() string {
	if s.name == "-" {
		return "standard input"
	}
	return s.name
}

// open opens an item and detects its format.
func (l *Loader) open(ctx context.Context, it item) (*source, error) {
	if IsURL(it.name) {
		return l.fetch(ctx, it.name)
	}
	src := &source{name: it.name, max: orDefault(l.maxDocument, MaxDocument)}
	var raw io.Reader
	if it.name == "-" {
		src.title = "standard input"
		r := Interruptible(ctx, l.Stdin)
		src.closers = append(src.closers, r)
		raw = r
	} else {
		f, err := openFile(ctx, it.name)
		if err != nil {
			return nil, plainPath(err)
		}
		src.title = filepath.Base(it.name)
		src.closers = append(src.closers, f)
		raw = f
		info, err := f.Stat()
		src.regular = err == nil && info.Mode().IsRegular()
		if !src.regular {
			// Reads of a pipe may block.
			r := Interruptible(ctx, f)
			src.closers = append(src.closers, r)
			raw = r
		}
	}
	if err := src.inflate(raw); err != nil {
		src.Close()
		return nil, err
	}
	if src.format = l.Format; src.format == Auto {
		src.format = formatOf(it.name, src.peek())
	}
	return src, nil
}

// openFile opens a file for reading. Opening a named pipe blocks until someone
// writes to it; when ctx ends first, the wait is abandoned.
func openFile(ctx context.Context, name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil || info.Mode().Type()&fs.ModeNamedPipe == 0 {
		return os.Open(name)
	}
	type opened struct {
		f   *os.File
		err error
	}
	done := make(chan opened)
	go func() {
		f, err := os.Open(name)
		select {
		case done <- opened{f, err}:
		case <-ctx.Done():
			_ = f.Close() // abandoned
		}
	}()
	select {
	case o := <-done:
		return o.f, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// streamOf returns the stream of a source in JSON. Standard input, pipes and
// downloads can be read only once and stay open; other files are closed and opened
// again when they are read, so that thousands of files can be given.
func (l *Loader) streamOf(ctx context.Context, it item, src *source) Stream {
	s := Stream{Name: src.name, Open: func() (Reader, error) { return src, nil }}
	if src.regular {
		src.Close()
		s.Open = func() (Reader, error) { return l.open(ctx, it) }
	}
	return s
}

// Read reads the decompressed bytes.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.given.Add(int64(n))
	if err != nil && s.explain != nil {
		err = s.explain(err)
	}
	return n, err
}

// Counts is [Reader.Counts].
func (s *source) Counts() (taken, given int64) { return s.taken.Load(), s.given.Load() }

// Counted adds the bytes read from R to N.
type Counted struct {
	R io.Reader
	N *atomic.Int64
}

func (c Counted) Read(p []byte) (int, error) {
	n, err := c.R.Read(p)
	c.N.Add(int64(n))
	return n, err
}

// inflate sets s.r to the content of raw, decompressed if it is gzip or zstd.
func (s *source) inflate(raw io.Reader) error {
	z, err := records.Inflate(Counted{raw, &s.taken})
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	s.closers = append(s.closers, z)
	s.r = bufio.NewReaderSize(z, 64<<10)
	return nil
}

// peek returns up to 4 KiB from the start.
func (s *source) peek() []byte {
	// A short input returns io.EOF with its bytes.
	b, _ := s.r.Peek(4096)
	return b
}

// extensions of the formats; other files are detected by their first bytes.
var extensions = map[string]Format{
	".txt": Text, ".text": Text,
	".md": Markdown, ".markdown": Markdown, ".mkd": Markdown, ".mdown": Markdown,
	".html": HTML, ".htm": HTML, ".xhtml": HTML,
	".jsonl": JSONL, ".ndjson": JSONL, ".json": JSON,
}

// formatOf returns the format by extension, else by the first bytes. A PDF always
// tells what it is, and a text may be JSON that was renamed.
func formatOf(name string, head []byte) Format {
	if bytes.HasPrefix(head, []byte("%PDF-")) {
		return PDF
	}
	name = unzipped(name)
	if files.Handles(name, head) {
		return Packed
	}
	f, ok := extensions[filepath.Ext(name)]
	if ok && f != Text || f == Text && !sniffJSON(trimmed(head)) {
		return f
	}
	return sniff(head)
}

// unzipped returns a name in lower case, without the ending of gzip.
func unzipped(name string) string {
	name = strings.ToLower(name)
	return strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
}

// trimmed returns the start of a text without a byte order mark and white space.
func trimmed(head []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))
}

// sniff detects HTML and JSON by their first bytes.
func sniff(head []byte) Format {
	head = trimmed(head)
	if bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"documents"`)) {
		return JSONL
	}
	if sniffJSON(head) {
		return JSON
	}
	lower := bytes.ToLower(head)
	for _, start := range []string{"<!doctype html", "<html"} {
		if bytes.HasPrefix(lower, []byte(start)) {
			return HTML
		}
	}
	return Text
}

// ErrTooLarge is wrapped by errors about inputs above the size limit.
var ErrTooLarge = errors.New("too large")

// readAll reads up to max bytes and fails if there are more.
func readAll(r io.Reader, max int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, max+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > max {
		return nil, fmt.Errorf("%w: more than %s", ErrTooLarge, size(max))
	}
	return data, nil
}

func size(n int64) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

func orDefault(n, byDefault int64) int64 {
	if n == 0 {
		return byDefault
	}
	return n
}

// ErrNotFound reports an argument that is neither a file nor, by its prefix, a web
// address.
var ErrNotFound = errors.New("neither a file nor a web address")

// notFound is the operating system's error for it.
type notFound struct{ error }

func (n notFound) Unwrap() error        { return n.error }
func (n notFound) Is(target error) bool { return target == ErrNotFound }

// plainPath removes the name of the system call from an error about a file.
func plainPath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return fmt.Errorf("%s: %w", p.Path, p.Err)
	}
	return err
}

// Interruptible returns a reader of r whose reads end with ctx even while r
// blocks. Close does not close r.
func Interruptible(ctx context.Context, r io.Reader) io.ReadCloser {
	pr, pw := io.Pipe()
	go func() {
		_, err := io.Copy(pw, r)
		pw.CloseWithError(err)
	}()
	stop := context.AfterFunc(ctx, func() { pw.CloseWithError(ctx.Err()) })
	return &interruptible{pr, stop, ctx}
}

type interruptible struct {
	*io.PipeReader
	stop func() bool
	ctx  context.Context
}

func (i *interruptible) Read(p []byte) (int, error) {
	n, err := i.PipeReader.Read(p)
	if err != nil && i.ctx.Err() != nil {
		// The error of a closed pipe varies; report that of ctx.
		err = i.ctx.Err()
	}
	return n, err
}

func (i *interruptible) Close() error {
	i.stop()
	return i.PipeReader.Close()
}
