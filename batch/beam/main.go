// Command cerasum-beam is "cerasum batch" as an Apache Beam pipeline, for corpora
// that one machine cannot summarize: it runs on Flink, Spark, Dataflow and every
// other runner of Beam, and on Beam's own local runner. docs/scale.md tells how.
//
// It is a module of its own, so that who uses the rest of cerasum does not get
// Beam along with it.
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
)

func main() {
	var f Files
	var s Settings
	flag.StringVar(&f.Input, "input", "", "files of JSON Lines, a cluster a line, plain or gzip; a pattern like gs://bucket/corpus-*.jsonl.gz")
	flag.StringVar(&f.Output, "output", "", "file of the summaries, a line each, in no order")
	flag.IntVar(&f.Shards, "shards", 1, "files of summaries that are written side by side: summaries-00002-of-00010.jsonl")
	flag.StringVar(&f.Bad, "bad", "", "file of the lines that cannot be summarized, and why (default: that of the summaries with .bad.jsonl behind it)")
	flag.StringVar(&s.Budget, "budget", core.DefaultBudget.String(), "length: words (100), sentences (5s), characters (600c) or words as the paper counts them (230p)")
	flag.StringVar(&s.Method, "method", "auto", "how to choose, by words alone")
	flag.StringVar(&s.Order, "order", string(core.OrderDocument), "order of the sentences: document or rank (best first)")
	flag.StringVar(&s.Language, "lang", "", "language of all documents, a code like en or pt (default: told for each)")
	flag.StringVar(&s.Licence, "licence", "", "\"free\": only what was learnt from corpora under free licences")
	flag.StringVar(&s.Query, "query", "", "what you want to know of the documents: summaries lean towards it")
	flag.Float64Var(&s.QueryWeight, "query-weight", core.DefaultQueryWeight, "how far, 0 (not at all) to 1 (nothing else counts)")
	flag.IntVar(&s.MaxLine, "max-line", batch.DefaultMaxLine>>20, "MiB above which a line is bad")
	ignore := flag.String("ignore", "", "fields of the corpus that are of no use here, like url,date")
	long := flag.String("expert-long", "", "file of \"cerasum train salience\", on this machine, that method salience goes by where the budget is half of the text or more")
	short := flag.String("expert-short", "", "the same for budgets of less than two sevenths")
	flag.Parse()
	beam.Init() // a worker stays in here
	s.Ignore = strings.FieldsFunc(*ignore, func(r rune) bool { return r == ',' })
	var err error
	if s.LongBudget, err = expertFile(*long); err == nil {
		s.ShortBudget, err = expertFile(*short)
	}
	if err == nil && flag.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q: --input takes one pattern, in quotes", flag.Arg(0))
	}
	if err == nil {
		err = run(context.Background(), f, s, os.Stderr)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "cerasum-beam: %v\n", err)
		os.Exit(1)
	}
}

// run runs the pipeline, and tells what became of the lines.
func run(ctx context.Context, f Files, s Settings, told io.Writer) error {
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
	// Some runners count nothing, and some go on when this is left.
	if counted[countSummaries]+counted[countBad] > 0 {
		fmt.Fprintf(told, "cerasum-beam: %d clusters summarized", counted[countSummaries])
		if n := counted[countBad]; n > 0 {
			fmt.Fprintf(told, "; %d lines could not be: see %s", n, f.Bad)
		}
		fmt.Fprintln(told)
	}
	return nil
}
