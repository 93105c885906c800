package records

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// appendString appends a string as JSON. It must be valid UTF-8.
func appendString(b []byte, s string) []byte {
	from := 0
	b = append(b, '"')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = fmt.Appendf(b, "\\u%04x", c)
		}
	}
	return append(append(b, s[from:]...), '"')
}

// mapped are lines whose fields have the names that readers of clusters expect.
type mapped struct {
	Lines
	options Options
}

func (m *mapped) Next() ([]byte, error) {
	raw, err := m.Lines.Next()
	if err != nil {
		return nil, err
	}
	row, err := object(raw)
	if err != nil {
		return nil, err
	}
	o := &m.options
	for _, field := range []struct {
		path, name string
		list       bool
	}{{o.ID, "id", false}, {o.Documents, "documents", true}, {o.References, "references", true}} {
		if field.path == "" || field.path == field.name {
			continue
		}
		values, err := find(raw, field.path)
		if err != nil {
			return nil, err
		}
		first, _, dotted := strings.Cut(field.path, ".")
		if field.list || !dotted {
			delete(row, first)
		}
		switch {
		case len(values) == 0:
			delete(row, field.name)
		case field.list:
			row[field.name] = list(values)
		case len(values) > 1:
			return nil, bad("%s: want one value, got %d", field.path, len(values))
		default:
			row[field.name] = values[0]
		}
	}
	return join(row), nil
}

// object decodes a row.
func object(raw []byte) (map[string]json.RawMessage, error) {
	var row map[string]json.RawMessage
	if err := json.Unmarshal(raw, &row); err != nil || row == nil {
		return nil, bad("want a JSON object")
	}
	return row, nil
}

// find returns the values at a path; lists on the way stand for their elements.
func find(raw json.RawMessage, path string) ([]json.RawMessage, error) {
	values := []json.RawMessage{raw}
	for name := range strings.SplitSeq(path, ".") {
		var next []json.RawMessage
		for _, value := range values {
			var members map[string]json.RawMessage
			if err := json.Unmarshal(value, &members); err != nil {
				return nil, bad("%s: want an object with a field %s", path, name)
			}
			if member, ok := members[name]; ok && !bytes.Equal(member, []byte("null")) {
				next = append(next, elements(member)...)
			}
		}
		values = next
	}
	return values, nil
}

// elements are those of a list, or the value itself.
func elements(raw json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return []json.RawMessage{raw}
	}
	return list
}

// list and join encode lists and objects of JSON, sorted by name.
func list(values []json.RawMessage) json.RawMessage {
	return slices.Concat([]byte("["), bytes.Join(raws(values), []byte(",")), []byte("]"))
}

func raws(values []json.RawMessage) [][]byte {
	all := make([][]byte, len(values))
	for i, v := range values {
		all[i] = v
	}
	return all
}

func join(row map[string]json.RawMessage) []byte {
	b := []byte{'{'}
	for _, name := range slices.Sorted(maps.Keys(row)) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(appendString(b, name), ':')
		b = append(b, row[name]...)
	}
	return append(b, '}')
}
