// Package batch summarizes corpora: JSON Lines with one cluster per line, to JSON
// Lines with one summary per line.
//
// Start with [Run], which processes clusters in parallel and returns the summaries
// in the order of the corpus, or with [Options.Line], which summarizes one line,
// for use in other pipelines.
package batch

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/cerasum/cerasum/internal/jsonl"
)

// Result is the result for a line.
type Result struct {
	Place
	// Offset is the position in bytes of the line's end in the corpus.
	Offset int64
	// Summary is the line of the summary with its newline; nil if there is an
	// error.
	Summary []byte
	Err     error
	// Counts of this line. Writing the summary is up to the caller.
	Counts Counts
	// Raw is the line of the corpus if there is an error; nil if it could not be
	// read.
	Raw []byte
}

// kept returns the number of bytes held.
func (r *Result) kept() int { return len(r.Summary) + len(r.Raw) }

// Place is a run's position in a corpus.
type Place struct {
	// Line is the number of the last processed line, from 1; blank lines count.
	// 0: none.
	Line int
	// Sum is a checksum of the lines up to this one. The zero Sum is that of no
	// lines.
	Sum [sha256.Size]byte
}

// ErrChanged is returned by [Run] if the processed lines have changed in the
// corpus.
var ErrChanged = errors.New("the corpus has changed since the last run")

// follow advances past the next line, which err says cannot be read.
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

// ahead limits how many lines may be ahead of the slowest one: a line may take a
// thousand times as long as others, and no processor should wait for it.
const ahead = 4096

// inFlight limits the bytes of the corpus being processed or waiting as summaries
// for the slowest line, apart from one line that may be longer.
func inFlight(workers int) int { return 8<<20 + workers<<20 }

// Run summarizes the lines of r after a place, workers at a time, and passes each
// result to yield, in order and one at a time. Memory depends on workers and the
// longest lines, not on the number of lines. Run returns yield's error, that of
// ctx, or a failure of r, after yielding the results before it.
func Run(ctx context.Context, r io.Reader, o Options, after Place, workers int, yield func(Result) error) error {
	lines := jsonl.NewReader(r)
	if lines.Max = o.MaxLine; lines.Max <= 0 {
		lines.Max = DefaultMaxLine
	}
	return RunLines(ctx, lines, o, after, workers, yield)
}

// ErrLine is wrapped by the errors of [Lines] after which reading can continue with
// the next line.
var ErrLine = jsonl.ErrLine

// Lines are the lines of a corpus, each a cluster as JSON.
type Lines interface {
	// Next returns the next line; it is valid until the following call. An error
	// that wraps [ErrLine] concerns this line only. At the end it is io.EOF.
	Next() ([]byte, error)
	// Line is the number of the last line, from 1, and Offset the number of bytes
	// up to its end.
	Line() int
	Offset() int64
}

// RunLines is [Run] for lines from elsewhere, which must enforce Options.MaxLine.
func RunLines(ctx context.Context, lines Lines, o Options, after Place, workers int, yield func(Result) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers = max(1, workers)
	type job struct {
		raw  []byte
		done chan Result
		Place
		offset int64
		counts Counts
	}
	jobs := make(chan job)
	// order holds the lines in progress: its capacity limits how far workers run ahead.
	order := make(chan job, ahead+workers)
	room := newRoom(inFlight(workers))
	var broken error // of r, after the line last; read after order is closed
	var last Place

	var working sync.WaitGroup
	for range workers {
		working.Go(func() {
			for j := range jobs {
				result := Result{Place: j.Place, Offset: j.offset, Counts: j.counts}
				if result.Summary, result.Err = o.Counted(ctx, j.raw, &result.Counts); result.Err != nil {
					result.Raw = j.raw
				}
				room.swap(len(j.raw), result.kept())
				j.done <- result
			}
		})
	}
	// The first to return releases the others.
	defer working.Wait()
	defer cancel()

	go func() {
		defer close(order)
		defer close(jobs)
		for {
			begun := time.Now()
			raw, err := lines.Next()
			if err != nil && !errors.Is(err, jsonl.ErrLine) {
				if !errors.Is(err, io.EOF) {
					broken = err
				} else if last.Line < after.Line {
					broken = fmt.Errorf("%w: it ends before the processed line %d", ErrChanged, after.Line)
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
			j.counts.Time(Read, begun)
			if err != nil {
				j.counts.Unread(err)
				j.done <- Result{Place: last, Offset: j.offset, Err: err, Counts: j.counts}
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
		// A cancelled summary is not a bad line.
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

// room is a semaphore of bytes that always admits one item.
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

// swap releases some bytes and acquires others without waiting: lines already
// admitted must be able to proceed.
func (r *room) swap(out, in int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.in += in - out
	r.space.Broadcast()
}
