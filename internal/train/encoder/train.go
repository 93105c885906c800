// Package encoder trains static sentence encoders: a table of word-piece vectors with
// learned weights; a text's embedding is their weighted sum at unit length. Training
// pulls sentences with the same meaning together and pushes the others of a batch
// apart (InfoNCE in both directions).
//
// B pairs in a batch, D dimensions, V pieces.
//
// Start with [New], [Training.Epoch] and [Training.Encoder].
package encoder

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/cerasum/cerasum/internal/tokenizer"
	"github.com/cerasum/cerasum/internal/train/vocabulary"
)

// Progress of a training.
type Progress struct {
	// Stage is "read", "vocabulary", "tokenize" or "train".
	Stage string
	// Done of Total: groups read (Total 0: unknown), pieces left of the target, or
	// steps of the epoch.
	Done, Total int
	// Epoch counts from 1; Loss is the mean over the epoch so far.
	Epoch, Epochs int
	Loss          float64
}

// Training is a training in progress.
type Training struct {
	params    Params
	progress  func(Progress)
	hash      uint64 // of the corpora's text
	pieces    []vocabulary.Piece
	tokenizer *tokenizer.Tokenizer
	data      *data
	step      *trainer
	position  position
	// AfterStep, if set, is called after each step, for checkpoints. An error ends
	// the epoch.
	AfterStep func() error
}

// position in the training, for checkpoints.
type position struct {
	epoch, step int // numbers done
	loss        float64
}

// New reads the corpora, fits the vocabulary and creates a model. The result is
// deterministic in the corpora and the hyperparameters on one architecture. progress
// may be nil. Errors in a corpus are *[Error].
func New(ctx context.Context, corpora []Corpus, p Params, progress func(Progress)) (*Training, error) {
	return start(ctx, corpora, p, progress, nil)
}

// start uses the pieces of a checkpoint, or fits them if saved is nil.
func start(ctx context.Context, corpora []Corpus, p Params, progress func(Progress), saved *checkpoint) (*Training, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if progress == nil {
		progress = func(Progress) {}
	}
	t := &Training{params: p, progress: progress}
	l, err := readLexicon(ctx, corpora, func(n int) { progress(Progress{Stage: "read", Done: n}) })
	if err != nil {
		return nil, err
	}
	t.hash = l.hash
	if saved != nil {
		if saved.Hash != l.hash {
			return nil, fmt.Errorf("%w: made from other corpora", ErrCheckpoint)
		}
		t.pieces = saved.Pieces
	} else {
		v := vocabularyParams(p)
		v.Progress = func(n int) { progress(Progress{Stage: "vocabulary", Done: n, Total: p.Pieces}) }
		if t.pieces, err = vocabulary.Fit(ctx, l.weights(p), v); err != nil {
			return nil, err
		}
	}
	groups := l.groups
	l = nil // frees about a gigabyte
	var file bytes.Buffer
	if err := WriteTokenizer(&file, t.pieces); err != nil {
		return nil, err
	}
	if t.tokenizer, err = tokenizer.Read(&file); err != nil {
		return nil, err
	}
	t.data, err = readData(ctx, corpora, t.tokenizer, func(n int) { progress(Progress{Stage: "tokenize", Done: n, Total: groups}) })
	if err != nil {
		return nil, err
	}
	names := []string{Unknown}
	for _, piece := range t.pieces {
		names = append(names, piece.Text)
	}
	t.step = newTrainer(newModel(names, t.data.idf(p.Smoothing), p.Dimensions, p.Seed))
	t.step.temperature = p.Temperature
	t.step.rate, t.step.weightRate = float32(p.Rate), float32(p.WeightRate)
	return t, nil
}

// Epoch trains until the end of the current epoch and returns the mean loss. After
// an interruption the next call continues the epoch.
func (t *Training) Epoch(ctx context.Context) (loss float64, err error) {
	if t.Done() {
		return 0, errors.New("all epochs are done")
	}
	b := t.params.Batch
	order := rand.New(rand.NewPCG(t.params.Seed, uint64(2+t.position.epoch)))
	pairs := t.data.epoch(order)
	steps := len(pairs) / b
	if steps == 0 {
		return 0, fmt.Errorf("%w: a batch of %d pairs exceeds the %d pairs of an epoch", ErrParams, b, len(pairs))
	}
	batch := batch{sentences: make([][]int32, 2*b), texts: make([]int32, 2*b)}
	for t.position.step < steps {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		step := t.position.step
		random := rand.New(rand.NewPCG(t.params.Seed+uint64(step), uint64(1000+t.position.epoch)))
		for i, p := range pairs[step*b : (step+1)*b] {
			for side, s := range p {
				at := side*b + i
				batch.sentences[at] = dropout(batch.sentences[at], t.data.sentence(s), t.params.Dropout, random)
				batch.texts[at] = t.data.text[s]
			}
		}
		l := t.step.step(batch)
		if math.IsNaN(l) {
			return 0, fmt.Errorf("%w: the loss is not finite: the learning rate is too high", ErrParams)
		}
		t.position.loss += l
		t.position.step++
		t.progress(Progress{
			Stage: "train", Done: t.position.step, Total: steps,
			Epoch: t.position.epoch + 1, Epochs: t.params.Epochs, Loss: t.position.loss / float64(t.position.step),
		})
		if t.AfterStep != nil && t.position.step < steps {
			if err := t.AfterStep(); err != nil {
				return 0, err
			}
		}
	}
	loss = t.position.loss / float64(steps)
	t.position = position{epoch: t.position.epoch + 1}
	return loss, nil
}

// Done reports whether all epochs are trained.
func (t *Training) Done() bool { return t.position.epoch >= t.params.Epochs }

// Epochs returns the number of epochs done.
func (t *Training) Epochs() int { return t.position.epoch }

// Languages returns the number of sentences by language.
func (t *Training) Languages() map[string]int { return t.data.language }

// Params returns the hyperparameters of the training.
func (t *Training) Params() Params { return t.params }

// Encoder returns the current encoder, quantized as for the export.
func (t *Training) Encoder() *Static {
	return quantize(t.step.m.fold(), t.params.Dimensions, t.tokenizer, t.pieces)
}

func dropout(dst, tokens []int32, share float64, random *rand.Rand) []int32 {
	dst = dst[:0]
	if share > 0 {
		for _, t := range tokens {
			if random.Float64() >= share {
				dst = append(dst, t)
			}
		}
	}
	if len(dst) == 0 {
		dst = append(dst, tokens...)
	}
	return dst
}

// Describe returns the hyperparameters in the form of flags, for the model card.
func (p Params) Describe() string {
	return strings.TrimSpace(fmt.Sprintf("--dimensions %d --pieces %d --epochs %d --batch %d --temperature %g --rate %g --weight-rate %g --smoothing %g --dropout %g --focus %s --focus-weight %g --seed %d",
		p.Dimensions, p.Pieces, p.Epochs, p.Batch, p.Temperature, p.Rate, p.WeightRate, p.Smoothing, p.Dropout, strings.Join(p.Focus, ","), p.FocusWeight, p.Seed))
}
