// Package dataset reads the corpora of multi-document summarization, cluster
// by cluster, each with its reference summaries, and builds multilingual
// clusters from pairs.
//
// Start with [Open], which tells the layout of a file or a folder apart, or
// with the reader of one layout: [NewJSONLines], [NewMultiNews],
// [NewMultiNewsJSON], [NewWCEP], [NewDUC2004], [NewTAC2008], [NewPlain],
// [NewCrossSum]. [Measure] makes a row of the statistics table.
package dataset

import (
	"errors"
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/core/cluster"
)

// Cluster is the documents about one event with the summaries that people
// wrote of them.
type Cluster struct {
	// ID names the cluster in its corpus; where the corpus names none, it is
	// the number of its line, from 1.
	ID string
	// Documents have text; their sentences are not split yet.
	Documents []cluster.Document
	// References are the texts of the reference summaries, at least one, none
	// of them blank.
	References []string
}

// Reader hands out the clusters of a corpus one by one.
type Reader interface {
	// Next returns the next cluster, or io.EOF at the end. A bad record gives
	// an *Error, after which Next may be called again and goes on behind it.
	// Any other error is final.
	Next() (*Cluster, error)
}

// Error tells what is wrong with one record, and where.
type Error struct {
	// File as its reader was given it.
	File string
	// Line in the file, from 1; 0 where the whole file is meant.
	Line int
	// Field is the path of the member or element, like documents[2].text;
	// empty where the whole record is meant.
	Field string
	Err   error
}

func (e *Error) Error() string {
	var parts []string
	if e.File != "" {
		parts = append(parts, e.File)
	}
	if e.Line > 0 {
		parts = append(parts, "line "+strconv.Itoa(e.Line))
	}
	if e.Field != "" {
		parts = append(parts, e.Field)
	}
	return strings.Join(append(parts, e.Err.Error()), ": ")
}

func (e *Error) Unwrap() error { return e.Err }

// Errors that *Error wraps.
var (
	// ErrNoDocuments: no document of the cluster has text.
	ErrNoDocuments = errors.New("no document with text")
	// ErrNoReferences: the cluster has no reference summary.
	ErrNoReferences = errors.New("no reference summary")
	// ErrEmptyReference: a reference summary is blank.
	ErrEmptyReference = errors.New("the reference summary is empty")
	// ErrEncoding: the bytes are not UTF-8.
	ErrEncoding = errors.New("not UTF-8")
	// ErrTooLong: a line or a file is longer than a reader takes.
	ErrTooLong = errors.New("too long")
	// ErrCutOff: the record ends before it is complete.
	ErrCutOff = errors.New("cut off")
)

// fieldError is an error with the path to what it is about.
type fieldError struct {
	field string
	err   error
}

func (f *fieldError) Error() string { return f.field + ": " + f.err.Error() }
func (f *fieldError) Unwrap() error { return f.err }

// at puts a field's name before the path of an error.
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

// located makes an Error of what went wrong in a record.
func located(file string, line int, err error) *Error {
	e := &Error{File: file, Line: line, Err: err}
	if f, ok := err.(*fieldError); ok {
		e.Field, e.Err = f.field, f.err
	}
	return e
}

// complete checks a cluster that was read. Blank documents say nothing and are
// dropped, but a cluster of nothing else, and a blank reference, are errors.
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
