package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/jsonl"
)

// JSONReader reads a corpus with one JSON object per line. Unknown members are
// ignored: corpora have many of them.
type JSONReader struct {
	file  string
	lines *lineReader
	parse func(raw []byte, c *Cluster) error
	// Of the generic form, of which a known member may be misspelt: the unknown ones
	// of the record, and whether they are errors.
	ignored func(fields []string)
	strict  bool
}

// OnIgnored sets a function that is called with the names of the unknown members of
// each record of the generic form that has some; those of documents begin with
// "documents[].".
func (j *JSONReader) OnIgnored(f func(fields []string)) { j.ignored = f }

// NewJSONLines reads the generic form
//
//	{"id"?, "documents": [text or {"text", "title"?, "source"?, "language"?, "date"?}, …],
//	 "references": [text or [line, …], …], "query"?: text}
//
// file names r in errors.
func NewJSONLines(r io.Reader, file string) *JSONReader {
	j := &JSONReader{file: file, lines: newLineReader(r)}
	j.parse = func(raw []byte, c *Cluster) error {
		unknown := unknownMembers(raw)
		if len(unknown) > 0 && j.strict {
			return at(unknown[0], errors.New("unknown field"))
		}
		if len(unknown) > 0 && j.ignored != nil {
			j.ignored(unknown)
		}
		return parseGeneric(raw, c)
	}
	return j
}

// Next returns the next cluster; see [Reader]. Blank lines are skipped.
func (j *JSONReader) Next() (*Cluster, error) {
	for {
		raw, err := j.lines.next()
		if err != nil && !lineError(err) {
			return nil, streamError(j.file, err)
		}
		if err == nil && len(bytes.TrimSpace(raw)) == 0 {
			continue
		}
		c := &Cluster{ID: strconv.Itoa(j.lines.line)}
		if err == nil {
			err = j.parse(raw, c)
		}
		if err != nil {
			return nil, located(j.file, j.lines.line, err)
		}
		return c, nil
	}
}

// streamError adds the file to a final error; io.EOF is returned unchanged.
func streamError(file string, err error) error {
	if err == io.EOF {
		return err
	}
	return fmt.Errorf("%s: %w", file, err)
}

// The members of the generic form; blocks are not used.
var (
	genericMembers  = []string{"id", "documents", "references", "query"}
	documentMembers = []string{"text", "title", "source", "language", "date", "blocks"}
)

// unknownMembers returns the names of the members of a record that the generic form
// does not have, sorted; none if it is not JSON.
func unknownMembers(raw []byte) []string {
	var names []string
	add := func(prefix string, members map[string]json.RawMessage, known []string) {
		for name := range members {
			// encoding/json does not distinguish upper and lower case.
			if !slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, name) }) {
				names = append(names, prefix+name)
			}
		}
	}
	var record map[string]json.RawMessage
	if json.Unmarshal(raw, &record) != nil {
		return nil
	}
	add("", record, genericMembers)
	// What is not a list, or a text without members, has none.
	documents, _ := array(record["documents"])
	for _, d := range documents {
		var members map[string]json.RawMessage
		if json.Unmarshal(d, &members) == nil {
			add("documents[].", members, documentMembers)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func parseGeneric(raw []byte, c *Cluster) error {
	var members struct {
		ID         json.RawMessage `json:"id"`
		Documents  json.RawMessage `json:"documents"`
		References json.RawMessage `json:"references"`
		Query      json.RawMessage `json:"query"`
	}
	if err := object(raw, &members); err != nil {
		return err
	}
	if err := readID(members.ID, c); err != nil {
		return at("id", err)
	}
	if err := optional(members.Query, &c.Query); err != nil {
		return at("query", err)
	}
	if err := readDocuments(c, members.Documents, "document", readDocument); err != nil {
		return err
	}
	references, err := array(members.References)
	if err != nil {
		return at("references", err)
	}
	for i, e := range references {
		r, err := readLines(e)
		if err != nil {
			return at("references", at(index(i), err))
		}
		c.References = append(c.References, r)
	}
	return c.complete("documents", "references")
}

// readDocuments reads a list of documents. A document without a name is named
// by the noun and its number; the list is the member named by the noun's
// plural.
func readDocuments(c *Cluster, raw json.RawMessage, noun string, read func(json.RawMessage, *cluster.Document) error) error {
	list, err := array(raw)
	if err != nil {
		return at(noun+"s", err)
	}
	for i, e := range list {
		d := cluster.Document{Source: noun + " " + strconv.Itoa(i+1)}
		if err := read(e, &d); err != nil {
			return at(noun+"s", at(index(i), err))
		}
		c.Documents = append(c.Documents, d)
	}
	return nil
}

// readID reads a string or a number; without an id it is the line number.
func readID(raw json.RawMessage, c *Cluster) error {
	switch jsonl.Kind(raw) {
	case "nothing", "null":
		return nil
	case "a number":
		c.ID = string(raw)
		return nil
	}
	id, err := str(raw)
	if err != nil {
		return fmt.Errorf("want a string or a number, got %s", jsonl.Kind(raw))
	}
	c.ID = id
	return nil
}

// readDocument reads a text or an object with one.
func readDocument(raw json.RawMessage, d *cluster.Document) (err error) {
	if jsonl.Kind(raw) != "an object" {
		d.Text, err = str(raw)
		return err
	}
	var members struct {
		Text     json.RawMessage `json:"text"`
		Title    json.RawMessage `json:"title"`
		Source   json.RawMessage `json:"source"`
		Language json.RawMessage `json:"language"`
		Date     any             `json:"date"`
	}
	if err := object(raw, &members); err != nil {
		return err
	}
	// Corpora write dates in many forms.
	if date, ok := members.Date.(string); ok && cluster.IsDate(date) {
		d.Date = date
	}
	if d.Text, err = str(members.Text); err != nil {
		return at("text", err)
	}
	if err := optional(members.Title, &d.Title); err != nil {
		return at("title", err)
	}
	if err := optional(members.Source, &d.Source); err != nil {
		return at("source", err)
	}
	return at("language", optional(members.Language, &d.Language))
}

// readLines reads a text or the list of its lines.
func readLines(raw json.RawMessage) (string, error) {
	if jsonl.Kind(raw) != "an array" {
		return str(raw)
	}
	lines, err := array(raw)
	if err != nil {
		return "", err
	}
	var b []byte
	for i, l := range lines {
		s, err := str(l)
		if err != nil {
			return "", at(index(i), err)
		}
		if i > 0 {
			b = append(b, '\n')
		}
		b = append(b, s...)
	}
	return string(b), nil
}

// object decodes an object's members.
func object(raw []byte, to any) error {
	err := json.Unmarshal(raw, to)
	var syntax *json.SyntaxError
	switch {
	case err == nil && jsonl.Kind(raw) == "an object":
		return nil
	case errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input":
		return fmt.Errorf("%w JSON at byte %d", ErrCutOff, syntax.Offset)
	case errors.As(err, &syntax):
		return fmt.Errorf("invalid JSON at byte %d: %w", syntax.Offset, err)
	}
	return fmt.Errorf("want a JSON object, got %s", jsonl.Kind(raw))
}

func array(raw json.RawMessage) ([]json.RawMessage, error) {
	var a []json.RawMessage
	if jsonl.Kind(raw) != "an array" || json.Unmarshal(raw, &a) != nil {
		return nil, fmt.Errorf("want an array, got %s", jsonl.Kind(raw))
	}
	return a, nil
}

func str(raw json.RawMessage) (string, error) {
	var s string
	if jsonl.Kind(raw) != "a string" || json.Unmarshal(raw, &s) != nil {
		return "", fmt.Errorf("want a string, got %s", jsonl.Kind(raw))
	}
	return s, nil
}

// optional reads a string that may be missing or null.
func optional(raw json.RawMessage, to *string) (err error) {
	if k := jsonl.Kind(raw); k == "nothing" || k == "null" {
		return nil
	}
	*to, err = str(raw)
	return err
}
