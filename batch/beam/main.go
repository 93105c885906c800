// Command cerasum-beam is "cerasum batch" as an Apache Beam pipeline, for corpora
// too large for one computer: it runs on Flink, Spark, Dataflow and other Beam
// runners, and on Beam's local runner. See docs/scale.md.
//
// It is a module of its own, so that other users of cerasum do not depend on
// Beam.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/options"
)

func main() {
	var f Files
	var s Settings
	flag.StringVar(&f.Input, "input", "", "pattern of the input files, JSON Lines with one cluster per line, optionally gzipped, for example gs://bucket/corpus-*.jsonl.gz")
	flag.StringVar(&f.Output, "output", "", "output file, one summary per line in no particular order")
	flag.IntVar(&f.Shards, "shards", 1, "number of output files written in parallel: summaries-00002-of-00010.jsonl")
	flag.StringVar(&f.Bad, "bad", "", "file for lines that cannot be summarized, with the reason (default: the output file's name plus .bad.jsonl)")
	s.Options = map[string]string{}
	for _, o := range options.List() {
		if o.NoFlag == "" && o.Name != "denseWeight" { // there is no encoder here
			help := o.Help
			if o.Values != nil && o.Name != "method" {
				help += ": " + core.OneOf(o.Values)
			}
			if o.Default != "" {
				help += " (default " + o.Default + ")"
			}
			set := func(text string) error {
				s.Options[o.Name] = text
				return o.Parse(&core.Options{}, text)
			}
			if o.Kind() == options.Boolean {
				flag.BoolFunc(o.Flag(), help, set)
			} else {
				flag.Func(o.Flag(), help, set)
			}
		}
	}
	flag.StringVar(&s.Language, "lang", "", "language code of all documents, for example en or pt (default: detected per document)")
	flag.IntVar(&s.MaxLine, "max-line", batch.DefaultMaxLine>>20, "maximum size of a line in MiB")
	ignore := flag.String("ignore", "", "comma-separated fields to ignore, for example url,date")
	general := flag.String("expert", "", "salience expert, a local file written by \"cerasum train salience\" (default: shipped)")
	long := flag.String("expert-long", "", "salience expert for several documents, if the budget is about half of their length: a local file written by \"cerasum train salience\" (default: shipped, with --licence any)")
	flag.Parse()
	beam.Init() // does not return on workers
	s.Ignore = strings.FieldsFunc(*ignore, func(r rune) bool { return r == ',' })
	var err error
	if s.Expert, err = expertFile(*general); err == nil {
		s.LongBudget, err = expertFile(*long)
	}
	if err == nil && flag.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q: --input takes one quoted pattern", flag.Arg(0))
	}
	if err == nil {
		err = run(context.Background(), f, s, os.Stderr)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "cerasum-beam: %v\n", err)
		os.Exit(1)
	}
}

// run runs the pipeline and reports the numbers of lines.
func run(ctx context.Context, f Files, s Settings, out io.Writer) error {
	if err := f.check(); err != nil {
		return err
	}
	if _, err := s.options(); err != nil {
		return err
	}
	p, scope := beam.NewPipelineWithRoot()
	Pipeline(scope, f, s)
	result, err := beamx.RunWithMetrics(ctx, p)
	if err != nil || result == nil {
		return err
	}
	counted := map[string]int64{}
	all := result.Metrics().Query(func(r metrics.SingleResult) bool { return r.Namespace() == namespace })
	for _, c := range all.Counters() {
		counted[c.Name()] += c.Result()
	}
	// Some runners have no counters, and some are still running here.
	if counted[countSummaries]+counted[countBad] > 0 {
		fmt.Fprintf(out, "cerasum-beam: %d clusters summarized", counted[countSummaries])
		if n := counted[countBad]; n > 0 {
			fmt.Fprintf(out, "; %d lines failed: see %s", n, f.Bad)
		}
		fmt.Fprintln(out)
	}
	return nil
}
