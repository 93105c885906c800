package batch

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/jsonl"
	"golang.org/x/text/language"
)

// Record is one line of a corpus: a cluster of documents.
type Record struct {
	// ID is the line's own, a JSON string or number; nil where it has none.
	ID      json.RawMessage
	Cluster cluster.Cluster
}

// Parse reads a line of a corpus: {"id"?, "documents": [text or {"text",
// "title"?, "source"?, "language"?}, …], "references"?}. A non-empty language, as
// returned by [Language], applies to all documents. Unknown fields are errors
// unless they are ignored; an error names the field.
func Parse(raw []byte, language string, ignore ...string) (*Record, error) {
	r := &Record{}
	members := ignored(ignore)
	maps.Copy(members, jsonl.Members{
		"id": func(v json.RawMessage) error {
			if _, err := jsonl.String(v); err != nil {
				if _, err := jsonl.Float(v); err != nil {
					return fmt.Errorf("want a string or a number, got %s", v)
				}
			}
			r.ID = append(json.RawMessage(nil), v...)
			return nil
		},
		"documents": func(v json.RawMessage) error {
			elements, err := jsonl.Array(v)
			if err != nil {
				return err
			}
			docs := make([]cluster.Document, len(elements))
			for i, e := range elements {
				docs[i] = cluster.Document{Source: fmt.Sprintf("document %d", i+1), Language: language}
				if err := parseDocument(e, &docs[i], ignore); err != nil {
					return jsonl.At(jsonl.Index(i), err)
				}
			}
			r.Cluster.Documents = docs
			return nil
		},
		// Reference summaries of a dataset, which are used by evaluate only.
		"references": func(json.RawMessage) error { return nil },
	})
	return r, jsonl.Object(raw, members, "documents")
}

func ignored(names []string) jsonl.Members {
	members := jsonl.Members{}
	for _, name := range names {
		members[name] = func(json.RawMessage) error { return nil }
	}
	return members
}

func parseDocument(raw json.RawMessage, d *cluster.Document, ignore []string) (err error) {
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
	known := d.Language
	members := ignored(ignore)
	maps.Copy(members, jsonl.Members{
		"text":   member(&d.Text),
		"title":  member(&d.Title),
		"source": member(&d.Source),
		"language": func(v json.RawMessage) error {
			tag, err := jsonl.String(v)
			if err != nil {
				return err
			}
			base, err := Language(tag)
			if err == nil && known == "" {
				d.Language = base
			}
			return err
		},
	})
	return jsonl.Object(raw, members, "text")
}

// ErrLanguage is wrapped by the errors of [Language].
var ErrLanguage = errors.New("not a language tag")

// Language reduces a language tag such as "pt-BR" to its language code, "pt". The
// empty tag stays empty.
func Language(tag string) (string, error) {
	if tag == "" {
		return "", nil
	}
	// The parser takes seconds for a tag of a megabyte.
	if len(tag) > 100 {
		return "", fmt.Errorf("%w: want a code like en or pt-BR, got %d bytes", ErrLanguage, len(tag))
	}
	t, err := language.Parse(tag)
	if err != nil {
		return "", fmt.Errorf("%w: want a code like en or pt-BR, got %q", ErrLanguage, tag)
	}
	base, _ := t.Base()
	return base.String(), nil
}
