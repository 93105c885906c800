package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cerasum/cerasum/eval/rouge"
	"github.com/cerasum/cerasum/internal/jsonl"
)

// rougeCase is one line of input.
type rougeCase struct {
	id         json.RawMessage // a string or a number; nil if absent
	summary    []string
	references [][]string
}

func parseRougeCase(raw []byte) (c rougeCase, err error) {
	err = jsonl.Object(raw, jsonl.Members{
		"id": func(v json.RawMessage) error {
			if _, err := jsonl.String(v); err != nil {
				if _, err := jsonl.Float(v); err != nil {
					return fmt.Errorf("want a string or a number, got %s", v)
				}
			}
			c.id = v
			return nil
		},
		"summary": func(v json.RawMessage) (err error) { c.summary, err = parseTexts(v); return err },
		"references": func(v json.RawMessage) error {
			elements, err := jsonl.Array(v)
			if err != nil {
				return err
			}
			if len(elements) == 0 {
				return rouge.ErrNoReference
			}
			c.references = make([][]string, len(elements))
			for i, e := range elements {
				if c.references[i], err = parseTexts(e); err != nil {
					return jsonl.At(jsonl.Index(i), err)
				}
			}
			return nil
		},
		"expected": func(json.RawMessage) error { return nil },
	}, "summary", "references")
	return c, err
}

// parseTexts reads an array of strings.
func parseTexts(raw json.RawMessage) ([]string, error) {
	elements, err := jsonl.Array(raw)
	if err != nil {
		if _, e := jsonl.String(raw); e == nil {
			return nil, errors.New("want an array of lines, got one string")
		}
		return nil, err
	}
	out := make([]string, len(elements))
	for i, e := range elements {
		if out[i], err = jsonl.String(e); err != nil {
			return nil, jsonl.At(jsonl.Index(i), err)
		}
	}
	return out, nil
}

// empty reports which of a case's texts has no tokens, or "".
func (c *rougeCase) empty(s *rouge.Scorer) string {
	if !s.HasToken(c.summary) {
		return "the summary has no tokens"
	}
	for i, r := range c.references {
		if !s.HasToken(r) {
			return fmt.Sprintf("references[%d] has no tokens", i)
		}
	}
	return ""
}
