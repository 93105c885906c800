// Command cerasum-beam is "cerasum batch" as an Apache Beam pipeline, for corpora
// too large for one computer: it runs on Flink, Spark, Dataflow and other Beam
// runners, and on Beam's local runner. See docs/scale.md.
//
// It is a module of its own, so that other users of cerasum do not depend on
// Beam.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
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
	"github.com/cerasum/cerasum/internal/telemetry"
)

func main() {
	var f Files
	var s Settings
	conflict := declare(flag.CommandLine, &f, &s)
	general := flag.String("expert", "", "salience expert, a local file written by \"cerasum train salience\" (default: shipped)")
	long := flag.String("expert-long", "", "salience expert for several documents, if the budget is more than a third of their words: a local file written by \"cerasum train salience\" (default: shipped, if the licence permits)")
	provision := flag.String("provision_endpoint", "", "set by runners that start this program as a worker (--environment_type PROCESS)")
	flag.Parse()
	err := becomeWorker(*provision)
	if err != nil {
		fmt.Fprintf(os.Stderr, "cerasum-beam: --provision_endpoint %s: %v\n", *provision, err)
		os.Exit(1)
	}
	s.Clustering.Fields.Documents, s.Clustering.Fields.ID = s.Documents, s.ID
	endWithParent(time.Second, func() { os.Exit(1) })
	beam.Init() // does not return on workers
	if s.Expert, err = expertFile(*general); err == nil {
		s.LongBudget, err = expertFile(*long)
	}
	if err == nil {
		err = conflict()
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

// ownTemp gives the process a temporary folder of its own until remove is called: Beam leaves
// an empty file there for each pipeline whose workers run in this process.
func ownTemp() (remove func() error, err error) {
	variable := "TMPDIR"
	if runtime.GOOS == "windows" {
		variable = "TMP"
	}
	dir, err := os.MkdirTemp("", "cerasum-beam-")
	if err != nil {
		return nil, err
	}
	before := os.Getenv(variable)
	remove = func() error { return errors.Join(os.Setenv(variable, before), os.RemoveAll(dir)) }
	if err := os.Setenv(variable, dir); err != nil {
		return nil, errors.Join(err, remove())
	}
	return remove, nil
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
	remove, err := ownTemp()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
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
	var dropped []string
	for _, name := range slices.Sorted(maps.Keys(counted)) {
		if field, ok := strings.CutPrefix(name, countIgnored); ok {
			fmt.Fprintln(out, "cerasum-beam: "+batch.IgnoredField(field, int(counted[name])))
		}
		if field, ok := strings.CutPrefix(name, countDropped); ok {
			dropped = append(dropped, fmt.Sprintf("%s %d", field, counted[name]))
		}
	}
	if dropped != nil {
		fmt.Fprintf(out, "cerasum-beam: left out fields that are not valid: %s\n", strings.Join(dropped, ", "))
	}
	return nil
}
