package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/ingest"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/jsonl"
	"github.com/cerasum/cerasum/internal/telemetry"
	"github.com/spf13/cobra"
)

// batchFlags holds the flag values as given.
type batchFlags struct {
	summarizeFlags
	bad     string
	workers int
	maxLine int // MiB
	restart bool
	corpus  corpusFlags
}

func (a *app) batchCommand() *cobra.Command {
	var f batchFlags
	cmd := &cobra.Command{
		Use:   "batch FILE... --output SUMMARIES",
		Short: "Summarize a corpus, one cluster per record, on all processors",
		Long: `Summarize corpora in JSON Lines (.jsonl, .ndjson), CSV, TSV (with a header) or
Parquet, also compressed with gzip (.gz) or zstd (.zst), one cluster per record in the
format that "cerasum summarize" reads; a folder means all corpora in it. The output is
JSON Lines in the same order: one summary per line, in the format of "summarize
--format json" without the documents' texts and attention. A file name that ends in
.csv, .tsv, .parquet, .gz or .zst selects another format or compression.

If the fields have other names, give these with --documents-field and --id-field. With
--group-by, each record is one document; documents with the same value of that field
form a cluster, and the value is its id. They are sorted on disk, in the folder for
temporary files.

All processors are used; memory does not grow with the corpus. Summaries are
written to SUMMARIES.part, which is renamed to SUMMARIES at the end. An
interrupted run (Ctrl-C, kill, power failure) resumes where it stopped when
started again with the same files and options: no summary is lost or repeated.

Lines that cannot be summarized are written to the --bad file with the reason;
the run continues, and the exit code is 1. A line can take about 70 times its size
in memory; --max-line limits its size.`,
		Example: `  cerasum batch corpus.jsonl.gz --output summaries.jsonl
  cerasum batch 2024.jsonl 2025.jsonl --budget 230 --method auto --output summaries.jsonl
  cerasum batch news.parquet --documents-field articles.body --id-field uuid --output summaries.parquet
  cerasum batch articles.csv.zst --group-by event_id --output summaries.jsonl.gz
  zcat corpus.jsonl.gz | cerasum batch - > summaries.jsonl`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(hinted{errors.New("no corpus given"), "name files or folders, or - for standard input"})
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.batch(cmd, args, f) },
	}
	f.format, f.inputFormat = "json", string(ingest.JSONL)
	f.timeout = 30 * time.Second
	fs := cmd.Flags()
	fs.StringVarP(&f.output, "output", "o", "", "output file (default: standard output, which cannot be resumed)")
	fs.StringVar(&f.bad, "bad", "", "file for lines that cannot be summarized, with the reason (default: the output file's name plus .bad.jsonl)")
	f.fields.add(cmd)
	fs.BoolVar(&f.restart, "restart", false, "start over and discard the results of an earlier run")
	fs.IntVar(&f.workers, "workers", 0, "number of clusters processed in parallel (0: one per processor)")
	fs.IntVar(&f.maxLine, "max-line", batch.DefaultMaxLine>>20, "maximum size of a line in MiB")
	f.addChoice(cmd)
	f.corpus.add(cmd, false)
	return cmd
}

func (a *app) batch(cmd *cobra.Command, args []string, f batchFlags) (err error) {
	ctx := cmd.Context()
	options, loader, _, err := f.check(a)
	if err != nil {
		return err
	}
	if f.workers < 0 || f.workers > maxWorkers {
		return usage(fmt.Errorf("--workers %d: want 0 to %d", f.workers, maxWorkers))
	}
	if f.maxLine < 1 || f.maxLine > jsonl.MaxLine>>20 {
		return usage(fmt.Errorf("--max-line %d: want 1 to %d", f.maxLine, jsonl.MaxLine>>20))
	}
	if err := f.corpus.check(); err != nil {
		return err
	}
	if args, err = corpora(args); err != nil {
		return err
	}
	if f.workers == 0 {
		f.workers = runtime.GOMAXPROCS(0)
	}
	embedder, err := f.embedder(a)
	if err != nil {
		return err
	}
	defer embedder.Close()
	embedder.silent = true
	if embedder.explicit() {
		if err := embedder.open(); err != nil {
			return err
		}
	}
	loader.Format, loader.Corpora = ingest.JSONL, true
	inputs, err := loader.Load(ctx, args)
	if err != nil {
		return err
	}
	if a.bad > 0 {
		return errors.New("nothing summarized: a corpus could not be read")
	}
	exporting, err := openTelemetry(ctx, a)
	if err != nil {
		return err
	}
	defer closeTelemetry(ctx, a, exporting)
	ctx, span := exporting.Start(ctx, "batch")
	defer func() { span.End(err != nil) }()
	job, err := openBatch(ctx, a, args, &f, embedder)
	if err != nil || job == nil {
		return err
	}
	defer job.close()
	job.telemetry = exporting
	defer func() { span.Counts(&job.at.Counts) }()
	speed := newBatchSpeed(a, inputs.Streams, job)
	f.corpus.progress = speed

	// The encoder uses all processors itself, so one cluster at a time holds it.
	var encoding sync.Mutex
	o := batch.Options{Options: options, Language: loader.Language, MaxLine: f.maxLine << 20, Strict: f.fields.strict, KeepFields: f.fields.keep}
	var ignored ignoredFields
	o.Ignored = ignored.add
	defer ignored.report(a)
	o.Embed = func(ctx context.Context, s *core.Session, own *core.Options) error {
		if !embedder.wants(s, own.Query != "") {
			return nil
		}
		encoding.Lock()
		defer encoding.Unlock()
		return embedder.embed(ctx, s, own)
	}
	for i, stream := range inputs.Streams {
		if i < job.at.File {
			continue
		}
		if err := a.batchStream(ctx, stream, o, i, &f, job, speed); err != nil {
			var cannot writeError
			if errors.As(err, &cannot) {
				return err
			}
			// Finished work is kept: the next run resumes here.
			return errors.Join(err, job.save())
		}
	}
	if job.unreported > 0 {
		where := ""
		if job.badName != "" {
			where = ": see " + job.badName
		}
		a.warn(fmt.Sprintf("%s could not be summarized%s", plural(job.unreported, "more line"), where))
	}
	if err := job.finish(); err != nil {
		return err
	}
	speed.end()
	return nil
}

// maxWorkers exceeds the number of processors of any computer.
const maxWorkers = 1024

// openTelemetry exports traces and metrics where the environment asks for it.
func openTelemetry(ctx context.Context, a *app) (*telemetry.Telemetry, error) {
	t, err := telemetry.Open(ctx, core.Version, func(err error) { a.warn("telemetry: " + batch.Reason(err)) })
	if errors.Is(err, telemetry.ErrEnvironment) {
		return nil, usage(err)
	}
	return t, err
}

// closeTelemetry exports what is left. A failure is not one of the command.
func closeTelemetry(ctx context.Context, a *app, t *telemetry.Telemetry) {
	if err := t.Close(ctx); err != nil {
		a.warn("telemetry: " + batch.Reason(err))
	}
}

// batchStream summarizes the remaining lines of one corpus.
func (a *app) batchStream(ctx context.Context, s ingest.Stream, o batch.Options, index int, f *batchFlags, job *batchJob, speed *batchSpeed) (err error) {
	// A span per cluster would be millions of them.
	ctx, span := job.telemetry.Start(ctx, "corpus")
	var counted batch.Counts
	defer func() { span.Counts(&counted); span.End(err != nil) }()
	begun := time.Now()
	lines, err := openCorpus(ctx, s, &f.corpus, o.MaxLine) // groups records
	counted.Time(batch.Read, begun)
	job.count(&counted)
	if err != nil {
		return err
	}
	defer lines.Close()
	after, err := job.after(index)
	if err != nil {
		return err
	}
	err = batch.RunLines(ctx, lines, o, after, f.workers, func(result batch.Result) error {
		switch {
		case result.Err == nil:
		case job.reported < maxBadReported:
			job.reported++
			a.reportBad(fmt.Errorf("%s:%d: %s", s.Name, result.Line, batch.Reason(result.Err)))
		default:
			job.unreported++
			a.bad++
		}
		if err := job.add(index, s.Name, result); err != nil {
			return writeError{err}
		}
		counted.Add(&result.Counts)
		speed.show(index, lines.share)
		return nil
	})
	var cannot writeError
	switch {
	case err == nil:
		job.at.File, job.at.Line, job.at.Sum = index+1, 0, ""
	case ctx.Err() != nil || errors.As(err, &cannot):
	case errors.Is(err, batch.ErrChanged):
		err = hinted{fmt.Errorf("%s: %w", s.Name, err), "start over with --restart, or choose another --output"}
	default:
		err = fmt.Errorf("%s: %w", s.Name, err)
	}
	return err
}

// maxBadReported is the number of bad lines that are reported individually.
const maxBadReported = 20
