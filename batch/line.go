package batch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cerasum/cerasum/core"
)

// Options of all summaries of a corpus.
type Options struct {
	core.Options
	// Language of all documents; empty detects it.
	Language string
	// Ignore names fields of lines and documents to ignore; other fields unknown
	// to [Parse] are errors.
	Ignore []string
	// MaxLine is the length in bytes above which [Run] refuses a line; 0 means
	// [DefaultMaxLine].
	MaxLine int
	// Embed, if not nil, is called with every session. It may add embeddings
	// and change the options of the summary. It is called from several
	// goroutines.
	Embed func(ctx context.Context, s *core.Session, o *core.Options) error
}

// DefaultMaxLine limits the memory for one line, which can be about thirty times
// its length.
const DefaultMaxLine = 64 << 20

// ErrPanic is wrapped by the error of a line that causes a panic. Other lines are
// not affected.
var ErrPanic = errors.New("internal error on this line")

// Line summarizes a line of a corpus: [Summary] as JSON, with a newline. An error
// other than that of ctx concerns this line only.
func (o *Options) Line(ctx context.Context, raw []byte) (line []byte, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			line, err = nil, fmt.Errorf("%w: %v", ErrPanic, fault)
		}
	}()
	r, err := Parse(raw, o.Language, o.Ignore...)
	if err != nil {
		return nil, err
	}
	own := o.Options
	if err := own.Check(); err != nil {
		return nil, err
	}
	if o.Embed == nil {
		if err := own.CheckNeeds(false); err != nil {
			return nil, err
		}
	}
	session, err := core.Open(ctx, r.Documents, core.OpenOptions{})
	if err != nil {
		return nil, err
	}
	defer session.Close()
	if o.Embed != nil {
		if err := o.Embed(ctx, session, &own); err != nil {
			return nil, err
		}
	}
	s, err := session.Summarize(ctx, own)
	if err != nil {
		return nil, err
	}
	return Marshal(NewSummary(r.ID, s, session.Documents(), false))
}

// Refused is the JSON form of a line that could not be summarized.
type Refused struct {
	File  string  `json:"file"`
	Line  int     `json:"line"`
	Error string  `json:"error"`
	Raw   *string `json:"raw"` // null if the line could not be read
}

// NewRefused describes a line of a file.
func NewRefused(file string, line int, err error, raw []byte) *Refused {
	r := &Refused{File: file, Line: line, Error: Reason(err)}
	if raw != nil {
		text := string(raw)
		r.Raw = &text
	}
	return r
}

// longest limits the length of a reason in bytes: it may quote from the line,
// which may be long.
const longest = 400

// Reason returns an error's message on one line, truncated if long.
func Reason(err error) string {
	text := err.Error()
	if len(text) > longest {
		cut := longest
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	return strings.Join(strings.Fields(text), " ")
}
