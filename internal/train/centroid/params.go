package centroid

import (
	"errors"
	"fmt"
	"strings"
)

// Params of a training run.
type Params struct {
	// Positions P that have an embedding of their own.
	Positions int
	// Interpolation trains CeRAI.
	Interpolation bool
	// Epochs at most, and clusters in a Batch.
	Epochs, Batch int
	// Rate of Adam, times Decay after each of the epochs in Milestones.
	Rate       float64
	Decay      float64
	Milestones []int
	// Dropout is the share left out of embedding + position, and of h.
	Dropout float64
	// Patience is how many epochs without a better score end the training; 0:
	// none do.
	Patience int
	Seed     uint64
	// Source says what is learnt from, corpora and encoder: a checkpoint is gone
	// on from only where it is the same.
	Source string
}

// DefaultParams are the paper's for Multi-News.
func DefaultParams() Params {
	return Params{
		Positions: 35, Interpolation: true, Epochs: 20, Batch: 2,
		Rate: 5e-4, Decay: 0.1, Milestones: []int{3, 6}, Patience: 5, Seed: 1,
	}
}

// ErrParams is wrapped by errors about parameters.
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
			return fmt.Errorf("%w: %s is %v: want %s", ErrParams, c.name, c.value, c.want)
		}
	}
	for i, m := range p.Milestones {
		if m < 1 || i > 0 && m <= p.Milestones[i-1] {
			return fmt.Errorf("%w: milestones are %v: want epochs from 1, ascending", ErrParams, p.Milestones)
		}
	}
	return nil
}

// rate of the epoch after so many.
func (p Params) rate(epochs int) float64 {
	r := p.Rate
	for _, m := range p.Milestones {
		if epochs >= m {
			r *= p.Decay
		}
	}
	return r
}

// Describe tells the parameters in the form of flags.
func (p Params) Describe() string {
	return fmt.Sprintf("--positions %d --interpolation=%v --epochs %d --batch %d --rate %g --decay %g --milestones %s --dropout %g --patience %d --seed %d",
		p.Positions, p.Interpolation, p.Epochs, p.Batch, p.Rate, p.Decay, p.milestones(), p.Dropout, p.Patience, p.Seed)
}

func (p Params) milestones() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(p.Milestones), " ", ","), "[]")
}
