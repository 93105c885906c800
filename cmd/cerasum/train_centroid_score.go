package main

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/eval/evaluate"
	"github.com/cerasum/cerasum/eval/rouge"
	"github.com/cerasum/cerasum/internal/text"
	training "github.com/cerasum/cerasum/internal/train/centroid"
)

// validation holds the clusters whose summaries select the best weights. It is
// also a training.Source.
type validation struct {
	params   selection.Params
	rouge    rouge.Options
	problems []*selection.Problem // without centroids
	lines    [][][]string         // of the references
	examples []training.Example
}

// newValidation uses the paper's search parameters for validation: n = 10, B = 3, T = 3.
func newValidation(budget int) *validation {
	return &validation{
		params: selection.Params{Preselect: selection.First, N: 10, BeamWidth: 3, Patience: 3, Budget: budget},
		rouge:  rouge.Options{Stem: true, LimitWords: budget},
	}
}

func (v *validation) add(s *splitCluster, x training.Example) error {
	p := &selection.Problem{Rows: &linalg.Dense[float32]{Data: x.Embeddings, Cols: len(x.Gold)}, Refs: s.refs, Texts: s.texts}
	for _, sentence := range s.texts {
		p.Length = append(p.Length, text.CountWords(sentence))
	}
	var references [][]string
	for _, r := range s.references {
		if lines := evaluate.Lines(r, s.language); len(lines) > 0 {
			references = append(references, lines)
		}
	}
	v.problems, v.lines, v.examples = append(v.problems, p), append(v.lines, references), append(v.examples, x)
	return nil
}

func (v *validation) Len() int                             { return len(v.examples) }
func (v *validation) Read(i int) (training.Example, error) { return v.examples[i], nil }

// score returns the mean ROUGE-2 recall of the summaries for the centroids that
// estimate returns by cluster index.
func (v *validation) score(ctx context.Context, estimate func(i int) ([]float64, error)) (float64, error) {
	recalls, errs := make([]float64, len(v.problems)), make([]error, len(v.problems))
	next := make(chan int)
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			scorer := rouge.NewScorer(v.rouge)
			for i := range next {
				recalls[i], errs[i] = v.recall(ctx, scorer, i, estimate)
			}
		})
	}
	for i := range v.problems {
		next <- i
	}
	close(next)
	group.Wait()
	sum := 0.0
	for i, r := range recalls {
		if errs[i] != nil {
			return 0, fmt.Errorf("validation cluster %d: %w", i+1, errs[i])
		}
		sum += r
	}
	return sum / float64(len(recalls)), nil
}

func (v *validation) recall(ctx context.Context, scorer *rouge.Scorer, i int, estimate func(i int) ([]float64, error)) (float64, error) {
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	p := *v.problems[i]
	var err error
	if p.Centroid, err = estimate(i); err != nil {
		return 0, err
	}
	result, err := selection.Select(ctx, &p, v.params)
	if err != nil {
		return 0, err
	}
	var summary []string
	for _, k := range result.Rows {
		summary = append(summary, p.Texts[k])
	}
	scores, err := scorer.Score(summary, v.lines[i])
	return scores[rouge.ROUGE2].Recall, err
}

// weighed scores centroid weights.
func (v *validation) weighed(ctx context.Context, w *centroid.Weights[float32]) (float64, error) {
	return v.score(ctx, func(i int) ([]float64, error) {
		c, _, err := centroid.Estimate(ctx, w, v.problems[i].Rows, v.problems[i].Refs)
		return c, err
	})
}

// bounds returns the scores of the mean centroid, the baseline, and of the oracle
// centroid, the upper bound.
func (v *validation) bounds(ctx context.Context) (mean, oracle float64, err error) {
	mean, err = v.score(ctx, func(i int) ([]float64, error) { return centroid.Mean(v.problems[i].Rows), nil })
	if err != nil {
		return 0, 0, err
	}
	oracle, err = v.score(ctx, func(i int) ([]float64, error) {
		gold := make([]float64, len(v.examples[i].Gold))
		for j, x := range v.examples[i].Gold {
			gold[j] = float64(x)
		}
		return gold, nil
	})
	return mean, oracle, err
}
