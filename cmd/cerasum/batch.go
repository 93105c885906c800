package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/ingest"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/jsonl"
	"github.com/spf13/cobra"
)

// batchFlags are the values as typed.
type batchFlags struct {
	summarizeFlags
	bad     string
	workers int
	maxLine int // MiB
	ignore  []string
	restart bool
}

func (a *app) batchCommand() *cobra.Command {
	var f batchFlags
	cmd := &cobra.Command{
		Use:   "batch FILE... --output SUMMARIES",
		Short: "Summarize a corpus, a cluster a line, on all processors",
		Long: `Summarize corpora in JSON Lines (.jsonl, .ndjson, gzip of these), a cluster a
line as "cerasum summarize" reads them, to one file of JSON Lines: a summary for
each, in the same order, as "summarize --format json" writes them, without the
documents' texts and attention.

All processors work; memory does not grow with the corpus. While it runs, the
summaries are in SUMMARIES.part; SUMMARIES is there when all is done. A run that
was cut off, by Ctrl-C, a kill or a power cut, goes on where it stopped when it
is started again with the same files and options: no summary is lost and none
is made twice.

Lines that cannot be summarized go to the file of --bad, with the reason; the
others go on, and the exit code is 1 in the end. A line may ask for thirty times
its length in memory: --max-line says what is too long.`,
		Example: `  cerasum batch corpus.jsonl.gz --output summaries.jsonl
  cerasum batch 2024.jsonl 2025.jsonl --budget 230 --method auto --output summaries.jsonl
  zcat corpus.jsonl.gz | cerasum batch - > summaries.jsonl`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(hinted{errors.New("no corpus"), "name files of JSON Lines, or - for standard input"})
			}
			for _, name := range args {
				if info, err := os.Stat(name); err == nil && info.IsDir() {
					return usage(hinted{fmt.Errorf("%s is a folder", name), "name its files, like " + filepath.Join(name, "*.jsonl")})
				}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.batch(cmd, args, f) },
	}
	f.format, f.inputFormat = "json", string(ingest.JSONL)
	f.timeout = 30 * time.Second
	fs := cmd.Flags()
	fs.StringVarP(&f.output, "output", "o", "", "file of the summaries (default: standard output; nothing can go on then)")
	fs.StringVar(&f.bad, "bad", "", "file of the lines that cannot be summarized, and why (default: that of the summaries with .bad.jsonl behind it)")
	fs.StringSliceVar(&f.ignore, "ignore", nil, "fields of the corpus that are of no use here, like url,date; others that are not known make a line bad")
	fs.BoolVar(&f.restart, "restart", false, "begin again, and forget what an earlier run has done")
	fs.IntVar(&f.workers, "workers", 0, "clusters side by side (0: one for each processor)")
	fs.IntVar(&f.maxLine, "max-line", batch.DefaultMaxLine>>20, "MiB above which a line is bad")
	f.addChoice(cmd, "lexical (none: words alone), ", noEncoder)
	return cmd
}

func (a *app) batch(cmd *cobra.Command, args []string, f batchFlags) error {
	ctx := cmd.Context()
	options, loader, _, err := f.check(a)
	if err != nil {
		return err
	}
	if err := f.query.take(cmd, &options); err != nil {
		return err
	}
	if f.workers < 0 || f.workers > maxWorkers {
		return usage(fmt.Errorf("--workers %d: want 0 to %d", f.workers, maxWorkers))
	}
	if f.maxLine < 1 || f.maxLine > jsonl.MaxLine>>20 {
		return usage(fmt.Errorf("--max-line %d: want 1 to %d", f.maxLine, jsonl.MaxLine>>20))
	}
	if f.workers == 0 {
		f.workers = runtime.GOMAXPROCS(0)
	}
	words := f.encoder.name == noEncoder
	if words {
		if embeddingUse(f.method) == core.EmbeddingsRequired {
			return usage(hinted{fmt.Errorf("--encoder %s: method %s needs an encoder", noEncoder, f.method), "\"cerasum methods\" tells which do not"})
		}
		for _, flag := range []string{"dense-weight", "ort-library"} {
			if cmd.Flags().Changed(flag) {
				return usage(fmt.Errorf("--%s with --encoder %s: there are no embeddings", flag, noEncoder))
			}
		}
		f.encoder.name = ""
	}
	embedder, err := f.embedder(a, cmd.Flags().Changed("dense-weight"))
	if err != nil {
		return err
	}
	defer embedder.Close()
	embedder.silent = true
	if words {
		embedder.use, f.encoder.name = core.EmbeddingsNone, noEncoder
	}
	if embedder.explicit() {
		if err := embedder.open(ctx); err != nil {
			return err
		}
	}
	loader.Format = ingest.JSONL
	inputs, err := loader.Load(ctx, args)
	if err != nil {
		return err
	}
	if a.bad > 0 {
		return errors.New("nothing was summarized: a corpus cannot be read")
	}
	job, err := openBatch(a, args, &f, embedder)
	if err != nil || job == nil {
		return err
	}
	defer job.close()
	speed := newBatchSpeed(a, inputs.Streams, job)

	// One cluster at a time has the encoder: it uses all processors itself.
	var encoding sync.Mutex
	o := batch.Options{Options: options, Language: loader.Language, Ignore: f.ignore, MaxLine: f.maxLine << 20}
	o.Embed = func(ctx context.Context, s *core.Session, own *core.Options) error {
		if !embedder.wants(s) {
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
		if err := a.batchStream(ctx, stream, o, i, f.workers, job, speed); err != nil {
			var cannot writeError
			if errors.As(err, &cannot) {
				return err
			}
			// What is done is kept: the next run goes on from here.
			return errors.Join(err, job.save())
		}
	}
	if job.untold > 0 {
		where := ""
		if job.badName != "" {
			where = ": see " + job.badName
		}
		a.warn(fmt.Sprintf("%d more lines cannot be summarized%s", job.untold, where))
	}
	if err := job.finish(); err != nil {
		return err
	}
	speed.end()
	return nil
}

// maxWorkers is more than any machine has processors.
const maxWorkers = 1024

// batchStream summarizes the lines of one corpus that are not done yet.
func (a *app) batchStream(ctx context.Context, s ingest.Stream, o batch.Options, index, workers int, job *batchJob, speed *batchSpeed) error {
	r, err := s.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	after, err := job.after(index)
	if err != nil {
		return err
	}
	err = batch.Run(ctx, r, o, after, workers, func(result batch.Result) error {
		switch {
		case result.Err == nil:
		case job.told < badTold:
			job.told++
			a.reportBad(fmt.Errorf("%s: line %d: %s", s.Name, result.Line, batch.Reason(result.Err)))
		default:
			job.untold++
			a.bad++
		}
		if err := job.add(index, s.Name, result); err != nil {
			return writeError{err}
		}
		speed.show(index, r, result.Offset)
		return nil
	})
	var cannot writeError
	switch {
	case err == nil:
		job.at.File, job.at.Line, job.at.Sum = index+1, 0, ""
	case ctx.Err() != nil || errors.As(err, &cannot):
	case errors.Is(err, batch.ErrChanged):
		err = hinted{fmt.Errorf("%s: %w", s.Name, err), "begin anew with --restart, or choose another --output"}
	default:
		err = fmt.Errorf("%s: %w", s.Name, err)
	}
	return err
}

// badTold is how many bad lines are told one by one.
const badTold = 20
