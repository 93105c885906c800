package encoder

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Corpus is a collection of groups of sentences with the same meaning. It is read
// twice as a stream and never held in memory as text.
type Corpus struct {
	// Name of the file, for errors and the model card.
	Name string
	// Open opens it from the start, decompressed.
	Open func() (io.ReadCloser, error)
	// Draws is the number of pairs per group and epoch. 0 means 1 for groups of
	// two, which have one pair, and [GroupDraws] for larger ones.
	Draws int
}

// GroupDraws is the default number of pairs per epoch from a group of more than two
// languages.
const GroupDraws = 60

// Sentence of a group: its language (ISO 639) and its text.
type Sentence struct{ Language, Text string }

// Error is an error in a corpus.
type Error struct {
	File  string
	Line  int    // from 1
	Field string // empty if the error concerns the whole line
	Err   error
}

func (e *Error) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
	}
	return fmt.Sprintf("%s:%d: %s: %v", e.File, e.Line, e.Field, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// maxLine is the maximum length of a line in bytes.
const maxLine = 16 << 20

// Groups calls take with every group of the corpus. Lines have one of two formats:
// `language TAB language TAB text TAB text`, or a JSON object with a text per
// language and optionally a string `document`. Other lines are an *[Error].
func (c Corpus) Groups(take func([]Sentence) error) error {
	r, err := c.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSuffix(lines.Bytes(), []byte("\r"))
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		group, field, err := parseGroup(line)
		if err != nil {
			return &Error{c.Name, n, field, err}
		}
		if err := take(group); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	return nil
}

func parseGroup(line []byte) (group []Sentence, field string, err error) {
	if !utf8.Valid(line) {
		return nil, "", errors.New("not UTF-8")
	}
	if line[0] == '{' {
		return parseObject(line)
	}
	f := strings.Split(string(line), "\t")
	if len(f) != 4 {
		return nil, "", fmt.Errorf("want language, language, text, text, or a JSON object, got %d columns", len(f))
	}
	for i, name := range []string{"language 1", "language 2"} {
		if !isLanguage(f[i]) {
			return nil, name, fmt.Errorf("want a language code, got %q", f[i])
		}
	}
	return []Sentence{{f[0], f[2]}, {f[1], f[3]}}, "", nil
}

func parseObject(line []byte) (group []Sentence, field string, err error) {
	var o map[string]json.RawMessage
	if err := json.Unmarshal(line, &o); err != nil {
		return nil, "", fmt.Errorf("invalid JSON: %w", err)
	}
	for key, raw := range o {
		if key == "document" {
			continue
		}
		if !isLanguage(key) {
			return nil, key, errors.New("want a language code")
		}
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return nil, key, errors.New("want a string")
		}
		group = append(group, Sentence{key, text})
	}
	slices.SortFunc(group, func(a, b Sentence) int { return strings.Compare(a.Language, b.Language) })
	if len(group) < 2 {
		return nil, "", errors.New("fewer than two languages")
	}
	return group, "", nil
}

func isLanguage(s string) bool {
	if len(s) < 2 || len(s) > 8 {
		return false
	}
	for _, r := range s {
		if (r < 'a' || r > 'z') && r != '-' && r != '_' && (r < 'A' || r > 'Z') {
			return false
		}
	}
	return true
}
