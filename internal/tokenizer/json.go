package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/cerasum/cerasum/internal/jsonl"
)

// fieldError is an error about a field of the file.
func fieldError(path, format string, args ...any) error {
	return fmt.Errorf("%s: "+format, append([]any{path}, args...)...)
}

// decode reads the fields of an object into a struct.
func decode(path string, raw json.RawMessage, into any) error {
	if b := bytes.TrimLeft(raw, " \t\r\n"); len(b) == 0 || b[0] != '{' {
		return fieldError(path, "want an object, have %s", jsonl.Kind(raw))
	}
	err := json.Unmarshal(raw, into)
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		if mismatch.Field != "" {
			path += "." + mismatch.Field
		}
		return fieldError(path, "want %s, have %s", wanted(mismatch.Type.Kind().String()), mismatch.Value)
	}
	if err != nil {
		return fieldError(path, "%w", err)
	}
	return nil
}

func wanted(goKind string) string {
	switch goKind {
	case "struct", "map":
		return "an object"
	case "slice":
		return "an array"
	case "bool":
		return "true or false"
	case "string":
		return "a string"
	}
	return "an integer"
}

func isNull(raw json.RawMessage) bool { return string(bytes.TrimSpace(raw)) == "null" }

// list reads an array; an absent one and null are empty.
func list(path string, raw json.RawMessage) ([]json.RawMessage, error) {
	if len(raw) == 0 || isNull(raw) {
		return nil, nil
	}
	if b := bytes.TrimLeft(raw, " \t\r\n"); b[0] != '[' {
		return nil, fieldError(path, "want an array, have %s", jsonl.Kind(raw))
	}
	var out []json.RawMessage
	if err := json.Unmarshal(raw, &out); err != nil {
		return nil, fieldError(path, "%w", err)
	}
	return out, nil
}

// sequence reads the components in a member of a sequence, without those that are null.
func sequence[T comparable](path, member string, raw json.RawMessage, read func(path string, raw json.RawMessage) (T, error)) ([]T, error) {
	var c map[string]json.RawMessage
	if err := decode(path, raw, &c); err != nil {
		return nil, err
	}
	path += "." + member
	items, err := list(path, c[member])
	if err != nil {
		return nil, err
	}
	all := []T{}
	var none T
	for i, item := range items {
		one, err := read(fmt.Sprintf("%s[%d]", path, i), item)
		if err != nil {
			return nil, err
		}
		if one != none {
			all = append(all, one)
		}
	}
	return all, nil
}

// typeOf returns the type that a component names.
func typeOf(path string, raw json.RawMessage) (string, error) {
	var c struct {
		Type *string `json:"type"`
	}
	if err := decode(path, raw, &c); err != nil {
		return "", err
	}
	if c.Type == nil {
		return "", fieldError(path+".type", "missing")
	}
	return *c.Type, nil
}

// cursor reads the large parts of a file, vocabulary and merges, for which
// encoding/json would be slow. It reads only JSON that has been validated.
type cursor struct {
	b []byte
	i int
}

// peek returns the first byte of the next value or sign.
func (c *cursor) peek() byte {
	for c.i < len(c.b) {
		switch c.b[c.i] {
		case ' ', '\t', '\r', '\n', ',', ':':
			c.i++
		default:
			return c.b[c.i]
		}
	}
	return 0
}

// open enters an array or an object.
func (c *cursor) open(sign byte) bool {
	if c.peek() != sign {
		return false
	}
	c.i++
	return true
}

// text reads a string.
func (c *cursor) text() (string, bool) {
	if c.peek() != '"' {
		return "", false
	}
	start := c.i
	plain := true
	for c.i++; c.i < len(c.b) && c.b[c.i] != '"'; c.i++ {
		if c.b[c.i] == '\\' {
			plain = false
			c.i++
		}
	}
	c.i++
	if c.i > len(c.b) {
		return "", false
	}
	if plain {
		return valid(string(c.b[start+1 : c.i-1])), true
	}
	var s string
	if json.Unmarshal(c.b[start:c.i], &s) != nil {
		return "", false
	}
	return s, true
}

// number reads a number.
func (c *cursor) number() (float64, bool) {
	first := c.peek()
	if first != '-' && (first < '0' || first > '9') {
		return 0, false
	}
	start := c.i
	for c.i < len(c.b) {
		switch b := c.b[c.i]; {
		case b >= '0' && b <= '9', b == '-', b == '+', b == '.', b == 'e', b == 'E':
			c.i++
			continue
		}
		break
	}
	f, err := strconv.ParseFloat(string(c.b[start:c.i]), 64)
	return f, err == nil
}
