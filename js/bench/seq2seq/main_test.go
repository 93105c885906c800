package main

import (
	"bytes"
	"testing"

	"github.com/cerasum/cerasum/internal/onnx"
)

// That the files are whole, and have the weights that the shape says.
func TestShapes(t *testing.T) {
	s := shape{Layers: 2, Width: 16, Heads: 4, Inner: 64, Vocabulary: 50}
	words := s.Vocabulary * s.Width
	layer := 4*s.Width*s.Width + 2*s.Width*s.Inner
	for _, int8s := range []bool{false, true} {
		for name, c := range map[string]struct {
			graph           *onnx.Graph
			matrices        int
			inputs, outputs int
		}{
			// The keys and values that the decoder attends to are made by the encoder.
			"encoder": {encoder(s, int8s), words + s.Layers*(layer+2*s.Width*s.Width), 1, 2 * s.Layers},
			"decoder": {decoder(s, int8s), 2*words + s.Layers*(layer+2*s.Width*s.Width), 1 + 4*s.Layers, 1 + 2*s.Layers},
		} {
			var file bytes.Buffer
			if _, err := c.graph.WriteTo(&file); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			info, err := onnx.Inspect(&file)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			numbers := 0
			for _, i := range info.Initializers {
				if len(i.Dims) == 2 {
					numbers += int(i.Dims[0] * i.Dims[1])
				}
			}
			if numbers != c.matrices || len(info.Inputs) != c.inputs || len(info.Outputs) != c.outputs {
				t.Errorf("%s, int8 %v: %d numbers in matrices, %d inputs, %d outputs; want %d, %d, %d",
					name, int8s, numbers, len(info.Inputs), len(info.Outputs), c.matrices, c.inputs, c.outputs)
			}
		}
	}
}
