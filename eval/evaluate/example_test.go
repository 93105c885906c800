package evaluate_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/eval/dataset"
	"github.com/cerasum/cerasum/eval/evaluate"
	"github.com/cerasum/cerasum/eval/rouge"
)

// corpus has a cluster of documents and its reference summaries in each line.
const corpus = `
{"id": "lighthouse", "documents": ["The weather was fine on Sunday. The lighthouse of Sandvik opens to visitors in May. Its stairs were repaired.", "Many people like the sea. Visitors can climb the lighthouse of Sandvik from May."], "references": ["The lighthouse of Sandvik opens to visitors in May."]}
{"id": "ferry", "documents": ["It was a cold morning. The ferry to Orvik left two hours late. A chain had caught in its screw.", "Our reporter was there. A chain in its screw held the ferry to Orvik for two hours."], "references": ["The ferry to Orvik left two hours late because of a chain in its screw."]}
`

// Two methods on a small dataset, by ROUGE with limited length.
func ExampleRun() {
	methods := []evaluate.Method{
		{Name: "lead", Options: core.Options{Method: "lead"}},
		{Name: "salience", Options: core.Options{Method: "salience"}},
	}
	budget := core.Budget{Amount: 12, Unit: core.PaperWords}
	score := rouge.Options{Stem: true, LimitWords: 12}
	tally := evaluate.NewTally(methods)
	err := evaluate.Run(context.Background(), dataset.NewJSONLines(strings.NewReader(corpus), "corpus.jsonl"), evaluate.Options{
		Methods: methods, Budget: budget, ROUGE: score, Outcome: tally.Add,
	})
	if err != nil {
		log.Fatal(err)
	}
	report := tally.Report(evaluate.Setting{Dataset: "corpus.jsonl", Budget: budget, ROUGE: score, Resamples: 1000, Seed: 1})
	fmt.Printf("%d clusters\n", report.Clusters)
	for _, row := range report.Rows {
		fmt.Printf("%-8s  ROUGE-1 recall %.1f %%, ROUGE-2 recall %.1f %%\n", row.Method,
			100*row.ROUGE[rouge.ROUGE1].Recall.Mean, 100*row.ROUGE[rouge.ROUGE2].Recall.Mean)
	}
	// Output:
	// 2 clusters
	// lead      ROUGE-1 recall 9.7 %, ROUGE-2 recall 0.0 %
	// salience  ROUGE-1 recall 83.3 %, ROUGE-2 recall 81.8 %
}
