// Package records reads corpora in other formats than JSON Lines as lines of JSON,
// one cluster per line, so that everything else only knows lines: CSV, TSV and
// Parquet, plain or compressed; fields by other names; and documents in rows of their
// own, grouped by a column.
//
// Start with [Open].
package records

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/internal/jsonl"
)

// Lines are the lines of a corpus, as [jsonl.Reader] returns them.
type Lines interface {
	// Next returns the next line; it is valid until the following call. An error
	// that wraps [jsonl.ErrLine] concerns this line only. At the end it is io.EOF.
	Next() ([]byte, error)
	// Line is the number of the last line, from 1: a row, or a group.
	Line() int
	// Offset is the number of bytes of all lines up to this one.
	Offset() int64
}

// Format of a corpus.
type Format string

const (
	JSONL   Format = "jsonl"
	CSV     Format = "csv"
	TSV     Format = "tsv"
	Parquet Format = "parquet"
)

// Formats lists all formats.
var Formats = []Format{JSONL, CSV, TSV, Parquet}

// extensions of the formats.
var extensions = map[string]Format{".jsonl": JSONL, ".ndjson": JSONL, ".csv": CSV, ".tsv": TSV, ".parquet": Parquet, ".pq": Parquet}

// FormatOf returns the format of a file by its name, without .gz or .zst; JSONL if
// the name does not say.
func FormatOf(name string) Format {
	if f, ok := extensions[extension(name)]; ok {
		return f
	}
	return JSONL
}

// extension returns the extension of a name without that of a compression.
func extension(name string) string {
	name = strings.ToLower(name)
	for _, suffix := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return filepath.Ext(name)
}

// IsCorpus reports whether a file in a folder is one of its corpora, by its name.
func IsCorpus(name string) bool {
	_, known := extensions[extension(name)]
	return known && !strings.HasPrefix(name, ".")
}

// Files returns the corpora of a folder by their names, sorted, without hidden ones
// and without those of folders in it.
func Files(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		if !IsCorpus(e.Name()) {
			continue
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			names = append(names, path)
		}
	}
	slices.Sort(names)
	return names, nil
}

// Options of [Open]. The zero value reads JSON Lines unchanged.
type Options struct {
	Format Format // empty: JSONL
	// Documents, ID and References are the paths of these fields where they have
	// other names: "articles.text" is the texts of a list of articles.
	Documents, ID, References string
	// GroupBy is the path of the field whose value the documents of a cluster share;
	// each row is then a document, whose text is at Documents ("text" if empty).
	GroupBy string
	// MaxLine is the maximum length of a line in bytes.
	MaxLine int
	// Memory for sorting rows into groups; 0 means 64 MiB.
	Memory int
	// Progress, if it is not nil, reports the sorting of rows into groups.
	Progress Progress
}

// Flags declares the flags of three options in a set of package flag, or of pflag.
func Flags(set interface {
	StringVar(p *string, name, value, usage string)
}, documents, id, groupBy *string) {
	set.StringVar(documents, "documents-field", "", "field with the documents: a path such as articles.text, through lists (default: documents, or text if records are documents)")
	set.StringVar(id, "id-field", "", "field with the id, for example meta.uuid (default: id)")
	set.StringVar(groupBy, "group-by", "", "field that the documents of a cluster share: each record is then one document")
}

// Progress reports on long work.
type Progress interface {
	// Sorting is called at intervals, and at the end of sorting.
	Sorting(rows int, end bool)
}

// plain reports whether lines are left as they are.
func (o *Options) plain() bool {
	return o.Documents == "" && o.ID == "" && o.References == "" && o.GroupBy == ""
}

// ErrOptions is wrapped by errors about options.
var ErrOptions = errors.New("invalid option")

// Check refuses invalid combinations.
func (o *Options) Check() error {
	if o.GroupBy != "" && o.References != "" {
		return fmt.Errorf("%w: a references field cannot be combined with grouping by %s, as each record is a document", ErrOptions, o.GroupBy)
	}
	if o.GroupBy != "" && o.ID != "" {
		return fmt.Errorf("%w: an id field cannot be combined with grouping by %s, whose value is the id", ErrOptions, o.GroupBy)
	}
	for _, path := range []string{o.Documents, o.ID, o.References, o.GroupBy} {
		if slices.Contains(strings.Split(path, "."), "") && path != "" {
			return badPath(path)
		}
	}
	return nil
}

func badPath(path string) error {
	return fmt.Errorf("%w: field %q: want names separated by dots", ErrOptions, path)
}

// Open reads a corpus. Parquet has its index at the end: r must be an io.ReaderAt
// with an io.Seeker, such as a file. Other formats may be compressed. The caller
// closes the result, which does not close r. The context ends the grouping of rows.
func Open(ctx context.Context, r io.Reader, o Options) (Lines, io.Closer, error) {
	if err := o.Check(); err != nil {
		return nil, nil, err
	}
	if o.MaxLine <= 0 {
		o.MaxLine = jsonl.MaxLine
	}
	var lines Lines
	var closing closers
	switch o.Format {
	case Parquet:
		p, err := openParquet(r, o.MaxLine)
		if err != nil {
			return nil, nil, err
		}
		closing = append(closing, p)
		lines = p
	case CSV, TSV, JSONL, "":
		in, err := Inflate(r)
		if err != nil {
			return nil, nil, err
		}
		closing = append(closing, in)
		if o.Format == CSV || o.Format == TSV {
			c, err := openCSV(in, o)
			if err != nil {
				return nil, nil, errors.Join(err, closing.Close())
			}
			lines = c
			break
		}
		plain := jsonl.NewReader(in)
		plain.Max = min(o.MaxLine, jsonl.MaxLine)
		lines = plain
	default:
		return nil, nil, fmt.Errorf("%w: unknown format %q", ErrOptions, o.Format)
	}
	switch {
	case o.GroupBy != "":
		g, err := group(ctx, lines, o)
		if err != nil {
			return nil, nil, errors.Join(err, closing.Close())
		}
		return g, append(closers{g}, closing...), nil
	case !o.plain():
		lines = &mapped{Lines: lines, options: o}
	}
	return lines, closing, nil
}

type closers []io.Closer

func (c closers) Close() error {
	var errs []error
	for _, one := range c {
		errs = append(errs, one.Close())
	}
	return errors.Join(errs...)
}

// bad is an error about one line.
func bad(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{jsonl.ErrLine}, args...)...)
}

// Text returns the lines as a stream, for readers of JSON Lines. In the place of a
// line that cannot be read, Read returns an error that wraps [jsonl.ErrLine]; the
// following call goes on.
func Text(lines Lines) io.Reader { return &text{lines: lines} }

type text struct {
	lines Lines
	rest  []byte
	err   error // ends the stream
}

func (t *text) Read(p []byte) (int, error) {
	if len(t.rest) == 0 && t.err == nil {
		var line []byte
		var err error
		switch line, err = t.lines.Next(); {
		case err == nil:
			t.rest = append(append(t.rest[:0], line...), '\n')
		case errors.Is(err, jsonl.ErrLine):
			return 0, err
		case errors.Is(err, io.EOF):
			t.err = err
		default:
			t.err = fmt.Errorf("line %d: %w", t.lines.Line(), err)
		}
	}
	if len(t.rest) == 0 {
		return 0, t.err
	}
	n := copy(p, t.rest)
	t.rest = t.rest[n:]
	return n, nil
}
