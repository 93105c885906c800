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

// Line is one line of JSON Lines.
type Line struct {
	// Name and Number are its source and line number.
	Name   string
	Number int
	*batch.Record
}

// Label returns the line's id, or its source and number, for people.
func (l *Line) Label() string {
	if l.ID == nil {
		return fmt.Sprintf("%s line %d", l.Name, l.Number)
	}
	var s string
	if err := json.Unmarshal(l.ID, &s); err == nil {
		return s
	}
	return string(l.ID)
}

// Lines reads a stream's clusters and passes each to yield; bad lines are reported
// to l.Bad and skipped. It returns yield's error, that of ctx, or a failure of the
// stream.
func (l *Loader) Lines(ctx context.Context, s Stream, yield func(*Line) error) error {
	stream, err := s.Open()
	if err != nil {
		return err
	}
	defer stream.Close()
	r := jsonl.NewReader(stream)
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
		line := &Line{Name: s.Name, Number: r.Line()}
		if err == nil {
			line.Record, err = batch.Parse(raw, l.Language, l.Strict)
			if unknown := line.Unknown(); len(unknown) > 0 && l.Ignored != nil {
				l.Ignored(unknown)
			}
		}
		if err != nil {
			l.Bad(fmt.Errorf("%s:%d: %w", s.Name, line.Number, err))
			continue
		}
		if err := yield(line); err != nil {
			return err
		}
	}
}
