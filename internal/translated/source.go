// Package translated measures whether summaries say the same sentence twice in
// two languages. It makes clusters of documents that translate each other,
// from a corpus of paragraphs in several languages, and counts the quoted
// sentences that translate another quoted one.
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

// maxLine bounds a line of the corpus, in bytes.
const maxLine = 16 << 20

// Source holds paragraphs, each in all Languages (in alphabetical order).
type Source struct {
	Languages  []string
	paragraphs []map[string]string // by language
	document   []string            // of each paragraph: what it belongs to; may be empty
}

// Read reads JSON Lines: in each line an object of texts, one paragraph in
// several languages by their tags. All lines have the same languages. A field
// "document" says what the paragraph is part of; without it the corpus is one
// text. Errors name the file, the line and the field.
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
			return fmt.Errorf("field %s: want a text", name)
		}
		if name == "document" {
			document = text
			continue
		}
		// A paragraph keeps to itself: line breaks may look like ends of it.
		text = strings.Join(strings.Fields(strings.TrimPrefix(text, "\ufeff")), " ")
		if text == "" {
			return fmt.Errorf("field %s is empty", name)
		}
		texts[name] = text
		languages = append(languages, name)
	}
	if s.paragraphs == nil {
		s.Languages = languages
	}
	if len(languages) == 0 || !slices.Equal(languages, s.Languages) {
		return fmt.Errorf("languages %q: want those of the first line, %q", languages, s.Languages)
	}
	s.paragraphs = append(s.paragraphs, texts)
	s.document = append(s.document, document)
	return nil
}

// Cluster is one text in several languages, a document for each.
type Cluster struct {
	cluster.Cluster
	// Languages are the true ones of the documents, whose own are left empty,
	// so that they are told as those of any text.
	Languages []string
	first     [][]int // of each document: where its paragraphs begin, in UTF-16 units
}

// Draw makes count clusters, each of so many consecutive paragraphs of one
// document of the corpus in so many languages, in random order. The corpus is
// cut into such pieces; each is taken once before one is taken again, then in
// languages drawn anew. The same seed draws the same clusters.
func (s *Source) Draw(count, paragraphs, languages int, seed uint64) ([]*Cluster, error) {
	if languages < 2 || languages > len(s.Languages) {
		return nil, fmt.Errorf("%d languages: want 2 to %d", languages, len(s.Languages))
	}
	if paragraphs < 1 {
		return nil, fmt.Errorf("%d paragraphs: want at least 1", paragraphs)
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
