package api

import "encoding/json"

// count returns the number of elements of an array at a depth; at depth 1 its
// own. It is used to refuse large arrays before they are decoded. raw must be
// valid JSON; anything but an array has none.
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
