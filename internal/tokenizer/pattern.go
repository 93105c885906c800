package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// pattern is what a component matches: a string or a regular expression.
type pattern struct {
	text    string   // if it is a string
	program *program // if it is a regular expression
	groups  int      // number of capturing groups
}

func readPattern(path string, raw json.RawMessage) (*pattern, error) {
	if len(raw) == 0 {
		return nil, fieldError(path, "missing")
	}
	var c struct{ String, Regex *string }
	if err := decode(path, raw, &c); err != nil {
		return nil, err
	}
	switch {
	case c.Regex != nil:
		e, groups, err := parseRegex(*c.Regex)
		if err != nil {
			return nil, fieldError(path+".Regex", "cannot run %q: %w", *c.Regex, err)
		}
		p, err := compile(e)
		if err != nil {
			return nil, fieldError(path+".Regex", "cannot run %q: %w", *c.Regex, err)
		}
		return &pattern{program: p, groups: groups}, nil
	case c.String != nil:
		return &pattern{text: *c.String}, nil
	}
	return nil, fieldError(path, "want a String or a Regex")
}

// each calls f with all matches from left to right, like JavaScript's matchAll: after
// an empty match the search continues one character later.
func (p *pattern) each(text string, f func(start, end int)) {
	var m *machine
	if p.program != nil {
		m = p.program.begin(text)
		defer p.program.end(m)
	}
	for at := 0; at <= len(text); {
		var start, end int
		if p.program != nil {
			var ok bool
			if start, end, ok = p.program.find(m, text, at); !ok {
				return
			}
		} else {
			i := strings.Index(text[at:], p.text)
			if i < 0 {
				return
			}
			start, end = at+i, at+i+len(p.text)
		}
		f(start, end)
		at = end
		if start == end {
			at = after(text, end)
		}
	}
}

// after returns the offset of the character after the one at the given offset.
func after(text string, at int) int {
	_, size := utf8.DecodeRuneInString(text[at:])
	return at + max(size, 1)
}

// replaceRegex replaces the matches of a regular expression with a text.
type replaceRegex struct {
	pattern *pattern
	with    template
}

func (r replaceRegex) normalize(text string) string {
	var b []byte
	kept, found := 0, false
	r.pattern.each(text, func(start, end int) {
		if !found {
			found, b = true, make([]byte, 0, len(text)+8)
		}
		b = append(b, text[kept:start]...)
		for i, part := range r.with {
			if i > 0 {
				b = append(b, text[start:end]...)
			}
			b = append(b, part...)
		}
		kept = end
	})
	if !found {
		return text
	}
	return string(append(b, text[kept:]...))
}

// readReplace reads a replacement, which can be a normalizer or a pre-tokenizer.
func readReplace(path string, raw json.RawMessage) (normalizer, error) {
	var c struct {
		Pattern json.RawMessage `json:"pattern"`
		Content string          `json:"content"`
	}
	if err := decode(path, raw, &c); err != nil {
		return nil, err
	}
	p, err := readPattern(path+".pattern", c.Pattern)
	if err != nil {
		return nil, err
	}
	t, err := newTemplate(c.Content, p.groups > 0)
	if err != nil {
		return nil, fieldError(path+".content", "%w", err)
	}
	if p.program != nil {
		return replaceRegex{pattern: p, with: t}, nil
	}
	return replaceString{old: p.text, new: t.fill(p.text)}, nil
}

// replaceWords is a replacement as a pre-tokenizer: it does not split.
type replaceWords struct{ normalizer }

func (r replaceWords) split(dst []string, text string, _ int) []string {
	return append(dst, r.normalize(text))
}

// template is the replacement of a match, with JavaScript's patterns: $& is the match,
// $$ a dollar sign.
type template []string // the match is inserted between two strings

func newTemplate(content string, groups bool) (template, error) {
	t := template{""}
	for {
		i := strings.IndexByte(content, '$')
		if i < 0 || i+1 == len(content) {
			break
		}
		last := &t[len(t)-1]
		*last += content[:i]
		switch next := content[i+1]; {
		case next == '$':
			*last += "$"
		case next == '&':
			t = append(t, "")
		case next == '`' || next == '\'':
			return nil, fmt.Errorf("%q, the text around the match, is not supported", content[i:i+2])
		case groups && (next >= '0' && next <= '9' || next == '<'):
			return nil, fmt.Errorf("%q, a group of the pattern, is not supported", content[i:i+2])
		default:
			*last += "$"
			content = content[i+1:]
			continue
		}
		content = content[i+2:]
	}
	t[len(t)-1] += content
	return t, nil
}

func (t template) fill(match string) string { return strings.Join(t, match) }

// cut is what a Split does with the matches of its pattern.
type cut int

const (
	isolate cut = iota // each match is a word
	remove             // matches are dropped
	keep               // matches are the words; the text between them is dropped
)

// splitPattern splits a text where a pattern matches.
type splitPattern struct {
	pattern *pattern
	cut     cut
}

func (s splitPattern) split(dst []string, text string, _ int) []string {
	add := func(word string) {
		if word != "" {
			dst = append(dst, word)
		}
	}
	kept := 0
	s.pattern.each(text, func(start, end int) {
		// JavaScript's split, which removes, ignores empty matches at the ends.
		if s.cut != keep {
			add(text[kept:start])
		}
		if s.cut != remove {
			add(text[start:end])
		}
		kept = end
	})
	if s.cut != keep {
		add(text[kept:])
	}
	return dst
}

var errGroups = errors.New("a group that captures, where matches are removed, is not supported")

func readSplit(path string, raw json.RawMessage) (preTokenizer, error) {
	var c struct {
		Pattern  json.RawMessage `json:"pattern"`
		Invert   *bool           `json:"invert"`
		Behavior string          `json:"behavior"`
	}
	if err := decode(path, raw, &c); err != nil {
		return nil, err
	}
	p, err := readPattern(path+".pattern", c.Pattern)
	if err != nil {
		return nil, err
	}
	s := splitPattern{pattern: p}
	switch {
	case c.Invert != nil && *c.Invert:
		s.cut = keep
	case strings.EqualFold(c.Behavior, "removed"):
		s.cut = remove
		if p.groups > 0 {
			return nil, fieldError(path+".pattern.Regex", "%w", errGroups)
		}
		// The reference puts a string into a group if invert is false, and
		// JavaScript's split keeps groups.
		if p.program == nil && c.Invert != nil {
			s.cut = isolate
		}
	}
	return s, nil
}
