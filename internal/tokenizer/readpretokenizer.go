package tokenizer

import (
	"encoding/json"
)

// readPreTokenizer returns nil for null.
func readPreTokenizer(path string, raw json.RawMessage) (preTokenizer, error) {
	if isNull(raw) {
		return nil, nil
	}
	name, err := typeOf(path, raw)
	if err != nil {
		return nil, err
	}
	switch name {
	case "Sequence":
		all, err := sequence(path, "pretokenizers", raw, readPreTokenizer)
		if err != nil {
			return nil, err
		}
		return preTokenizers(all), nil
	case "BertPreTokenizer":
		return bertWords{}, nil
	case "Whitespace":
		return whitespaceWords{}, nil
	case "WhitespaceSplit":
		return whitespaceSplit{}, nil
	case "Punctuation":
		return punctuation{}, nil
	case "Digits":
		var c struct {
			Individual bool `json:"individual_digits"`
		}
		if err := decode(path, raw, &c); err != nil {
			return nil, err
		}
		return digits{individual: c.Individual}, nil
	case "Split":
		return readSplit(path, raw)
	case "Replace":
		r, err := readReplace(path, raw)
		return replaceWords{r}, err
	case "ByteLevel":
		return readByteLevel(path, raw)
	case "Metaspace":
		return readMetaspace(path, raw)
	case "FixedLength":
		var c struct {
			Length float64 `json:"length"`
		}
		if err := decode(path, raw, &c); err != nil {
			return nil, err
		}
		if c.Length != float64(int32(c.Length)) || c.Length < 1 {
			return nil, fieldError(path+".length", "want an integer of at least 1, got %v", c.Length)
		}
		return fixedLength(c.Length), nil
	}
	return nil, fieldError(path+".type", "unknown %q", name)
}

func readMetaspace(path string, raw json.RawMessage) (preTokenizer, error) {
	var c struct {
		Replacement *string `json:"replacement"`
		StrRep      string  `json:"str_rep"`
		Scheme      *string `json:"prepend_scheme"`
	}
	if err := decode(path, raw, &c); err != nil {
		return nil, err
	}
	m := metaspace{replacement: "▁", always: true}
	if c.Replacement != nil {
		m.replacement = *c.Replacement
	}
	m.written = c.StrRep
	if m.written == "" {
		m.written = m.replacement
	}
	if c.Scheme != nil {
		m.always, m.first = *c.Scheme == "always", *c.Scheme == "first"
	}
	t, err := newTemplate(m.written, false)
	if err != nil {
		return nil, fieldError(path+".str_rep", "%w", err)
	}
	m.space = t.fill(" ")
	return m, nil
}
