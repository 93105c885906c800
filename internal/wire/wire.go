// Package wire is the JSON form of a selection. The input is a cluster with its
// embeddings and, if the method needs it, its centroid; the output is the chosen
// sentences.
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

// Answer reads a selection problem, {"documents", "embeddings", "centroid"?,
// "params"?}, runs the method, and returns {"selected", "score"} without a line
// ending. An error about the input names the field (jsonl.FieldError).
func Answer(ctx context.Context, method *Method, raw []byte) ([]byte, error) {
	problem, params, err := Parse(raw, method)
	if err != nil {
		return nil, err
	}
	return method.Answer(ctx, problem, params)
}

// Answer runs the method on what [Parse] returned; see [Answer].
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

// ErrNotFinite is returned if the score overflows.
var ErrNotFinite = errors.New("the score is not a finite number: the embeddings or the centroid are too large")
