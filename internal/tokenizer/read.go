package tokenizer

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
)

// maxID is the highest accepted id, which bounds the list of tokens.
const maxID = 1<<22 - 1

// file is a tokenizer.json. Fields that the reference ignores (version, truncation,
// padding) are left out.
type file struct {
	Added         json.RawMessage `json:"added_tokens"`
	Normalizer    json.RawMessage `json:"normalizer"`
	PreTokenizer  json.RawMessage `json:"pre_tokenizer"`
	Model         json.RawMessage `json:"model"`
	PostProcessor json.RawMessage `json:"post_processor"`
	Decoder       json.RawMessage `json:"decoder"`
}

// Read reads a tokenizer.json. Errors name the field; components of unknown type are
// errors.
func Read(r io.Reader) (*Tokenizer, error) {
	t, err := read(r)
	if err != nil {
		return nil, fmt.Errorf("tokenizer: %w", err)
	}
	return t, nil
}

func read(r io.Reader) (*Tokenizer, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var f file
	if err := decode("file", b, &f); err != nil {
		return nil, err
	}
	for _, part := range []struct {
		name string
		raw  json.RawMessage
	}{
		{"added_tokens", f.Added}, {"normalizer", f.Normalizer}, {"pre_tokenizer", f.PreTokenizer},
		{"model", f.Model}, {"post_processor", f.PostProcessor}, {"decoder", f.Decoder},
	} {
		if len(part.raw) == 0 {
			return nil, fieldError(part.name, "missing")
		}
	}
	t := new(Tokenizer)
	if t.normalizer, err = readNormalizer("normalizer", f.Normalizer); err != nil {
		return nil, err
	}
	if t.preTokenizer, err = readPreTokenizer("pre_tokenizer", f.PreTokenizer); err != nil {
		return nil, err
	}
	if err := checkDecoder("decoder", f.Decoder); err != nil {
		return nil, err
	}
	m, err := readModel("model", f.Model)
	if err != nil {
		return nil, err
	}
	t.vocabulary = m.vocabulary
	if err := t.readAdded("added_tokens", f.Added); err != nil {
		return nil, err
	}
	if t.model, err = m.build(); err != nil {
		return nil, err
	}
	t.before, t.after, err = t.readPostProcessor("post_processor", f.PostProcessor)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// addedToken is text that always becomes one token.
type addedToken struct {
	id             int32
	lstrip, rstrip bool // strip white space to the left or right
}

// readAdded adds the added tokens to the vocabulary and the two splitters, of the
// original and the normalized text.
func (t *Tokenizer) readAdded(path string, raw json.RawMessage) error {
	if isNull(raw) {
		return fieldError(path, "want an array, have null")
	}
	items, err := list(path, raw)
	if err != nil {
		return err
	}
	t.added = map[string]addedToken{}
	t.vocabulary.added = map[string]int32{}
	var plain, normalized []string
	put := func(content string, a addedToken) {
		t.added[content] = a
		t.vocabulary.added[content] = a.id
	}
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", path, i)
		var c struct {
			ID         *float64 `json:"id"`
			Content    *string  `json:"content"`
			Lstrip     bool     `json:"lstrip"`
			Rstrip     bool     `json:"rstrip"`
			Special    bool     `json:"special"`
			Normalized *bool    `json:"normalized"`
		}
		if err := decode(at, item, &c); err != nil {
			return err
		}
		if c.Content == nil {
			return fieldError(at+".content", "missing")
		}
		if c.ID == nil {
			return fieldError(at+".id", "missing")
		}
		id, err := tokenID(at+".id", *c.ID)
		if err != nil {
			return err
		}
		a := addedToken{id: id, lstrip: c.Lstrip, rstrip: c.Rstrip}
		t.vocabulary.ids[*c.Content] = id
		t.vocabulary.set(id, *c.Content)
		put(*c.Content, a)
		if t.normalizer != nil && (c.Normalized != nil && *c.Normalized || c.Normalized == nil && !c.Special) {
			content := t.normalizer.normalize(*c.Content)
			normalized = append(normalized, content)
			put(content, a)
		} else {
			plain = append(plain, *c.Content)
		}
	}
	if t.plain, err = newSplitter(plain); err == nil {
		t.normalized, err = newSplitter(normalized)
	}
	if err != nil {
		return fieldError(path, "%w", err)
	}
	return nil
}

// tokenID checks that a number can be an id.
func tokenID(path string, x float64) (int32, error) {
	if x != math.Trunc(x) || x < 0 || x > maxID {
		return 0, fieldError(path, "want an id from 0 to %d, got %v", maxID, x)
	}
	return int32(x), nil
}

// checkDecoder validates the decoder's type: it is not used, but the reference refuses
// unknown ones.
func checkDecoder(path string, raw json.RawMessage) error {
	if isNull(raw) {
		return nil
	}
	name, err := typeOf(path, raw)
	if err != nil {
		return err
	}
	switch name {
	case "ByteLevel", "WordPiece", "Metaspace", "BPEDecoder", "CTC", "Replace", "Fuse", "Strip", "ByteFallback":
		return nil
	case "Sequence":
		var c struct {
			Decoders json.RawMessage `json:"decoders"`
		}
		if err := decode(path, raw, &c); err != nil {
			return err
		}
		items, err := list(path+".decoders", c.Decoders)
		if err != nil {
			return err
		}
		for i, item := range items {
			if err := checkDecoder(fmt.Sprintf("%s.decoders[%d]", path, i), item); err != nil {
				return err
			}
		}
		return nil
	}
	return fieldError(path+".type", "unknown %q", name)
}
