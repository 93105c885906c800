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
		Short: "Select sentences from given embeddings and centroids",
		Long: `Read clusters with their embeddings and centroids as JSON Lines on standard input,
and write the selection of a method, one line per cluster in the same order:

  in:  {"documents": [["sentence", ...], ...], "embeddings": [[[0.1, ...], ...], ...],
        "centroid": [0.1, ...], "params": {...}}
  out: {"selected": [[document, sentence], ...], "score": 0.9}

The methods are bs+gs, the paper's beam search and greedy search (the default);
bs, the beam search only; and gholipour, lamsiyah, rossiello, radev, lexrank,
textrank, mmr and lead. bs+gs and bs require a centroid and write the sentences in
document order; the others use the mean of the embeddings, ignore the centroid,
and write the sentences in order of selection. lead and textrank do not need
embeddings: without them the score is 0.

Members of params, all optional; the defaults are those of the paper:
  preselect        pre-selection: n_first (default), n_best or all
  n                sentences pre-selected per document (9)
  beam_width       beam width (5)
  candidates       patience of the greedy search (9); 0 disables the greedy search
  budget_words     budget in words, runs of letters, digits and _ (230)
  length_exponent  exponent of the number of words by which scores are divided (0)
  distinct         keep one state per set of sentences (false)
All methods use budget_words, which may also stand beside documents; gholipour
also uses preselect (default: all) and n; the others apply to bs+gs and bs.

A member "selected", as in reference cases, is ignored; other unknown members are
errors. Bad lines are reported with their number and skipped, and the exit code
is 1.`,
		Example: `  zcat cases.jsonl.gz | cerasum select > choices.jsonl
  cerasum select --method lamsiyah < cases.jsonl`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			method, err := oneOf("method", name, wire.MethodNames())
			if err != nil {
				return err
			}
			out, err := openOutput(output, a.stdout)
			if err != nil {
				return err
			}
			defer out.discard()
			if err := a.selectLines(cmd.Context(), wire.LookUp(method), out); err != nil {
				return err
			}
			return out.commit()
		},
	}
	cmd.Flags().StringVarP(&name, "method", "m", wire.Methods[0].Name, "selection method: "+strings.Join(wire.MethodNames(), ", "))
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
		// Readers of a pipe wait for each answer.
		if err := w.Flush(); err != nil {
			return err
		}
	}
}
