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
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/clustering"
	"github.com/cerasum/cerasum/internal/options"
	"github.com/cerasum/cerasum/internal/telemetry"
)

func main() {
	var f Files
	var s Settings
	flag.StringVar(&f.Input, "input", "", "pattern of the input files, JSON Lines, CSV, TSV or Parquet with one cluster per record, also compressed with gzip or zstd, for example gs://bucket/corpus-*.jsonl.gz or s3://bucket/corpus-*.parquet")
	flag.StringVar(&f.Output, "output", "", "output file, one summary per line in no particular order; a name that ends in .parquet, .csv, .tsv, .gz or .zst selects another format or compression")
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
	flag.StringVar(&s.Documents, "documents-field", "", "field with the documents: names separated by dots, through lists, for example articles.text (default documents)")
	flag.StringVar(&s.ID, "id-field", "", "field with the id, for example meta.uuid (default id)")
	flag.BoolVar(&s.Strict, "strict", false, "refuse lines with unknown fields, which are otherwise ignored and counted")
	flag.BoolVar(&s.KeepFields, "keep-fields", false, "add unknown fields to the output")
	c := &s.Clustering
	flag.BoolVar(&c.On, "cluster", false, "the records are documents: find those about one event first, like \"cerasum cluster\"")
	flag.StringVar(&c.Fields.Title, "title-field", "", "(--cluster) field with the title (default title)")
	flag.StringVar(&c.Fields.Date, "date-field", "", "(--cluster) field with the date, as ISO 8601 (default date)")
	flag.Float64Var(&c.Threshold, "threshold", clustering.DefaultThreshold, "(--cluster) similarity from which documents are about one event, above 0 and below 1")
	flag.DurationVar(&c.Within, "within", 0, "(--cluster) longest time between two documents of a cluster, for example 72h (default: any)")
	flag.IntVar(&c.EventSize, "event-size", clustering.DefaultEventSize, "(--cluster) few events have more documents than this, 1 to 64")
	flag.IntVar(&c.MaxCopies, "max-copies", 0, "(--cluster) texts with more near-duplicates are in no cluster (0: any number)")
	flag.IntVar(&c.Min, "min", 2, "(--cluster) minimum number of documents of a cluster")
	flag.IntVar(&c.Max, "max", 0, "(--cluster) maximum number of documents of a cluster (0: any)")
	flag.IntVar(&c.Block, "block", defaultBlock, "(--cluster) number of texts that a worker holds to compare all others with, 3 kB each")
	general := flag.String("expert", "", "salience expert, a local file written by \"cerasum train salience\" (default: shipped)")
	long := flag.String("expert-long", "", "salience expert for several documents, if the budget is more than a third of their words: a local file written by \"cerasum train salience\" (default: shipped, if the licence permits)")
	provision := flag.String("provision_endpoint", "", "set by runners that start this program as a worker (--environment_type PROCESS)")
	flag.Parse()
	err := becomeWorker(*provision)
	if err != nil {
		fmt.Fprintf(os.Stderr, "cerasum-beam: --provision_endpoint %s: %v\n", *provision, err)
		os.Exit(1)
	}
	c.Fields.Documents, c.Fields.ID = s.Documents, s.ID
	endWithParent(time.Second, func() { os.Exit(1) })
	beam.Init() // does not return on workers
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

// report prints the counters of a run.
func report(out io.Writer, c *batch.Counts, badFile string) {
	bad := int64(0)
	for _, n := range c.LeftOut {
		bad += n
	}
	if c.Clusters+bad == 0 {
		return
	}
	fmt.Fprintf(out, "cerasum-beam: %d clusters summarized", c.Clusters)
	if bad > 0 {
		fmt.Fprintf(out, "; %d lines failed: see %s", bad, badFile)
	}
	fmt.Fprintf(out, "\ncerasum-beam: %s\n", c)
}

// run runs the pipeline and reports the numbers of lines.
func run(ctx context.Context, f Files, s Settings, out io.Writer) (err error) {
	if err := f.check(); err != nil {
		return err
	}
	if _, err := s.options(); err != nil {
		return err
	}
	exporting, err := telemetry.Open(ctx, core.Version, func(err error) { fmt.Fprintf(out, "cerasum-beam: telemetry: %s\n", batch.Reason(err)) })
	if err != nil {
		return err
	}
	defer func() {
		if err := exporting.Close(ctx); err != nil {
			fmt.Fprintf(out, "cerasum-beam: telemetry: %s\n", batch.Reason(err))
		}
	}()
	ctx, span := exporting.Start(ctx, "pipeline")
	defer func() { span.End(err != nil) }()
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
	counts := countsOf(counted)
	exporting.Count(ctx, counts)
	span.Counts(counts)
	report(out, counts, f.Bad)
	for _, name := range slices.Sorted(maps.Keys(counted)) {
		if field, ok := strings.CutPrefix(name, countIgnored); ok {
			fmt.Fprintln(out, "cerasum-beam: "+batch.IgnoredField(field, int(counted[name])))
		}
	}
	return nil
}
