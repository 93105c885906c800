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

// rougeSheet scores cases on all cores and writes the answers in their order.
type rougeSheet struct {
	*app
	out   io.Writer
	flags rougeFlags

	cases, leftOut, empty int
	// values by metric and case, with --aggregate: recall, precision and F1.
	values [rouge.Metrics][3][]float64
}

// rougeJob is a line on its way from the reader through a worker to the
// writer.
type rougeJob struct {
	where string
	raw   []byte
	done  chan struct{} // closed when the rest is set

	scores [rouge.Metrics]rouge.Score
	id     json.RawMessage
	empty  string
	err    error
}

// rougeAhead is how many lines are read beyond the one being written.
const rougeAhead = 64

// maxWarnings are shown about empty texts; the others are only counted.
const maxWarnings = 5

func (s *rougeSheet) score(ctx context.Context, loader *ingest.Loader, args []string) error {
	// Where nothing more can be written, a read that waits for more input ends
	// with this context.
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
		// Whoever asks line by line, through a pipe, waits for each answer.
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

// readRouge hands on a stream's lines, first to order, so that none is
// overtaken. It returns false when ctx has ended.
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
			// The stream itself broke; others may be whole.
			return failed(err)
		}
		job := &rougeJob{where: fmt.Sprintf("%s: line %d", name, lines.Line()), err: err, done: make(chan struct{})}
		if err == nil {
			job.raw = bytes.Clone(raw)
		}
		if !send(job) {
			return false
		}
	}
}

// run scores the line, unless it could not be read.
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

// write puts out a case's answer, or reports why there is none.
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
				hint = "; ROUGE-1.5.5 sees only a to z and digits, --unicode other scripts too"
			}
			s.warn(fmt.Sprintf("%s: %s, which counts as nothing in common%s", job.where, job.empty, hint))
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

// fiveDecimals are what the figures of single cases have.
func fiveDecimals(x float64) float64 { return math.Round(x*1e5) / 1e5 }

func writeLine(w io.Writer, value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}
