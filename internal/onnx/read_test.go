package onnx

import (
	"encoding/binary"
	"math"
	"testing"
)

// file is an ONNX file read back by the tests, tensors and attributes and all.
// It shares no code with the writer.
type file struct {
	nodes   []testNode
	tensors map[string]tensor
	inputs  []string
	outputs []string
}

type testNode struct {
	op              string
	inputs, outputs []string
	attrs           map[string][]int64
}

type tensor struct {
	dims   []int
	values []float64
}

// eachField calls take for every field of a message.
func eachField(t *testing.T, b []byte, take func(number int, bytes []byte, value uint64)) {
	t.Helper()
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		b = b[n:]
		switch tag & 7 {
		case 0:
			v, n := binary.Uvarint(b)
			b = b[n:]
			take(int(tag>>3), nil, v)
		case 2:
			size, n := binary.Uvarint(b)
			take(int(tag>>3), b[n:n+int(size)], 0)
			b = b[n+int(size):]
		case 5:
			take(int(tag>>3), b[:4], 0)
			b = b[4:]
		default:
			t.Fatalf("wire type %d", tag&7)
		}
	}
}

func readFile(t *testing.T, b []byte) file {
	t.Helper()
	f := file{tensors: map[string]tensor{}}
	name := func(b []byte) (s string) {
		eachField(t, b, func(number int, bytes []byte, _ uint64) {
			if number == 1 {
				s = string(bytes)
			}
		})
		return s
	}
	eachField(t, b, func(number int, graph []byte, _ uint64) {
		if number != 7 {
			return
		}
		eachField(t, graph, func(number int, b []byte, _ uint64) {
			switch number {
			case 1:
				f.nodes = append(f.nodes, readNode(t, b))
			case 5:
				n, v := readTensor(t, b)
				f.tensors[n] = v
			case 11:
				f.inputs = append(f.inputs, name(b))
			case 12:
				f.outputs = append(f.outputs, name(b))
			}
		})
	})
	return f
}

func readNode(t *testing.T, b []byte) testNode {
	n := testNode{attrs: map[string][]int64{}}
	eachField(t, b, func(number int, b []byte, _ uint64) {
		switch number {
		case 1:
			n.inputs = append(n.inputs, string(b))
		case 2:
			n.outputs = append(n.outputs, string(b))
		case 4:
			n.op = string(b)
		case 5:
			var name string
			var values []int64
			eachField(t, b, func(number int, b []byte, v uint64) {
				switch number {
				case 1:
					name = string(b)
				case 3, 8:
					values = append(values, int64(v))
				}
			})
			n.attrs[name] = values
		}
	})
	return n
}

func readTensor(t *testing.T, b []byte) (name string, v tensor) {
	var kind uint64
	var raw []byte
	eachField(t, b, func(number int, b []byte, value uint64) {
		switch number {
		case 1:
			v.dims = append(v.dims, int(value))
		case 2:
			kind = value
		case 8:
			name = string(b)
		case 9:
			raw = b
		}
	})
	for len(raw) > 0 {
		switch kind {
		case 1:
			v.values = append(v.values, float64(math.Float32frombits(binary.LittleEndian.Uint32(raw))))
			raw = raw[4:]
		case 2:
			v.values = append(v.values, float64(raw[0]))
			raw = raw[1:]
		case 3:
			v.values = append(v.values, float64(int8(raw[0])))
			raw = raw[1:]
		case 6:
			v.values = append(v.values, float64(int32(binary.LittleEndian.Uint32(raw))))
			raw = raw[4:]
		case 7:
			v.values = append(v.values, float64(int64(binary.LittleEndian.Uint64(raw))))
			raw = raw[8:]
		default:
			t.Fatalf("tensor %q of type %d", name, kind)
		}
	}
	return name, v
}
