package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/ingest"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/eval/rouge"
	"github.com/spf13/cobra"
)

// rougeFlags holds the flag values as given.
type rougeFlags struct {
	options   rouge.Options
	aggregate bool
	resamples int
	seed      uint64
	output    string
}

func (a *app) rougeCommand() *cobra.Command {
	var f rougeFlags
	cmd := &cobra.Command{
		Use:   "rouge [FILE|-]...",
		Short: "Score summaries against references as ROUGE-1.5.5 does",
		Long: `Read summaries and their references as JSON Lines, optionally gzipped, from files
or standard input, and write ROUGE-1, -2, -3, -4, -L and -SU4 of each, one line per
case in the same order, as the official script computes them with -n 4 -2 4 -u -a
-c 95 -r 1000 -f A -p 0.5 -t 0. --stem corresponds to its -m, --limit-words to its -l.

  in:  {"summary": ["line", ...], "references": [["line", ...], ...], "id": "storm"}
  out: {"id": "storm", "ROUGE-1": {"recall": 0.5, "precision": 0.4, "f1": 0.44444}, ...}

Each line of a summary or reference is one sentence. The id is optional. A member
"expected", as in reference cases, is ignored; other unknown members are errors.
Bad lines are reported with their number and skipped, and the exit code is 1.

With --aggregate a last line gives the mean of each score over the cases with its
95 % bootstrap interval, the number of cases, the number of bad lines, and the
number of cases with an empty summary or reference:
  {"cases": 100, "left_out": 0, "empty": 0, "resamples": 1000, "seed": 1,
   "ROUGE-1": {"recall": {"mean": 0.5, "low": 0.48, "high": 0.52}, ...}, ...}

ROUGE-1.5.5 reads only the letters a to z and digits: Russian or Chinese text has
no tokens. --unicode reads letters of every script, and single characters in
scripts without spaces. Every output line then has "tokenizer": "unicode", since
the scores are not comparable with ROUGE-1.5.5.`,
		Example: `  cerasum rouge --stem --limit-words 100 --aggregate cases.jsonl
  zcat cases.jsonl.gz | cerasum rouge > scores.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.rouge(cmd, args, f) },
	}
	fs := cmd.Flags()
	fs.BoolVar(&f.options.Stem, "stem", false, "compare stems (Porter, with WordNet's irregular forms)")
	fs.IntVar(&f.options.LimitWords, "limit-words", 0, "number of words to read of each text (0: all)")
	fs.BoolVar(&f.options.Unicode, "unicode", false, "tokenize every script; not comparable with ROUGE-1.5.5")
	fs.BoolVar(&f.aggregate, "aggregate", false, "add a last line with means and 95 % intervals over all cases")
	fs.IntVar(&f.resamples, "resamples", rouge.Resamples, "number of bootstrap resamples")
	fs.Uint64Var(&f.seed, "seed", 1, "seed of the bootstrap")
	fs.StringVarP(&f.output, "output", "o", "", "output file, replaced only on success (default: standard output)")
	return cmd
}

func (f *rougeFlags) check() error {
	if f.options.LimitWords < 0 {
		return usage(hinted{fmt.Errorf("--limit-words %d: want 0 or more", f.options.LimitWords), "0 uses all words"})
	}
	if f.resamples < 1 {
		return usage(fmt.Errorf("--resamples %d: want 1 or more", f.resamples))
	}
	return nil
}

func (a *app) rouge(cmd *cobra.Command, args []string, f rougeFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	if len(args) == 0 {
		if terminal.Of(a.stdin).Interactive {
			return usage(errors.Join(cmd.Usage(), hinted{errors.New("no input"), "name files, or pipe cases in"}))
		}
		args = []string{"-"}
	}
	out, err := openOutput(f.output, a.stdout)
	if err != nil {
		return err
	}
	defer out.discard()
	loader := &ingest.Loader{
		Stdin: a.stdin, Format: ingest.JSONL, Corpora: true,
		UserAgent: "cerasum/" + core.Version, Warn: a.warn, Bad: a.reportBad,
	}
	s := &rougeSheet{app: a, out: out, flags: f}
	if err := s.score(cmd.Context(), loader, args); err != nil {
		return err
	}
	if s.cases == 0 && a.bad == 0 {
		return hinted{errors.New("no cases to score"), "want one line of JSON per summary"}
	}
	if f.aggregate {
		if err := s.writeAggregate(); err != nil {
			return err
		}
	}
	return out.commit()
}

// rougeAnswer is the output line of a case.
type rougeAnswer struct {
	ID        json.RawMessage `json:"id,omitempty"`
	Tokenizer string          `json:"tokenizer,omitempty"`
	byMetric[rougeFigures[float64]]
}

// rougeAggregate is the last output line with --aggregate.
type rougeAggregate struct {
	Tokenizer string `json:"tokenizer,omitempty"`
	Cases     int    `json:"cases"`
	LeftOut   int    `json:"left_out"`
	Empty     int    `json:"empty"`
	Resamples int    `json:"resamples"`
	Seed      uint64 `json:"seed"`
	// nil without cases, which have no mean.
	*byMetric[rougeFigures[rougeInterval]]
}

type rougeInterval struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

type rougeFigures[T any] struct {
	Recall    T `json:"recall"`
	Precision T `json:"precision"`
	F1        T `json:"f1"`
}

// byMetric keeps the order of the metrics in JSON.
type byMetric[T any] struct {
	ROUGE1   T `json:"ROUGE-1"`
	ROUGE2   T `json:"ROUGE-2"`
	ROUGE3   T `json:"ROUGE-3"`
	ROUGE4   T `json:"ROUGE-4"`
	ROUGEL   T `json:"ROUGE-L"`
	ROUGESU4 T `json:"ROUGE-SU4"`
}

func metricsOf[T any](of func(metric int) T) byMetric[T] {
	return byMetric[T]{
		of(rouge.ROUGE1), of(rouge.ROUGE2), of(rouge.ROUGE3), of(rouge.ROUGE4), of(rouge.ROUGEL), of(rouge.ROUGESU4),
	}
}

// tokenizerName returns the name for the output; empty for ROUGE-1.5.5's own.
func (f *rougeFlags) tokenizerName() string {
	if f.options.Unicode {
		return f.options.Tokenizer()
	}
	return ""
}
