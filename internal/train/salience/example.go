// Package salience trains the networks of internal/salience on clusters with human
// summaries: the sentence network on one half of them, the pair network, whose input
// includes the output of the first, on the other.
//
// Start with [NewExample], [Corpus] and [Train].
package salience

import (
	"context"
	"errors"
	"fmt"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/lexical"
	"github.com/cerasum/cerasum/internal/salience"
	"github.com/cerasum/cerasum/internal/text"
)

// Example is a training cluster.
type Example struct {
	Features *salience.Features
	// Used holds for each of the M pairs the share of the references that have
	// it, in 0..1.
	Used []float32
}

// ErrExample is wrapped by errors about unusable clusters.
var ErrExample = errors.New("unusable training example")

// NewExample converts a cluster and its reference summaries. It prepares the cluster
// (see core.Prepare); budget is that of a summary in words, as counted in the
// published experiments. References are taken to be in the language of the first
// document.
func NewExample(ctx context.Context, c *cluster.Cluster, references []string, budget int) (Example, error) {
	if err := core.Prepare(ctx, c.Documents); err != nil {
		return Example{}, err
	}
	session, err := core.Open(ctx, c.Documents, core.OpenOptions{})
	if err != nil {
		return Example{}, err
	}
	f, analysis, err := session.SalienceFeatures(core.Budget{Amount: budget, Unit: core.PaperWords})
	if err != nil {
		return Example{}, err
	}
	e := Example{Features: f, Used: make([]float32, f.Pairs())}
	index := make(map[[2]int32]int32, len(f.Terms))
	for m, terms := range f.Terms {
		index[terms] = int32(m)
	}
	type name struct {
		text string
		stop bool
	}
	known := make(map[name]int32, len(analysis.Terms))
	for t, term := range analysis.Terms {
		known[name{term.Text, term.Stop}] = int32(t)
	}
	language := c.Documents[0].Language
	read := 0
	for _, reference := range references {
		if text.CountWords(reference) == 0 {
			continue
		}
		read++
		r := &cluster.Cluster{Documents: []cluster.Document{{Text: reference, Language: language}}}
		if err := core.Prepare(ctx, r.Documents); err != nil {
			return Example{}, err
		}
		a, err := lexical.Analyze(ctx, r)
		if err != nil {
			return Example{}, err
		}
		same := make([]int32, len(a.Terms)) // the term of the cluster, or -1
		for t, term := range a.Terms {
			id, ok := known[name{term.Text, term.Stop}]
			if !ok {
				id = -1
			}
			same[t] = id
		}
		seen := map[int32]bool{}
		for _, terms := range a.Sentences {
			for i := 1; i < len(terms); i++ {
				if m, ok := index[[2]int32{same[terms[i-1]], same[terms[i]]}]; ok && !seen[m] {
					seen[m] = true
					e.Used[m]++
				}
			}
		}
	}
	if read == 0 {
		return Example{}, fmt.Errorf("%w: references without words", ErrExample)
	}
	for m := range e.Used {
		e.Used[m] /= float32(read)
	}
	return e, nil
}
