package main

import (
	"bytes"
	"testing"

	"github.com/gomlx/onnx-gomlx/onnx/parser"

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
			size := file.Len()
			model, err := parser.Parse(file.Bytes())
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			inputs, _ := model.Inputs()
			outputs, _ := model.Outputs()
			least := c.matrices
			if !int8s {
				least *= 4
			}
			if len(inputs) != c.inputs || len(outputs) != c.outputs || size < least {
				t.Errorf("%s, int8 %v: %d bytes, %d inputs, %d outputs; want %d or more, %d, %d",
					name, int8s, size, len(inputs), len(outputs), least, c.inputs, c.outputs)
			}
		}
	}
}
