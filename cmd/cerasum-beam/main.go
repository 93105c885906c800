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
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

func main() {
	var (
		input    = flag.String("input", "", "files of JSON Lines, a cluster a line; a pattern like gs://bucket/corpus-*.jsonl.gz")
		output   = flag.String("output", "", "file of the summaries, a line each, in no order")
		bad      = flag.String("bad", "", "file of the lines that cannot be summarized, and why (default: that of the summaries with .bad.jsonl behind it)")
		budget   = flag.String("budget", "100", "length: words (100), sentences (5s), characters (600c) or words as the paper counts them (230p)")
		method   = flag.String("method", "auto", "how to choose, by words alone")
		order    = flag.String("order", "document", "order of the sentences: document or rank (best first)")
		language = flag.String("lang", "", "language of all documents, a code like en or pt (default: told for each)")
		licence  = flag.String("licence", "", "\"free\": only what was learnt from corpora under free licences")
		ignore   = flag.String("ignore", "", "fields of the corpus that are of no use here, like url,date")
	)
	flag.Parse()
	beam.Init()
	if err := run(context.Background(), *input, *output, *bad, Settings{
		Budget: *budget, Method: *method, Order: *order, Language: *language, Licence: *licence,
		Ignore: strings.FieldsFunc(*ignore, func(r rune) bool { return r == ',' }),
	}); err != nil {
		fmt.Fprintf(os.Stderr, "cerasum-beam: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, input, output, bad string, s Settings) error {
	if input == "" || output == "" {
		return fmt.Errorf("--input and --output are both needed")
	}
	if bad == "" {
		bad = output + ".bad.jsonl"
	}
	if _, err := s.options(); err != nil {
		return err
	}
	p, scope := beam.NewPipelineWithRoot()
	Pipeline(scope, input, output, bad, s)
	return beamx.Run(ctx, p)
}
