package jsonl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// FieldError is an error about one value in a line.
type FieldError struct {
	// Path of the value, for example "documents[1].text".
	Path string
	Err  error
}

func (e *FieldError) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *FieldError) Unwrap() error { return e.Err }

// At prepends path to the path of an error: an error about text becomes one about
// documents[1].text. A nil error stays nil.
func At(path string, err error) error {
	if err == nil {
		return nil
	}
	var inner *FieldError
	if errors.As(err, &inner) {
		if strings.HasPrefix(inner.Path, "[") {
			return &FieldError{path + inner.Path, inner.Err}
		}
		return &FieldError{path + "." + inner.Path, inner.Err}
	}
	return &FieldError{path, err}
}

// Index returns the path of an array element.
func Index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// Members maps the members of an object to their decoders.
type Members map[string]func(json.RawMessage) error

// Object reads a JSON object. Unknown, duplicate and missing required members, and
// data after the object are errors; names are case-sensitive.
func Object(raw []byte, members Members, required ...string) error {
	return ObjectWith(raw, members, nil, required...)
}

// ObjectWith is [Object] that passes unknown members to other, if it is not nil,
// before it returns an error about a missing one.
func ObjectWith(raw []byte, members Members, other func(name string, value json.RawMessage), required ...string) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if k := Kind(raw); k != "an object" {
		// Let the decoder report what is wrong with invalid JSON.
		if err := syntax(raw); err != nil {
			return err
		}
		return fmt.Errorf("want an object, got %s", k)
	}
	if _, err := dec.Token(); err != nil {
		return syntaxError(err)
	}
	seen := map[string]bool{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return syntaxError(err)
		}
		name, ok := token.(string)
		if !ok {
			return fmt.Errorf("want a member's name, got %v", token)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return syntaxError(err)
		}
		read, known := members[name]
		switch {
		case !known && other != nil:
			other(name, value)
			continue
		case !known:
			if name == "" {
				name = `""`
			}
			return &FieldError{name, fmt.Errorf("unknown field: want one of %s", strings.Join(slices.Sorted(maps.Keys(members)), ", "))}
		case seen[name]:
			return &FieldError{name, errors.New("duplicate field")}
		}
		seen[name] = true
		if err := At(name, read(value)); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return syntaxError(err)
	}
	if rest := bytes.TrimSpace(raw[dec.InputOffset():]); len(rest) > 0 {
		return errors.New("trailing data after the object")
	}
	for _, name := range required {
		if !seen[name] {
			return &FieldError{name, errors.New("missing")}
		}
	}
	return nil
}

func syntax(raw []byte) error {
	var value json.RawMessage
	if err := json.Unmarshal(raw, &value); err != nil {
		return syntaxError(err)
	}
	return nil
}

func syntaxError(err error) error {
	var at *json.SyntaxError
	if errors.As(err, &at) {
		return fmt.Errorf("invalid JSON: %v (byte %d)", err, at.Offset)
	}
	return fmt.Errorf("invalid JSON: %w", err)
}

// Kind returns the type of a JSON value for messages: "an object".
func Kind(raw []byte) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}

// IsObject reports whether a valid JSON value is an object.
func IsObject(raw json.RawMessage) bool { return Kind(raw) == "an object" }

// String reads a JSON string.
func String(raw json.RawMessage) (string, error) {
	var s string
	err := typed(raw, "a string", &s)
	return s, err
}

// Bool reads true or false.
func Bool(raw json.RawMessage) (bool, error) {
	var b bool
	err := typed(raw, "true or false", &b)
	return b, err
}

// Float reads a JSON number that fits a float64.
func Float(raw json.RawMessage) (float64, error) {
	var f float64
	if err := typed(raw, "a number", &f); err != nil {
		return 0, err
	}
	return f, nil
}

// Int reads a JSON number without a fraction.
func Int(raw json.RawMessage) (int, error) {
	f, err := Float(raw)
	if err != nil {
		return 0, err
	}
	n := int(f)
	if float64(n) != f || f > 1<<31 || f < -1<<31 {
		return 0, fmt.Errorf("want an integer, got %s", raw)
	}
	return n, nil
}

// Array reads a JSON array's elements.
func Array(raw json.RawMessage) ([]json.RawMessage, error) {
	var a []json.RawMessage
	err := typed(raw, "an array", &a)
	return a, err
}

// typed decodes a value of the named kind: encoding/json accepts null as any of
// them.
func typed(raw json.RawMessage, want string, to any) error {
	if k := Kind(raw); k != want {
		return fmt.Errorf("want %s, got %s", want, k)
	}
	if err := json.Unmarshal(raw, to); err != nil {
		return fmt.Errorf("want %s, got %s", want, abridged(raw))
	}
	return nil
}

func abridged(raw []byte) string {
	if len(raw) > 40 {
		return string(raw[:40]) + "…"
	}
	return string(raw)
}

// Tensor reads documents × sentences × dimensions.
func Tensor(raw json.RawMessage) ([][][]float64, error) {
	var t [][][]float64
	// null would become zero; numbers contain none of the letters n, u, l.
	if !bytes.Contains(raw, []byte("null")) && json.Unmarshal(raw, &t) == nil {
		return t, nil
	}
	// Invalid: decode step by step to locate the error.
	docs, err := Array(raw)
	if err != nil {
		return nil, err
	}
	for i, doc := range docs {
		rows, err := Array(doc)
		if err != nil {
			return nil, At(Index(i), err)
		}
		for j, row := range rows {
			if _, err := Vector(row); err != nil {
				return nil, At(Index(i), At(Index(j), err))
			}
		}
	}
	return nil, errors.New("want arrays of arrays of numbers")
}

// Vector reads an array of numbers.
func Vector(raw json.RawMessage) ([]float64, error) {
	elements, err := Array(raw)
	if err != nil {
		return nil, err
	}
	v := make([]float64, len(elements))
	for i, e := range elements {
		if v[i], err = Float(e); err != nil {
			return nil, At(Index(i), err)
		}
	}
	return v, nil
}
