package batch

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/jsonl"
)

// Record is one line of a corpus: a cluster of documents.
type Record struct {
	// ID is a JSON string or number; nil if the line has none.
	ID        json.RawMessage
	Documents []core.Document
	// fields are the unknown fields of the line, documentFields those of each
	// document.
	fields         []field
	documentFields [][]field
}

// Parse reads a line of a corpus: {"id"?, "documents": [text or {"text",
// "title"?, "source"?, "language"?, "date"?, "blocks"?: [[start, end, kind], …]}, …],
// "references"?}. The offsets of blocks are UTF-16 units, as in summaries. If language, a code as
// returned by core.ParseLanguage, is not empty, it is the language of all
// documents. With strict, unknown fields are errors; otherwise they are collected
// ([Record.Unknown]), also if there is an error. Errors name the field.
func Parse(raw []byte, language string, strict bool) (*Record, error) {
	r := &Record{}
	members := jsonl.Members{
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
			docs := make([]core.Document, len(elements))
			r.documentFields = make([][]field, len(elements))
			for i, e := range elements {
				docs[i] = core.Document{Source: fmt.Sprintf("document %d", i+1), Language: language}
				if err := parseDocument(e, &docs[i], collector(&r.documentFields[i], strict)); err != nil {
					return jsonl.At(jsonl.Index(i), err)
				}
			}
			r.Documents = docs
			return nil
		},
		// Reference summaries of a dataset, which are used by evaluate only.
		"references": func(json.RawMessage) error { return nil },
	}
	return r, jsonl.ObjectWith(raw, members, collector(&r.fields, strict), "documents")
}

func parseDocument(raw json.RawMessage, d *core.Document, other func(string, json.RawMessage)) (err error) {
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
	var blocks json.RawMessage // read after the text
	members := jsonl.Members{
		"text":   member(&d.Text),
		"title":  member(&d.Title),
		"source": member(&d.Source),
		"date":   member(&d.Date),
		"blocks": func(v json.RawMessage) error { blocks = v; return nil },
		"language": func(v json.RawMessage) error {
			tag, err := jsonl.String(v)
			if err != nil {
				return err
			}
			base, err := core.ParseLanguage(tag)
			if err == nil && known == "" {
				d.Language = base
			}
			return err
		},
	}
	if err := jsonl.ObjectWith(raw, members, other, "text"); err != nil || blocks == nil {
		return err
	}
	var tree any
	if err := json.Unmarshal(blocks, &tree); err != nil {
		return jsonl.At("blocks", err)
	}
	d.Blocks, err = core.DecodeBlocks(d.Text, tree)
	var option *core.OptionError
	if errors.As(err, &option) && option.Name != "" {
		err = jsonl.At(option.Name, errors.New(option.Message))
	}
	return jsonl.At("blocks", err)
}

// ParseDocument reads a document as it stands in the "documents" of a line: a text, or
// an object with a "text". Language and strict are as in [Parse]; unknown are the names
// of its other fields, also if there is an error.
func ParseDocument(raw []byte, language string, strict bool) (d core.Document, unknown []string, err error) {
	var fields []field
	d.Language = language
	err = parseDocument(raw, &d, collector(&fields, strict))
	for _, f := range fields {
		unknown = append(unknown, f.name)
	}
	return d, unknown, err
}
