// Package centroid trains CeRA and CeRAI, which estimate the centroid of a human
// summary from the embeddings of a cluster's sentences. The gradients are written
// by hand; the loss is 1 − cos(ĉ, c_gold), the optimizer Adam.
//
// D dimensions, N sentences, P positions.
//
// Start with [New], [Training.Epoch] and [Training.Weights]; [Training.Record]
// tracks the best weights.
package centroid

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/cerasum/cerasum/core/centroid"
)

// Point holds the results of an epoch.
type Point struct {
	// Epoch counts from 1; Loss is the mean over its steps.
	Epoch int
	Loss  float64
	// Cosine is the mean on the validation set; Score selects the best epoch, for
	// instance ROUGE-2 recall of the validation summaries.
	Cosine, Score float64
}

// Training is a training in progress.
type Training struct {
	params  Params
	source  Source
	trainer *trainer[float32]
	epoch   int // number done
	at      int // steps done in the epoch
	sum     float64
	history []Point
	best    []float32 // Data of the best weights; nil before the first Record
	// AfterStep, if set, is called after each step with the number done, the number
	// in the epoch and the mean loss so far, for checkpoints and progress. An error
	// ends the epoch.
	AfterStep func(done, total int, loss float64) error
}

// New starts a training for embeddings of the given dimensions. The result is
// deterministic in the source and the hyperparameters on one architecture.
func New(dimensions int, p Params, source Source) (*Training, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if dimensions < 1 {
		return nil, fmt.Errorf("%w: dimensions: want at least 1, got %d", ErrParams, dimensions)
	}
	if source.Len() < 1 {
		return nil, fmt.Errorf("%w: no examples", ErrExample)
	}
	p.Milestones = slices.Clone(p.Milestones)
	return &Training{params: p, source: source, trainer: newTrainer(initial[float32](dimensions, p), p.Batch)}, nil
}

// read prepares example i.
func read(source Source, i, dimensions, positions int) (*sample[float32], error) {
	x, err := source.Read(i)
	if err != nil {
		return nil, err
	}
	if len(x.Gold) != dimensions {
		return nil, fmt.Errorf("%w: example %d: want %d dimensions, got %d", ErrExample, i, dimensions, len(x.Gold))
	}
	e, err := newSample[float32](positions, x.Embeddings, x.Documents, x.Gold)
	if err != nil {
		return nil, fmt.Errorf("example %d: %w", i, err)
	}
	return e, nil
}

// Epoch runs one epoch, or the rest of an interrupted one, in random order and
// returns the mean loss. After an error such as ctx.Err() it may be called again to
// continue.
func (t *Training) Epoch(ctx context.Context) (loss float64, err error) {
	w, p := t.trainer.w, t.params
	n := t.source.Len()
	order := rand.New(rand.NewPCG(p.Seed, 1+uint64(t.epoch))).Perm(n)
	steps := (n + p.Batch - 1) / p.Batch
	for t.at < steps {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		batch := order[t.at*p.Batch : min(n, (t.at+1)*p.Batch)]
		l, err := t.trainer.step(len(batch), p.rate(t.epoch), p.Dropout, func(i int) (*sample[float32], *rand.Rand, error) {
			e, err := read(t.source, batch[i], w.Dimensions, p.Positions)
			// A random stream per cluster and epoch, independent of the order of
			// goroutines and of checkpoints.
			return e, rand.New(rand.NewPCG(p.Seed+1, uint64(t.epoch)<<32|uint64(batch[i]))), err
		})
		if err != nil {
			return 0, err
		}
		if math.IsNaN(l) {
			return 0, fmt.Errorf("%w: the loss is not finite: the learning rate is too high", ErrParams)
		}
		t.at++
		t.sum += l * float64(len(batch))
		if t.AfterStep != nil {
			seen := min(n, t.at*p.Batch)
			if err := t.AfterStep(t.at, steps, t.sum/float64(seen)); err != nil {
				return 0, err
			}
		}
	}
	loss = t.sum / float64(n)
	t.epoch, t.at, t.sum = t.epoch+1, 0, 0
	return loss, nil
}

// Epochs returns the number of epochs done.
func (t *Training) Epochs() int { return t.epoch }

// Record adds the results of an epoch, and keeps the weights if the score is the
// best so far; ties keep the earlier ones.
func (t *Training) Record(p Point) {
	best, _ := t.Best()
	if len(t.history) == 0 || p.Score > best.Score {
		t.best = slices.Clone(t.trainer.w.Data)
	}
	t.history = append(t.history, p)
}

// History returns the recorded points.
func (t *Training) History() []Point { return t.history }

// Best returns the point with the best score and its weights; before the first
// Record, the current weights.
func (t *Training) Best() (Point, *centroid.Weights[float32]) {
	if len(t.history) == 0 {
		return Point{}, t.Weights()
	}
	best := t.history[0]
	for _, p := range t.history {
		if p.Score > best.Score {
			best = p
		}
	}
	w := t.trainer.w
	c := centroid.NewWeights[float32](w.Dimensions, w.Positions, w.Interpolation)
	copy(c.Data, t.best)
	return best, c
}

// Done reports whether all epochs are trained, or the last Patience of them brought
// no better score.
func (t *Training) Done() bool {
	if t.epoch >= t.params.Epochs {
		return true
	}
	if t.params.Patience == 0 || len(t.history) == 0 {
		return false
	}
	best, _ := t.Best()
	return t.history[len(t.history)-1].Epoch-best.Epoch >= t.params.Patience
}

// Params returns the hyperparameters of the training.
func (t *Training) Params() Params { return t.params }

// Weights returns a copy of the current weights.
func (t *Training) Weights() *centroid.Weights[float32] {
	w := t.trainer.w
	c := centroid.NewWeights[float32](w.Dimensions, w.Positions, w.Interpolation)
	copy(c.Data, w.Data)
	return c
}

// Cosine returns the mean cosine of the estimated to the gold centroid over a
// source, without dropout, and that of the mean centroid.
func Cosine(ctx context.Context, w *centroid.Weights[float32], source Source) (estimated, mean float64, err error) {
	n := source.Len()
	if n == 0 {
		return 0, 0, fmt.Errorf("%w: no examples", ErrExample)
	}
	of := make([][2]float64, n)
	var once sync.Once
	parallel(n, func(from, to int) {
		var p, q pass[float32]
		for i := from; i < to; i++ {
			e, failed := read(source, i, w.Dimensions, w.Positions)
			if failed == nil {
				failed = ctx.Err()
			}
			if failed != nil {
				once.Do(func() { err = failed })
				return
			}
			q.out = e.mean
			of[i] = [2]float64{1 - p.forward(w, e, 0, nil), q.cosine(e.gold)}
		}
	})
	if err != nil {
		return 0, 0, err
	}
	for _, c := range of {
		estimated += c[0] / float64(n)
		mean += c[1] / float64(n)
	}
	return estimated, mean, nil
}
