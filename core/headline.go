package core

import (
	"context"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/selection"
)

const (
	// leastHeadline is the minimum number of words of a headline: one or two frequent
	// words are very near the centroid and say nothing.
	leastHeadline = 3
	// cutShare multiplies the cosine of a sentence that is too long for the budget,
	// since only its beginning can be shown.
	cutShare = 0.6
)

// headline quotes one line to show above a summary. It is not among [Methods].
var headline = method{MethodInfo: MethodInfo{Name: "headline", Title: "Headline", Description: "The sentence or heading nearest to the centroid of Salience that fits the budget; a much nearer one that is too long, if there is one.", Embeddings: EmbeddingsNone, Query: true}, run: runHeadline}

// runHeadline selects the line nearest to the centroid, including headings. A line
// that does not fit is returned as over the budget: the caller truncates it.
func runHeadline(ctx context.Context, j *job) (choice, error) {
	a, err := j.salienceTarget(ctx, salienceDefaults)
	if err != nil {
		return choice{}, err
	}
	cosine := centroid.Cosines(a.rows, a.centroid)
	best, highest := -1, 0.0
	for _, least := range []int{leastHeadline, 1, 0} {
		for k, v := range cosine {
			if j.words[k] < least || j.supports(k) {
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
	return choice{r, a.rows, a.centroid, attention(a.rows, a.weights), nil, nil}, nil
}
