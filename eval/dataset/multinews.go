package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/jsonl"
)

// Markers in the Multi-News files (Fabbri et al. 2019).
const (
	multiNewsSeparator    = "|||||"
	multiNewsOldSeparator = "story_separator_special_tag"
	multiNewsNewline      = "NEWLINE_CHAR"
)

// MultiNews reads the text files of Multi-News: one cluster per line, its
// documents in the .src file, separated by |||||, and its summary in the same line
// of the .tgt file.
type MultiNews struct {
	src, tgt         *lineReader
	srcFile, tgtFile string
	srcEnd, tgtEnd   bool
}

// NewMultiNews reads the two files in parallel; the names are used in errors.
func NewMultiNews(src, tgt io.Reader, srcFile, tgtFile string) *MultiNews {
	return &MultiNews{src: newLineReader(src), tgt: newLineReader(tgt), srcFile: srcFile, tgtFile: tgtFile}
}

// Next returns the next cluster; see [Reader]. Each line without a counterpart in
// the other file is an error.
func (m *MultiNews) Next() (*Cluster, error) {
	documents, errSrc, err := nextOf(m.src, m.srcFile, &m.srcEnd)
	if err != nil {
		return nil, err
	}
	summary, errTgt, err := nextOf(m.tgt, m.tgtFile, &m.tgtEnd)
	switch {
	case err != nil:
		return nil, err
	case m.srcEnd && m.tgtEnd:
		return nil, io.EOF
	case m.srcEnd:
		return nil, &Error{m.tgtFile, m.tgt.line, "", fmt.Errorf("%w: %s ends before this line", ErrNoDocuments, m.srcFile)}
	case m.tgtEnd:
		return nil, &Error{m.srcFile, m.src.line, "", fmt.Errorf("%w: %s ends before this line", ErrNoReferences, m.tgtFile)}
	case errSrc != nil:
		return nil, located(m.srcFile, m.src.line, errSrc)
	case errTgt != nil:
		return nil, located(m.tgtFile, m.tgt.line, errTgt)
	}
	c := &Cluster{ID: strconv.Itoa(m.src.line), References: []string{multiNewsText(summary)}}
	c.Documents = multiNewsDocuments(documents)
	if err := c.complete("", ""); err != nil {
		file := m.srcFile
		if errors.Is(err, ErrEmptyReference) {
			file = m.tgtFile
		}
		return nil, &Error{file, m.src.line, "", errors.Unwrap(err)}
	}
	return c, nil
}

// nextOf reads a line; bad concerns this line only, err is final.
func nextOf(l *lineReader, file string, end *bool) (text string, bad, err error) {
	if *end {
		return "", nil, nil
	}
	raw, err := l.next()
	switch {
	case err == io.EOF:
		*end = true
		return "", nil, nil
	case lineError(err):
		return "", err, nil
	case err != nil:
		return "", nil, streamError(file, err)
	}
	return string(raw), nil, nil
}

// NewMultiNewsJSON reads Multi-News as JSON Lines
//
//	{"document": "a text ||||| another", "summary": "…", "id"?}
//
// where document may also be an array of texts.
func NewMultiNewsJSON(r io.Reader, file string) *JSONReader {
	return &JSONReader{file: file, lines: newLineReader(r), parse: func(raw []byte, c *Cluster) error {
		var members struct {
			ID       json.RawMessage `json:"id"`
			Document json.RawMessage `json:"document"`
			Summary  json.RawMessage `json:"summary"`
		}
		if err := object(raw, &members); err != nil {
			return err
		}
		if err := readID(members.ID, c); err != nil {
			return at("id", err)
		}
		if jsonl.Kind(members.Document) == "an array" {
			list, err := array(members.Document)
			if err != nil {
				return at("document", err)
			}
			for i, e := range list {
				s, err := str(e)
				if err != nil {
					return at("document", at(index(i), err))
				}
				c.Documents = append(c.Documents, cluster.Document{Source: "document " + strconv.Itoa(i+1), Text: multiNewsText(s)})
			}
		} else {
			s, err := str(members.Document)
			if err != nil {
				return at("document", err)
			}
			c.Documents = multiNewsDocuments(s)
		}
		s, err := str(members.Summary)
		if err != nil {
			return at("summary", err)
		}
		c.References = []string{multiNewsText(s)}
		return c.complete("document", "summary")
	}}
}

func multiNewsDocuments(s string) []cluster.Document {
	s = strings.ReplaceAll(s, multiNewsOldSeparator, multiNewsSeparator)
	var docs []cluster.Document
	for part := range strings.SplitSeq(s, multiNewsSeparator) {
		docs = append(docs, cluster.Document{Source: "document " + strconv.Itoa(len(docs)+1), Text: multiNewsText(part)})
	}
	return docs
}

// multiNewsText restores line breaks, which the text files write as a word.
func multiNewsText(s string) string {
	return strings.TrimSpace(strings.ReplaceAll(s, multiNewsNewline, "\n"))
}
