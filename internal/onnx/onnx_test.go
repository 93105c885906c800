package onnx

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// small returns a graph with every kind of attribute and tensor.
func small() *Graph {
	g := &Graph{Name: "g", Producer: "p", Metadata: map[string]string{"b": "2", "a": "1"}}
	g.Input("x", Float32, Dynamic("n"), Fixed(2))
	g.Initializer("w", []float32{1, -2}, 2)
	g.Node("Op", []string{"x", "", "w"}, []string{"y"}, Int("i", -1), Ints("l", 1, 300), Float("f", 0.5))
	g.Output("y", Float32, Dynamic("n"), Fixed(2))
	return g
}

// golden is the file of small, written down by hand from onnx.proto: each line
// is a tag, a length where it has one, and what the field holds.
var golden = strings.Join([]string{
	"\x08\x08",     // ir_version 8
	"\x12\x01p",    // producer_name
	"\x3a\x83\x01", // graph, 131 bytes
	"\x0a\x3f",     // node, 63 bytes
	"\x0a\x01x",    // input
	"\x0a\x00",     // input left out
	"\x0a\x01w",    // input
	"\x12\x01y",    // output
	"\x1a\x01y",    // name
	"\x22\x02Op",   // op_type
	"\x2a\x11",     // attribute, 17 bytes
	"\x0a\x01i",    // name
	"\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", // i: -1
	"\xa0\x01\x02",         // type INT
	"\x2a\x0b",             // attribute, 11 bytes
	"\x0a\x01l",            // name
	"\x40\x01",             // ints: 1
	"\x40\xac\x02",         // ints: 300
	"\xa0\x01\x07",         // type INTS
	"\x2a\x0b",             // attribute, 11 bytes
	"\x0a\x01f",            // name
	"\x15\x00\x00\x00\x3f", // f: 0.5
	"\xa0\x01\x01",         // type FLOAT
	"\x12\x01g",            // name
	"\x2a\x11",             // initializer, 17 bytes
	"\x08\x02",             // dims
	"\x10\x01",             // data_type FLOAT
	"\x42\x01w",            // name
	"\x4a\x08\x00\x00\x80\x3f\x00\x00\x00\xc0", // raw_data: 1, -2
	"\x5a\x14",          // input, 20 bytes
	"\x0a\x01x",         // name
	"\x12\x0f",          // type
	"\x0a\x0d",          // tensor_type
	"\x08\x01",          // elem_type FLOAT
	"\x12\x09",          // shape
	"\x0a\x03\x12\x01n", // dim_param
	"\x0a\x02\x08\x02",  // dim_value
	"\x62\x14",          // output, 20 bytes
	"\x0a\x01y",
	"\x12\x0f",
	"\x0a\x0d",
	"\x08\x01",
	"\x12\x09",
	"\x0a\x03\x12\x01n",
	"\x0a\x02\x08\x02",
	"\x42\x04", // opset_import
	"\x0a\x00", // domain: ONNX's own
	"\x10\x11", // version 17
	"\x72\x06", // metadata_props
	"\x0a\x01a",
	"\x12\x011",
	"\x72\x06",
	"\x0a\x01b",
	"\x12\x012",
}, "")

func TestGolden(t *testing.T) {
	var b bytes.Buffer
	n, err := small().WriteTo(&b)
	if err != nil {
		t.Fatal(err)
	}
	if n != int64(b.Len()) {
		t.Errorf("WriteTo says %d bytes and wrote %d", n, b.Len())
	}
	if got := b.String(); got != golden {
		t.Errorf("got\n%q\nwant\n%q", got, golden)
	}
}

// TestLargeTensors checks that tensors longer than the writer's buffer come
// out whole, in every type.
func TestLargeTensors(t *testing.T) {
	const n = 20_001
	g := &Graph{}
	f, i8, u8, i32, i64 := make([]float32, n), make([]int8, n), make([]uint8, n), make([]int32, n), make([]int64, n)
	for i := range n {
		f[i], i8[i], u8[i], i32[i], i64[i] = float32(i), int8(i), uint8(i), int32(-i), int64(-i)
	}
	inputs := []string{"f", "i8", "u8", "i32", "i64"}
	for k, data := range []any{f, i8, u8, i32, i64} {
		g.Initializer(inputs[k], data, n)
	}
	g.Node("Concat", inputs, []string{"y"})
	g.Output("y", Float32)
	var b bytes.Buffer
	if _, err := g.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	file := readFile(t, b.Bytes())
	for k, want := range [][]float64{asFloats(f), asFloats(i8), asFloats(u8), asFloats(i32), asFloats(i64)} {
		got := file.tensors[inputs[k]]
		if len(got.values) != n {
			t.Fatalf("%s holds %d elements instead of %d", inputs[k], len(got.values), n)
		}
		for i := range want {
			if got.values[i] != want[i] {
				t.Fatalf("%s[%d] = %v, want %v", inputs[k], i, got.values[i], want[i])
			}
		}
	}
}

func asFloats[T float32 | int8 | uint8 | int32 | int64](v []T) []float64 {
	out := make([]float64, len(v))
	for i := range v {
		out[i] = float64(v[i])
	}
	return out
}

func TestGraphErrors(t *testing.T) {
	for _, c := range []struct {
		name, want string
		build      func(g *Graph)
	}{
		{"no output", "no output", func(g *Graph) {}},
		{"unmade output", `output "y" is not defined`, func(g *Graph) { g.Output("y", Float32) }},
		{"late input", `node Relu: input "x" is not defined before it`, func(g *Graph) {
			g.Node("Relu", []string{"x"}, []string{"y"})
			g.Node("Relu", []string{"y"}, []string{"x"})
			g.Output("y", Float32)
		}},
		{"twice", `output of node Relu "x" is defined twice`, func(g *Graph) {
			g.Input("x", Float32)
			g.Node("Relu", []string{"x"}, []string{"x"})
		}},
		{"no name", "input without a name", func(g *Graph) { g.Input("", Float32) }},
		{"node without output", "node Relu has no output", func(g *Graph) { g.Node("Relu", nil, nil) }},
		{"unread", `unused initializer "w"`, func(g *Graph) {
			g.Input("x", Float32)
			g.Initializer("w", []float32{1})
			g.Output("x", Float32)
		}},
		{"wrong shape", `initializer "w": 3 elements for shape [2 2]`, func(g *Graph) {
			g.Initializer("w", []float32{1, 2, 3}, 2, 2)
			g.Initializer("v", []float32{1, 2, 3}, 9)
		}},
		{"wrong type", `initializer "w": cannot hold []string`, func(g *Graph) { g.Initializer("w", []string{"a"}, 1) }},
		{"output twice", `output "x" is declared twice`, func(g *Graph) {
			g.Input("x", Float32)
			g.Output("x", Float32)
			g.Output("x", Float32)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := &Graph{}
			c.build(g)
			n, err := g.WriteTo(io.Discard)
			if n != 0 || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %d, %v; want an error with %q", n, err, c.want)
			}
		})
	}
}

// full fails after n bytes.
type full struct{ n int }

var errFull = errors.New("full")

func (w *full) Write(p []byte) (int, error) {
	if len(p) > w.n {
		n := w.n
		w.n = 0
		return n, errFull
	}
	w.n -= len(p)
	return len(p), nil
}

func TestWriteError(t *testing.T) {
	for _, n := range []int{0, 60, 110, len(golden) - 1} {
		got, err := small().WriteTo(&full{n})
		if got != int64(n) || !errors.Is(err, errFull) {
			t.Errorf("room for %d bytes: wrote %d, %v", n, got, err)
		}
	}
}
