package reading

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"unicode/utf16"
)

func sqrt(x float64) float64 { return math.Sqrt(x) }

// record is a line of a corpus in one of three forms: a cluster with summaries, a
// cluster with what an editor quoted, a sentence in several languages.
type record struct {
	ID         string            `json:"id"`
	Language   string            `json:"language"`
	Documents  []json.RawMessage `json:"documents"`
	References []string          `json:"references"`
	Extract    [][3]int          `json:"extract"`
	Good       [][3]int          `json:"good"`
	Document   string            `json:"document"` // of a sentence in several languages
}

// Source is a corpus file.
type Source struct {
	// Path of JSON Lines, compressed with gzip if it ends with .gz.
	Path string
	// Language of documents that do not specify one.
	Language string
	// Limit is the maximum number of records, 0 for all.
	Limit int
	// Skip leaves out the records with index % Skip == Skip-1, which are kept for
	// testing; 0 for none.
	Skip int
}

// Read adds a corpus. Records hold documents with summaries ("documents",
// "references"), documents with an editor's choice ("extract" and "good": spans
// [document, start, end] in UTF-16 units), or one sentence in several languages (a key
// for each, and "document").
func (c *Corpus) Read(s Source) error {
	file, err := os.Open(s.Path)
	if err != nil {
		return err
	}
	defer file.Close() // opened for reading only
	var in io.Reader = file
	if strings.HasSuffix(s.Path, ".gz") {
		if in, err = gzip.NewReader(file); err != nil {
			return fmt.Errorf("%s: %w", s.Path, err)
		}
	}
	decoder := json.NewDecoder(in)
	aligned := &parallel{corpus: c}
	for n := 0; s.Limit == 0 || n < s.Limit; n++ {
		var raw json.RawMessage
		if err := decoder.Decode(&raw); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("%s: record %d: %w", s.Path, n+1, err)
		}
		var r record
		if err := json.Unmarshal(raw, &r); err != nil {
			return fmt.Errorf("%s: record %d: %w", s.Path, n+1, err)
		}
		switch {
		case s.Skip > 0 && n%s.Skip == s.Skip-1:
		case r.Document != "":
			err = aligned.add(r.Document, raw)
		case r.Extract != nil:
			err = c.edited(&r, s.Language)
		default:
			err = c.summarized(&r, s)
		}
		if err != nil {
			return fmt.Errorf("%s: record %d: %w", s.Path, n+1, err)
		}
	}
	aligned.flush()
	return nil
}

// summarized adds documents whose first sentences stand alone, and those of their
// summaries.
func (c *Corpus) summarized(r *record, s Source) error {
	for k, raw := range r.Documents {
		var document string
		if err := json.Unmarshal(raw, &document); err != nil {
			return err
		}
		sentences := Sentences(document, s.Language)
		lead := Lead(sentences)
		c.Add(s.Path, s.Language, sentences, func(i int) bool { return i == lead })
		if k == 0 && len(r.References) > 0 {
			c.AddSummary(s.Path, s.Language, sentences, r.References[0])
		}
	}
	return nil
}

// edited adds documents with an editor's choice.
func (c *Corpus) edited(r *record, language string) error {
	for k, raw := range r.Documents {
		var document struct{ Text, Language string }
		if err := json.Unmarshal(raw, &document); err != nil {
			return err
		}
		tag := document.Language
		if tag == "" {
			tag = r.Language
		}
		if tag == "" || tag == "mixed" {
			tag = language
		}
		if tag == "" {
			continue
		}
		units := utf16.Encode([]rune(document.Text))
		var quoted []string
		for _, span := range slices.Concat(r.Extract, r.Good) {
			if span[0] == k && 0 <= span[1] && span[1] <= span[2] && span[2] <= len(units) {
				quoted = append(quoted, string(utf16.Decode(units[span[1]:span[2]])))
			}
		}
		sentences := Sentences(document.Text, tag)
		c.Add("editor "+tag, tag, sentences, func(i int) bool {
			return slices.ContainsFunc(quoted, func(q string) bool {
				return strings.Contains(sentences[i], q) || 2*len(sentences[i]) > len(q) && strings.Contains(q, sentences[i])
			})
		})
	}
	return nil
}

// parallel gathers the sentences of one document in all languages.
type parallel struct {
	corpus    *Corpus
	document  string
	languages map[string][]string
}

func (p *parallel) add(document string, raw json.RawMessage) error {
	var keys map[string]string
	if err := json.Unmarshal(raw, &keys); err != nil {
		return err
	}
	if document != p.document {
		p.flush()
		p.document = document
	}
	for language, sentence := range keys {
		if language != "document" {
			p.languages[language] = append(p.languages[language], sentence)
		}
	}
	return nil
}

func (p *parallel) flush() {
	tags := make([]string, 0, len(p.languages))
	for tag := range p.languages {
		tags = append(tags, tag)
	}
	slices.Sort(tags)
	for _, tag := range tags {
		sentences := p.languages[tag]
		lead := Lead(sentences)
		p.corpus.Add("parallel "+tag, tag, sentences, func(i int) bool { return i == lead })
	}
	p.languages = map[string][]string{}
}
