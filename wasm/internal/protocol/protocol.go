// Package protocol holds the messages that cross the bridge between a page
// (TypeScript) and the core (Go, WebAssembly). Twin of js/src/protocol.ts:
// change both, and the fixtures in testdata that the tests of both sides read.
//
// Start with [Session]: it answers one message after another.
//
// A message is a tree: nil, bool, float64, string, []any and map[string]any,
// which is what both JavaScript values and JSON turn into, so that one strict
// decoder serves the page, a server and the tests; besides these []float32, a
// Float32Array, which crosses in one piece. In the fixtures that is an object
// with the field "$float32". Every message has a "kind".
// The other side speaks first: hello, answered by hello with the same
// [Version]. All other requests carry an "id", a whole number from 1, that
// every answer to them repeats. Unknown kinds, fields and values are refused
// by name.
package protocol

import (
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
)

// Version is the number that both sides must share. It is raised by one with
// every change that an older twin would misread.
const Version = 4

// Request is one of [Hello], [MethodsRequest], [SplitRequest] and
// [SummarizeRequest].
type Request interface{ requestID() int }

// Hello opens a session.
type Hello struct{ Protocol int }

// MethodsRequest asks for the methods that a summary can be made with.
type MethodsRequest struct{ ID int }

// SplitRequest asks for the languages and sentences of documents.
type SplitRequest struct {
	ID        int
	Documents []cluster.Document
}

// SummarizeRequest asks for a summary.
type SummarizeRequest struct {
	ID        int
	Documents []cluster.Document
	Options   core.Options
}

// requestID is 0 for hello, which is answered before there are requests.
func (r Hello) requestID() int            { return 0 }
func (r MethodsRequest) requestID() int   { return r.ID }
func (r SplitRequest) requestID() int     { return r.ID }
func (r SummarizeRequest) requestID() int { return r.ID }

// Code says what kind of failure an error reply reports.
type Code string

const (
	// CodeOption is a bad value in a request; the reply's field names it.
	CodeOption Code = "option"
	// CodeEmpty means that there is no text to summarize.
	CodeEmpty Code = "empty"
	// CodeProtocol means that the two sides do not understand each other.
	CodeProtocol Code = "protocol"
	// CodeInternal is a mistake of this program.
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

// timings of a summary in milliseconds.
type timings struct{ split, encode, selection float64 }
