package api

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/internal/jsonl"
)

// ContentType of problems.
const ContentType = "application/problem+json"

// Problem is an error as in RFC 9457.
type Problem struct {
	// Type is the last part of the URN in the JSON.
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
	// Field is the path of the invalid value: "documents[1].text".
	Field string `json:"field,omitempty"`
	// Limit is the limit that was exceeded.
	Limit int `json:"limit,omitempty"`
}

func (p *Problem) Error() string { return p.Detail }

var errInternal = &Problem{Type: "internal", Title: "Internal error", Status: http.StatusInternalServerError}

// JSON is the problem as JSON, with a newline.
func (p *Problem) JSON() []byte {
	named := *p
	named.Type = "urn:cerasum:problem:" + p.Type
	named.Detail, named.Field = abridged(p.Detail), abridged(p.Field)
	line, err := batch.Marshal(&named)
	if err != nil {
		panic("api: a problem that JSON cannot hold: " + err.Error())
	}
	return line
}

// abridged truncates a message that quotes a long value of the request.
func abridged(s string) string {
	const most = 500
	if len(s) <= most {
		return s
	}
	end := most
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// NotAllowed is an error about a method; allow is the header Allow.
func NotAllowed(allow string) *Problem {
	return &Problem{Type: "method-not-allowed", Title: "Method not allowed", Status: http.StatusMethodNotAllowed, Detail: "want " + allow}
}

// malformed is an error about a body that does not match the description.
func malformed(field string, err error) *Problem {
	return &Problem{Type: "malformed", Title: "Malformed body", Status: http.StatusBadRequest, Field: field, Detail: err.Error()}
}

// unusable is an error about an invalid value.
func unusable(field, detail string) *Problem {
	return &Problem{Type: "unusable", Title: "Invalid value", Status: http.StatusUnprocessableEntity, Field: field, Detail: detail}
}

// reasonFor returns the reason for which a request for a summary is refused, as
// [batch.Counters] names it.
func reasonFor(err error) string {
	if errors.Is(err, core.ErrNoText) {
		return batch.NoText
	}
	switch refusal(err).Type {
	case "body-too-large":
		return batch.TooLong
	case "unsupported-media-type":
		return batch.Unreadable
	case "bad-request", "malformed":
		return batch.Malformed
	case "too-many-documents", "too-many-sentences", "too-heavy":
		return batch.Limit
	case "too-slow":
		return batch.TimeLimit
	case "busy":
		return batch.Busy
	case "internal":
		return batch.Failed
	}
	return batch.Invalid
}

// refusal converts an error to a problem.
func refusal(err error) *Problem {
	var p *Problem
	var at *jsonl.FieldError
	var option *core.OptionError
	switch {
	case errors.As(err, &p):
		if errors.As(err, &at) && p.Field == "" {
			named := *p
			named.Field = at.Path
			return &named
		}
		return p
	case errors.Is(err, ErrBusy):
		return &Problem{Type: "busy", Title: "Server busy", Status: http.StatusServiceUnavailable,
			Detail: "send it again; Retry-After says in how many seconds"}
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled):
		return &Problem{Type: "too-slow", Title: "Time limit exceeded", Status: http.StatusUnprocessableEntity, Field: "documents",
			Detail: "the request exceeded the time limit: send fewer or shorter documents, or choose a faster method"}
	case errors.Is(err, core.ErrNoText):
		return unusable("documents", err.Error())
	case errors.As(err, &option):
		field := option.Name
		if errors.As(err, &at) && !strings.HasPrefix(field, at.Path) {
			field = at.Path
		}
		if option.WrongType {
			return malformed(field, errors.New(option.Message))
		}
		return unusable(field, option.Message)
	case errors.As(err, &at):
		if errors.Is(err, selection.ErrParams) {
			return unusable(at.Path, at.Err.Error())
		}
		return malformed(at.Path, at.Err)
	}
	return malformed("", err)
}
