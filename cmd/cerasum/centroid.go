package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/ingest"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/internal/jsonl"
	"github.com/cerasum/cerasum/internal/weights"
	"github.com/spf13/cobra"
)

func (a *app) centroidCommand() *cobra.Command {
	var folder, encoder, output string
	cmd := &cobra.Command{
		Use:   "centroid --weights FOLDER|NAME [FILE|-]...",
		Short: "Estimate centroids from embeddings with trained weights",
		Long: `Read clusters of embeddings as JSON Lines and write the centroid estimated by
the weights of CeRA or CeRAI, with the attention paid to each sentence, one line
per cluster in the same order:

  in:  {"embeddings": [[[0.1, ...], ...], ...]}         document, sentence, dimension
  out: {"centroid": [0.1, ...], "attention": [[0.3, ...], ...]}  document, sentence

The attention of a cluster sums to 1; an all-zero embedding gets 0. The weights
folder holds config.json and model.safetensors. Input files may be gzipped; "-",
or no argument when input is piped in, is standard input. Bad lines are reported
with their number and skipped, and the exit code is 1.`,
		Example: `  cerasum centroid --weights cerai/ < clusters.jsonl > centroids.jsonl
  cerasum centroid --weights cerai/ --encoder default clusters.jsonl.gz`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if folder == "" {
				return usage(hinted{errors.New("no weights given"), "name their folder with --weights"})
			}
			if len(args) == 0 {
				if terminal.Of(a.stdin).Interactive {
					return usage(errors.Join(cmd.Usage(), hinted{errors.New("no input"), "name files, or pipe lines in"}))
				}
				args = []string{"-"}
			}
			m, err := openWeights(folder, encoder)
			if err != nil {
				return err
			}
			return writeOutput(output, a.stdout, func(out io.Writer) error {
				return a.centroids(cmd.Context(), m, args, out)
			})
		},
	}
	fs := cmd.Flags()
	fs.StringVarP(&folder, "weights", "w", "", "folder with the weights, or the name of shipped weights")
	fs.StringVarP(&encoder, "encoder", "e", "", "name of the encoder of the embeddings; weights trained for a different one are refused (default: not checked)")
	fs.StringVarP(&output, "output", "o", "", "output file, replaced only on success (default: standard output)")
	return cmd
}

// openWeights reads weights. If encoder is not empty, weights trained for
// another one are refused.
func openWeights(folder, encoder string) (*weights.Model, error) {
	m, err := findWeights(folder)
	if err != nil {
		return nil, err
	}
	if encoder == defaultEncoder {
		_, about, err := shipped()
		if err != nil {
			return nil, err
		}
		encoder = about.Name
	}
	if encoder != "" {
		if err := m.CheckEncoder(encoder, ""); err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
	}
	return m, nil
}

// centroids writes the centroids for the lines of the files.
func (a *app) centroids(ctx context.Context, m *weights.Model, files []string, out io.Writer) error {
	// The lines are read as they are, whatever they hold.
	loader := &ingest.Loader{
		Stdin: a.stdin, Format: ingest.JSONL, Corpora: true,
		UserAgent: "cerasum/" + core.Version, Warn: a.warn, Bad: a.reportBad,
	}
	inputs, err := loader.Load(ctx, files)
	if err != nil {
		return err
	}
	for _, stream := range inputs.Streams {
		r, err := stream.Open()
		if err != nil {
			return err
		}
		name := stream.Name
		if name == "-" {
			name = "standard input"
		}
		if err := errors.Join(a.centroidLines(ctx, m, r, name, out), r.Close()); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) centroidLines(ctx context.Context, m *weights.Model, r io.Reader, name string, out io.Writer) error {
	lines := jsonl.NewReader(r)
	for {
		raw, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil && !errors.Is(err, jsonl.ErrLine) {
			return fmt.Errorf("%s: %w", name, err)
		}
		var answer []byte
		if err == nil {
			answer, err = centroidLine(ctx, m, raw)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			a.reportBad(fmt.Errorf("%s:%d: %w", name, lines.Line(), err))
			continue
		}
		// Readers of a pipe wait for each answer.
		if _, err := out.Write(append(answer, '\n')); err != nil {
			return err
		}
	}
}

// centroidLine returns the output for one line.
func centroidLine(ctx context.Context, m *weights.Model, raw []byte) ([]byte, error) {
	var documents [][][]float64
	err := jsonl.Object(raw, jsonl.Members{
		"embeddings": func(v json.RawMessage) (err error) { documents, err = jsonl.Tensor(v); return err },
	}, "embeddings")
	if err != nil {
		return nil, err
	}
	rows := &linalg.Dense[float64]{Cols: m.Weights.Dimensions}
	var refs []cluster.Ref
	for i, doc := range documents {
		for j, row := range doc {
			if len(row) != rows.Cols {
				return nil, jsonl.At("embeddings"+jsonl.Index(i)+jsonl.Index(j), fmt.Errorf("want %d dimensions, got %d", rows.Cols, len(row)))
			}
			rows.Data = append(rows.Data, row...)
			refs = append(refs, cluster.Ref{Document: i, Sentence: j})
		}
	}
	estimated, beta, err := centroid.Estimate(ctx, m.Weights, rows, refs)
	if err != nil {
		return nil, jsonl.At("embeddings", err)
	}
	answer := struct {
		Centroid  []float64   `json:"centroid"`
		Attention [][]float64 `json:"attention"`
	}{estimated, make([][]float64, len(documents))}
	total := 0.0
	for i, doc := range documents {
		answer.Attention[i] = append([]float64{}, beta[:len(doc)]...)
		for _, b := range beta[:len(doc)] {
			total += b
		}
		beta = beta[len(doc):]
	}
	if total == 0 {
		return nil, jsonl.At("embeddings", errors.New("want at least one embedding that is not all zeros"))
	}
	return json.Marshal(answer)
}
