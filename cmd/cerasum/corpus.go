package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/ingest"
	"github.com/cerasum/cerasum/internal/records"
	"github.com/spf13/cobra"
)

// corpusFlags say how the records of a corpus are read.
type corpusFlags struct {
	format                             string
	documents, id, references, groupBy string
	progress                           records.Progress
}

// add registers the flags; references is for commands that use them.
func (f *corpusFlags) add(cmd *cobra.Command, references bool) {
	fs := cmd.Flags()
	fs.StringVar(&f.format, "input-format", "auto", "format of all inputs: auto (by their names; otherwise jsonl), "+strings.Join(stringsOf(records.Formats), ", "))
	records.Flags(fs, &f.documents, &f.id, &f.groupBy)
	if references {
		fs.StringVar(&f.references, "references-field", "", "field with the human summaries (default: references)")
	}
	complete(cmd, "input-format", append([]string{"auto"}, stringsOf(records.Formats)...)...)
}

// check validates the flags.
func (f *corpusFlags) check() error {
	if f.format != "auto" && f.format != "" {
		if _, err := oneOf("input-format", f.format, records.Formats); err != nil {
			return err
		}
	}
	o := f.options("", 0)
	if err := o.Check(); err != nil {
		return usage(err)
	}
	return nil
}

// options returns those for a file.
func (f *corpusFlags) options(name string, maxLine int) records.Options {
	format := records.Format(f.format)
	if f.format == "auto" || f.format == "" {
		format = records.FormatOf(name)
	}
	return records.Options{Format: format, Documents: f.documents, ID: f.id, References: f.references, GroupBy: f.groupBy, MaxLine: maxLine, Progress: f.progress}
}

// corpusLines are the lines of a corpus, and how much of it has been read.
type corpusLines struct {
	records.Lines
	share   func() float64 // 0..1; 0 if unknown
	closers []io.Closer
}

func (c *corpusLines) Close() error {
	var errs []error
	for _, one := range c.closers {
		errs = append(errs, one.Close())
	}
	return errors.Join(errs...)
}

// openCorpus opens a stream as lines.
func openCorpus(ctx context.Context, s ingest.Stream, f *corpusFlags, maxLine int) (*corpusLines, error) {
	o := f.options(s.Name, maxLine)
	if o.Format == records.Parquet {
		if s.Name == "-" {
			return nil, usage(hinted{errors.New("standard input: Parquet can only be read from a file"), "save it to a file"})
		}
		file, err := os.Open(s.Name)
		if err != nil {
			return nil, err
		}
		lines, closer, err := records.Open(ctx, file, o)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", s.Name, err), file.Close())
		}
		rows, _ := lines.(interface{ Rows() int64 })
		share := func() float64 {
			if rows == nil || rows.Rows() == 0 {
				return 0
			}
			return float64(lines.Line()) / float64(rows.Rows())
		}
		return &corpusLines{lines, share, []io.Closer{closer, file}}, nil
	}
	r, err := s.Open()
	if err != nil {
		return nil, err
	}
	lines, closer, err := records.Open(ctx, r, o)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", s.Name, err), r.Close())
	}
	size := int64(0)
	if info, err := os.Stat(s.Name); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	share := func() float64 {
		taken, given := r.Counts()
		if given == 0 || size == 0 || f.groupBy != "" { // read before the first group
			return 0
		}
		// Assumes that data read ahead is compressed at the same ratio as the rest.
		return min(1, float64(lines.Offset())*float64(taken)/float64(given)/float64(size))
	}
	return &corpusLines{lines, share, []io.Closer{closer, r}}, nil
}

// inStore returns an error for a file of a store, such as gs://bucket/corpus.jsonl.
func inStore(name string) error {
	scheme, _, _ := strings.Cut(strings.ToLower(name), "://")
	if !ingest.IsURL(name) || scheme == "http" || scheme == "https" {
		return nil
	}
	return usage(hinted{fmt.Errorf("%s: want a local file or folder", name), "cerasum-beam reads and writes gs:// and s3://; other stores can be mounted as folders"})
}

// corpora replaces folders with the corpora in them.
func corpora(args []string) ([]string, error) {
	var names []string
	for _, name := range args {
		info, err := os.Stat(name)
		if err != nil {
			if err := inStore(name); err != nil {
				return nil, err
			}
		}
		if err != nil || !info.IsDir() {
			names = append(names, name)
			continue
		}
		files, err := records.Files(name)
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, usage(hinted{fmt.Errorf("%s is a folder without corpora", name), "name files, for example " + filepath.Join(name, "*.txt")})
		}
		names = append(names, files...)
	}
	return names, nil
}
