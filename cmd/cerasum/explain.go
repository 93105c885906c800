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
		Short: "Summarize, and show the weight of each sentence",
		Long: `Summarize like "cerasum summarize", and show the weight of each sentence in the
method: for cera and cerai, the learned attention; for instant and other centroid
methods, the weight of the sentence in the centroid; for lexrank and textrank, its
centrality. All weights sum to 100 %. Each document is a strip with one cell per
sentence, with ` + "▲" + ` below the quoted ones, and a list of the sentences with the
highest weights follows.

With --format json the output of "cerasum summarize" also has all sentences of
each document: text, position in UTF-16 units, weight ("attention", from 0 to 1), and
whether they are quoted.`,
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
