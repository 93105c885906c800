package centroid

import "github.com/cerasum/cerasum/core/linalg"

// Tensor names a tensor of the weights and its shape: a vector, or a matrix
// [out][in], row-major.
type Tensor struct {
	Name  string
	Shape []int
}

// Size is how many numbers the tensor has.
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
	// Dimensions D of an embedding; Positions P, of which the last is also that
	// of all later sentences; Interpolation: CeRAI.
	Dimensions, Positions int
	Interpolation         bool
	// Data is all tensors, one after the other in the order of [Tensors]. The
	// fields below are views of it.
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

// NewWeights makes weights of zeros. It panics for fewer than one dimension or
// position.
func NewWeights[T linalg.Float](dimensions, positions int, interpolation bool) *Weights[T] {
	if dimensions < 1 || positions < 1 {
		panic("centroid: weights want at least one dimension and one position")
	}
	w := &Weights[T]{Dimensions: dimensions, Positions: positions, Interpolation: interpolation}
	n := 0
	for _, t := range Tensors(dimensions, positions, interpolation) {
		n += t.Size()
	}
	w.Data = make([]T, n)
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
	return w
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
