package service

import (
	"io"
	"net/http"
	"sync/atomic"

	"github.com/cerasum/cerasum/internal/api"
)

// room counts the bytes of all bodies in memory.
type room struct {
	in    atomic.Int64
	limit int64
}

// take reports whether there is room for n more bytes.
func (r *room) take(n int64) bool {
	if r.in.Add(n) <= r.limit {
		return true
	}
	r.in.Add(-n)
	return false
}

// drained is the number of bytes of a refused body that are still read: many
// clients send all of it before they read the answer.
const drained = 16 << 20

// body reads at most so many bytes of a request, if there is room for them.
type body struct {
	io.ReadCloser
	most, length int64
	room         *room
	held         int64
	fault        error
}

// declared refuses a body by its length before it is read.
func (b *body) declared(length int64) {
	if length > b.most+drained {
		b.fault = &http.MaxBytesError{Limit: b.most}
	}
}

func (b *body) Read(p []byte) (int, error) {
	if b.fault != nil {
		return 0, b.fault
	}
	n, err := b.ReadCloser.Read(p)
	b.length += int64(n)
	switch {
	case b.length > b.most:
		b.fault = &http.MaxBytesError{Limit: b.most}
	case !b.room.take(int64(n)):
		b.fault = api.ErrBusy
	default:
		b.held += int64(n)
		return n, err
	}
	b.release()
	rest, _ := io.Copy(io.Discard, io.LimitReader(b.ReadCloser, drained))
	b.length += rest
	return 0, b.fault
}

// release gives up the body's room, when the request has been answered.
func (b *body) release() {
	b.room.in.Add(-b.held)
	b.held = 0
}
