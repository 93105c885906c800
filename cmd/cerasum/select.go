package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/ingest"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/jsonl"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/core/text"
	"github.com/spf13/cobra"
)

func (a *app) selectCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "select",
		Short: "Run the selection alone, on given embeddings and centroids",
		Long: `Read clusters with their embeddings and centroids as JSON Lines on standard
input, and write the choice of the paper's beam search and greedy search, a line
each, in the same order:

  in:  {"documents": [["sentence", ...], ...], "embeddings": [[[0.1, ...], ...], ...],
        "centroid": [0.1, ...], "params": {...}}
  out: {"selected": [[document, sentence], ...], "score": 0.9}

Members of params, all optional, with the paper's values as defaults:
  preselect        n_first (default), n_best or all: the candidates of a document
  n                how many of them (9)
  beam_width       states that the beam search keeps (5)
  candidates       failures that end the greedy search (9); 0: no greedy search
  budget_words     words, counted as runs of letters, digits and _ (230)
  length_exponent  scores are divided by words to this power (0)
  distinct         count states with the same sentences once (false)

A member "selected", the expected answer of a reference case, is allowed and not
looked at. Anything else unknown is refused. A bad line is reported with its
number, the rest goes on, and the exit code is 1.`,
		Example: `  zcat cases.jsonl.gz | cerasum select > choices.jsonl`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out, err := openOutput(output, a.stdout)
			if err != nil {
				return err
			}
			defer out.discard()
			if err := a.selectLines(cmd.Context(), out); err != nil {
				return err
			}
			return out.commit()
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "write to this file, whole or not at all (default: standard output)")
	return cmd
}

func (a *app) selectLines(ctx context.Context, out io.Writer) error {
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
			answer, err = selectLine(ctx, raw)
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

// selectLine answers one line.
func selectLine(ctx context.Context, raw []byte) ([]byte, error) {
	problem, params, err := parseSelection(raw)
	if err != nil {
		return nil, err
	}
	result, err := selection.Select(ctx, problem, params)
	if err != nil {
		return nil, err
	}
	if math.IsNaN(result.Score) || math.IsInf(result.Score, 0) {
		return nil, errors.New("the score is not a finite number: the embeddings or the centroid are too large")
	}
	answer := struct {
		Selected [][2]int `json:"selected"`
		Score    float64  `json:"score"`
	}{make([][2]int, 0, len(result.Rows)), result.Score}
	for _, r := range result.Refs(problem) {
		answer.Selected = append(answer.Selected, [2]int{r.Document, r.Sentence})
	}
	return json.Marshal(answer)
}

// parseSelection reads a line and checks that its parts fit together.
// Sentences without a word take no part; the others keep their indices.
func parseSelection(raw []byte) (*selection.Problem, selection.Params, error) {
	var documents [][]string
	var embeddings [][][]float64
	var centroid []float64
	params := selection.PaperParams()
	err := jsonl.Object(raw, jsonl.Members{
		"documents":  func(v json.RawMessage) (err error) { documents, err = parseDocuments(v); return err },
		"embeddings": func(v json.RawMessage) (err error) { embeddings, err = jsonl.Tensor(v); return err },
		"centroid":   func(v json.RawMessage) (err error) { centroid, err = jsonl.Vector(v); return err },
		"params":     func(v json.RawMessage) error { return parseParams(v, &params) },
		"selected":   func(json.RawMessage) error { return nil },
	}, "documents", "embeddings", "centroid")
	if err != nil {
		return nil, params, err
	}
	if len(centroid) == 0 {
		return nil, params, jsonl.At("centroid", errors.New("no dimensions"))
	}
	if len(embeddings) != len(documents) {
		return nil, params, jsonl.At("embeddings", fmt.Errorf("for %d documents, but there are %d", len(embeddings), len(documents)))
	}
	matrix := &linalg.Dense[float64]{Cols: len(centroid)}
	p := &selection.Problem{Rows: matrix, Centroid: centroid}
	for i, sentences := range documents {
		if len(embeddings[i]) != len(sentences) {
			return nil, params, jsonl.At("embeddings"+jsonl.Index(i), fmt.Errorf("%d rows for %d sentences", len(embeddings[i]), len(sentences)))
		}
		for j, s := range sentences {
			row := embeddings[i][j]
			if len(row) != len(centroid) {
				return nil, params, jsonl.At("embeddings"+jsonl.Index(i)+jsonl.Index(j), fmt.Errorf("%d dimensions, but the centroid has %d", len(row), len(centroid)))
			}
			words := text.CountWords(s)
			if words == 0 {
				continue
			}
			matrix.Data = append(matrix.Data, row...)
			p.Refs = append(p.Refs, cluster.Ref{Document: i, Sentence: j})
			p.Texts = append(p.Texts, s)
			p.Length = append(p.Length, words)
		}
	}
	return p, params, nil
}

func parseDocuments(raw json.RawMessage) ([][]string, error) {
	docs, err := jsonl.Array(raw)
	if err != nil {
		return nil, err
	}
	out := make([][]string, len(docs))
	for i, doc := range docs {
		sentences, err := jsonl.Array(doc)
		if err != nil {
			return nil, jsonl.At(jsonl.Index(i), err)
		}
		out[i] = make([]string, len(sentences))
		for j, s := range sentences {
			if out[i][j], err = jsonl.String(s); err != nil {
				return nil, jsonl.At(jsonl.Index(i)+jsonl.Index(j), err)
			}
		}
	}
	return out, nil
}

func parseParams(raw json.RawMessage, p *selection.Params) error {
	whole := func(to *int) func(json.RawMessage) error {
		return func(v json.RawMessage) (err error) { *to, err = jsonl.Int(v); return err }
	}
	err := jsonl.Object(raw, jsonl.Members{
		"preselect": func(v json.RawMessage) error {
			s, err := jsonl.String(v)
			p.Preselect = selection.Preselect(s)
			return err
		},
		"n":               whole(&p.N),
		"beam_width":      whole(&p.BeamWidth),
		"candidates":      whole(&p.Candidates),
		"budget_words":    whole(&p.Budget),
		"length_exponent": func(v json.RawMessage) (err error) { p.LengthExponent, err = jsonl.Float(v); return err },
		"distinct":        func(v json.RawMessage) (err error) { p.Distinct, err = jsonl.Bool(v); return err },
	})
	if err != nil {
		return err
	}
	return p.Check()
}
