// Package dataset reads corpora for multi-document summarization, cluster by
// cluster with their reference summaries, and builds multilingual clusters from
// pairs.
//
// Start with [Open], which detects the layout of a file or a folder, or with the
// reader of one layout: [NewJSONLines], [NewMultiNews], [NewMultiNewsJSON],
// [NewWCEP], [NewDUC2004], [NewTAC2008], [NewPlain], [NewCrossSum]. [Measure]
// computes the statistics of a corpus.
package dataset

import (
	"errors"
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/core/cluster"
)

// Cluster is the documents about one event with their reference summaries, written
// by people.
type Cluster struct {
	// ID of the cluster in its corpus, or else its line number, from 1.
	ID string
	// Documents have text; sentences are not split yet.
	Documents []cluster.Document
	// Query is the question that the references answer; empty if the corpus has none.
	Query string
	// References are the texts of the reference summaries, at least one, none
	// blank.
	References []string
}

// Reader reads the clusters of a corpus one by one.
type Reader interface {
	// Next returns the next cluster, or io.EOF at the end. A bad record returns
	// an *Error, after which Next may be called again to continue. Any other
	// error is final.
	Next() (*Cluster, error)
}

// Error describes what is wrong with a record, and where.
type Error struct {
	// File is the name that the reader was given.
	File string
	// Line in the file, from 1; 0 if the error concerns the whole file.
	Line int
	// Field is the path of the member or element, for example documents[2].text;
	// empty if the error concerns the whole record.
	Field string
	Err   error
}

func (e *Error) Error() string {
	var parts []string
	switch {
	case e.File != "" && e.Line > 0:
		parts = append(parts, e.File+":"+strconv.Itoa(e.Line))
	case e.File != "":
		parts = append(parts, e.File)
	case e.Line > 0:
		parts = append(parts, "line "+strconv.Itoa(e.Line))
	}
	if e.Field != "" {
		parts = append(parts, e.Field)
	}
	return strings.Join(append(parts, e.Err.Error()), ": ")
}

func (e *Error) Unwrap() error { return e.Err }

// Errors wrapped by *Error.
var (
	// ErrNoDocuments: no document of the cluster has text.
	ErrNoDocuments = errors.New("no document with text")
	// ErrNoReferences: the cluster has no reference summary.
	ErrNoReferences = errors.New("no reference summary")
	// ErrEmptyReference: a reference summary is blank.
	ErrEmptyReference = errors.New("empty reference summary")
	// ErrNoQuery: the cluster has no query, and is evaluated with one.
	ErrNoQuery = errors.New("no query")
	// ErrEncoding: the bytes are not UTF-8.
	ErrEncoding = errors.New("not UTF-8")
	// ErrTooLong: a line or a file exceeds the reader's limit.
	ErrTooLong = errors.New("too long")
	// ErrCutOff: the record is truncated.
	ErrCutOff = errors.New("truncated")
)

// fieldError is an error with the path of the field.
type fieldError struct {
	field string
	err   error
}

func (f *fieldError) Error() string { return f.field + ": " + f.err.Error() }
func (f *fieldError) Unwrap() error { return f.err }

// at prepends a field to the path of an error.
func at(field string, err error) error {
	if err == nil {
		return nil
	}
	if f, ok := err.(*fieldError); ok {
		if !strings.HasPrefix(f.field, "[") {
			field += "."
		}
		return &fieldError{field + f.field, f.err}
	}
	return &fieldError{field, err}
}

func index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// located converts an error in a record to an Error.
func located(file string, line int, err error) *Error {
	e := &Error{File: file, Line: line, Err: err}
	if f, ok := err.(*fieldError); ok {
		e.Field, e.Err = f.field, f.err
	}
	return e
}

// complete validates a cluster. Blank documents are dropped, but a cluster without
// any text, and a blank reference, are errors.
func (c *Cluster) complete(documents, references string) error {
	kept := c.Documents[:0]
	for _, d := range c.Documents {
		if strings.TrimSpace(d.Text) != "" {
			kept = append(kept, d)
		}
	}
	c.Documents = kept
	if len(kept) == 0 {
		return at(documents, ErrNoDocuments)
	}
	if len(c.References) == 0 {
		return at(references, ErrNoReferences)
	}
	for i, r := range c.References {
		if strings.TrimSpace(r) == "" {
			if len(c.References) > 1 {
				references += index(i)
			}
			return at(references, ErrEmptyReference)
		}
	}
	return nil
}
