package onnx

import (
	"bytes"
	"errors"
	"slices"
	"testing"
)

// scaled has a matrix of bytes whose columns are scaled by steps.
func scaled(t *testing.T, steps ...float32) []byte {
	g := &Graph{Name: "g", Producer: "p", Metadata: map[string]string{"a": "1"}}
	g.Input("x", Float32, Dynamic("n"), Fixed(2))
	g.Initializer("bytes", []int8{1, -2, 3, 4, 5, -6}, 2, 3)
	g.Initializer("steps", steps, len(steps))
	g.Initializer("step", []float32{1})
	g.Initializer("zero", []uint8{0})
	g.Node("DequantizeLinear", []string{"bytes", "steps"}, []string{"matrix"}, Int("axis", 1))
	g.Node("QuantizeLinear", []string{"x", "step", "zero"}, []string{"q"})
	g.Node("DequantizeLinear", []string{"q", "step", "zero"}, []string{"rounded"})
	g.Node("MatMul", []string{"rounded", "matrix"}, []string{"y"})
	g.Output("y", Float32, Dynamic("n"), Fixed(3))
	var b bytes.Buffer
	if _, err := g.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestToFloat(t *testing.T) {
	out, err := ToFloat(scaled(t, 1, 0.5, 2))
	if err != nil {
		t.Fatal(err)
	}
	f := readFile(t, out)
	var ops []string
	for _, n := range f.nodes {
		ops = append(ops, n.op)
	}
	if !slices.Equal(ops, []string{"QuantizeLinear", "DequantizeLinear", "MatMul"}) || len(f.tensors) != 3 || len(f.inputs) != 1 || len(f.outputs) != 1 {
		t.Errorf("%v, %v", ops, f.tensors)
	}
	m := f.tensors["matrix"]
	if !slices.Equal(m.dims, []int{2, 3}) || !slices.Equal(m.values, []float64{1, -1, 6, 4, 2.5, -12}) {
		t.Errorf("%+v", m)
	}
	if again, err := ToFloat(out); err != nil || !bytes.Equal(again, out) {
		t.Errorf("once more: %v", err)
	}
	var b bytes.Buffer
	if _, err := small().WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if out, err := ToFloat(b.Bytes()); err != nil || string(out) != golden {
		t.Errorf("a graph without bytes: %q, %v", out, err)
	}
}

func TestToFloatErrors(t *testing.T) {
	whole := scaled(t, 1, 0.5, 2)
	for name, file := range map[string][]byte{
		"steps": scaled(t, 1), "cut off": whole[:len(whole)/2], "text": []byte("<html>"),
	} {
		if _, err := ToFloat(file); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTensors(t *testing.T) {
	tensors, err := Tensors(scaled(t, 1, 0.5, 2))
	if err != nil {
		t.Fatal(err)
	}
	m := tensors["bytes"]
	if len(tensors) != 4 || m.Type != Int8 || !slices.Equal(m.Shape, []int{2, 3}) || !slices.Equal(m.Data, []float32{1, -2, 3, 4, 5, -6}) {
		t.Errorf("%+v", tensors)
	}
	if steps := tensors["steps"]; steps.Type != Float32 || !slices.Equal(steps.Data, []float32{1, 0.5, 2}) {
		t.Errorf("%+v", steps)
	}
	if _, err := Tensors([]byte("<html>")); !errors.Is(err, ErrFormat) {
		t.Errorf("a page: %v", err)
	}
}
