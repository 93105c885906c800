package reading

import (
	_ "embed"
	"sync"

	"github.com/cerasum/cerasum/internal/errorf"
	"github.com/cerasum/cerasum/internal/forest"
)

// encoded holds the forests of [Judge], trained on what editors quote: see
// research/choices.
//
//go:embed editor.forest
var encoded []byte

// Forests are the models of editors' choices, one for any documents.
type Forests struct {
	// Quote are log-odds: of 1 for a sentence that an editor quotes in a summary of 100 words,
	// 0.5 for one that would do, 0.1 for others and 0 for those never to be quoted.
	Quote forest.Forest
	// Never are log-odds that a sentence is never to be quoted.
	Never forest.Forest
	// Opening is the logit of a softmax over all sentences, of which one opens the summary,
	// less OpeningOdds times Quote.
	Opening forest.Forest
}

// OpeningOdds is what the log-odds of being quoted count for the opening; Forests.Opening is
// trained with it.
const OpeningOdds = 2.5

var shipped = sync.OnceValue(func() *Forests {
	f, err := decodeForests(encoded)
	if err != nil {
		panic(err)
	}
	return f
})

// decodeForests reads what research/choices writes.
func decodeForests(data []byte) (*Forests, error) {
	f, err := forest.Decode(data, 3, Inputs)
	if err != nil {
		return nil, errorf.Errorf("editor.forest: %w", err)
	}
	return &Forests{f[0], f[1], f[2]}, nil
}

// Judgement is what the models say of N sentences: log-odds of being quoted and of never being
// quoted, and logits of opening the summary.
type Judgement struct{ Quote, Never, Opening []float64 }

// Judge judges N sentences by the shipped models; features is N×Inputs.
func Judge(features []float32) *Judgement { return shipped().Judge(features) }

// Judge judges N sentences; features is N×Inputs.
func (f *Forests) Judge(features []float32) *Judgement {
	j := &Judgement{f.Quote.Values(features), f.Never.Values(features), f.Opening.Values(features)}
	for k, z := range j.Quote {
		j.Opening[k] += float64(OpeningOdds * z)
	}
	return j
}
