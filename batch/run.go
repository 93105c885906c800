// Package batch summarizes corpora: JSON Lines with a cluster a line, to JSON
// Lines with a summary a line.
//
// Start with [Run], which works on many clusters at once and puts the summaries
// out in the order of the corpus, or with [Options.Line], which makes the
// summary of one line: a pipeline of another kind is that, mapped.
package batch

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/cerasum/cerasum/internal/jsonl"
)

// Result is what became of a line.
type Result struct {
	Place
	// Offset is how many bytes of the corpus there are up to the line's end.
	Offset int64
	// Summary is the line of the summary, with its end; nil where there is an
	// error.
	Summary []byte
	Err     error
	// Raw is the line of the corpus where there is an error; nil where not even
	// that could be read.
	Raw []byte
}

// kept is how many bytes it has.
func (r *Result) kept() int { return len(r.Summary) + len(r.Raw) }

// Place is how far a run has come in a corpus.
type Place struct {
	// Line is the number of the last line that is done, from 1; blank lines
	// count. 0: none is.
	Line int
	// Sum tells the lines up to this one from others. The zero Sum is that of no
	// line.
	Sum [sha256.Size]byte
}

// ErrChanged is returned by [Run] where the lines that are done are no longer
// those of the corpus.
var ErrChanged = errors.New("the corpus is another one than before")

// follow takes in the next line, or that it cannot be read.
func (p *Place) follow(line int, raw []byte, err error) {
	h := sha256.New()
	h.Write(p.Sum[:])
	if err != nil {
		raw = []byte(err.Error())
	}
	h.Write(raw)
	p.Line = line
	h.Sum(p.Sum[:0])
}

// ahead is how many lines may be ahead of the slowest one: it may take a
// thousand times as long as others, and no processor waits for it.
const ahead = 4096

// inFlight bounds how many bytes of the corpus are worked on, or wait as
// summaries for the slowest line, beyond one line that may be longer.
func inFlight(workers int) int { return 8<<20 + workers<<20 }

// Run summarizes the lines of r that come after a place, workers at a time, and
// hands each result to yield, in order and one at a time. How much it keeps in
// memory depends on workers and on the longest lines, and not on how many lines
// there are. It ends with yield's error, the end of ctx, or a failure of r;
// yield has got the results before it then.
func Run(ctx context.Context, r io.Reader, o Options, after Place, workers int, yield func(Result) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers = max(1, workers)
	type job struct {
		raw  []byte
		done chan Result
		Place
		offset int64
	}
	jobs := make(chan job)
	// order holds what has been begun: its room is how far workers may run ahead.
	order := make(chan job, ahead+workers)
	room := newRoom(inFlight(workers))
	var broken error // of r, after the line last; read once order was closed
	var last Place

	var working sync.WaitGroup
	for range workers {
		working.Go(func() {
			for j := range jobs {
				result := Result{Place: j.Place, Offset: j.offset}
				if result.Summary, result.Err = o.Line(ctx, j.raw); result.Err != nil {
					result.Raw = j.raw
				}
				room.swap(len(j.raw), result.kept())
				j.done <- result
			}
		})
	}
	// Whoever leaves first lets the others go.
	defer working.Wait()
	defer cancel()

	go func() {
		defer close(order)
		defer close(jobs)
		lines := jsonl.NewReader(r)
		if lines.Max = o.MaxLine; lines.Max <= 0 {
			lines.Max = DefaultMaxLine
		}
		for {
			raw, err := lines.Next()
			if err != nil && !errors.Is(err, jsonl.ErrLine) {
				if !errors.Is(err, io.EOF) {
					broken = err
				} else if last.Line < after.Line {
					broken = fmt.Errorf("%w: it ends before line %d, which was done", ErrChanged, after.Line)
				}
				return
			}
			before := last.Line
			last.follow(lines.Line(), raw, err)
			if before < after.Line && last.Line >= after.Line && last != after {
				broken = ErrChanged
				return
			}
			if last.Line <= after.Line {
				if ctx.Err() != nil {
					return
				}
				continue
			}
			j := job{Place: last, offset: lines.Offset(), done: make(chan Result, 1)}
			if err != nil {
				j.done <- Result{Place: last, Offset: j.offset, Err: err}
			} else {
				room.take(ctx, len(raw))
				j.raw = append([]byte(nil), raw...)
			}
			select {
			case order <- j:
			case <-ctx.Done():
				return
			}
			if err != nil {
				continue
			}
			select {
			case jobs <- j:
			case <-ctx.Done():
				return
			}
		}
	}()

	for j := range order {
		var result Result
		select {
		case result = <-j.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		// A summary that was cut off is no bad line.
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := yield(result); err != nil {
			return err
		}
		room.swap(result.kept(), 0)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if broken != nil {
		return fmt.Errorf("after line %d: %w", last.Line, broken)
	}
	return nil
}

// room lets bytes in as long as no more than so many are in, or none.
type room struct {
	mu    sync.Mutex
	space *sync.Cond
	in    int
	limit int
}

func newRoom(limit int) *room {
	r := &room{limit: limit}
	r.space = sync.NewCond(&r.mu)
	return r
}

func (r *room) take(ctx context.Context, n int) {
	stop := context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.space.Broadcast()
	})
	defer stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.in > 0 && r.in+n > r.limit && ctx.Err() == nil {
		r.space.Wait()
	}
	r.in += n
}

// swap lets some out and others in, without waiting: those in the room must be
// able to go on.
func (r *room) swap(out, in int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.in += in - out
	r.space.Broadcast()
}
