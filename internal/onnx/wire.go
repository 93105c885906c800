package onnx

import (
	"encoding/binary"
	"io"
	"maps"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// message is a protobuf message under construction. Tensors are not copied
// before writeTo.
type message struct {
	parts []part
	size  int64
}

// part is some bytes, or the elements of a tensor.
type part struct {
	bytes []byte
	data  any
	size  int64
}

// append adds bytes to the last part, or a new part if that is a tensor.
func (m *message) append(b ...byte) {
	k := len(m.parts) - 1
	if k < 0 || m.parts[k].data != nil {
		m.parts = append(m.parts, part{})
		k++
	}
	m.parts[k].bytes = append(m.parts[k].bytes, b...)
	m.parts[k].size += int64(len(b))
	m.size += int64(len(b))
}

func (m *message) varint(field protowire.Number, value uint64) {
	b := protowire.AppendTag(nil, field, protowire.VarintType)
	m.append(protowire.AppendVarint(b, value)...)
}

func (m *message) float(field protowire.Number, value float32) {
	b := protowire.AppendTag(nil, field, protowire.Fixed32Type)
	m.append(protowire.AppendFixed32(b, math.Float32bits(value))...)
}

func (m *message) text(field protowire.Number, s string) {
	b := protowire.AppendTag(nil, field, protowire.BytesType)
	m.append(protowire.AppendString(b, s)...)
}

// head starts a field of the given length in bytes.
func (m *message) head(field protowire.Number, bytes int64) {
	b := protowire.AppendTag(nil, field, protowire.BytesType)
	m.append(protowire.AppendVarint(b, uint64(bytes))...)
}

// message adds an inner message.
func (m *message) message(field protowire.Number, inner *message) {
	m.head(field, inner.size)
	for _, p := range inner.parts {
		if p.data == nil {
			m.append(p.bytes...)
			continue
		}
		m.parts = append(m.parts, p)
		m.size += p.size
	}
}

// data adds the elements of a tensor as a field of bytes.
func (m *message) data(field protowire.Number, values any, bytes int64) {
	m.head(field, bytes)
	m.parts = append(m.parts, part{data: values, size: bytes})
	m.size += bytes
}

func (m *message) writeTo(w io.Writer) (int64, error) {
	var total int64
	buffer := make([]byte, 0, 1<<16)
	write := func(b []byte) error {
		n, err := w.Write(b)
		total += int64(n)
		return err
	}
	for _, p := range m.parts {
		if p.data == nil {
			if err := write(p.bytes); err != nil {
				return total, err
			}
			continue
		}
		for from, n := 0, length(p.data); from < n; {
			to := min(from+1<<13, n)
			if err := write(appendElements(buffer, p.data, from, to)); err != nil {
				return total, err
			}
			from = to
		}
	}
	return total, nil
}

func length(data any) int {
	switch d := data.(type) {
	case []float32:
		return len(d)
	case []int8:
		return len(d)
	case []uint8:
		return len(d)
	case []int32:
		return len(d)
	case []int64:
		return len(d)
	}
	panic("onnx: a tensor of no known type")
}

// appendElements appends the elements [from, to), little-endian.
func appendElements(dst []byte, data any, from, to int) []byte {
	switch d := data.(type) {
	case []float32:
		for _, v := range d[from:to] {
			dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(v))
		}
	case []int8:
		for _, v := range d[from:to] {
			dst = append(dst, byte(v))
		}
	case []uint8:
		dst = append(dst, d[from:to]...)
	case []int32:
		for _, v := range d[from:to] {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
		}
	case []int64:
		for _, v := range d[from:to] {
			dst = binary.LittleEndian.AppendUint64(dst, uint64(v))
		}
	}
	return dst
}

// Field numbers of onnx.proto (IR 8).
const (
	modelIR, modelProducer, modelGraph, modelOpset, modelMetadata   = 1, 2, 7, 8, 14
	opsetDomain, opsetVersion                                       = 1, 2
	entryKey, entryValue                                            = 1, 2
	graphNode, graphName, graphInitializer, graphInput, graphOutput = 1, 2, 5, 11, 12
	nodeInput, nodeOutput, nodeName, nodeOp, nodeAttr               = 1, 2, 3, 4, 5
	attrName, attrF, attrI, attrIntList, attrType                   = 1, 2, 3, 8, 20
	tensorDims, tensorType, tensorName, tensorRaw                   = 1, 2, 8, 9
	valueName, valueType                                            = 1, 2
	typeTensor, tensorTypeElem, tensorTypeShape                     = 1, 1, 2
	shapeDim, dimSize, dimName                                      = 1, 1, 2
)

// model is the whole file as a message.
func (g *Graph) model() *message {
	m := &message{}
	m.varint(modelIR, IRVersion)
	if g.Producer != "" {
		m.text(modelProducer, g.Producer)
	}
	m.message(modelGraph, g.graph())
	opset := &message{}
	opset.text(opsetDomain, "")
	opset.varint(opsetVersion, Opset)
	m.message(modelOpset, opset)
	for _, key := range slices.Sorted(maps.Keys(g.Metadata)) {
		entry := &message{}
		entry.text(entryKey, key)
		entry.text(entryValue, g.Metadata[key])
		m.message(modelMetadata, entry)
	}
	return m
}

func (g *Graph) graph() *message {
	m := &message{}
	for _, n := range g.nodes {
		m.message(graphNode, n.message())
	}
	name := g.Name
	if name == "" {
		name = "graph"
	}
	m.text(graphName, name)
	for _, t := range g.initializers {
		m.message(graphInitializer, t.message())
	}
	for _, v := range g.inputs {
		m.message(graphInput, v.message())
	}
	for _, v := range g.outputs {
		m.message(graphOutput, v.message())
	}
	return m
}

func (n node) message() *message {
	m := &message{}
	for _, name := range n.inputs {
		m.text(nodeInput, name)
	}
	for _, name := range n.outputs {
		m.text(nodeOutput, name)
	}
	// A node has the name of its first output, so that errors of a runtime can
	// name it.
	m.text(nodeName, n.outputs[0])
	m.text(nodeOp, n.op)
	for _, a := range n.attrs {
		m.message(nodeAttr, a.message())
	}
	return m
}

func (a Attr) message() *message {
	m := &message{}
	m.text(attrName, a.name)
	switch a.kind {
	case attrFloat:
		m.float(attrF, a.float)
	case attrInt:
		m.varint(attrI, uint64(a.number))
	case attrInts:
		for _, v := range a.list {
			m.varint(attrIntList, uint64(v))
		}
	}
	m.varint(attrType, a.kind)
	return m
}

func (t initializer) message() *message {
	m := &message{}
	for _, d := range t.dims {
		m.varint(tensorDims, uint64(d))
	}
	m.varint(tensorType, uint64(t.kind))
	m.text(tensorName, t.name)
	m.data(tensorRaw, t.data, int64(length(t.data))*sizes[t.kind])
	return m
}

func (v Value) message() *message {
	shape := &message{}
	for _, d := range v.Shape {
		dim := &message{}
		if d.Name != "" {
			dim.text(dimName, d.Name)
		} else {
			dim.varint(dimSize, uint64(d.Size))
		}
		shape.message(shapeDim, dim)
	}
	tensor := &message{}
	tensor.varint(tensorTypeElem, uint64(v.Type))
	tensor.message(tensorTypeShape, shape)
	kind := &message{}
	kind.message(typeTensor, tensor)
	m := &message{}
	m.text(valueName, v.Name)
	m.message(valueType, kind)
	return m
}
