// Package protocol holds the messages that cross the bridge between a page
// (TypeScript) and the core (Go, WebAssembly). Twin of js/src/protocol.ts:
// change both, and the fixtures in testdata that the tests of both sides read.
//
// Start with [Server]: it answers one message after another.
//
// A message is a tree: nil, bool, float64, string, []any and map[string]any,
// which is what both JavaScript values and JSON turn into, so that one strict
// decoder serves the page, a server and the tests; besides these []float32, a
// Float32Array, which crosses in one piece. In the fixtures that is an object
// with the field "$float32". Every message has a "kind".
//
// The page speaks first: hello, answered by hello with the same [Version]. All
// other requests carry an "id", a whole number from 1, that every answer to
// them repeats. Unknown kinds, fields and values are refused by name.
//
// Documents cross once: open answers with the number of a session and the
// sentences as offsets; embed, summarize and close name the session. A summary
// consists of indices and numbers: the page has the texts.
package protocol

import "github.com/cerasum/cerasum/core"

// Version is the number that both sides must share. It is raised by one with
// every change that an older twin would misread.
const Version = 5

// Request is one of the types below.
type Request interface{ requestID() int }

// Hello is the first message.
type Hello struct{ Protocol int }

// InfoRequest asks for the methods and the languages.
type InfoRequest struct{ ID int }

// OpenRequest opens documents as a session.
type OpenRequest struct {
	ID        int
	Documents []core.Document
	// Languages and Titles are those of core.OpenOptions.
	Languages []string
	Titles    bool
	// Options of the first summary, refused before any text is read.
	Options core.Options
}

// EmbedRequest gives a session embeddings.
type EmbedRequest struct {
	ID, Session int
	Embeddings  core.Embeddings
}

// SummarizeRequest asks for a summary of a session.
type SummarizeRequest struct {
	ID, Session int
	Options     core.Options
}

// CloseRequest ends a session.
type CloseRequest struct{ ID, Session int }

// requestID is 0 for hello, which is answered before there are requests.
func (r Hello) requestID() int            { return 0 }
func (r InfoRequest) requestID() int      { return r.ID }
func (r OpenRequest) requestID() int      { return r.ID }
func (r EmbedRequest) requestID() int     { return r.ID }
func (r SummarizeRequest) requestID() int { return r.ID }
func (r CloseRequest) requestID() int     { return r.ID }

// Code says what kind of failure an error reply reports.
type Code string

const (
	// CodeOption is an invalid value in a request; the reply's field names it.
	CodeOption Code = "option"
	// CodeEmpty means that there is no text to summarize.
	CodeEmpty Code = "empty"
	// CodeSession means that there is no such session.
	CodeSession Code = "session"
	// CodeProtocol means that the two sides do not understand each other.
	CodeProtocol Code = "protocol"
	// CodeInternal is a bug of this program.
	CodeInternal Code = "internal"
)

// Error is a failure as it crosses the bridge.
type Error struct {
	Code Code
	// ID of the request; 0 where the request has none that can be read.
	ID int
	// Field is the path of the field at fault, such as
	// "documents[3].language"; empty where the fault is in no single field.
	Field string
	// Message says what is wrong, beginning with the field.
	Message string
}

func (e *Error) Error() string { return e.Message }

// stageTimes are milliseconds.
type stageTimes struct{ split, encode, selection float64 }
