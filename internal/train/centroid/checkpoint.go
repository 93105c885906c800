package centroid

import (
	"bufio"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
)

// ErrCheckpoint is returned for a checkpoint that cannot be resumed.
var ErrCheckpoint = errors.New("unusable checkpoint")

// checkpoint is the header of a checkpoint; the weights follow.
type checkpoint struct {
	Format            string
	Params            Params
	Dimensions        int
	Examples          int
	Epoch, Step, Adam int
	Sum               float64
	History           []Point
}

const checkpointFormat = "cerasum centroid training 1"

// Save writes everything that [Resume] needs except the source.
func (t *Training) Save(w io.Writer) error {
	b := bufio.NewWriterSize(w, 1<<20)
	head := checkpoint{
		Format: checkpointFormat, Params: t.params, Dimensions: t.trainer.w.Dimensions, Examples: t.source.Len(),
		Epoch: t.epoch, Step: t.at, Adam: t.trainer.steps, Sum: t.sum, History: t.history,
	}
	if err := gob.NewEncoder(b).Encode(head); err != nil {
		return err
	}
	for _, x := range t.numbers() {
		if err := binary.Write(b, binary.LittleEndian, x); err != nil {
			return err
		}
	}
	return b.Flush()
}

// numbers returns everything that training changes.
func (t *Training) numbers() [][]float32 {
	list := [][]float32{t.trainer.w.Data, t.trainer.m, t.trainer.v}
	if len(t.history) > 0 {
		list = append(list, t.best)
	}
	return list
}

// Resume continues from a checkpoint with the same source. The number of epochs and
// the patience are those of p; the other hyperparameters must match the checkpoint.
// A mismatch is ErrCheckpoint.
func Resume(r io.Reader, dimensions int, p Params, source Source) (*Training, error) {
	b := bufio.NewReaderSize(r, 1<<20)
	var head checkpoint
	if err := gob.NewDecoder(b).Decode(&head); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	was, now := head.Params, p
	was.Epochs, was.Patience, now.Epochs, now.Patience = 0, 0, 0, 0
	switch {
	case head.Format != checkpointFormat:
		return nil, fmt.Errorf("%w: want the format %q, got %q", ErrCheckpoint, checkpointFormat, head.Format)
	case was.Describe() != now.Describe():
		return nil, fmt.Errorf("%w: made with other hyperparameters: %s", ErrCheckpoint, head.Params.Describe())
	case head.Dimensions != dimensions:
		return nil, fmt.Errorf("%w: want %d dimensions, got %d", ErrCheckpoint, dimensions, head.Dimensions)
	case was.Source != now.Source:
		return nil, fmt.Errorf("%w: made with other corpora or another encoder", ErrCheckpoint)
	case head.Examples != source.Len():
		return nil, fmt.Errorf("%w: want %d examples, got %d", ErrCheckpoint, source.Len(), head.Examples)
	case head.Epoch < 0 || head.Step < 0 || head.Adam < 0:
		return nil, fmt.Errorf("%w: damaged", ErrCheckpoint)
	}
	t, err := New(dimensions, p, source)
	if err != nil {
		return nil, err
	}
	t.history = head.History
	if len(t.history) > 0 {
		t.best = make([]float32, len(t.trainer.w.Data))
	}
	for _, x := range t.numbers() {
		if err := binary.Read(b, binary.LittleEndian, x); err != nil {
			return nil, fmt.Errorf("%w: truncated: %w", ErrCheckpoint, err)
		}
	}
	t.epoch, t.at, t.trainer.steps, t.sum = head.Epoch, head.Step, head.Adam, head.Sum
	return t, nil
}
