package batch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/internal/jsonl"
	"github.com/cerasum/cerasum/internal/spelling"
)

// The fields that [Parse] knows, of a line and of a document.
var (
	RecordFields   = []string{"documents", "id", "references"}
	DocumentFields = []string{"blocks", "date", "language", "source", "text", "title"}
)

// DocumentField begins the name of a document's field in [Record.Unknown].
const DocumentField = "documents[]."

// maxName is the number of characters of a field's name in a message.
const maxName = 80

// IgnoredField is the message about an unknown field, named as in [Record.Unknown],
// that was ignored in a number of records.
func IgnoredField(name string, records int) string {
	own, isDocument := strings.CutPrefix(name, DocumentField)
	known, prefix := RecordFields, ""
	if isDocument {
		known, prefix = DocumentFields, DocumentField
	}
	plural := "s"
	if records == 1 {
		plural = ""
	}
	if cut := []rune(name); len(cut) > maxName {
		name = string(cut[:maxName]) + "…"
	}
	message := fmt.Sprintf("ignored field %q in %d record%s", name, records, plural)
	// A name that is known has been left out for another reason.
	if near := spelling.Nearest(own, known); near != "" && near != own {
		message += fmt.Sprintf(": did you mean %q?", prefix+near)
	}
	return message
}

// field is an unknown field of a line or of a document.
type field struct {
	name  string
	value json.RawMessage
}

// collector adds unknown fields to a list; nil if they are errors. Of fields of one
// name it keeps the last, as most readers of JSON do.
func collector(to *[]field, strict bool) func(string, json.RawMessage) {
	if strict {
		return nil
	}
	at := map[string]int{}
	return func(name string, value json.RawMessage) {
		i, twice := at[name]
		if !twice {
			i = len(*to)
			at[name] = i
			*to = append(*to, field{name: name})
		}
		(*to)[i].value = bytes.Clone(value)
	}
}

// Unknown returns the names of the unknown fields, each once and sorted; those of
// documents begin with [DocumentField].
func (r *Record) Unknown() []string {
	var names []string
	for _, f := range r.fields {
		names = append(names, f.name)
	}
	for _, fields := range r.documentFields {
		for _, f := range fields {
			names = append(names, DocumentField+f.name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Keep adds the unknown fields to a summary of the record, a line of JSON as from
// [Marshal]: those of the line at its end, those of documents at the end of each of
// its "documents". A field that the summary has itself is left out; dropped are the
// names of such fields, as in [Record.Unknown].
func (r *Record) Keep(summary []byte) (kept []byte, dropped []string, err error) {
	if len(r.Unknown()) == 0 {
		return summary, nil, nil
	}
	members, err := membersOf(summary)
	if err != nil {
		return nil, nil, err
	}
	for i, m := range members {
		if m.name != "documents" {
			continue
		}
		documents, err := jsonl.Array(m.value)
		if err != nil {
			return nil, nil, err
		}
		for k := range documents {
			own, err := membersOf(documents[k])
			if err != nil {
				return nil, nil, err
			}
			own = join(own, r.documentFields[k], DocumentField, &dropped)
			if documents[k], err = object(own); err != nil {
				return nil, nil, err
			}
		}
		members[i].value = slices.Concat([]byte("["), bytes.Join(toBytes(documents), []byte(",")), []byte("]"))
	}
	kept, err = object(join(members, r.fields, "", &dropped))
	slices.Sort(dropped)
	return append(kept, '\n'), slices.Compact(dropped), err
}

// membersOf returns the members of a JSON object in their order.
func membersOf(raw []byte) (members []field, err error) {
	err = jsonl.ObjectWith(raw, nil, func(name string, value json.RawMessage) {
		members = append(members, field{name, value})
	})
	return members, err
}

// join appends fields whose names are not yet among the members; the others are
// added to dropped.
func join(members, fields []field, prefix string, dropped *[]string) []field {
	known := make(map[string]bool, len(members))
	for _, m := range members {
		known[m.name] = true
	}
	for _, f := range fields {
		if known[f.name] {
			*dropped = append(*dropped, prefix+f.name)
		} else {
			members = append(members, f)
		}
	}
	return members
}

// object returns the members as a JSON object.
func object(members []field) ([]byte, error) {
	var b bytes.Buffer
	for i, m := range members {
		name, err := Marshal(m.name)
		if err != nil {
			return nil, err
		}
		b.WriteByte("{,"[min(i, 1)])
		b.Write(bytes.TrimSuffix(name, []byte("\n")))
		b.WriteByte(':')
		// Without the spaces of the input, which may be line breaks.
		if err := json.Compact(&b, m.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func toBytes(list []json.RawMessage) [][]byte {
	out := make([][]byte, len(list))
	for i, one := range list {
		out[i] = one
	}
	return out
}
