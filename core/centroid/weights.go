package centroid

import (
	"errors"
	"math"

	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/internal/errorf"
)

// MaxDimensions and MaxPositions are far above those of any known weights.
const (
	MaxDimensions = 1 << 14
	MaxPositions  = 1 << 16
)

// ErrWeights is wrapped by the errors about invalid weights.
var ErrWeights = errors.New("bad weights")

// Tensor names a tensor of the weights and its shape: a vector, or a matrix
// [out][in], row-major.
type Tensor struct {
	Name  string
	Shape []int
}

// Size is the number of elements of the tensor.
func (t Tensor) Size() int {
	n := 1
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// Tensors lists the tensors of CeRA, or of CeRAI (with interpolation), for
// embeddings of D dimensions and P positions.
func Tensors(dimensions, positions int, interpolation bool) []Tensor {
	d := dimensions
	list := []Tensor{
		{"input_norm.gain", []int{d}},
		{"input_norm.bias", []int{d}},
		{"position_embeddings", []int{positions + 1, d}},
		{"attention.hidden.weight", []int{d, 2 * d}},
		{"attention.hidden.bias", []int{d}},
		{"attention.output.weight", []int{1, d}},
		{"attention.output.bias", []int{1}},
		{"output_norm.gain", []int{d}},
		{"output_norm.bias", []int{d}},
		{"output.weight", []int{d, d}},
		{"output.bias", []int{d}},
	}
	if interpolation {
		list = append(list,
			Tensor{"interpolation.hidden.weight", []int{d, 2 * d}},
			Tensor{"interpolation.hidden.bias", []int{d}},
			Tensor{"interpolation.output.weight", []int{d, d}},
			Tensor{"interpolation.output.bias", []int{d}},
		)
	}
	return list
}

// Weights are the numbers of CeRA or CeRAI: float32 to run, float64 in the
// tests of the training.
type Weights[T linalg.Float] struct {
	// Dimensions D of an embedding; Positions P, the last of which is shared by
	// all later sentences; Interpolation: CeRAI.
	Dimensions, Positions int
	Interpolation         bool
	// Data holds all tensors in the order of [Tensors]. The fields below are
	// views of it.
	Data []T

	InputNormGain, InputNormBias                       []T // D, D
	PositionEmbeddings                                 []T // (P+1)×D; the last row is never used
	AttentionHiddenWeight, AttentionHiddenBias         []T // D×2D, D
	AttentionOutputWeight, AttentionOutputBias         []T // 1×D, 1
	OutputNormGain, OutputNormBias                     []T // D, D
	OutputWeight, OutputBias                           []T // D×D, D
	InterpolationHiddenWeight, InterpolationHiddenBias []T // D×2D, D; nil without interpolation
	InterpolationOutputWeight, InterpolationOutputBias []T // D×D, D; nil without interpolation
}

// NewWeights returns weights of zeros. It panics for fewer than one dimension or
// position.
func NewWeights[T linalg.Float](dimensions, positions int, interpolation bool) *Weights[T] {
	if dimensions < 1 || positions < 1 {
		panic("centroid: weights want at least one dimension and one position")
	}
	w := &Weights[T]{Dimensions: dimensions, Positions: positions, Interpolation: interpolation}
	w.Data = make([]T, w.size())
	w.view()
	return w
}

// ViewWeights returns weights that are views of data, which holds all tensors in
// the order of [Tensors]. The error is [ErrWeights].
func ViewWeights[T linalg.Float](dimensions, positions int, interpolation bool, data []T) (*Weights[T], error) {
	w := &Weights[T]{Dimensions: dimensions, Positions: positions, Interpolation: interpolation, Data: data}
	if err := w.Check(); err != nil {
		return nil, err
	}
	w.view()
	return w, nil
}

// Check returns an error if the shape is out of range, the data has the wrong
// length, or a number is not finite. The error is [ErrWeights].
func (w *Weights[T]) Check() error {
	if w.Dimensions < 1 || w.Dimensions > MaxDimensions {
		return errorf.Errorf("%w: dimensions is %d: want 1 to %d", ErrWeights, w.Dimensions, MaxDimensions)
	}
	if w.Positions < 1 || w.Positions > MaxPositions {
		return errorf.Errorf("%w: positions is %d: want 1 to %d", ErrWeights, w.Positions, MaxPositions)
	}
	if n := w.size(); len(w.Data) != n {
		kind := "without"
		if w.Interpolation {
			kind = "with"
		}
		return errorf.Errorf("%w: %d numbers for %d dimensions and %d positions %s interpolation: want %d", ErrWeights, len(w.Data), w.Dimensions, w.Positions, kind, n)
	}
	var err error
	w.Each(func(t Tensor, values []T) {
		for i, v := range values {
			if x := float64(v); err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
				err = errorf.Errorf("%w: number %d of %s is %v: want a finite number", ErrWeights, i, t.Name, x)
			}
		}
	})
	return err
}

// size is the total number of elements of the tensors.
func (w *Weights[T]) size() int {
	n := 0
	for _, t := range Tensors(w.Dimensions, w.Positions, w.Interpolation) {
		n += t.Size()
	}
	return n
}

// view sets the fields that are views of Data.
func (w *Weights[T]) view() {
	fields := []*[]T{
		&w.InputNormGain, &w.InputNormBias, &w.PositionEmbeddings,
		&w.AttentionHiddenWeight, &w.AttentionHiddenBias, &w.AttentionOutputWeight, &w.AttentionOutputBias,
		&w.OutputNormGain, &w.OutputNormBias, &w.OutputWeight, &w.OutputBias,
		&w.InterpolationHiddenWeight, &w.InterpolationHiddenBias, &w.InterpolationOutputWeight, &w.InterpolationOutputBias,
	}
	i := 0
	w.Each(func(_ Tensor, values []T) {
		*fields[i] = values
		i++
	})
}

// Each visits the tensors in the order of [Tensors]; values are a view.
func (w *Weights[T]) Each(visit func(t Tensor, values []T)) {
	at := 0
	for _, t := range Tensors(w.Dimensions, w.Positions, w.Interpolation) {
		end := at + t.Size()
		visit(t, w.Data[at:end:end])
		at = end
	}
}
