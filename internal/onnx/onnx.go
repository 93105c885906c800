// Package onnx writes ONNX files: the graphs that hugot and onnxruntime run. It knows the
// part of the format that our own graphs need (dense tensors, no subgraphs, no external
// data), and writes a stream, so that tensors are not copied.
//
// [Graph] builds a file node by node. [ToFloat] replaces the 8-bit matrices of a file,
// [Tensors] reads its constants.
package onnx

import (
	"fmt"
	"io"
	"slices"
)

// Declared by every file that this package writes. Opset 17 is the first with
// LayerNormalization; IR 8 belongs to it.
const (
	IRVersion = 8
	Opset     = 17
)

// Type is the element type of a tensor, numbered as in ONNX.
type Type int32

// The element types that a Graph may hold.
const (
	Float32 Type = 1
	Uint8   Type = 2
	Int8    Type = 3
	Int32   Type = 6
	Int64   Type = 7
)

// sizes holds the bytes per element.
var sizes = map[Type]int64{Float32: 4, Uint8: 1, Int8: 1, Int32: 4, Int64: 8}

// Names of the inputs and outputs that sentence encoders have by convention.
const (
	InputIDs        = "input_ids"
	AttentionMask   = "attention_mask"
	LastHiddenState = "last_hidden_state"
)

// Dim is one dimension of an input's or output's shape: a size, or the name of
// a dimension that differs between runs.
type Dim struct {
	Size int64
	Name string
}

// Fixed is a dimension of n elements.
func Fixed(n int) Dim { return Dim{Size: int64(n)} }

// Dynamic is a dimension known only when the graph runs: "batch", "tokens".
func Dynamic(name string) Dim { return Dim{Name: name} }

// Value is an input or output of a graph.
type Value struct {
	Name  string
	Type  Type
	Shape []Dim
}

// Attr is an attribute of a node: made by [Int], [Ints] and [Float].
type Attr struct {
	name   string
	kind   uint64
	float  float32
	number int64
	list   []int64
}

// Values of AttributeProto.AttributeType.
const (
	attrFloat = 1
	attrInt   = 2
	attrInts  = 7
)

// Int is an attribute of one integer: axis, to.
func Int(name string, value int64) Attr { return Attr{name: name, kind: attrInt, number: value} }

// Ints is an attribute of several integers: perm, axes.
func Ints(name string, values ...int64) Attr { return Attr{name: name, kind: attrInts, list: values} }

// Float is an attribute of one real number: epsilon.
func Float(name string, value float32) Attr { return Attr{name: name, kind: attrFloat, float: value} }

type node struct {
	op      string
	inputs  []string
	outputs []string
	attrs   []Attr
}

type initializer struct {
	name string
	kind Type
	dims []int
	data any // []float32, []int8, []uint8, []int32 or []int64
}

// Graph is an ONNX model under construction. The zero value is an empty one.
// WriteTo reports the errors of all methods.
type Graph struct {
	Name     string            // of the graph; empty: "graph"
	Producer string            // the program that writes the file
	Metadata map[string]string // written in the order of the keys

	nodes        []node
	initializers []initializer
	inputs       []Value
	outputs      []Value
	err          error
}

// Input adds an input of the graph.
func (g *Graph) Input(name string, t Type, shape ...Dim) {
	g.inputs = append(g.inputs, Value{name, t, shape})
}

// Output declares the output of a node as an output of the graph.
func (g *Graph) Output(name string, t Type, shape ...Dim) {
	g.outputs = append(g.outputs, Value{name, t, shape})
}

// Node adds an operation. Its inputs must be defined before: nodes are written
// in the order of the calls. An empty name omits an optional input.
func (g *Graph) Node(op string, inputs, outputs []string, attrs ...Attr) {
	g.nodes = append(g.nodes, node{op, inputs, outputs, attrs})
}

// Initializer adds a constant tensor, row-major. Data is a []float32, []int8,
// []uint8, []int32 or []int64 with as many elements as dims require; without
// dims it is a scalar. The slice is not copied.
func (g *Graph) Initializer(name string, data any, dims ...int) {
	var kind Type
	var n int
	switch d := data.(type) {
	case []float32:
		kind, n = Float32, len(d)
	case []int8:
		kind, n = Int8, len(d)
	case []uint8:
		kind, n = Uint8, len(d)
	case []int32:
		kind, n = Int32, len(d)
	case []int64:
		kind, n = Int64, len(d)
	default:
		g.fail(fmt.Errorf("onnx: initializer %q: cannot hold %T", name, data))
		return
	}
	want := 1
	for _, d := range dims {
		want *= d
	}
	if want != n {
		g.fail(fmt.Errorf("onnx: initializer %q: %d elements for shape %v", name, n, dims))
		return
	}
	g.initializers = append(g.initializers, initializer{name, kind, dims, data})
}

// fail keeps the first error.
func (g *Graph) fail(err error) {
	if g.err == nil {
		g.err = err
	}
}

// check returns the first error in the graph: a duplicate name, an input of a
// node that is not defined before it, an unused initializer, an undefined
// output.
func (g *Graph) check() error {
	if g.err != nil {
		return g.err
	}
	defined := map[string]bool{}
	define := func(what, name string) error {
		if name == "" {
			return fmt.Errorf("onnx: %s without a name", what)
		}
		if defined[name] {
			return fmt.Errorf("onnx: %s %q is defined twice", what, name)
		}
		defined[name] = true
		return nil
	}
	for _, v := range g.inputs {
		if err := define("input", v.Name); err != nil {
			return err
		}
	}
	for _, v := range g.initializers {
		if err := define("initializer", v.name); err != nil {
			return err
		}
	}
	read := map[string]bool{}
	for _, n := range g.nodes {
		if len(n.outputs) == 0 {
			return fmt.Errorf("onnx: node %s has no output", n.op)
		}
		for _, name := range n.inputs {
			if name != "" && !defined[name] {
				return fmt.Errorf("onnx: node %s: input %q is not defined before it", n.op, name)
			}
			read[name] = true
		}
		for _, name := range n.outputs {
			if err := define("output of node "+n.op, name); err != nil {
				return err
			}
		}
	}
	for _, t := range g.initializers {
		if !read[t.name] { // onnxruntime warns about these at every start
			return fmt.Errorf("onnx: unused initializer %q", t.name)
		}
	}
	if len(g.outputs) == 0 {
		return fmt.Errorf("onnx: the graph has no output")
	}
	for i, v := range g.outputs {
		if !defined[v.Name] {
			return fmt.Errorf("onnx: output %q is not defined", v.Name)
		}
		if slices.ContainsFunc(g.outputs[:i], func(o Value) bool { return o.Name == v.Name }) {
			return fmt.Errorf("onnx: output %q is declared twice", v.Name)
		}
	}
	return nil
}

// maxBytes is protobuf's limit for the size of a file.
const maxBytes = 1<<31 - 1

// WriteTo writes the graph as an ONNX file and returns the bytes written. The
// same graph gives the same bytes. Errors are those of w, of an inconsistent
// graph, and of a graph above the format's limit of 2 GiB.
func (g *Graph) WriteTo(w io.Writer) (int64, error) {
	if err := g.check(); err != nil {
		return 0, err
	}
	m := g.model()
	if m.size > maxBytes {
		return 0, fmt.Errorf("onnx: the graph takes %d bytes, above the format's limit of 2 GiB", m.size)
	}
	return m.writeTo(w)
}
