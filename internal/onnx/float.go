package onnx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// ErrFormat is wrapped by the errors of ToFloat.
var ErrFormat = errors.New("not an ONNX file")

// ToFloat replaces each 8-bit matrix that a DequantizeLinear node scales by column, as
// research/encoder/export writes them, by the float32 matrix that the node gives: in a
// runtime that is slow with bytes, or runs the node each time. Everything else stays.
func ToFloat(file []byte) ([]byte, error) {
	var out []byte
	err := each(file, func(f field) error {
		if f.number != modelGraph {
			out = append(out, f.all...)
			return nil
		}
		graph, err := graphToFloat(f.value)
		out = protowire.AppendTag(out, modelGraph, protowire.BytesType)
		out = protowire.AppendBytes(out, graph)
		return err
	})
	return out, err
}

func graphToFloat(graph []byte) ([]byte, error) {
	tensors := map[string]stored{}
	var scaling []node
	err := eachPart(graph, func(n node, t stored, _ []byte) {
		if n.scales() {
			scaling = append(scaling, n)
		}
		tensors[t.name] = t
	})
	if err != nil {
		return nil, err
	}
	var matrices []byte
	replaced := map[string]bool{}
	for _, n := range scaling {
		m, steps := tensors[n.inputs[0]], tensors[n.inputs[1]]
		if m.kind != Int8 || steps.kind != Float32 || len(m.dims) != 2 || len(steps.raw) != 4*m.dims[1] || len(m.raw) != m.dims[0]*m.dims[1] {
			return nil, fmt.Errorf("%w: %s: want a matrix of bytes and a step for each column", ErrFormat, n.outputs[0])
		}
		matrices = appendMessage(matrices, graphInitializer, initializer{n.outputs[0], Float32, m.dims, m.times(steps)}.message())
		replaced[m.name], replaced[steps.name] = true, true
	}
	var out []byte
	err = eachPart(graph, func(n node, t stored, all []byte) {
		if !n.scales() && !replaced[t.name] {
			out = append(out, all...)
		}
	})
	return append(out, matrices...), err
}

// scales reports whether the node turns bytes to numbers without a zero point.
func (n node) scales() bool {
	return n.op == "DequantizeLinear" && len(n.inputs) == 2 && len(n.outputs) == 1
}

// eachPart calls visit for each field of a graph, with the node or the tensor that it
// holds, and all its bytes.
func eachPart(graph []byte, visit func(n node, t stored, all []byte)) error {
	return each(graph, func(f field) (err error) {
		var n node
		var t stored
		switch f.number {
		case graphNode:
			n, err = parseNode(f.value)
		case graphInitializer:
			t, err = parseTensor(f.value)
		}
		visit(n, t, f.all)
		return err
	})
}

// stored is a tensor in a file.
type stored struct {
	name string
	kind Type
	dims []int
	raw  []byte
}

// times returns the numbers of a matrix, those of each column times its factor.
func (t stored) times(factors stored) []float32 {
	numbers := make([]float32, len(t.raw))
	columns := t.dims[1]
	for c := range columns {
		factor := math.Float32frombits(binary.LittleEndian.Uint32(factors.raw[4*c:]))
		for i := c; i < len(numbers); i += columns {
			numbers[i] = float32(int8(t.raw[i])) * factor
		}
	}
	return numbers
}

func parseTensor(message []byte) (stored, error) {
	var t stored
	err := each(message, func(f field) error {
		switch f.number {
		case tensorDims:
			t.dims = append(t.dims, int(f.integer))
		case tensorType:
			t.kind = Type(f.integer)
		case tensorName:
			t.name = string(f.value)
		case tensorRaw:
			t.raw = f.value
		}
		return nil
	})
	return t, err
}

func parseNode(message []byte) (node, error) {
	var n node
	err := each(message, func(f field) error {
		switch f.number {
		case nodeInput:
			n.inputs = append(n.inputs, string(f.value))
		case nodeOutput:
			n.outputs = append(n.outputs, string(f.value))
		case nodeOp:
			n.op = string(f.value)
		}
		return nil
	})
	return n, err
}

// field of a message.
type field struct {
	number  protowire.Number
	integer uint64 // of a varint
	value   []byte // of a field with a length
	all     []byte // with its tag
}

// each calls visit for each field of a message.
func each(message []byte, visit func(field) error) error {
	for len(message) > 0 {
		number, kind, size := protowire.ConsumeTag(message)
		f := field{number: number}
		if size >= 0 {
			n := protowire.ConsumeFieldValue(number, kind, message[size:])
			switch {
			case n < 0:
				size = n
			case kind == protowire.BytesType:
				f.value, _ = protowire.ConsumeBytes(message[size:])
			case kind == protowire.VarintType:
				f.integer, _ = protowire.ConsumeVarint(message[size:])
			}
			if n >= 0 {
				size += n
			}
		}
		if size < 0 {
			return fmt.Errorf("%w: %w", ErrFormat, protowire.ParseError(size))
		}
		f.all = message[:size]
		message = message[size:]
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

// appendMessage appends a field that holds a message.
func appendMessage(dst []byte, number protowire.Number, m *message) []byte {
	dst = protowire.AppendTag(dst, number, protowire.BytesType)
	dst = protowire.AppendVarint(dst, uint64(m.size))
	for _, p := range m.parts {
		if p.data == nil {
			dst = append(dst, p.bytes...)
		} else {
			dst = appendElements(dst, p.data, 0, length(p.data))
		}
	}
	return dst
}
