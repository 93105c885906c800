package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Span is a part of a document of a cluster: UTF-16 units, half-open.
type Span struct{ Document, Start, End int }

// Choice is what an editor would quote of a cluster, and what not.
type Choice struct {
	// Extract is the editor's summary, in reading order. Good would also do. Never
	// must not be quoted.
	Extract, Good, Never []Span
}

// ReadChoices reads an editor's choices by the ids of their clusters, JSON Lines
//
//	{"id", "extract": [[document, start, end], …], "good": […], "never": […]}
//
// Other members are ignored, so the lines may be those of the corpus itself. file
// names r in errors, which are *Error for what is wrong with a line.
func ReadChoices(r io.Reader, file string) (map[string]*Choice, error) {
	choices := map[string]*Choice{}
	lines := newLineReader(r)
	for {
		raw, err := lines.next()
		if err == io.EOF {
			return choices, nil
		}
		if err != nil && !lineError(err) {
			return nil, streamError(file, err)
		}
		if err == nil && len(bytes.TrimSpace(raw)) == 0 {
			continue
		}
		if err == nil {
			err = readChoice(raw, choices)
		}
		if err != nil {
			return nil, located(file, lines.line, err)
		}
	}
}

func readChoice(raw []byte, to map[string]*Choice) error {
	var members struct {
		ID      json.RawMessage `json:"id"`
		Extract json.RawMessage `json:"extract"`
		Good    json.RawMessage `json:"good"`
		Never   json.RawMessage `json:"never"`
	}
	if err := object(raw, &members); err != nil {
		return err
	}
	var of Cluster
	if err := readID(members.ID, &of); err != nil {
		return at("id", err)
	}
	switch {
	case of.ID == "":
		return at("id", errors.New("missing"))
	case to[of.ID] != nil:
		return at("id", fmt.Errorf("%q is not unique", of.ID))
	}
	c := &Choice{}
	for _, list := range []struct {
		name string
		raw  json.RawMessage
		to   *[]Span
	}{{"extract", members.Extract, &c.Extract}, {"good", members.Good, &c.Good}, {"never", members.Never, &c.Never}} {
		spans, err := array(list.raw)
		if err != nil {
			return at(list.name, err)
		}
		for i, raw := range spans {
			var s []int
			if json.Unmarshal(raw, &s) != nil || len(s) != 3 || s[0] < 0 || s[1] < 0 || s[2] <= s[1] {
				return at(list.name, at(index(i), errors.New("want [document, start, end]")))
			}
			*list.to = append(*list.to, Span{s[0], s[1], s[2]})
		}
	}
	to[of.ID] = c
	return nil
}

// In reports whether s and one of the spans share half of the shorter of the two.
func (s Span) In(spans []Span) bool {
	for _, o := range spans {
		if s.Document == o.Document && 2*(min(s.End, o.End)-max(s.Start, o.Start)) >= min(s.End-s.Start, o.End-o.Start) {
			return true
		}
	}
	return false
}
