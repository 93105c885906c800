package batch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cerasum/cerasum/core"
)

// Options of all summaries of a corpus.
type Options struct {
	core.Options
	// Language of all documents; empty detects it.
	Language string
	// Strict makes fields unknown to [Parse] errors; otherwise they are ignored, or
	// with KeepFields added to the summary ([Record.Keep]).
	Strict, KeepFields bool
	// Ignored, if not nil, is called with the names of the ignored fields of each
	// line that has some. It is called from several goroutines.
	Ignored func(fields []string)
	// MaxLine is the length in bytes above which [Run] refuses a line; 0 means
	// [DefaultMaxLine].
	MaxLine int
	// Embed, if not nil, is called with every session. It may add embeddings
	// and change the options of the summary. It is called from several
	// goroutines.
	Embed func(ctx context.Context, s *core.Session, o *core.Options) error
}

// DefaultMaxLine limits the memory for one line, which can be up to about 70 times
// its length.
const DefaultMaxLine = 64 << 20

// ErrPanic is wrapped by the error of a line that causes a panic. Other lines are
// not affected.
var ErrPanic = errors.New("internal error on this line")

// Line summarizes a line of a corpus: [Summary] as JSON, with a newline. An error
// other than that of ctx concerns this line only.
func (o *Options) Line(ctx context.Context, raw []byte) ([]byte, error) {
	return o.Counted(ctx, raw, &Counts{})
}

// Counted is [Options.Line] that adds to counts what it did. A line that ctx
// interrupts is not counted.
func (o *Options) Counted(ctx context.Context, raw []byte, counts *Counts) (line []byte, err error) {
	reason := ""
	defer func() {
		if fault := recover(); fault != nil {
			line, err = nil, fmt.Errorf("%w: %v", ErrPanic, fault)
		}
		if err != nil && ctx.Err() == nil {
			if reason == "" {
				reason = reasonFor(err)
			}
			counts.LeaveOut(reason)
		}
	}()
	at := time.Now()
	r, err := Parse(raw, o.Language, o.Strict)
	if unknown := r.Unknown(); !o.KeepFields && len(unknown) > 0 && o.Ignored != nil {
		o.Ignored(unknown)
	}
	at = counts.Time(Read, at)
	if err != nil {
		reason = Malformed
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
	at = counts.Time(Analyse, at)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	if o.Embed != nil {
		err := o.Embed(ctx, session, &own)
		at = counts.Time(Embed, at)
		if err != nil {
			return nil, err
		}
	}
	s, err := session.Summarize(ctx, own)
	at = counts.Time(Select, at)
	if err != nil {
		return nil, err
	}
	line, err = Marshal(NewSummary(r.ID, s, session.Documents(), false))
	if err == nil && o.KeepFields {
		var dropped []string
		line, dropped, err = r.Keep(line)
		if len(dropped) > 0 && o.Ignored != nil {
			o.Ignored(dropped)
		}
	}
	counts.Time(Write, at)
	if err == nil {
		counts.Summarized(s)
	}
	return line, err
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
