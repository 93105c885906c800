package onnx

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Tensor is a constant of a graph.
type Tensor struct {
	Type  Type
	Shape []int
	// Data is row-major: numbers, or the bytes of whole numbers as they are.
	Data []float32
}

// Tensors returns the constants of a file whose elements are numbers of 32 bits or bytes,
// by name.
func Tensors(file []byte) (map[string]Tensor, error) {
	tensors := map[string]Tensor{}
	err := each(file, func(f field) error {
		if f.number != modelGraph {
			return nil
		}
		var wrong error
		err := eachPart(f.value, func(_ node, t stored, _ []byte) {
			if t.name == "" || t.kind == Int64 || t.kind == Int32 {
				return
			}
			data, err := t.numbers()
			if err != nil && wrong == nil {
				wrong = err
			}
			tensors[t.name] = Tensor{t.kind, t.dims, data}
		})
		if err == nil {
			err = wrong
		}
		return err
	})
	return tensors, err
}

func (t stored) numbers() ([]float32, error) {
	n := 1
	for _, d := range t.dims {
		n *= d
	}
	size := sizes[t.kind]
	if size == 0 || n < 0 || int64(len(t.raw)) != size*int64(n) {
		return nil, fmt.Errorf("%w: tensor %q: %d bytes for shape %v", ErrFormat, t.name, len(t.raw), t.dims)
	}
	numbers := make([]float32, n)
	for i := range numbers {
		switch t.kind {
		case Float32:
			numbers[i] = math.Float32frombits(binary.LittleEndian.Uint32(t.raw[4*i:]))
		case Int8:
			numbers[i] = float32(int8(t.raw[i]))
		case Uint8:
			numbers[i] = float32(t.raw[i])
		}
	}
	return numbers, nil
}
