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

// ErrCheckpoint is returned for a checkpoint that cannot be gone on from.
var ErrCheckpoint = errors.New("unusable checkpoint")

// checkpoint is the head of a checkpoint; the model's numbers follow.
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

// Save writes all that [Resume] needs but the corpora.
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

// Resume goes on from a checkpoint, with the corpora that it was made from.
// Parameters other than the number of epochs are those of the checkpoint; p may
// leave them as they were or set none (the zero value). What does not fit is
// ErrCheckpoint.
func Resume(ctx context.Context, r io.Reader, corpora []Corpus, p Params, progress func(Progress)) (*Training, error) {
	b := bufio.NewReaderSize(r, 1<<20)
	var head checkpoint
	if err := gob.NewDecoder(b).Decode(&head); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	if head.Format != checkpointFormat {
		return nil, fmt.Errorf("%w: its format is %q: want %q", ErrCheckpoint, head.Format, checkpointFormat)
	}
	was, now := head.Params, p
	was.Epochs, now.Epochs = 0, 0
	if !equal(was, now) {
		return nil, fmt.Errorf("%w: it was made with %s", ErrCheckpoint, head.Params.Describe())
	}
	t, err := start(ctx, corpora, p, progress, &head)
	if err != nil {
		return nil, err
	}
	m := t.step.m
	if head.Grams != len(m.grams)/m.dims {
		return nil, fmt.Errorf("%w: it has %d n-grams: want %d", ErrCheckpoint, head.Grams, len(m.grams)/m.dims)
	}
	for _, x := range m.numbers() {
		if err := binary.Read(b, binary.LittleEndian, x); err != nil {
			return nil, fmt.Errorf("%w: it is cut off: %w", ErrCheckpoint, err)
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
