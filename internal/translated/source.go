// Package translated measures how often summaries quote the same sentence in two
// languages. It builds clusters of documents that translate each other from a
// multilingual corpus of paragraphs, and counts the quoted sentences that translate
// another quoted one.
//
// Start with [Read], then [Source.Draw] and [Cluster.Repeated].
package translated

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/cerasum/cerasum/core/cluster"
)

// maxLine is the maximum length of a line in bytes.
const maxLine = 16 << 20

// Source holds paragraphs in all Languages (in alphabetical order).
type Source struct {
	Languages  []string
	paragraphs []map[string]string // by language
	document   []string            // by paragraph: its document; may be empty
}

// Read reads JSON Lines: each line is an object with the text of one paragraph by
// language tag. All lines must have the same languages. A field "document"
// identifies the document of the paragraph; without it the corpus is one document.
// Errors name the file, the line and the field.
func Read(name string, r io.Reader) (*Source, error) {
	s := &Source{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 0
	for lines.Scan() {
		n++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := s.add(lines.Bytes()); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, n+1, err)
	}
	if len(s.paragraphs) == 0 {
		return nil, fmt.Errorf("%s: no paragraphs", name)
	}
	return s, nil
}

func (s *Source) add(line []byte) error {
	var fields map[string]any
	if err := json.Unmarshal(line, &fields); err != nil {
		return fmt.Errorf("want a JSON object of texts by language: %w", err)
	}
	texts := map[string]string{}
	document := ""
	var languages []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		text, ok := fields[name].(string)
		if !ok {
			return fmt.Errorf("%s: want a string", name)
		}
		if name == "document" {
			document = text
			continue
		}
		// Line breaks within a paragraph could be taken for its end.
		text = strings.Join(strings.Fields(strings.TrimPrefix(text, "\ufeff")), " ")
		if text == "" {
			return fmt.Errorf("%s: want text, got an empty string", name)
		}
		texts[name] = text
		languages = append(languages, name)
	}
	if s.paragraphs == nil {
		s.Languages = languages
	}
	if len(languages) == 0 || !slices.Equal(languages, s.Languages) {
		return fmt.Errorf("languages: want those of the first line, %q, got %q", s.Languages, languages)
	}
	s.paragraphs = append(s.paragraphs, texts)
	s.document = append(s.document, document)
	return nil
}

// Cluster is one text in several languages, one document per language.
type Cluster struct {
	cluster.Cluster
	// Languages are the true languages of the documents, whose own fields are
	// empty so that they are detected.
	Languages []string
	first     [][]int // by document: start offsets of its paragraphs, in UTF-16 units
}

// Draw returns count clusters, each of consecutive paragraphs of one document in
// random languages and order. The corpus is divided into such pieces; each is used
// once before any is used again in newly drawn languages. Draw is deterministic in
// the seed.
func (s *Source) Draw(count, paragraphs, languages int, seed uint64) ([]*Cluster, error) {
	if languages < 2 || languages > len(s.Languages) {
		return nil, fmt.Errorf("languages: want 2 to %d, got %d", len(s.Languages), languages)
	}
	if paragraphs < 1 {
		return nil, fmt.Errorf("paragraphs: want at least 1, got %d", paragraphs)
	}
	var pieces []int
	for i := 0; i+paragraphs <= len(s.paragraphs); {
		last := i
		for last+1 < len(s.paragraphs) && last+1 < i+paragraphs && s.document[last+1] == s.document[i] {
			last++
		}
		if last-i+1 == paragraphs {
			pieces = append(pieces, i)
		}
		i = last + 1
	}
	if len(pieces) == 0 {
		return nil, fmt.Errorf("no document has %d paragraphs", paragraphs)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	list := make([]*Cluster, count)
	for i := range list {
		if i%len(pieces) == 0 {
			random.Shuffle(len(pieces), func(a, b int) { pieces[a], pieces[b] = pieces[b], pieces[a] })
		}
		from := pieces[i%len(pieces)]
		c := &Cluster{}
		for _, l := range random.Perm(len(s.Languages))[:languages] {
			c.add(s.Languages[l], s.paragraphs[from:from+paragraphs])
		}
		list[i] = c
	}
	return list, nil
}

func (c *Cluster) add(language string, paragraphs []map[string]string) {
	const between = "\n\n"
	var text strings.Builder
	var first []int
	at := 0
	for i, p := range paragraphs {
		if i > 0 {
			text.WriteString(between)
			at += len(between)
		}
		first = append(first, at)
		text.WriteString(p[language])
		at += len(utf16.Encode([]rune(p[language])))
	}
	c.Languages = append(c.Languages, language)
	c.first = append(c.first, first)
	c.Documents = append(c.Documents, cluster.Document{Text: text.String()})
}
