package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/render"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/spf13/cobra"
)

// explainFormats are those of an explanation.
var explainFormats = []render.Format{render.Text, render.JSON}

func (a *app) explainCommand() *cobra.Command {
	f := summarizeFlags{explain: true}
	cmd := &cobra.Command{
		Use:   "explain [FILE|FOLDER|URL|-]...",
		Short: "Summarize, and show the attention of each sentence",
		Long: `Summarize like "cerasum summarize", and show the attention of each sentence: its
weight in the method. Each document is a strip with one cell per sentence.
For cera and cerai it is the learned attention; for instant and other centroid
methods, the weight of the sentence in the centroid; for lexrank and textrank, its
centrality. The attention of all sentences sums to 100 %. Below a strip, ` + "▲" + ` marks
the quoted sentences; a list of the sentences with the most attention follows.

With --format json the output of "cerasum summarize" also has all sentences of
each document: text, position in UTF-16 units, attention from 0 to 1, and whether
they are quoted.`,
		Example: `  cerasum explain report.txt article.html notes.md
  cerasum explain --method cerai --budget 5s news/
  cerasum explain --format json news/ > attention.json`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.summarize(cmd, args, f) },
	}
	f.add(cmd)
	return cmd
}

// errUnweighed reports a method without sentence weights.
func errUnweighed(method string) error {
	return hinted{usage(fmt.Errorf("method %s has no sentence weights", method)), "choose another --method, such as instant, lexrank or cerai"}
}

// explain writes a summary with the attention of the sentences.
func (w *writer) explain(out io.Writer, s *core.Summary, c *cluster.Cluster, id json.RawMessage, heading string) error {
	e := render.Explanation{Summary: s, Cluster: c}
	if w.embedder.weights != nil {
		e.Weights = w.embedder.weights.name
	}
	if w.format == render.JSON {
		return render.WriteExplanationJSON(out, id, e)
	}
	return render.WriteExplanation(out, w.terminal, heading, e)
}
