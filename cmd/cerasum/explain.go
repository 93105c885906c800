package main

import (
	"encoding/json"
	"fmt"

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
		Short: "Summarize, and draw how much each sentence counted",
		Long: `Summarize as "cerasum summarize" does, and draw of each document a strip of cells,
one for each sentence: how much the method goes by it, its attention. Of cera and
cerai that is what their weights learned; of instant and others it is the weight
of the sentence in the centroid, of lexrank and textrank its centrality. The
attention of all sentences together is 100 %. Below a strip, ` + "▲" + ` marks what was quoted;
then come the sentences of most attention.

With --format json there are, besides what "cerasum summarize" gives, all
sentences of each document: their text, their place in UTF-16 units, their
attention from 0 to 1, and whether they are quoted.`,
		Example: `  cerasum explain report.txt article.html notes.md
  cerasum explain --method cerai --budget 5s news/
  cerasum explain --format json news/ > attention.json`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.summarize(cmd, args, f) },
	}
	f.add(cmd)
	return cmd
}

// errUnweighed is a summary that there is no attention behind.
func errUnweighed(method string) error {
	return hinted{usage(fmt.Errorf("method %s weighs no sentences", method)), "name another one with --method, like instant, lexrank or cerai"}
}

// explain puts out a summary with what is behind it.
func (w *writer) explain(s *core.Summary, c *cluster.Cluster, id json.RawMessage, heading string) error {
	e := render.Explanation{Summary: s, Cluster: c}
	if w.embedder.weights != nil {
		e.Weights = w.embedder.weights.name
	}
	if w.format == render.JSON {
		return render.WriteExplanationJSON(w.out, id, e)
	}
	return render.WriteExplanation(w.out, w.terminal, heading, e)
}
