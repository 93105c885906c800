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
		Short: "Run the selection alone, on given embeddings and centroids",
		Long: `Read clusters with their embeddings and centroids as JSON Lines on standard
input, and write the choice of a method, a line each, in the same order:

  in:  {"documents": [["sentence", ...], ...], "embeddings": [[[0.1, ...], ...], ...],
        "centroid": [0.1, ...], "params": {...}}
  out: {"selected": [[document, sentence], ...], "score": 0.9}

Methods are bs+gs, the paper's beam search and greedy search (the default); bs,
the beam search alone; and gholipour, lamsiyah, rossiello, radev, lexrank,
textrank, mmr and lead. bs+gs and bs want a centroid and put the sentences out
in reading order; the others go by the mean of the embeddings, do not look at a
centroid, and put them out in the order in which they took them. lead and
textrank need no embeddings: the score is 0 without.

Members of params, all optional, with the paper's values as defaults:
  preselect        n_first (default), n_best or all: the candidates of a document
  n                how many of them (9)
  beam_width       states that the beam search keeps (5)
  candidates       failures that end the greedy search (9); 0: no greedy search
  budget_words     words, counted as runs of letters, digits and _ (230)
  length_exponent  scores are divided by words to this power (0)
  distinct         count states with the same sentences once (false)
All methods take budget_words, which may also stand beside documents; gholipour
takes preselect (all unless told otherwise) and n as well; the others are for
bs+gs and bs.

A member "selected", the expected answer of a reference case, is allowed and not
looked at. Anything else unknown is refused. A bad line is reported with its
number, the rest goes on, and the exit code is 1.`,
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
	cmd.Flags().StringVarP(&name, "method", "m", wire.Methods[0].Name, "how to choose: "+strings.Join(wire.MethodNames(), ", "))
	complete(cmd, "method", wire.MethodNames()...)
	cmd.Flags().StringVarP(&output, "output", "o", "", "write to this file, whole or not at all (default: standard output)")
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
			a.reportBad(fmt.Errorf("standard input: line %d: %w", lines.Line(), err))
			continue
		}
		if _, err := w.Write(append(answer, '\n')); err != nil {
			return err
		}
		// Whoever asks line by line, through a pipe, waits for each answer.
		if err := w.Flush(); err != nil {
			return err
		}
	}
}
