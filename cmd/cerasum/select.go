package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/ingest"
	"github.com/cerasum/cerasum/internal/jsonl"
	"github.com/cerasum/cerasum/internal/wire"
	"github.com/spf13/cobra"
)

func (a *app) selectCommand() *cobra.Command {
	var output, name string
	cmd := &cobra.Command{
		Use:   "select",
		Short: "Select sentences for given embeddings and centroids",
		Long: `Read clusters with their embeddings and centroids as JSON Lines from standard
input, and write the sentences that a method selects, one line per cluster, in
the same order:

  in:  {"documents": [["sentence", ...], ...], "embeddings": [[[0.1, ...], ...], ...],
        "centroid": [0.1, ...], "params": {...}}
  out: {"selected": [[document, sentence], ...], "score": 0.9}

Methods are bs+gs, the paper's beam search and greedy search (the default); bs,
the beam search alone; and gholipour, lamsiyah, rossiello, radev, lexrank,
textrank, mmr and lead. bs+gs and bs require a centroid and return the sentences
in reading order. The others ignore it, use the mean of the embeddings, and
return the sentences in the order in which they were chosen. lead and textrank
work without embeddings; the score is then 0.

Members of params, all optional, with the paper's values as defaults:
  preselect        candidates of each document: n_first (default), n_best or all
  n                number of candidates of each document (9)
  beam_width       number of states that the beam search keeps (5)
  patience         failures in a row that end the greedy search (9); 0 disables it
  budget_words     words, counted as runs of letters, digits and _ (230)
  length_exponent  scores are divided by words to this power (0)
  distinct         keep one state for each set of sentences (false)
All methods support budget_words, which may also stand beside documents.
gholipour also supports preselect (default all) and n. The rest apply to bs+gs
and bs only.

The member "selected", the expected output of a reference case, is ignored. Other
unknown members are errors. A bad line is reported with its number and skipped;
the exit code is then 1.`,
		Example: `  zcat cases.jsonl.gz | cerasum select > choices.jsonl
  cerasum select --method lamsiyah < cases.jsonl`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			method, err := oneOf("method", name, wire.MethodNames())
			if err != nil {
				return err
			}
			return writeOutput(output, a.stdout, func(out io.Writer) error {
				return a.selectLines(cmd.Context(), wire.LookUp(method), out)
			})
		},
	}
	cmd.Flags().StringVarP(&name, "method", "m", wire.Methods[0].Name, "method: "+strings.Join(wire.MethodNames(), ", "))
	complete(cmd, "method", wire.MethodNames()...)
	cmd.Flags().StringVarP(&output, "output", "o", "", "output file, replaced only on success (default: standard output)")
	return cmd
}

func (a *app) selectLines(ctx context.Context, method *wire.Method, out io.Writer) error {
	in := ingest.Interruptible(ctx, a.stdin)
	defer in.Close()
	lines := jsonl.NewReader(in)
	w := bufio.NewWriter(out)
	for {
		raw, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return w.Flush()
		}
		if err != nil && !errors.Is(err, jsonl.ErrLine) {
			return fmt.Errorf("standard input: %w", err)
		}
		var answer []byte
		if err == nil {
			answer, err = wire.Answer(ctx, method, raw)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			a.reportBad(fmt.Errorf("standard input:%d: %w", lines.Line(), err))
			continue
		}
		if _, err := w.Write(append(answer, '\n')); err != nil {
			return err
		}
		// A caller that sends one line at a time through a pipe waits for each
		// answer.
		if err := w.Flush(); err != nil {
			return err
		}
	}
}
