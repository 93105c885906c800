package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/backends"
	_ "github.com/gomlx/gomlx/backends/simplego"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
	mlcontext "github.com/gomlx/gomlx/pkg/ml/context"
	"github.com/gomlx/onnx-gomlx/onnx/parser"

	"github.com/cerasum/cerasum/internal/onnx"
	"github.com/cerasum/cerasum/internal/weights/safetensors"
)

// tiny is an encoder of two layers with random weights.
func tiny() map[string]safetensors.Tensor {
	random := rand.New(rand.NewPCG(1, 2))
	tensors := map[string]safetensors.Tensor{}
	add := func(name string, shape ...int) {
		n := 1
		for _, d := range shape {
			n *= d
		}
		t := safetensors.Tensor{Shape: shape, Data: make([]float32, n)}
		for i := range t.Data {
			t.Data[i] = float32(random.NormFloat64())
			if name == "codes" {
				t.Data[i] = float32(random.IntN(256))
			}
		}
		tensors[name] = t
	}
	const width, inner = 24, 16
	add("codes", 50, 6)
	add("books", 6, 256, 4)
	add("positions", 8, width)
	add("norm.scale", width)
	add("norm.shift", width)
	add("output.weight", width, width)
	add("output.bias", width)
	for k := range 2 {
		for part, shape := range map[string][]int{"qkv": {3 * width, width}, "attended": {width, width}, "inner": {inner, width}, "outer": {width, inner}} {
			add(fmt.Sprintf("layers.%d.%s.weight", k, part), shape[0], shape[1])
			add(fmt.Sprintf("layers.%d.%s.bias", k, part), shape[0])
			tensors[fmt.Sprintf("layers.%d.%s.range", k, part)] = safetensors.Tensor{Shape: []int{2}, Data: []float32{-1, 3}}
			shrink := slices.Repeat([]float32{1}, shape[1])
			shrink[k] = 0.1
			tensors[fmt.Sprintf("layers.%d.%s.shrink", k, part)] = safetensors.Tensor{Shape: shape[1:], Data: shrink}
			if part == "attended" || part == "outer" {
				add(fmt.Sprintf("layers.%d.%s.scale", k, part), width)
				add(fmt.Sprintf("layers.%d.%s.shift", k, part), width)
			}
		}
	}
	return tensors
}

func TestGraph(t *testing.T) {
	e, err := newEncoder(tiny())
	if err != nil {
		t.Fatal(err)
	}
	if e.layers != 2 {
		t.Errorf("%d layers", e.layers)
	}
	var packed, float bytes.Buffer
	for file, exact := range map[*bytes.Buffer]bool{&packed: false, &float: true} {
		if _, err := e.graph(exact).WriteTo(file); err != nil {
			t.Fatal(err)
		}
	}
	unpacked, err := onnx.ToFloat(packed.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	want, rounded, same := embed(t, float.Bytes()), embed(t, packed.Bytes()), embed(t, unpacked)
	if len(want) != 2*5*24 || len(rounded) != len(want) {
		t.Fatalf("%d and %d numbers", len(want), len(rounded))
	}
	var product, squares, all float64
	for i := range want {
		if math.Abs(float64(rounded[i]-same[i])) > 1e-3 {
			t.Fatalf("number %d: %v, with unpacked matrices %v", i, rounded[i], same[i])
		}
		product += float64(want[i]) * float64(rounded[i])
		squares += float64(want[i]) * float64(want[i])
		all += float64(rounded[i]) * float64(rounded[i])
	}
	if cosine := product / math.Sqrt(squares*all); cosine < 0.8 || math.IsNaN(cosine) {
		t.Errorf("8 bits: cosine %v with float32", cosine)
	}
}

// embed runs a file on two texts of five tokens, one with padding.
func embed(t *testing.T, file []byte) (hidden []float32) {
	t.Helper()
	model, err := parser.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	weights := mlcontext.New().Reuse()
	if err := model.VariablesToContext(weights); err != nil {
		t.Fatal(err)
	}
	backend, err := backends.NewWithConfig("go")
	if err != nil {
		t.Fatal(err)
	}
	defer backend.Finalize()
	exec, err := mlcontext.NewExec(backend, weights, func(c *mlcontext.Context, in []*graph.Node) []*graph.Node {
		return model.CallGraph(c, in[0].Graph(), map[string]*graph.Node{onnx.InputIDs: in[0], onnx.AttentionMask: in[1]}, onnx.LastHiddenState)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer exec.Finalize()
	out, err := exec.Exec([][]int64{{0, 7, 49, 8, 2}, {0, 9, 2, 1, 1}}, [][]int64{{1, 1, 1, 1, 1}, {1, 1, 1, 0, 0}})
	if err != nil {
		t.Fatal(err)
	}
	if err := tensors.ConstFlatData(out[0], func(flat []float32) { hidden = append(hidden, flat...) }); err != nil {
		t.Fatal(err)
	}
	return hidden
}

// TestRestored writes a graph, restores its tensors, and writes it again.
func TestRestored(t *testing.T) {
	var files [2]bytes.Buffer
	weights := tiny()
	for i := range files {
		e, err := newEncoder(weights)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.graph(false).WriteTo(&files[i]); err != nil {
			t.Fatal(err)
		}
		list, err := restored(files[i].Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if len(list) != len(weights) {
			t.Fatalf("%d tensors, want %d", len(list), len(weights))
		}
		again := map[string]safetensors.Tensor{}
		for _, tensor := range list {
			if !slices.Equal(tensor.Shape, weights[tensor.Name].Shape) {
				t.Fatalf("%s: shape %v, want %v", tensor.Name, tensor.Shape, weights[tensor.Name].Shape)
			}
			again[tensor.Name] = safetensors.Tensor{Shape: tensor.Shape, Data: tensor.Data}
		}
		weights = again
	}
	// Of the bytes of a matrix none changes; steps differ in their last bits.
	first, second := embed(t, files[0].Bytes()), embed(t, files[1].Bytes())
	for i := range first {
		if math.Abs(float64(first[i]-second[i])) > 1e-3 {
			t.Fatalf("number %d: %v, restored %v", i, first[i], second[i])
		}
	}
	if _, err := restored([]byte("<html>")); err == nil {
		t.Error("no error for a page")
	}
}

func TestMissingTensor(t *testing.T) {
	for name := range tiny() {
		tensors := tiny()
		delete(tensors, name)
		// Without the first matrix of a layer the encoder has fewer layers.
		if _, err := newEncoder(tensors); err == nil && !strings.HasSuffix(name, "qkv.weight") || err != nil && !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

func TestQuantize(t *testing.T) {
	m := tiny()["layers.0.qkv.weight"]
	q, scales := quantize(m.Data, m.Shape[0], m.Shape[1])
	for i, v := range m.Data {
		scale := scales[i/m.Shape[1]]
		if off := math.Abs(float64(float32(q[i])*scale - v)); off > float64(scale)/2*1.001 {
			t.Fatalf("number %d: %v became %v", i, v, float32(q[i])*scale)
		}
	}
	if _, scales := quantize(make([]float32, 4), 2, 2); scales[0] != 0 {
		t.Error("a row of zeros has a scale")
	}
}

func TestGrid(t *testing.T) {
	for _, r := range [][]float32{{-1, 3}, {-0.2, 9}, {0.5, 2}, {-3, -1}} {
		step, zero := grid(r)
		// 0 and what lies in the range are not cut off.
		for _, x := range []float32{r[0], r[1], 0} {
			if q := math.RoundToEven(float64(x/step)) + float64(zero); q < -0.51 || q > 255.51 {
				t.Errorf("range %v: %v becomes %v", r, x, q)
			}
		}
	}
}
