package api

import "encoding/json"

// count is how many elements stand at a depth of an array, at depth 1 its own:
// in what must have few, many are refused before anything is made of them. raw
// is valid JSON; what is no array has none.
func count(raw json.RawMessage, depth int) int {
	n, open, fresh := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case ' ', '\t', '\r', '\n', ':':
			continue
		case ',':
			fresh = open == depth
			continue
		case ']', '}':
			open--
			fresh = false
			continue
		}
		// A value, or the name of a member.
		if fresh {
			n++
		}
		fresh = false
		switch raw[i] {
		case '[', '{':
			open++
			fresh = open == depth
		case '"':
			for i++; raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
		}
	}
	return n
}
