package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/cerasum/cerasum/batch"
)

// The types are registered without the generic callers of Beam's package register:
// these take half a minute to compile, and save microseconds per line.
func init() {
	beam.RegisterDoFn(&match{})
	beam.RegisterDoFn(&read{})
	beam.RegisterDoFn(&summarize{})
	beam.RegisterDoFn(&begin{})
	beam.RegisterDoFn(&write{})
}

// Pipeline reads the lines of the input files, and writes summaries and bad lines.
func Pipeline(scope beam.Scope, f Files, s Settings) {
	scope = scope.Scope("cerasum")
	filesystem.ValidateScheme(f.Input)
	files := beam.ParDo(scope, &match{}, beam.Create(scope, f.Input))
	// Files may be read, and lines summarized, by different workers: a line may
	// take a second.
	reader := &read{MaxLine: s.MaxLine << 20, Documents: s.Documents, ID: s.ID, Rows: s.GroupBy != ""}
	if s.Clustering.On || reader.Rows {
		reader.Documents, reader.ID = "", "" // read below
	}
	lines := beam.ParDo(scope, reader, beam.Reshuffle(scope, files))
	if reader.Rows {
		lines = group(scope, lines, s)
	}
	lines = beam.Reshuffle(scope, lines)
	var unread beam.PCollection
	if s.Clustering.On {
		lines, unread = cluster(scope, files, lines, s.Clustering, s.MaxLine<<20)
		lines = beam.Reshuffle(scope, lines)
	}
	summaries, refused := beam.ParDo2(scope, &summarize{Settings: s, Shards: f.Shards}, lines)
	if s.Clustering.On {
		refused = beam.Flatten(scope, refused, unread)
	}
	writeShards(scope.Scope("summaries"), f.Output, f.Shards, summaries)
	writeShards(scope.Scope("bad"), f.Bad, 1, refused)
}

// Counters shown by runners.
const (
	namespace = "cerasum"
	timeOfOne = "milliseconds"
	// countIgnored and the name of a field count the lines in which it was ignored.
	countIgnored = "ignored "
	// countDropped and the name of a field count the documents of which it was left out.
	countDropped = "left_out_field "
)

var milliseconds = beam.NewDistribution(namespace, timeOfOne)

// summarize summarizes lines like "cerasum batch".
type summarize struct {
	Settings Settings
	Shards   int
	options  *batch.Options
	counters counters
	ignored  map[string]bool // fields with a counter
}

// maxIgnored is the number of fields that a worker counts: names may be data.
const maxIgnored = 100

func (s *summarize) Setup() (err error) {
	s.options, err = s.Settings.options()
	s.ignored = map[string]bool{}
	return err
}

// ProcessElement emits a summary or a refused line.
func (s *summarize) ProcessElement(ctx context.Context, line Line, summary, refused func(int, string)) error {
	begun := time.Now()
	var made, raw []byte // raw stays nil if the line could not be read
	var counts batch.Counts
	err := errors.New(line.Reason)
	if line.Reason != "" {
		counts.LeaveOut(line.Kind)
	} else {
		raw = []byte(line.Raw)
		o := *s.options
		o.Ignored = func(fields []string) {
			for _, f := range fields {
				if s.ignored[f] || len(s.ignored) < maxIgnored {
					s.ignored[f] = true
					beam.NewCounter(namespace, countIgnored+f).Inc(ctx, 1)
				}
			}
		}
		made, err = o.Counted(ctx, raw, &counts)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	milliseconds.Update(ctx, time.Since(begun).Milliseconds())
	s.counters.add(ctx, &counts)
	if err == nil {
		summary(shardOf(&line, s.Shards), strings.TrimSuffix(string(made), "\n"))
		return nil
	}
	bad, err := refuse(&line, err, raw)
	if err == nil {
		refused(0, bad)
	}
	return err
}

// refuse returns the line for one that is bad; raw is nil if it could not be read.
func refuse(line *Line, reason error, raw []byte) (string, error) {
	made, err := batch.Marshal(batch.NewRefused(line.File, line.Number, reason, raw))
	return strings.TrimSuffix(string(made), "\n"), err
}
