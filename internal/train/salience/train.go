package salience

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/cerasum/cerasum/internal/salience"
)

// Params of [Train].
type Params struct {
	// Members is the number of networks that are trained from different random
	// numbers and averaged; Hidden is the number of hidden units of each. The
	// product is at most 255.
	Members, Hidden int
	// Epochs of each sentence network and of each pair network.
	SentenceEpochs, PairEpochs int
	// Initial learning rates of Adam; they decay linearly to a twentieth.
	SentenceRate, PairRate float64
	// Batch is the number of clusters per step.
	Batch int
	Seed  uint64
}

// DefaultParams returns the hyperparameters of the shipped experts.
func DefaultParams() Params {
	return Params{Members: 2, Hidden: 8, SentenceEpochs: 4, PairEpochs: 3, SentenceRate: 0.002, PairRate: 0.005, Batch: 8, Seed: 1}
}

// ErrParams is wrapped by errors about hyperparameters.
var ErrParams = errors.New("bad hyperparameter")

// Check validates the hyperparameters; the error wraps ErrParams.
func (p Params) Check() error {
	switch {
	case p.Hidden < 1 || p.Hidden > 255:
		return fmt.Errorf("%w: hidden units: want 1 to 255, got %d", ErrParams, p.Hidden)
	case p.Members < 1 || p.Members > 255/p.Hidden:
		return fmt.Errorf("%w: members: want 1 to %d of %d hidden units, got %d", ErrParams, 255/p.Hidden, p.Hidden, p.Members)
	case p.SentenceEpochs < 1 || p.PairEpochs < 1:
		return fmt.Errorf("%w: epochs: want at least 1, got %d and %d", ErrParams, p.SentenceEpochs, p.PairEpochs)
	case p.Batch < 1:
		return fmt.Errorf("%w: batch: want at least 1, got %d", ErrParams, p.Batch)
	case !(p.SentenceRate > 0 && p.PairRate > 0) || math.IsInf(p.SentenceRate+p.PairRate, 0):
		return fmt.Errorf("%w: learning rates: want more than 0, got %v and %v", ErrParams, p.SentenceRate, p.PairRate)
	}
	return nil
}

// Progress is called after each epoch of each member; network is "sentences" or "pairs", loss the
// mean cross-entropy of the epoch in nats.
type Progress func(network string, epoch, epochs int, loss float64)

// Train trains an expert on a corpus of at least two clusters. It is deterministic in
// the corpus and the hyperparameters. It returns ctx.Err() if the context ends first.
func Train(ctx context.Context, c *Corpus, p Params, progress Progress) (*salience.Expert, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if c.Len() < 2 {
		return nil, fmt.Errorf("%w: want at least 2 clusters, got %d", ErrExample, c.Len())
	}
	if progress == nil {
		progress = func(string, int, int, float64) {}
	}
	e := &salience.Expert{}
	var err error
	sentences := learner{
		inputs: salience.SentenceInputs, rate: p.SentenceRate, epochs: p.SentenceEpochs, params: p,
		clusters: len(c.sentences), visit: c.eachSentence, progress: func(epoch int, loss float64) { progress("sentences", epoch, p.Members*p.SentenceEpochs, loss) },
	}
	if e.Sentence, err = sentences.train(ctx); err != nil {
		return nil, err
	}
	pairs := learner{
		inputs: salience.PairInputs, rate: p.PairRate, epochs: p.PairEpochs, params: p,
		clusters: len(c.pairs), visit: c.eachPair(e.Sentence), progress: func(epoch int, loss float64) { progress("pairs", epoch, p.Members*p.PairEpochs, loss) },
	}
	if e.Pair, err = pairs.train(ctx); err != nil {
		return nil, err
	}
	if err := e.Check(); err != nil {
		return nil, fmt.Errorf("%w: the learning rates are too high: %w", ErrParams, err)
	}
	return e, nil
}
