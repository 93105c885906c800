// Package ingest turns what a user names on the command line (files, folders,
// URLs, standard input) into documents: it finds out format and encoding,
// extracts the text of HTML and Markdown, and refuses what is not text.
//
// Start with [Loader]. The network is touched only for a URL that the user
// gave.
package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/cerasum/cerasum/core/cluster"
)

// Format is how an input is read.
type Format string

const (
	// Auto tells the format by the name's extension, the content type of a
	// URL, or the first bytes.
	Auto     Format = ""
	Text     Format = "text"
	Markdown Format = "markdown"
	HTML     Format = "html"
	// JSONL holds a whole cluster in every line.
	JSONL Format = "jsonl"
)

// Formats are the values that a user can ask for.
var Formats = []Format{Text, Markdown, HTML, JSONL}

// MaxDocument is the size in bytes, after decompression, above which a
// document is refused.
const MaxDocument = 64 << 20

// MaxDownload is the same for a URL.
const MaxDownload = 16 << 20

// Loader reads inputs. The zero value, with Stdin and the two callbacks set,
// is ready.
type Loader struct {
	Stdin io.Reader
	// Format for all inputs; Auto to tell it for each.
	Format Format
	// Encoding for all inputs, a label of the WHATWG encoding standard
	// ("windows-1251"); empty to tell it for each.
	Encoding string
	// Language of all documents; empty to leave it open.
	Language string
	// Timeout bounds the whole fetch of one URL; 0 means 30 seconds.
	Timeout time.Duration
	// UserAgent is sent with the request for a URL.
	UserAgent string
	// Warn is told what a careful reader should know but no input is bad.
	Warn func(message string)
	// Bad is told about each input that could not be used; the others go on.
	Bad func(err error)

	maxDocument, maxDownload int64 // 0: the constants
}

// Inputs is what [Loader.Load] found: one cluster of documents, or streams of
// JSON Lines with a cluster a line, never both.
type Inputs struct {
	Cluster cluster.Cluster
	Streams []Stream
}

// Stream is an input in JSON Lines.
type Stream struct {
	Name string
	Open func() (Reader, error)
}

// Reader reads an input, decompressed.
type Reader interface {
	io.ReadCloser
	// Counts says how many bytes of the input were taken, and how many were given
	// for them.
	Counts() (taken, given int64)
}

// ErrMixed is returned when JSON Lines and documents are given together.
var ErrMixed = errors.New("cannot mix JSON Lines, which hold whole clusters, with documents of one cluster")

// Load reads all inputs in the order given; a folder stands for its files in
// the order of their names. It returns early only when ctx ends or when the
// inputs cannot be combined; a bad input is told to l.Bad and left out.
func (l *Loader) Load(ctx context.Context, args []string) (*Inputs, error) {
	in := &Inputs{}
	for _, item := range l.expand(ctx, args) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		src, err := l.open(ctx, item)
		if err == nil && src.format == JSONL {
			in.Streams = append(in.Streams, l.streamOf(ctx, item, src))
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
		case err != nil && item.walked && errors.Is(err, ErrBinary):
			l.Warn("skipped: " + err.Error())
		case err != nil:
			l.Bad(err)
		}
	}
	if len(in.Streams) > 0 && len(in.Cluster.Documents) > 0 {
		return nil, fmt.Errorf("%w: %s is JSON Lines, %s is not", ErrMixed, in.Streams[0].Name, in.Cluster.Documents[0].Source)
	}
	return in, nil
}

// document reads and extracts one document.
func (l *Loader) document(ctx context.Context, src *source) (cluster.Document, error) {
	data, err := readAll(src, src.max)
	if err != nil {
		return cluster.Document{}, fmt.Errorf("%s: %w", src.shown(), err)
	}
	text, warning, err := decode(data, charsets{asked: l.Encoding, declared: src.charset, html: src.format == HTML})
	if err != nil {
		return cluster.Document{}, fmt.Errorf("%s: %w", src.shown(), err)
	}
	if warning != "" {
		l.Warn(src.shown() + ": " + warning)
	}
	doc := cluster.Document{Source: src.name, Title: src.title, Language: l.Language}
	var x extracted
	switch src.format {
	case HTML:
		x, err = within(ctx, func() extracted { return articleOf(text, src.url) })
	case Markdown:
		x, err = within(ctx, func() extracted { return proseOf(text) })
	default:
		x = extracted{text: text}
	}
	if err != nil {
		return doc, err
	}
	if x.warning != "" {
		l.Warn(src.shown() + ": " + x.warning)
	}
	if doc.Text = x.text; x.title != "" {
		doc.Title = x.title
	}
	if isBlank(doc.Text) {
		l.Warn(src.shown() + ": no text in it")
	}
	return doc, nil
}

// extracted is what a document's markup holds for a reader.
type extracted struct{ title, text, warning string }

// within runs work until ctx ends. The libraries that take markup apart know
// no context: work that takes longer is left behind.
func within(ctx context.Context, work func() extracted) (extracted, error) {
	done := make(chan extracted, 1)
	go func() { done <- work() }()
	select {
	case x := <-done:
		return x, nil
	case <-ctx.Done():
		return extracted{}, ctx.Err()
	}
}
