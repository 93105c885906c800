package encoder

import (
	"errors"
	"fmt"

	"github.com/cerasum/cerasum/internal/train/vocabulary"
)

// Params are the hyperparameters of a training run. The defaults are those of the
// shipped encoder.
type Params struct {
	// Dimensions of an embedding, Pieces in the vocabulary: the table has
	// (Pieces + 1) × Dimensions bytes, plus 4 per row.
	Dimensions int `json:"dimensions"`
	Pieces     int `json:"pieces"`
	// Epochs, and pairs per Batch: a sentence has Batch − 1 negatives.
	Epochs int `json:"epochs"`
	Batch  int `json:"batch"`
	// Temperature divides the cosines in the loss.
	Temperature float64 `json:"temperature"`
	// Rate is Adagrad's learning rate for vectors, WeightRate for log weights.
	Rate       float64 `json:"rate"`
	WeightRate float64 `json:"weightRate"`
	// Smoothing is a in the initial weight a/(a + p) of a piece of relative
	// frequency p (Arora et al. 2017).
	Smoothing float64 `json:"smoothing"`
	// Dropout is the share of a sentence's pieces dropped in a step.
	Dropout float64 `json:"dropout"`
	// Focus languages have a weight of FocusWeight in the vocabulary.
	Focus       []string `json:"focus"`
	FocusWeight float64  `json:"focusWeight"`
	Seed        uint64   `json:"seed"`
}

// DefaultParams returns the hyperparameters of the shipped encoder.
func DefaultParams() Params {
	return Params{
		Dimensions: 256, Pieces: vocabulary.DefaultParams().Size,
		Epochs: 4, Batch: 1024,
		Temperature: 0.05, Rate: 0.05, WeightRate: 0.05, Smoothing: 1e-3,
		Focus: []string{"de", "en", "es", "fr", "it", "pt", "ru", "tr"}, FocusWeight: 2,
		Seed: 1,
	}
}

// ErrParams is returned for hyperparameters out of range.
var ErrParams = errors.New("bad parameter")

func (p Params) check() error {
	for _, c := range []struct {
		name  string
		value float64
		ok    bool
		want  string
	}{
		{"dimensions", float64(p.Dimensions), p.Dimensions >= 1 && p.Dimensions <= 4096, "1 to 4096"},
		{"pieces", float64(p.Pieces), p.Pieces >= 1 && p.Pieces <= 1<<20, "1 to 1048576"},
		{"epochs", float64(p.Epochs), p.Epochs >= 0, "0 or more"},
		{"batch", float64(p.Batch), p.Batch >= 2 && p.Batch <= 1<<14, "2 to 16384"},
		{"temperature", p.Temperature, p.Temperature > 0, "more than 0"},
		{"rate", p.Rate, p.Rate > 0, "more than 0"},
		{"weight rate", p.WeightRate, p.WeightRate >= 0, "0 or more"},
		{"smoothing", p.Smoothing, p.Smoothing > 0, "more than 0"},
		{"dropout", p.Dropout, p.Dropout >= 0 && p.Dropout < 1, "0 to less than 1"},
		{"focus weight", p.FocusWeight, p.FocusWeight > 0, "more than 0"},
	} {
		if !c.ok {
			return fmt.Errorf("%w: %s: want %s, got %v", ErrParams, c.name, c.want, c.value)
		}
	}
	return nil
}
