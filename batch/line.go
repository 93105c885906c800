package batch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cerasum/cerasum/core"
)

// Options are what all summaries of a corpus are made with.
type Options struct {
	core.Options
	// Language of all documents; empty to leave it open.
	Language string
	// Ignore names fields of lines and of documents that are not looked at;
	// others that [Parse] does not know are errors.
	Ignore []string
	// MaxLine is the length in bytes above which [Run] refuses a line; 0:
	// [DefaultMaxLine].
	MaxLine int
	// Embed, if not nil, gets every session once it is open, and may give it
	// embeddings and change the options of its summary. It is called from several
	// goroutines at once.
	Embed func(ctx context.Context, s *core.Session, o *core.Options) error
}

// DefaultMaxLine bounds the memory that one line can ask for, which is some
// thirty times its length.
const DefaultMaxLine = 64 << 20

// ErrPanic is wrapped by the error of a line that shows a fault of the program.
// It is this line's alone: a corpus of millions goes on.
var ErrPanic = errors.New("this line lays bare a fault of the program")

// Line makes the summary of a line of a corpus: [Summary] as JSON, with the
// line's end. Its error, unless it is that of ctx, is about this line alone.
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

// Refused is a line that could not be summarized, as a line of JSON tells of it.
type Refused struct {
	File  string  `json:"file"`
	Line  int     `json:"line"`
	Error string  `json:"error"`
	Raw   *string `json:"raw"` // null where it could not even be read
}

// NewRefused tells of a line of a file.
func NewRefused(file string, line int, err error, raw []byte) *Refused {
	r := &Refused{File: file, Line: line, Error: Reason(err)}
	if raw != nil {
		text := string(raw)
		r.Raw = &text
	}
	return r
}

// longest is how many bytes of a reason are told: it may quote from the line,
// which may be long.
const longest = 400

// Reason is an error's message on one line, and cut off where it is long.
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
