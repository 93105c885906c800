// Package ingest reads the inputs named on the command line (files, folders,
// URLs, standard input) as documents: it detects format and encoding, extracts
// the text of HTML and Markdown, and refuses what is not text.
//
// Start with [Loader]. The network is used only for URLs that the user gave.
package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

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
	// JSONL holds one cluster per line.
	JSONL Format = "jsonl"
)

// Formats are the values that a user can select.
var Formats = []Format{Text, Markdown, HTML, JSONL}

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
	// Warn reports problems that do not make an input unusable.
	Warn func(message string)
	// Bad reports inputs that could not be used; the others are read.
	Bad func(err error)

	maxDocument, maxDownload int64 // 0: the constants
}

// Inputs is the result of [Loader.Load]: either one cluster of documents, or
// streams of JSON Lines with one cluster per line.
type Inputs struct {
	Cluster cluster.Cluster
	Streams []Stream
}

// Stream is an input in JSON Lines.
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

// ErrMixed reports a mixture of JSON Lines and documents.
var ErrMixed = errors.New("cannot combine JSON Lines, which hold clusters, with single documents")

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
	doc := cluster.Document{Source: src.name, Title: src.title, Language: l.Language}
	x, err := l.within(ctx, func() (extracted, error) {
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
	})
	if ctx.Err() != nil {
		return doc, ctx.Err()
	}
	if err != nil {
		return doc, fmt.Errorf("%s: %w", src.shown(), err)
	}
	if x.decoding != "" {
		l.Warn(src.shown() + ": " + x.decoding)
	}
	if x.warning != "" {
		l.Warn(src.shown() + ": " + x.warning)
	}
	doc.Date, doc.Blocks = x.date, x.blocks
	if doc.Text = x.text; x.title != "" {
		doc.Title = x.title
	}
	if isBlank(doc.Text) {
		l.Warn(src.shown() + ": no text found")
	}
	return doc, nil
}

// extracted is the readable content of a document.
type extracted struct {
	title, text, date, warning string
	decoding                   string // what was guessed about its encoding
	blocks                     []cluster.Block
}

// ErrSlow is wrapped by errors about documents whose text took too long to extract.
var ErrSlow = errors.New("extracting the text took too long")

// within runs work until ctx ends or patience does. The markup libraries do not
// support contexts: work that takes longer is abandoned.
func (l *Loader) within(ctx context.Context, work func() (extracted, error)) (extracted, error) {
	patience := orDefault(int64(l.Patience), int64(30*time.Second))
	type result struct {
		x   extracted
		err error
	}
	done := make(chan result, 1)
	go func() {
		x, err := work()
		done <- result{x, err}
	}()
	timer := time.NewTimer(time.Duration(patience))
	defer timer.Stop()
	select {
	case r := <-done:
		return r.x, r.err
	case <-timer.C:
		return extracted{}, fmt.Errorf("%w: more than %v", ErrSlow, time.Duration(patience))
	case <-ctx.Done():
		return extracted{}, ctx.Err()
	}
}
