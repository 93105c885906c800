package encoder

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cerasum/cerasum/internal/train/vocabulary"
)

// ErrCheckpoint is returned for a checkpoint that cannot be resumed.
var ErrCheckpoint = errors.New("unusable checkpoint")

// checkpoint is the header of a checkpoint; the model's weights follow.
type checkpoint struct {
	Format      string
	Hash        uint64
	Params      Params
	Pieces      []vocabulary.Piece
	Epoch, Step int
	Loss        float64
	Grams       int
}

const checkpointFormat = "cerasum encoder training 1"

// Save writes everything that [Resume] needs except the corpora.
func (t *Training) Save(w io.Writer) error {
	b := bufio.NewWriterSize(w, 1<<20)
	m := t.step.m
	head := checkpoint{
		Format: checkpointFormat, Hash: t.hash, Params: t.params, Pieces: t.pieces,
		Epoch: t.position.epoch, Step: t.position.step, Loss: t.position.loss, Grams: len(m.grams) / m.dims,
	}
	if err := gob.NewEncoder(b).Encode(head); err != nil {
		return err
	}
	for _, x := range m.numbers() {
		if err := binary.Write(b, binary.LittleEndian, x); err != nil {
			return err
		}
	}
	return b.Flush()
}

// Resume continues from a checkpoint with the same corpora. Hyperparameters other
// than the number of epochs are those of the checkpoint; p must be equal or the
// zero value. A mismatch is ErrCheckpoint.
func Resume(ctx context.Context, r io.Reader, corpora []Corpus, p Params, progress func(Progress)) (*Training, error) {
	b := bufio.NewReaderSize(r, 1<<20)
	var head checkpoint
	if err := gob.NewDecoder(b).Decode(&head); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	if head.Format != checkpointFormat {
		return nil, fmt.Errorf("%w: want the format %q, got %q", ErrCheckpoint, checkpointFormat, head.Format)
	}
	was, now := head.Params, p
	was.Epochs, now.Epochs = 0, 0
	if !equal(was, now) {
		return nil, fmt.Errorf("%w: made with other hyperparameters: %s", ErrCheckpoint, head.Params.Describe())
	}
	t, err := start(ctx, corpora, p, progress, &head)
	if err != nil {
		return nil, err
	}
	m := t.step.m
	if head.Grams != len(m.grams)/m.dims {
		return nil, fmt.Errorf("%w: want %d n-grams, got %d", ErrCheckpoint, len(m.grams)/m.dims, head.Grams)
	}
	for _, x := range m.numbers() {
		if err := binary.Read(b, binary.LittleEndian, x); err != nil {
			return nil, fmt.Errorf("%w: truncated: %w", ErrCheckpoint, err)
		}
	}
	t.position = position{head.Epoch, head.Step, head.Loss}
	return t, nil
}

func equal(a, b Params) bool {
	if !slices.Equal(a.Focus, b.Focus) {
		return false
	}
	a.Focus, b.Focus = nil, nil
	return a.Describe() == b.Describe()
}
