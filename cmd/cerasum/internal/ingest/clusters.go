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
	// Name and Number say where it stands.
	Name   string
	Number int
	*batch.Record
}

// Label names the line to people: its id, else its number.
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

// Lines reads a stream's clusters and hands each to yield; a bad line is told
// to l.Bad and the rest goes on. It ends with yield's error, the end of ctx,
// or a failure of the stream itself.
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
			line.Record, err = batch.Parse(raw, l.Language)
		}
		if err != nil {
			l.Bad(fmt.Errorf("%s: line %d: %w", s.Name, line.Number, err))
			continue
		}
		if err := yield(line); err != nil {
			return err
		}
	}
}
