package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// Limits of a request. All must be set.
type Limits struct {
	// Body is in bytes; Documents and Sentences count those of the cluster.
	Body, Documents, Sentences int
	// Time limits the processing of a request.
	Time time.Duration
	// Steps limits it too; a step is the work of the core between two checks of
	// its context. It replaces Time on hosts whose clock does not advance
	// during computation, such as Workers.
	Steps int
}

// DefaultLimits suit a host that allows some hundreds of milliseconds per
// request.
var DefaultLimits = Limits{Body: 2 << 20, Documents: 200, Sentences: 1000, Time: 2 * time.Second, Steps: 1 << 20}

func itoa(n int) string { return strconv.Itoa(n) }

// documents refuses too many documents.
func (l Limits) documents(n int) error {
	if n <= l.Documents {
		return nil
	}
	return &Problem{Type: "too-many-documents", Title: "Too many documents", Status: http.StatusUnprocessableEntity, Field: "documents",
		Detail: itoa(n) + " documents: want at most " + itoa(l.Documents), Limit: l.Documents}
}

// sentences refuses too many sentences, or rows for them.
func (l Limits) sentences(field string, n int) error {
	if n <= l.Sentences {
		return nil
	}
	return &Problem{Type: "too-many-sentences", Title: "Too many sentences", Status: http.StatusUnprocessableEntity, Field: field,
		Detail: itoa(n) + " sentences: want at most " + itoa(l.Sentences), Limit: l.Sentences}
}

// search refuses search parameters above the maximum number of sentences, which
// would have no effect.
func (l Limits) search(field string, n int) error {
	if n <= l.Sentences {
		return nil
	}
	return unusable(field, itoa(n)+": want at most "+itoa(l.Sentences))
}

// maxDimensions is the core's limit for the length of an embedding.
const maxDimensions = 1 << 16

// bounded refuses a longer embedding before it is decoded.
func bounded(raw json.RawMessage) error {
	if n := count(raw, 1); n > maxDimensions {
		return unusable("", itoa(n)+" numbers: want at most "+itoa(maxDimensions))
	}
	return nil
}

// deadline is a context that ends after the given time or number of steps.
// Every call of Err checks the clock: a timer would not fire during computation
// in a program without threads.
type deadline struct {
	context.Context
	end   time.Time
	steps atomic.Int64
}

func newDeadline(ctx context.Context, l Limits) context.Context {
	d := &deadline{Context: ctx, end: time.Now().Add(l.Time)}
	d.steps.Store(int64(l.Steps))
	return d
}

func (d *deadline) Deadline() (time.Time, bool) {
	if end, ok := d.Context.Deadline(); ok && end.Before(d.end) {
		return end, true
	}
	return d.end, true
}

func (d *deadline) Err() error {
	if err := d.Context.Err(); err != nil {
		return err
	}
	if d.steps.Add(-1) < 0 || time.Now().After(d.end) {
		return context.DeadlineExceeded
	}
	return nil
}
