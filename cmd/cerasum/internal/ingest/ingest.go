// Package ingest reads the inputs named on the command line (files, folders,
// URLs, standard input) as documents: it detects format and encoding, extracts
// the text of HTML, Markdown, PDF and the formats of package files, and refuses what is
// not text.
//
// Start with [Loader]. The network is used only for URLs that the user gave.
package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/pdfium"
	"github.com/cerasum/cerasum/core/cluster"
)

// Format is the format of an input.
type Format string

const (
	// Auto detects the format from the name's extension, the content type of a
	// URL, or the first bytes.
	Auto     Format = ""
	Text     Format = "text"
	Markdown Format = "markdown"
	HTML     Format = "html"
	PDF      Format = "pdf"
	// JSONL holds one cluster or document per line.
	JSONL Format = "jsonl"
	// JSON is the same in any layout. Both are read alike; JSON that has neither
	// clusters nor documents is refused as a whole.
	JSON Format = "json"
	// Packed are the formats of package files. They are detected, not selected.
	Packed Format = "packed"
)

// Formats are the values that a user can select.
var Formats = []Format{Text, Markdown, HTML, PDF, JSON, JSONL}

// MaxDocument is the maximum size of a document in bytes, after decompression.
const MaxDocument = 64 << 20

// MaxDownload is the maximum size of a download in bytes.
const MaxDownload = 16 << 20

// Loader reads inputs. The zero value is ready to use once Stdin and the two
// callbacks are set.
type Loader struct {
	Stdin io.Reader
	// Format of all inputs; Auto detects each.
	Format Format
	// Encoding of all inputs, a label of the WHATWG encoding standard
	// ("windows-1251"); empty detects each.
	Encoding string
	// Language of all documents; empty detects it.
	Language string
	// Timeout for fetching one URL; 0 means 30 seconds.
	Timeout time.Duration
	// Patience for extracting the text of one document; 0 means 30 seconds.
	Patience time.Duration
	// UserAgent is sent with requests.
	UserAgent string
	// Corpora leaves all inputs in JSON as streams, whatever they hold. Otherwise those
	// whose records are documents, not clusters, are read as documents.
	Corpora bool
	// Strict refuses records of JSON Lines with unknown fields. Otherwise Ignored, if
	// not nil, is called with the names of those of each record that has some.
	Strict  bool
	Ignored func(fields []string)
	// Warn reports problems that do not make an input unusable.
	Warn func(message string)
	// Bad reports inputs that could not be used; the others are read.
	Bad func(err error)

	maxDocument, maxDownload int64 // 0: the constants
}

// Inputs is the result of [Loader.Load]: either one cluster of documents, or
// streams of JSON with one cluster per line or element.
type Inputs struct {
	Cluster cluster.Cluster
	Streams []Stream
}

// Stream is an input in JSON Lines or JSON.
type Stream struct {
	Name string
	Open func() (Reader, error)
}

// Reader reads a decompressed input.
type Reader interface {
	io.ReadCloser
	// Counts returns the compressed bytes read, and the decompressed bytes
	// returned for them.
	Counts() (taken, given int64)
}

// ErrMixed reports a mixture of clusters and documents.
var ErrMixed = errors.New("cannot combine JSON that holds clusters with single documents")

// Load reads all inputs in the order given; a folder stands for its files in
// order of their names. It returns early only when ctx ends or when the inputs
// cannot be combined; bad inputs are reported to l.Bad and left out.
func (l *Loader) Load(ctx context.Context, args []string) (*Inputs, error) {
	in := &Inputs{}
	for _, item := range l.expand(ctx, args) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		src, err := l.open(ctx, item)
		if err == nil && (src.format == JSONL || src.format == JSON) {
			if l.Corpora {
				in.Streams = append(in.Streams, l.streamOf(ctx, item, src))
			} else {
				err = l.json(ctx, item, src, in)
			}
		} else if err == nil && src.format == Packed {
			var docs []cluster.Document
			docs, err = l.packed(ctx, src)
			in.Cluster.Documents = append(in.Cluster.Documents, docs...)
			src.Close()
		} else if err == nil {
			var doc cluster.Document
			if doc, err = l.document(ctx, src); err == nil {
				in.Cluster.Documents = append(in.Cluster.Documents, doc)
			}
			src.Close()
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil && item.walked && (errors.Is(err, ErrBinary) || errors.Is(err, ErrNoRecords)):
			l.Warn("skipped: " + err.Error())
		case err != nil:
			l.Bad(err)
		}
	}
	if len(in.Streams) > 0 && len(in.Cluster.Documents) > 0 {
		return nil, fmt.Errorf("%w: %s holds clusters, %s does not", ErrMixed, in.Streams[0].Name, in.Cluster.Documents[0].Source)
	}
	return in, nil
}

// document reads and extracts one document.
func (l *Loader) document(ctx context.Context, src *source) (cluster.Document, error) {
	data, err := readAll(src, src.max)
	if err != nil {
		return cluster.Document{}, fmt.Errorf("%s: %w", src.shown(), err)
	}
	if src.format == Text && l.Format == Auto && isJSON(data) {
		return cluster.Document{}, noRecords(src)
	}
	if src.format == PDF {
		// Not part of the document's time: it may take seconds, once.
		if err := pdfium.Start(); err != nil {
			return cluster.Document{}, err
		}
	}
	x, err := l.within(ctx, func(ctx context.Context, patience time.Duration) (extracted, error) {
		return l.extract(ctx, data, src, patience)
	})
	if ctx.Err() != nil {
		return cluster.Document{}, ctx.Err()
	}
	if err != nil {
		return cluster.Document{}, fmt.Errorf("%s: %w", src.shown(), err)
	}
	return l.documentOf(x, src.shown(), src.name, src.title), nil
}

// extract decodes a text and extracts what is readable.
func (l *Loader) extract(ctx context.Context, data []byte, src *source, patience time.Duration) (extracted, error) {
	if src.format == PDF {
		return pdfText(ctx, data, patience/2)
	}
	text, warning, err := decode(data, charsets{user: l.Encoding, declared: src.charset, html: src.format == HTML})
	if err != nil {
		return extracted{}, err
	}
	var x extracted
	switch src.format {
	case HTML:
		x = articleOf(text, src.url)
	case Markdown:
		x = proseOf(text)
	default:
		x = extracted{text: text, blocks: plainBlocks(text)}
	}
	x.decoding = warning
	return x, nil
}

// documentOf returns the document of an extracted text, and reports what was guessed.
// The title is used if the text has none.
func (l *Loader) documentOf(x extracted, shown, name, title string) cluster.Document {
	for _, warning := range []string{x.decoding, x.warning} {
		if warning != "" {
			l.Warn(shown + ": " + warning)
		}
	}
	if x.title != "" {
		title = x.title
	}
	if isBlank(x.text) {
		l.Warn(shown + ": no text found")
	}
	return cluster.Document{Source: name, Title: title, Language: l.Language, Date: x.date, Text: x.text, Blocks: x.blocks}
}

// extracted is the readable content of a document.
type extracted struct {
	title, text, date, warning string
	decoding                   string // what was guessed about its encoding
	blocks                     []cluster.Block
}

// ErrSlow is wrapped by errors about documents whose text took too long to extract.
var ErrSlow = errors.New("extracting the text took too long")

// within runs work until ctx ends or patience does, and then ends its context. The
// markup libraries do not support contexts: work that takes longer is abandoned.
func (l *Loader) within(ctx context.Context, work func(ctx context.Context, patience time.Duration) (extracted, error)) (extracted, error) {
	patience := time.Duration(orDefault(int64(l.Patience), int64(30*time.Second)))
	type result struct {
		x   extracted
		err error
	}
	done := make(chan result, 1)
	working, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	go func() {
		x, err := work(working, patience)
		done <- result{x, err}
	}()
	var r result
	select {
	case r = <-done:
	case <-working.Done():
		r.err = working.Err()
	}
	switch {
	case ctx.Err() != nil:
		return extracted{}, ctx.Err()
	case errors.Is(r.err, context.DeadlineExceeded):
		return extracted{}, fmt.Errorf("%w: more than %v", ErrSlow, patience)
	}
	return r.x, r.err
}
