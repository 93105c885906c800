package centroid

import (
	"errors"
	"fmt"
	"strings"
)

// Params are the hyperparameters of a training run.
type Params struct {
	// Positions P with an embedding of their own.
	Positions int
	// Interpolation trains CeRAI.
	Interpolation bool
	// Epochs is the maximum number of epochs, Batch the clusters per step.
	Epochs, Batch int
	// Rate is Adam's learning rate, multiplied by Decay after each epoch in Milestones.
	Rate       float64
	Decay      float64
	Milestones []int
	// Dropout is the rate for embedding + position, and for h.
	Dropout float64
	// Patience is the number of epochs without a better score after which training
	// stops; 0 means never.
	Patience int
	Seed     uint64
	// Source identifies corpora and encoder: a checkpoint can be resumed only
	// with the same one.
	Source string
}

// DefaultParams returns the paper's hyperparameters for Multi-News.
func DefaultParams() Params {
	return Params{
		Positions: 35, Interpolation: true, Epochs: 20, Batch: 2,
		Rate: 5e-4, Decay: 0.1, Milestones: []int{3, 6}, Patience: 5, Seed: 1,
	}
}

// ErrParams is wrapped by errors about hyperparameters.
var ErrParams = errors.New("bad parameter")

func (p Params) check() error {
	for _, c := range []struct {
		name  string
		value float64
		ok    bool
		want  string
	}{
		{"positions", float64(p.Positions), p.Positions >= 1 && p.Positions <= 1<<16, "1 to 65536"},
		{"epochs", float64(p.Epochs), p.Epochs >= 0, "0 or more"},
		{"batch", float64(p.Batch), p.Batch >= 1 && p.Batch <= 1<<12, "1 to 4096"},
		{"rate", p.Rate, p.Rate > 0, "more than 0"},
		{"decay", p.Decay, p.Decay > 0 && p.Decay <= 1, "more than 0, at most 1"},
		{"dropout", p.Dropout, p.Dropout >= 0 && p.Dropout < 1, "0 to less than 1"},
		{"patience", float64(p.Patience), p.Patience >= 0, "0 or more"},
	} {
		if !c.ok {
			return fmt.Errorf("%w: %s: want %s, got %v", ErrParams, c.name, c.want, c.value)
		}
	}
	for i, m := range p.Milestones {
		if m < 1 || i > 0 && m <= p.Milestones[i-1] {
			return fmt.Errorf("%w: milestones: want ascending epochs from 1, got %v", ErrParams, p.Milestones)
		}
	}
	return nil
}

// rate returns the learning rate after a number of epochs.
func (p Params) rate(epochs int) float64 {
	r := p.Rate
	for _, m := range p.Milestones {
		if epochs >= m {
			r *= p.Decay
		}
	}
	return r
}

// Describe returns the hyperparameters in the form of flags.
func (p Params) Describe() string {
	return fmt.Sprintf("--positions %d --interpolation=%v --epochs %d --batch %d --rate %g --decay %g --milestones %s --dropout %g --patience %d --seed %d",
		p.Positions, p.Interpolation, p.Epochs, p.Batch, p.Rate, p.Decay, p.milestones(), p.Dropout, p.Patience, p.Seed)
}

func (p Params) milestones() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(p.Milestones), " ", ","), "[]")
}
