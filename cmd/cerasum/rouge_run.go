package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"sync"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/ingest"
	"github.com/cerasum/cerasum/eval/rouge"
	"github.com/cerasum/cerasum/internal/jsonl"
)

// rougeSheet scores cases on all processors and writes the results in order.
type rougeSheet struct {
	*app
	out   io.Writer
	flags rougeFlags

	cases, leftOut, empty int
	// values by metric and case, with --aggregate: recall, precision and F1.
	values [rouge.Metrics][3][]float64
}

// rougeJob is a line on its way from the reader through a worker to the writer.
type rougeJob struct {
	where string
	raw   []byte
	done  chan struct{} // closed when the other fields are set

	scores [rouge.Metrics]rouge.Score
	id     json.RawMessage
	empty  string
	err    error
}

// rougeAhead is the number of lines read ahead of the one being written.
const rougeAhead = 64

// maxWarnings is the number of empty texts reported; the others are only counted.
const maxWarnings = 5

func (s *rougeSheet) score(ctx context.Context, loader *ingest.Loader, args []string) error {
	// When no more output can be written, this context ends a read that waits for
	// more input.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	inputs, err := loader.Load(ctx, args)
	if err != nil {
		return err
	}
	work, order := make(chan *rougeJob, rougeAhead), make(chan *rougeJob, rougeAhead)
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	all.Go(func() {
		defer close(order)
		defer close(work)
		for _, stream := range inputs.Streams {
			if !readRouge(ctx, stream, work, order) {
				return
			}
		}
	})
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			scorer := rouge.NewScorer(s.flags.options)
			for job := range work {
				job.run(ctx, scorer)
			}
		})
	}
	w := bufio.NewWriter(s.out)
	for job := range order {
		select {
		case <-job.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := s.write(w, job); err != nil {
			return err
		}
		// Readers of a pipe wait for each answer.
		if len(order) == 0 {
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.empty > maxWarnings {
		s.warn(fmt.Sprintf("%d more cases with an empty summary or reference", s.empty-maxWarnings))
	}
	return w.Flush()
}

// readRouge sends a stream's lines to order first, so that they keep their
// order. It returns false when ctx is done.
func readRouge(ctx context.Context, stream ingest.Stream, work, order chan<- *rougeJob) bool {
	name := stream.Name
	if name == "-" {
		name = "standard input"
	}
	send := func(job *rougeJob) bool {
		for _, to := range []chan<- *rougeJob{order, work} {
			select {
			case to <- job:
			case <-ctx.Done():
				return false
			}
		}
		return true
	}
	failed := func(err error) bool {
		return send(&rougeJob{where: name, err: err, done: make(chan struct{})})
	}
	in, err := stream.Open()
	if err != nil {
		return failed(err)
	}
	defer in.Close()
	lines := jsonl.NewReader(in)
	for {
		raw, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return true
		}
		if err != nil && !errors.Is(err, jsonl.ErrLine) {
			// The stream itself failed; other streams may be fine.
			return failed(err)
		}
		job := &rougeJob{where: fmt.Sprintf("%s:%d", name, lines.Line()), err: err, done: make(chan struct{})}
		if err == nil {
			job.raw = bytes.Clone(raw)
		}
		if !send(job) {
			return false
		}
	}
}

// run scores the line unless it could not be read.
func (j *rougeJob) run(ctx context.Context, scorer *rouge.Scorer) {
	defer close(j.done)
	if j.err != nil {
		return
	}
	c, err := parseRougeCase(j.raw)
	j.raw = nil
	if err == nil {
		j.id, j.empty = c.id, c.empty(scorer)
		j.scores, err = scorer.ScoreContext(ctx, c.summary, c.references)
	}
	j.err = err
}

// write writes the result of a case, or reports its error.
func (s *rougeSheet) write(w io.Writer, job *rougeJob) error {
	if errors.Is(job.err, context.Canceled) {
		return job.err
	}
	if job.err != nil {
		s.leftOut++
		s.reportBad(fmt.Errorf("%s: %w", job.where, job.err))
		return nil
	}
	if job.empty != "" {
		if s.empty++; s.empty <= maxWarnings {
			hint := ""
			if !s.flags.options.Unicode {
				hint = "; ROUGE-1.5.5 reads only a to z and digits, --unicode all scripts"
			}
			s.warn(fmt.Sprintf("%s: %s and scores 0%s", job.where, job.empty, hint))
		}
	}
	s.cases++
	if s.flags.aggregate {
		for m, v := range job.scores {
			for k, x := range [3]float64{v.Recall, v.Precision, v.F1} {
				s.values[m][k] = append(s.values[m][k], x)
			}
		}
	}
	return writeLine(w, rougeAnswer{
		ID: job.id, Tokenizer: s.flags.tokenizerName(),
		byMetric: metricsOf(func(m int) rougeFigures[float64] {
			v := job.scores[m]
			return rougeFigures[float64]{v.Recall, v.Precision, v.F1}
		}),
	})
}

func (s *rougeSheet) writeAggregate() error {
	line := rougeAggregate{
		Tokenizer: s.flags.tokenizerName(),
		Cases:     s.cases, LeftOut: s.leftOut, Empty: s.empty,
		Resamples: s.flags.resamples, Seed: s.flags.seed,
	}
	if s.cases > 0 {
		interval := func(values []float64) rougeInterval {
			i := rouge.Bootstrap(values, s.flags.resamples, s.flags.seed)
			return rougeInterval{fiveDecimals(i.Mean), fiveDecimals(i.Low), fiveDecimals(i.High)}
		}
		all := metricsOf(func(m int) rougeFigures[rougeInterval] {
			v := &s.values[m]
			return rougeFigures[rougeInterval]{interval(v[0]), interval(v[1]), interval(v[2])}
		})
		line.byMetric = &all
	}
	return writeLine(s.out, line)
}

// fiveDecimals rounds like the scores of single cases.
func fiveDecimals(x float64) float64 { return math.Round(x*1e5) / 1e5 }

func writeLine(w io.Writer, value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}
