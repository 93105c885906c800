package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/internal/jsonl"
)

// Line is one record: a line of JSON Lines, or a value of JSON.
type Line struct {
	// Name and Number are its source and line number, and Index is its index in an
	// array, or -1.
	Name          string
	Number, Index int
	*batch.Record
}

// Err adds where the record is to an error about it.
func (l *Line) Err(err error) error { return at(l.Name, l.Number, l.Index, err) }

// Label returns the line's id, or its source and number, for people.
func (l *Line) Label() string {
	if l.ID == nil {
		if l.Index >= 0 {
			return fmt.Sprintf("%s (%d)", l.Name, l.Index+1)
		}
		return fmt.Sprintf("%s line %d", l.Name, l.Number)
	}
	var s string
	if err := json.Unmarshal(l.ID, &s); err == nil {
		return s
	}
	return string(l.ID)
}

// Lines reads a stream's clusters and passes each to yield. Bad records are skipped; the first
// of them are reported to l.Bad, and then the number of the others. It returns yield's error,
// that of ctx, or a failure of the stream.
func (l *Loader) Lines(ctx context.Context, s Stream, yield func(*Line) error) error {
	stream, err := s.Open()
	if err != nil {
		return err
	}
	defer stream.Close()
	r := jsonl.NewValues(stream)
	bad := badRecords{name: s.Name, bad: l.Bad}
	defer bad.end()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		raw, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil && !errors.Is(err, jsonl.ErrLine) {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		line := &Line{Name: s.Name, Number: r.Line(), Index: r.Index()}
		if err == nil {
			line.Record, err = batch.Parse(raw, l.Language, l.Strict)
			if unknown := line.Unknown(); len(unknown) > 0 && l.Ignored != nil {
				l.Ignored(unknown)
			}
		}
		if err != nil {
			bad.report(line.Err(err))
			continue
		}
		if err := yield(line); err != nil {
			return err
		}
	}
}
