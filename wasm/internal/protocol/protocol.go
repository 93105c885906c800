// Package protocol holds the messages that cross the bridge between a page
// (TypeScript) and the core (Go, WebAssembly). js/src/protocol.ts has the same messages:
// change both, and the fixtures in testdata that the tests of both sides read.
//
// Start with [Server]: it answers one message after another.
//
// A message is a tree: nil, bool, float64, string, []any and map[string]any, to
// which both JavaScript values and JSON convert, so that the page, a server and
// the tests use one strict decoder. A request may also contain []float32, a
// Float32Array, and []byte, a Uint8Array, and a reply may have a field with []uint32, a
// Uint32Array, which are copied in one step; in the fixtures they are objects with the
// field "$float32", "$uint8" or "$uint32". Every message has a "kind".
//
// The page starts with hello, and the reply is hello with the same [Version].
// All other requests carry an "id", a whole number from 1, which every reply
// repeats. Unknown kinds, fields and values are refused by name.
//
// Documents cross once: open answers with the number of a session and the
// sentences as offsets; embed, summarize and close name the session. A summary
// consists of indices and numbers: the page has the texts.
package protocol

import "github.com/cerasum/cerasum/core"

// Version must be the same on both sides. Every incompatible change increments
// it.
const Version = 9

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

// ToEmbedRequest asks which sentences of a session to embed.
type ToEmbedRequest struct {
	ID, Session int
	// Tokens is about how many the encoder may read.
	Tokens int
}

// TokenizeRequest asks for the ids that the encoder's network reads of texts.
type TokenizeRequest struct {
	ID    int
	Texts []string
	// Asks says that the texts are questions.
	Asks bool
	// Vocabulary is the encoder's vocabulary file; nil: the last one given.
	Vocabulary []byte
}

// SummarizeRequest asks for a summary of a session.
type SummarizeRequest struct {
	ID, Session int
	Options     core.Options
}

// CloseRequest ends a session.
type CloseRequest struct{ ID, Session int }

// requestID is 0 for hello, which has no id.
func (r Hello) requestID() int            { return 0 }
func (r InfoRequest) requestID() int      { return r.ID }
func (r OpenRequest) requestID() int      { return r.ID }
func (r EmbedRequest) requestID() int     { return r.ID }
func (r ToEmbedRequest) requestID() int   { return r.ID }
func (r TokenizeRequest) requestID() int  { return r.ID }
func (r SummarizeRequest) requestID() int { return r.ID }
func (r CloseRequest) requestID() int     { return r.ID }

// Code is the kind of error in an error reply.
type Code string

const (
	// CodeOption is an invalid value in a request; the reply's field names it.
	CodeOption Code = "option"
	// CodeEmpty means that there is no text to summarize.
	CodeEmpty Code = "empty"
	// CodeSession means that there is no such session.
	CodeSession Code = "session"
	// CodeProtocol means that a message violates the protocol.
	CodeProtocol Code = "protocol"
	// CodeInternal means a bug in this program.
	CodeInternal Code = "internal"
)

// Error is an error reply.
type Error struct {
	Code Code
	// ID of the request; 0 if it has none or it cannot be read.
	ID int
	// Field is the path of the invalid field, such as "documents[3].language";
	// empty if the error is not about a single field.
	Field string
	// Message is the error message, which begins with the field.
	Message string
}

func (e *Error) Error() string { return e.Message }

// stageTimes are milliseconds.
type stageTimes struct{ split, encode, selection float64 }
