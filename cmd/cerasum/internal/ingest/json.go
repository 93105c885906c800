package ingest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/files"
	"github.com/cerasum/cerasum/internal/jsonl"
)

// ErrNoRecords is wrapped by errors about JSON that holds no clusters and no documents.
var ErrNoRecords = errors.New("JSON without documents")

const (
	// maxBad is the number of unreadable records of an input that are reported one by
	// one.
	maxBad = 10
	// sampled is the number of records that are read to find out what they are.
	sampled = 10
)

// badRecords reports the unreadable records of an input, the first ones one by one.
type badRecords struct {
	name string
	bad  func(error)
	n    int
}

func (b *badRecords) report(err error) {
	if b.n++; b.n <= maxBad {
		b.bad(err)
	}
}

// end reports the number of the others.
func (b *badRecords) end() {
	switch more := b.n - maxBad; {
	case more == 1:
		b.bad(fmt.Errorf("%s: and 1 more record that cannot be read", b.name))
	case more > 1:
		b.bad(fmt.Errorf("%s: and %d more records that cannot be read", b.name, more))
	}
}

// at adds the name of the input, the line and the index in an array to an error about a
// record; the index is -1 outside arrays.
func at(name string, line, index int, err error) error {
	if index >= 0 {
		err = jsonl.At(jsonl.Index(index), err)
	}
	return fmt.Errorf("%s:%d: %w", name, line, err)
}

// recordKind is what the records of an input are.
type recordKind int

const (
	unknownRecords  recordKind = iota
	clusterRecords             // objects with "documents"
	documentRecords            // texts, or objects with a "text"
)

// kindOf returns what a record is.
func kindOf(raw []byte) recordKind {
	if !jsonl.IsObject(raw) {
		if _, err := jsonl.String(raw); err == nil {
			return documentRecords
		}
		return unknownRecords
	}
	kind := unknownRecords
	err := jsonl.ObjectWith(raw, nil, func(name string, _ json.RawMessage) {
		switch {
		case name == "documents":
			kind = clusterRecords
		case name == "text" && kind == unknownRecords:
			kind = documentRecords
		}
	})
	if err != nil {
		return unknownRecords
	}
	return kind
}

// json adds an input in JSON: a stream of clusters, or documents of the one cluster, as
// the first of its records that are one or the other tell. It closes src unless the
// stream reads it.
func (l *Loader) json(ctx context.Context, it item, src *source, in *Inputs) error {
	kind, err := l.recordsOf(src)
	if kind == clusterRecords {
		in.Streams = append(in.Streams, l.streamOf(ctx, it, src))
		return nil
	}
	defer src.Close()
	if err != nil || kind == unknownRecords {
		return err
	}
	docs, err := l.documents(ctx, src)
	in.Cluster.Documents = append(in.Cluster.Documents, docs...)
	return err
}

// recordsOf finds out what the records of an input are; src can then be read from the
// start. Without an error, unknown means that there is nothing in it.
func (l *Loader) recordsOf(src *source) (recordKind, error) {
	var read bytes.Buffer
	v := jsonl.NewValues(io.TeeReader(src.r, &read))
	defer func() { src.r = bufio.NewReaderSize(io.MultiReader(&read, src.r), 64<<10) }()
	var bad error
	n := 0
	for ; n < sampled; n++ {
		raw, err := v.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, jsonl.ErrLine) {
			if src.explain != nil {
				err = src.explain(err)
			}
			return unknownRecords, fmt.Errorf("%s: %w", src.shown(), err)
		}
		if err == nil {
			if kind := kindOf(raw); kind != unknownRecords {
				return kind, nil
			}
			err = invalid(raw)
		}
		if err != nil && bad == nil {
			bad = at(src.shown(), v.Line(), v.Index(), err)
		}
	}
	switch {
	case src.format == JSONL, v.IsLines() && bad != nil:
		return clusterRecords, nil // each line is reported
	case bad != nil:
		return unknownRecords, bad
	case n == 0:
		l.Warn(src.shown() + ": no text found")
		return unknownRecords, nil
	}
	return unknownRecords, noRecords(src)
}

func noRecords(src *source) error {
	return fmt.Errorf("%s: %w: want objects with \"documents\" or \"text\"", src.shown(), ErrNoRecords)
}

// invalid returns an error if a record is not JSON.
func invalid(raw []byte) error {
	var value json.RawMessage
	if err := json.Unmarshal(raw, &value); err != nil {
		return fmt.Errorf("invalid JSON: %w", err)
	}
	return nil
}

// documents reads the records of an input as documents. Unreadable ones are reported and
// left out.
func (l *Loader) documents(ctx context.Context, src *source) ([]cluster.Document, error) {
	var docs []cluster.Document
	v := jsonl.NewValues(src)
	v.Max = int(min(src.max, jsonl.MaxLine))
	bad := badRecords{name: src.shown(), bad: l.Bad}
	defer bad.end()
	left, n := 0, 0
	for ; ; n++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		raw, err := v.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, jsonl.ErrLine) {
			return nil, fmt.Errorf("%s: %w", src.shown(), err)
		}
		if v.Offset() > src.max {
			return nil, fmt.Errorf("%s: %w: more than %s of documents for one summary", src.shown(), ErrTooLarge, size(src.max))
		}
		if len(docs) == files.MaxDocuments {
			left++
			continue
		}
		var d cluster.Document
		if err == nil {
			err = invalid(raw)
		}
		if err == nil {
			var unknown []string
			d, unknown, err = batch.ParseDocument(raw, l.Language, l.Strict)
			if len(unknown) > 0 && l.Ignored != nil {
				l.Ignored(unknown)
			}
		}
		if err != nil {
			bad.report(at(src.shown(), v.Line(), v.Index(), err))
			continue
		}
		if d.Source == "" {
			d.Source = fmt.Sprintf("%s (%d)", src.shown(), n+1)
		}
		docs = append(docs, d)
	}
	if left > 0 {
		l.Warn(fmt.Sprintf("%s: only the first %d of %d documents were read", src.shown(), files.MaxDocuments, files.MaxDocuments+left))
	}
	if n == 1 && len(docs) == 1 && docs[0].Source == src.shown()+" (1)" {
		docs[0].Source = src.shown()
	}
	return docs, nil
}

// isJSON reports whether a text is JSON in any layout, and nothing else.
func isJSON(data []byte) bool {
	if !jsonHead.Match(trimmed(data)) {
		return false
	}
	v := jsonl.NewValues(bytes.NewReader(data))
	for {
		raw, err := v.Next()
		if err != nil {
			return errors.Is(err, io.EOF)
		}
		if !json.Valid(raw) {
			return false
		}
	}
}

// jsonHead matches the start of an object, or of an array of objects.
var jsonHead = regexp.MustCompile(`^(?:\[\s*)?\{\s*"`)

// jsonField matches the name of a field that tells clusters or documents.
var jsonField = regexp.MustCompile(`"(?:documents|text)"\s*:`)

// sniffJSON detects JSON by its first bytes, without white space.
func sniffJSON(head []byte) bool { return jsonHead.Match(head) && jsonField.Match(head) }
