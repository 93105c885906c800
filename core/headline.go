package core

import (
	"context"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/selection"
)

const (
	// leastHeadline is the number of words from which a line says something: one
	// or two of the words that all speak of are very near the centroid.
	leastHeadline = 3
	// cutShare: a sentence that is too long for the budget, of which only the
	// beginning can be shown, counts as if it were this much as near the centroid.
	cutShare = 0.6
)

// headline quotes one line: it is for what stands above a summary, and not among
// [Methods].
var headline = method{MethodInfo{Name: "headline", Title: "Headline", Description: "The one sentence or heading that fits the budget and is nearest the centroid of Salience; a far nearer one that is too long, where there is one.", Embeddings: EmbeddingsNone}, runHeadline, 0}

// runHeadline takes the line nearest the centroid, headings too. One that does
// not fit is over the budget, as the only choice: to be cut by who shows it.
func runHeadline(ctx context.Context, j *job) (choice, error) {
	a, err := j.aim(ctx, salient)
	if err != nil {
		return choice{}, err
	}
	cosine := centroid.Cosines(a.rows, a.centroid)
	best, highest := -1, 0.0
	for _, least := range []int{leastHeadline, 1, 0} {
		for k, v := range cosine {
			if j.words[k] < least {
				continue
			}
			if j.measure.cost[k] > j.measure.budget {
				v *= cutShare
			}
			if best < 0 || v > highest {
				best, highest = k, v
			}
		}
		if best >= 0 {
			break
		}
	}
	score := min(max(cosine[best], 0), 1)
	r := selection.Result{
		Rows: []int{best}, Rank: []int{best}, Gain: []float64{score}, Score: score,
		OverBudget: j.measure.cost[best] > j.measure.budget,
	}
	return choice{r, a.rows, a.centroid, attention(a.rows, a.weights)}, nil
}
