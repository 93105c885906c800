package tokenizer

import (
	"encoding/json"
	"fmt"
)

// readPostProcessor returns the special tokens before and after a text, which is all that
// the supported post-processors add to a single text.
func (t *Tokenizer) readPostProcessor(path string, raw json.RawMessage) (before, after []int32, err error) {
	if isNull(raw) {
		return nil, nil, nil
	}
	name, err := typeOf(path, raw)
	if err != nil {
		return nil, nil, err
	}
	switch name {
	case "ByteLevel":
		return nil, nil, nil
	case "BertProcessing", "RobertaProcessing":
		var c struct {
			Cls json.RawMessage `json:"cls"`
			Sep json.RawMessage `json:"sep"`
		}
		if err := decode(path, raw, &c); err != nil {
			return nil, nil, err
		}
		cls, err := t.special(path+".cls", c.Cls)
		if err != nil {
			return nil, nil, err
		}
		sep, err := t.special(path+".sep", c.Sep)
		if err != nil {
			return nil, nil, err
		}
		return []int32{cls}, []int32{sep}, nil
	case "TemplateProcessing":
		return t.readTemplate(path, raw)
	case "Sequence":
		var c struct {
			Processors json.RawMessage `json:"processors"`
		}
		if err := decode(path, raw, &c); err != nil {
			return nil, nil, err
		}
		items, err := list(path+".processors", c.Processors)
		if err != nil {
			return nil, nil, err
		}
		for i, item := range items {
			at := fmt.Sprintf("%s.processors[%d]", path, i)
			if isNull(item) {
				return nil, nil, fieldError(at, "want an object, have null")
			}
			b, a, err := t.readPostProcessor(at, item)
			if err != nil {
				return nil, nil, err
			}
			before = append(b, before...)
			after = append(after, a...)
		}
		return before, after, nil
	}
	return nil, nil, fieldError(path+".type", "unknown %q", name)
}

// special reads a pair of a token and an id. It returns the id that the vocabulary has
// for the token, like the reference, not that of the pair.
func (t *Tokenizer) special(path string, raw json.RawMessage) (int32, error) {
	if len(raw) == 0 {
		return 0, fieldError(path, "missing")
	}
	items, err := list(path, raw)
	if err != nil {
		return 0, err
	}
	var token string
	if len(items) == 0 || json.Unmarshal(items[0], &token) != nil {
		return 0, fieldError(path, "want a token and its id")
	}
	return t.known(path+"[0]", token)
}

func (t *Tokenizer) known(path, token string) (int32, error) {
	id, ok := t.vocabulary.id(token)
	if !ok {
		return 0, fieldError(path, "want a token, got %q", token)
	}
	return id, nil
}

func (t *Tokenizer) readTemplate(path string, raw json.RawMessage) (before, after []int32, err error) {
	var c struct {
		Single json.RawMessage `json:"single"`
	}
	if err := decode(path, raw, &c); err != nil {
		return nil, nil, err
	}
	path += ".single"
	if len(c.Single) == 0 {
		return nil, nil, fieldError(path, "missing")
	}
	items, err := list(path, c.Single)
	if err != nil {
		return nil, nil, err
	}
	seen := false
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", path, i)
		var c struct {
			SpecialToken, Sequence *struct {
				ID *string `json:"id"`
			}
		}
		if err := decode(at, item, &c); err != nil {
			return nil, nil, err
		}
		switch {
		case c.SpecialToken != nil && c.SpecialToken.ID != nil:
			id, err := t.known(at+".SpecialToken.id", *c.SpecialToken.ID)
			if err != nil {
				return nil, nil, err
			}
			if seen {
				after = append(after, id)
			} else {
				before = append(before, id)
			}
		case c.Sequence != nil && c.Sequence.ID != nil && *c.Sequence.ID == "A" && !seen:
			seen = true
		default:
			return nil, nil, fieldError(at, "want a SpecialToken, or once the Sequence A")
		}
	}
	if !seen {
		return nil, nil, fieldError(path, "the Sequence A is missing")
	}
	return before, after, nil
}
