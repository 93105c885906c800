package main

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/internal/onnx"
	"github.com/cerasum/cerasum/internal/unigram"
	"github.com/cerasum/cerasum/internal/weights/safetensors"
)

// restore writes what the programs beside this one read: the weights of an encoder and its
// pieces.
func restore(encoder, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	file := filepath.Join(encoder, "vocabulary.bin")
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	v, err := unigram.ReadVocabulary(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	special := unigram.Unknown + 1
	if err := os.WriteFile(filepath.Join(out, "pieces.txt"), []byte(strings.Join(v.Pieces[special:], "\n")+"\n"), 0o644); err != nil {
		return err
	}
	file = filepath.Join(encoder, "encoder.onnx")
	if raw, err = os.ReadFile(file); err != nil {
		return err
	}
	tensors, err := restored(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	f, err := os.Create(filepath.Join(out, "weights.safetensors"))
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	return cmp.Or(safetensors.Write(w, tensors), w.Flush(), f.Close())
}

// restored returns the tensors that newEncoder lists, of a file of graph. Matrices have the
// numbers that their bytes stand for.
func restored(file []byte) ([]safetensors.Named, error) {
	constants, err := onnx.Tensors(file)
	if err != nil {
		return nil, err
	}
	get := func(name string, dims int) (t onnx.Tensor) {
		t = constants[name]
		if len(t.Shape) != dims && err == nil {
			err = fmt.Errorf("constant %q: want %d dimensions, got %v", name, dims, t.Shape)
		}
		return t
	}
	tensors := map[string]safetensors.Tensor{}
	codes, books := get("codes", 2), get("books", 2)
	if err != nil {
		return nil, err
	}
	tensors["codes"] = safetensors.Tensor{Shape: codes.Shape, Data: codes.Data}
	tensors["books"] = safetensors.Tensor{Shape: []int{codes.Shape[1], books.Shape[0] / codes.Shape[1], books.Shape[1]}, Data: books.Data}
	for name, t := range constants {
		if name == "positions" || strings.HasSuffix(name, ".bias") || strings.HasSuffix(name, ".scale") || strings.HasSuffix(name, ".shift") {
			tensors[name] = safetensors.Tensor{Shape: t.Shape, Data: t.Data}
		}
		of, ok := strings.CutSuffix(name, ".weight")
		if !ok {
			continue
		}
		m := get(name, 2) // inputs×outputs
		if m.Type == onnx.Int8 {
			shrink, bounds, err := quantized(constants, of, m)
			if err != nil {
				return nil, err
			}
			tensors[of+".shrink"] = safetensors.Tensor{Shape: []int{len(shrink)}, Data: shrink}
			tensors[of+".range"] = safetensors.Tensor{Shape: []int{2}, Data: bounds}
		}
		tensors[name] = safetensors.Tensor{Shape: []int{m.Shape[1], m.Shape[0]}, Data: transposed(m)}
	}
	if err != nil {
		return nil, err
	}
	var list []safetensors.Named
	for _, name := range slices.Sorted(maps.Keys(tensors)) {
		list = append(list, safetensors.Named{Name: name, Shape: tensors[name].Shape, Data: tensors[name].Data})
	}
	return list, nil
}

// quantized replaces the bytes of a matrix by the numbers that they stand for, and returns
// the factors of its inputs and the bounds of these.
func quantized(constants map[string]onnx.Tensor, of string, m onnx.Tensor) (shrink, bounds []float32, err error) {
	inputs, outputs := m.Shape[0], m.Shape[1]
	steps, step, zero := constants[of+".steps"].Data, constants[of+".input_step"].Data, constants[of+".input_zero"].Data
	shrink = constants[of+".shrink"].Data
	if shrink == nil {
		shrink = slices.Repeat([]float32{1}, inputs)
	}
	if len(steps) != outputs || len(step) != 1 || len(zero) != 1 || len(shrink) != inputs {
		return nil, nil, fmt.Errorf("%s: its constants do not fit a matrix of %d inputs and %d outputs", of, inputs, outputs)
	}
	for i := range m.Data {
		m.Data[i] *= steps[i%outputs] * shrink[i/outputs]
	}
	return shrink, []float32{-zero[0] * step[0], (255 - zero[0]) * step[0]}, nil
}

func transposed(m onnx.Tensor) []float32 {
	rows, columns := m.Shape[0], m.Shape[1]
	out := make([]float32, len(m.Data))
	for r := range rows {
		for c, v := range m.Data[r*columns : (r+1)*columns] {
			out[c*rows+r] = v
		}
	}
	return out
}
