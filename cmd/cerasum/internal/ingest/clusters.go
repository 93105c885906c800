package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/jsonl"
	"github.com/cerasum/cerasum/core/cluster"
	"golang.org/x/text/language"
)

// Line is one line of JSON Lines.
type Line struct {
	// Name and Number say where it stands.
	Name   string
	Number int
	// ID is the line's own, a JSON string or number; nil where it has none.
	ID      json.RawMessage
	Cluster cluster.Cluster
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
			err = l.parse(raw, line)
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

// parse reads {"id"?, "documents": [text or {"text", "title"?, "source"?,
// "language"?}, …], "references"?}.
func (l *Loader) parse(raw []byte, line *Line) error {
	return jsonl.Object(raw, jsonl.Members{
		"id": func(v json.RawMessage) error {
			if _, err := jsonl.String(v); err != nil {
				if _, err := jsonl.Float(v); err != nil {
					return fmt.Errorf("want a string or a number, got %s", v)
				}
			}
			line.ID = append(json.RawMessage(nil), v...)
			return nil
		},
		"documents": func(v json.RawMessage) error {
			elements, err := jsonl.Array(v)
			if err != nil {
				return err
			}
			docs := make([]cluster.Document, len(elements))
			for i, e := range elements {
				docs[i] = cluster.Document{Source: fmt.Sprintf("document %d", i+1), Language: l.Language}
				if err := l.parseDocument(e, &docs[i]); err != nil {
					return jsonl.At(jsonl.Index(i), err)
				}
			}
			line.Cluster.Documents = docs
			return nil
		},
		// A dataset's reference summaries: evaluate reads them, a summary has
		// no use for them.
		"references": func(json.RawMessage) error { return nil },
	}, "documents")
}

func (l *Loader) parseDocument(raw json.RawMessage, d *cluster.Document) (err error) {
	if !jsonl.IsObject(raw) {
		if d.Text, err = jsonl.String(raw); err != nil {
			return errors.New("want a text or an object with a text, got " + strings.TrimPrefix(err.Error(), "want a string, got "))
		}
		return nil
	}
	member := func(to *string) func(json.RawMessage) error {
		return func(v json.RawMessage) (err error) {
			*to, err = jsonl.String(v)
			return err
		}
	}
	return jsonl.Object(raw, jsonl.Members{
		"text":   member(&d.Text),
		"title":  member(&d.Title),
		"source": member(&d.Source),
		"language": func(v json.RawMessage) error {
			tag, err := jsonl.String(v)
			if err != nil {
				return err
			}
			base, err := Language(tag)
			if err == nil && l.Language == "" {
				d.Language = base
			}
			return err
		},
	}, "text")
}

// ErrLanguage is wrapped by the errors of [Language].
var ErrLanguage = errors.New("not a language tag")

// Language reduces a language tag such as "pt-BR" to the code that a document
// carries, "pt". The empty tag stays empty.
func Language(tag string) (string, error) {
	if tag == "" {
		return "", nil
	}
	t, err := language.Parse(tag)
	if err != nil {
		return "", fmt.Errorf("%w: %q: want a code like en or pt-BR", ErrLanguage, tag)
	}
	base, _ := t.Base()
	return base.String(), nil
}
