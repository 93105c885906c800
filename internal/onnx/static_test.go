package onnx

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the files of testdata anew")

// staticCase is what testdata/static.onnx must give for one batch. The tests
// of the runtimes, which are elsewhere, read the same file.
type staticCase struct {
	Name          string      `json:"name"`
	InputIDs      [][]int64   `json:"input_ids"`
	AttentionMask [][]int64   `json:"attention_mask"`
	Embeddings    [][]float64 `json:"sentence_embedding"`
}

const (
	goldenRows = 7
	goldenDims = 5
)

// goldenStatic returns a table whose row 0 is zeros and whose scale 3 is zero.
func goldenStatic() (table []int8, scales []float32) {
	for i := range goldenRows * goldenDims {
		table = append(table, int8((i*37+11)%255-127))
	}
	clear(table[:goldenDims])
	table[goldenDims], table[goldenDims+1] = -128, 127
	return table, []float32{1, 0.5, 0.25, 0, 1e-3, 2, 0.125}
}

func goldenCases() []staticCase {
	table, scales := goldenStatic()
	cases := []staticCase{
		{Name: "one token", InputIDs: [][]int64{{1}}, AttentionMask: [][]int64{{1}}},
		{Name: "a batch", InputIDs: [][]int64{{1, 2, 4}, {5, 6, 6}}, AttentionMask: [][]int64{{1, 1, 1}, {1, 1, 1}}},
		{Name: "padding does not count", InputIDs: [][]int64{{1, 2, 5, 5}, {4, 1, 2, 6}}, AttentionMask: [][]int64{{1, 1, 0, 0}, {1, 1, 1, 1}}},
		{Name: "zeros", InputIDs: [][]int64{{0, 0}, {3, 0}, {5, 6}, {1, 1}}, AttentionMask: [][]int64{{1, 1}, {1, 1}, {0, 0}, {1, 0}}},
	}
	for k, c := range cases {
		for b, ids := range c.InputIDs {
			cases[k].Embeddings = append(cases[k].Embeddings, staticNaive(table, scales, goldenDims, ids, c.AttentionMask[b]))
		}
	}
	return cases
}

// staticNaive is the static encoder in plain float64.
func staticNaive(table []int8, scales []float32, dims int, ids, mask []int64) []float64 {
	sum := make([]float64, dims)
	for t, id := range ids {
		for d := range sum {
			sum[d] += float64(mask[t]) * float64(scales[id]) * float64(table[int(id)*dims+d])
		}
	}
	norm := 0.0
	for _, v := range sum {
		norm += v * v
	}
	norm = max(math.Sqrt(norm), StaticEpsilon)
	for d := range sum {
		sum[d] /= norm
	}
	return sum
}

// TestStaticGolden holds the static encoder's graph byte by byte. That the
// file computes what static.json says is tested where the runtimes are.
func TestStaticGolden(t *testing.T) {
	table, scales := goldenStatic()
	var b bytes.Buffer
	if err := WriteStatic(&b, table, scales, goldenDims, map[string]string{"licence": "CC0", "cerasum": "test"}); err != nil {
		t.Fatal(err)
	}
	cases, err := json.MarshalIndent(goldenCases(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][]byte{"static.onnx": b.Bytes(), "static.json": append(cases, '\n')} {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs; if the change is meant, run go test ./internal/onnx -update and the runtimes' tests", path)
		}
	}
}

func TestStaticReadBack(t *testing.T) {
	table, scales := goldenStatic()
	var b bytes.Buffer
	if err := WriteStatic(&b, table, scales, goldenDims, nil); err != nil {
		t.Fatal(err)
	}
	f := readFile(t, b.Bytes())
	if got := strings.Join(f.inputs, " "); got != "input_ids attention_mask" {
		t.Errorf("inputs %s", got)
	}
	if got := strings.Join(f.outputs, " "); got != "sentence_embedding" {
		t.Errorf("outputs %s", got)
	}
	got := f.tensors["table"]
	if len(got.dims) != 2 || got.dims[0] != goldenRows || got.dims[1] != goldenDims {
		t.Fatalf("table of shape %v", got.dims)
	}
	for i, v := range got.values {
		if v != float64(table[i]) {
			t.Fatalf("table[%d] = %v, want %d", i, v, table[i])
		}
	}
	for i, v := range f.tensors["scales"].values {
		if v != float64(scales[i]) {
			t.Fatalf("scales[%d] = %v, want %v", i, v, scales[i])
		}
	}
	var ops []string
	for _, n := range f.nodes {
		ops = append(ops, n.op)
		if to := n.attrs["to"]; n.op == "Cast" && (len(to) != 1 || to[0] != 1) {
			t.Errorf("a cast to %v", to)
		}
	}
	if got, want := strings.Join(ops, " "), "Gather Cast Gather Cast Mul Unsqueeze MatMul Squeeze ReduceL2 Max Div"; got != want {
		t.Errorf("operations %s, want %s", got, want)
	}
}

func TestStaticErrors(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		table  int
		scales []float32
		dims   int
		want   string
	}{
		{0, nil, 3, "a table of 0 elements is not 0 scales × 3 dimensions"},
		{6, []float32{1, 1}, 0, "2 scales × 0 dimensions"},
		{7, []float32{1, 1}, 3, "a table of 7 elements is not 2 scales × 3 dimensions"},
		{6, []float32{1, nan}, 3, "the scale of token 1 is NaN"},
		{6, []float32{float32(math.Inf(-1)), 1}, 3, "the scale of token 0 is -Inf"},
	} {
		var b bytes.Buffer
		err := WriteStatic(&b, make([]int8, c.table), c.scales, c.dims, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || b.Len() != 0 {
			t.Errorf("got %v and %d bytes, want an error with %q", err, b.Len(), c.want)
		}
	}
}
