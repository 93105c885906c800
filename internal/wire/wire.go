// Package wire is the JSON form of a selection: a cluster with its embeddings
// and, where the method wants it, its centroid in, the chosen sentences out.
//
// Start with [Answer].
package wire

import (
	"context"
	"encoding/json"
	"errors"
	"math"

	"github.com/cerasum/cerasum/core/selection"
)

// Answer reads a selection, {"documents", "embeddings", "centroid"?, "params"?},
// lets the method choose, and returns {"selected", "score"}, without the line's
// end. An error about the input names the field at fault (jsonl.FieldError).
func Answer(ctx context.Context, method *Method, raw []byte) ([]byte, error) {
	problem, params, err := Parse(raw, method)
	if err != nil {
		return nil, err
	}
	return method.Answer(ctx, problem, params)
}

// Answer is [Answer] for what [Parse] has read.
func (m *Method) Answer(ctx context.Context, problem *selection.Problem, params selection.Params) ([]byte, error) {
	result, err := m.choose(ctx, problem, params)
	if err != nil {
		return nil, err
	}
	if math.IsNaN(result.Score) || math.IsInf(result.Score, 0) {
		return nil, ErrNotFinite
	}
	answer := struct {
		Selected [][2]int `json:"selected"`
		Score    float64  `json:"score"`
	}{make([][2]int, 0, len(result.Rows)), result.Score}
	rows := result.Rows
	if m.ranked {
		rows = result.Rank
	}
	for _, k := range rows {
		r := problem.Refs[k]
		answer.Selected = append(answer.Selected, [2]int{r.Document, r.Sentence})
	}
	return json.Marshal(answer)
}

// ErrNotFinite says that the numbers given are beyond what sums can hold.
var ErrNotFinite = errors.New("the score is not a finite number: the embeddings or the centroid are too large")
