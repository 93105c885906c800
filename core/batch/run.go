// Package batch summarizes corpora: JSON Lines with a cluster a line, to JSON
// Lines with a summary a line.
//
// Start with [Run], which works on many clusters at once and puts the summaries
// out in the order of the corpus, or with [Options.Line], which makes the
// summary of one line: a pipeline of another kind is that, mapped.
package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/jsonl"
)

// Options are what all summaries of a corpus are made with.
type Options struct {
	core.Options
	// Language of all documents; empty to leave it open.
	Language string
	// Ignore names fields of lines and of documents that are not looked at;
	// others that [Parse] does not know are errors.
	Ignore []string
	// Embed, if not nil, gets every cluster once it has been prepared, and may
	// set embeddings in the options of its own summary. It is called from
	// several goroutines at once.
	Embed func(ctx context.Context, r *Record, o *core.Options) error
}

// Line makes the summary of a line of a corpus: [Summary] as JSON, with the
// line's end. Its error, unless it is that of ctx, is about this line alone.
func (o *Options) Line(ctx context.Context, raw []byte) ([]byte, error) {
	r, err := Parse(raw, o.Language, o.Ignore...)
	if err != nil {
		return nil, err
	}
	own := o.Options
	if o.Embed != nil {
		if err := core.Prepare(ctx, &r.Cluster); err != nil {
			return nil, err
		}
		if err := o.Embed(ctx, r, &own); err != nil {
			return nil, err
		}
	}
	s, err := core.Summarize(ctx, &r.Cluster, own)
	if err != nil {
		return nil, err
	}
	return Marshal(NewSummary(r.ID, s, &r.Cluster, false))
}

// Result is what became of a line.
type Result struct {
	// Line is its number, from 1; blank lines count.
	Line int
	// Summary is the line of the summary, with its end; nil where there is an
	// error.
	Summary []byte
	Err     error
	// Raw is the line of the corpus where there is an error; nil where not even
	// that could be read.
	Raw []byte
}

// inFlight bounds how many bytes of the corpus are worked on, beyond the one
// line that may be longer.
const inFlight = 32 << 20

// ahead is how many lines a worker may be ahead of the slowest one.
const ahead = 16

// Run summarizes the lines of r that come after the first skip ones, workers at
// a time, and hands each result to yield, in order and one at a time. How much
// it keeps in memory depends on workers and on the longest lines, and not on how
// many lines there are. It ends with yield's error, the end of ctx, or a failure
// of r; yield has got the results before it then.
func Run(ctx context.Context, r io.Reader, o Options, skip, workers int, yield func(Result) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type job struct {
		raw  []byte
		done chan Result
		line int
	}
	jobs := make(chan job)
	// order holds what has been begun: its room is how far workers may run ahead.
	order := make(chan job, max(1, ahead*workers))
	room := newRoom(inFlight)
	var broken error // of r, after the line last; read once order was closed
	last := skip

	var working sync.WaitGroup
	for range max(1, workers) {
		working.Go(func() {
			for j := range jobs {
				result := Result{Line: j.line}
				if result.Summary, result.Err = o.Line(ctx, j.raw); result.Err != nil {
					result.Raw = j.raw
				}
				room.give(len(j.raw))
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
		for {
			raw, err := lines.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil && !errors.Is(err, jsonl.ErrLine) {
				broken = err
				return
			}
			if lines.Line() <= skip {
				if ctx.Err() != nil {
					return
				}
				continue
			}
			last = lines.Line()
			j := job{line: last, done: make(chan Result, 1)}
			if err != nil {
				j.done <- Result{Line: j.line, Err: err}
			} else {
				j.raw = append([]byte(nil), raw...)
				room.take(ctx, len(raw))
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
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if broken != nil {
		return fmt.Errorf("after line %d: %w", last, broken)
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

func (r *room) give(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.in -= n
	r.space.Broadcast()
}
