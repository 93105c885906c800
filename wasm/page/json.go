//go:build js

package main

import (
	"math"
	"strconv"
)

// appendJSON appends a tree as JSON; encoding/json would make the program a
// tenth larger. A number that JSON cannot represent becomes null, which the
// page's decoder refuses. Invalid UTF-8 is replaced by U+FFFD when the whole is
// decoded. The order of fields is unspecified. A []uint32 becomes null, which
// toValue replaces.
func appendJSON(b []byte, tree any) []byte {
	switch t := tree.(type) {
	case nil, []uint32:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, t)
	case float64:
		if math.IsNaN(t) || math.IsInf(t, 0) {
			return append(b, "null"...)
		}
		return strconv.AppendFloat(b, t, 'g', -1, 64)
	case string:
		return appendString(b, t)
	case []any:
		b = append(b, '[')
		for i, item := range t {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, item)
		}
		return append(b, ']')
	case map[string]any:
		b = append(b, '{')
		first := true
		for name, item := range t {
			if !first {
				b = append(b, ',')
			}
			first = false
			b = append(appendString(b, name), ':')
			b = appendJSON(b, item)
		}
		return append(b, '}')
	}
	panic("page: a value of an unknown type is no part of a message")
}

func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ':
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
