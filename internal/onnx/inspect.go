package onnx

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// ErrFormat is wrapped by errors about files that are not ONNX, are truncated
// or are inconsistent. Read errors do not wrap it.
var ErrFormat = errors.New("not a valid ONNX file")

// Info describes an ONNX file.
type Info struct {
	IR           int64
	Producer     string
	Opsets       map[string]int64 // by domain; "" is ONNX's own
	Metadata     map[string]string
	Graph        string         // name of the graph
	Inputs       []Value        // without the initializers that old files list among them
	Outputs      []Value        // shapes as declared
	Ops          map[string]int // how often each operation occurs; "domain:Op" outside ONNX's own
	Initializers []Initializer
	Bytes        int64 // of the file
}

// Initializer is a constant tensor of a file.
type Initializer struct {
	Name     string
	Type     Type
	Dims     []int64
	Bytes    int64 // of its elements within the file
	External bool  // the elements are in another file
}

// Weights returns the bytes of all initializers, and the name of the first one
// whose elements are in another file ("" if there is none).
func (m *Info) Weights() (bytes int64, external string) {
	for _, t := range m.Initializers {
		bytes += t.Bytes
		if t.External && external == "" {
			external = t.Name
		}
	}
	return bytes, external
}

// Inspect reads an ONNX file to its end and keeps everything except the
// weights; its memory is independent of their size. It checks what can be
// checked without running the graph: that the file is complete, that tensors
// have as many bytes as their shapes require, that the inputs of nodes exist.
// Errors that wrap [ErrFormat] name the position in the file.
func Inspect(r io.Reader) (*Info, error) {
	d := newDecoder(r)
	if err := d.recognize(); err != nil {
		return nil, err
	}
	m := &Info{Opsets: map[string]int64{}, Metadata: map[string]string{}, Ops: map[string]int{}}
	p := &parser{info: m, defined: map[string]bool{}}
	if err := d.fields(d.whole(), p.model); err != nil {
		return nil, err
	}
	m.Bytes = d.offset
	if !p.graphSeen {
		return nil, fmt.Errorf("%w: no graph", ErrFormat)
	}
	if m.Opsets[""] == 0 {
		return nil, fmt.Errorf("%w: no opset", ErrFormat)
	}
	return m, p.check()
}

// parser fills an Info while reading the fields.
type parser struct {
	info      *Info
	graphSeen bool
	inputs    []Value // with the initializers among them
	nodes     []parsedNode
	defined   map[string]bool // initializers and what nodes make
}

type parsedNode struct {
	op, domain, name string
	inputs, outputs  []string
}

func (p *parser) model(d *decoder, f field) (err error) {
	m := p.info
	switch f.number {
	case modelIR:
		m.IR, err = d.integer(f, "ir_version")
	case modelProducer:
		m.Producer, err = d.text(f, "producer_name")
	case modelGraph:
		if p.graphSeen {
			return d.fault(f, "a second graph")
		}
		p.graphSeen = true
		return d.message(f, "graph", p.graph)
	case modelOpset:
		var domain string
		var version int64
		err = d.message(f, "opset_import", func(d *decoder, f field) (err error) {
			switch f.number {
			case opsetDomain:
				domain, err = d.text(f, "domain")
			case opsetVersion:
				version, err = d.integer(f, "version")
			default:
				err = d.skip(f)
			}
			return err
		})
		if domain == "ai.onnx" {
			domain = ""
		}
		m.Opsets[domain] = version
	case modelMetadata:
		var key, value string
		err = d.message(f, "metadata_props", func(d *decoder, f field) (err error) {
			switch f.number {
			case entryKey:
				key, err = d.text(f, "key")
			case entryValue:
				value, err = d.text(f, "value")
			default:
				err = d.skip(f)
			}
			return err
		})
		m.Metadata[key] = value
	default:
		err = d.skip(f)
	}
	return err
}

func (p *parser) graph(d *decoder, f field) (err error) {
	m := p.info
	switch f.number {
	case graphNode:
		var n parsedNode
		if n, err = parseNode(d, f); err == nil {
			p.nodes = append(p.nodes, n)
		}
	case graphName:
		m.Graph, err = d.text(f, "name")
	case graphInitializer:
		var t Initializer
		if t, err = parseTensor(d, f); err == nil {
			m.Initializers = append(m.Initializers, t)
		}
	case graphSparse:
		var t Initializer
		err = d.message(f, "sparse_initializer", func(d *decoder, f field) (err error) {
			if f.number != sparseValues {
				return d.skip(f)
			}
			t, err = parseTensor(d, f)
			return err
		})
		m.Initializers = append(m.Initializers, t)
	case graphInput:
		var v Value
		if v, err = parseValue(d, f, "input"); err == nil {
			p.inputs = append(p.inputs, v)
		}
	case graphOutput:
		var v Value
		if v, err = parseValue(d, f, "output"); err == nil {
			m.Outputs = append(m.Outputs, v)
		}
	default:
		err = d.skip(f)
	}
	return err
}

func parseNode(d *decoder, f field) (n parsedNode, err error) {
	err = d.message(f, "node", func(d *decoder, f field) error {
		var err error
		var s string
		switch f.number {
		case nodeInput:
			s, err = d.text(f, "input")
			n.inputs = append(n.inputs, s)
		case nodeOutput:
			s, err = d.text(f, "output")
			n.outputs = append(n.outputs, s)
		case nodeName:
			n.name, err = d.text(f, "name")
		case nodeOp:
			n.op, err = d.text(f, "op_type")
		case nodeDomain:
			n.domain, err = d.text(f, "domain")
		default:
			err = d.skip(f)
		}
		return err
	})
	return n, err
}

func parseTensor(d *decoder, f field) (Initializer, error) {
	var t Initializer
	raw := int64(-1)
	err := d.message(f, "initializer", func(d *decoder, f field) (err error) {
		switch f.number {
		case tensorDims:
			t.Dims, err = d.integers(f, "dims", t.Dims)
		case tensorType:
			var n int64
			n, err = d.integer(f, "data_type")
			t.Type = Type(n)
		case tensorName:
			t.Name, err = d.text(f, "name")
		case tensorRaw:
			raw = f.length
			err = d.skip(f)
		case tensorLocation:
			var n int64
			n, err = d.integer(f, "data_location")
			t.External = n == 1
		case 4, 5, 6, 7, 10, 11: // float_data, int32_data and so on
			if f.wire == protowire.BytesType {
				t.Bytes += f.length
			}
			err = d.skip(f)
		default:
			err = d.skip(f)
		}
		return err
	})
	if err != nil {
		return t, err
	}
	want := int64(1)
	for _, n := range t.Dims {
		if n < 0 || n > 0 && want > maxBytes/n {
			return t, fmt.Errorf("%w: initializer %q: invalid shape %v", ErrFormat, t.Name, t.Dims)
		}
		want *= n
	}
	if raw >= 0 {
		t.Bytes = raw
		// The values of a sparse tensor are a tensor with a shape of its own,
		// so the check applies to them, too.
		if size := sizes[t.Type]; size > 0 && !t.External && raw != want*size {
			return t, fmt.Errorf("%w: initializer %q (%v, shape %v): got %d bytes, want %d",
				ErrFormat, t.Name, t.Type, t.Dims, raw, want*size)
		}
	}
	return t, nil
}

func parseValue(d *decoder, f field, what string) (v Value, err error) {
	err = d.message(f, what, func(d *decoder, f field) (err error) {
		switch f.number {
		case valueName:
			v.Name, err = d.text(f, "name")
		case valueType:
			err = d.message(f, "type", func(d *decoder, f field) error {
				if f.number != typeTensor {
					return d.skip(f)
				}
				return d.message(f, "tensor_type", v.tensorType)
			})
		default:
			err = d.skip(f)
		}
		return err
	})
	return v, err
}

func (v *Value) tensorType(d *decoder, f field) error {
	switch f.number {
	case tensorTypeElem:
		n, err := d.integer(f, "elem_type")
		v.Type = Type(n)
		return err
	case tensorTypeShape:
		return d.message(f, "shape", func(d *decoder, f field) error {
			if f.number != shapeDim {
				return d.skip(f)
			}
			var dim Dim
			err := d.message(f, "dim", func(d *decoder, f field) (err error) {
				switch f.number {
				case dimSize:
					dim.Size, err = d.integer(f, "dim_value")
				case dimName:
					dim.Name, err = d.text(f, "dim_param")
				default:
					err = d.skip(f)
				}
				return err
			})
			v.Shape = append(v.Shape, dim)
			return err
		})
	}
	return d.skip(f)
}

// check validates the complete graph.
func (p *parser) check() error {
	m := p.info
	constants := map[string]bool{}
	for _, t := range m.Initializers {
		constants[t.Name] = true
		p.defined[t.Name] = true
	}
	for _, v := range p.inputs {
		p.defined[v.Name] = true
		if !constants[v.Name] {
			m.Inputs = append(m.Inputs, v)
		}
	}
	for _, n := range p.nodes {
		op := n.op
		if n.domain != "" && n.domain != "ai.onnx" {
			op = n.domain + ":" + op
		}
		if n.op == "" {
			return fmt.Errorf("%w: node %q: no operation", ErrFormat, n.name)
		}
		m.Ops[op]++
		for _, name := range n.inputs {
			if name != "" && !p.defined[name] {
				return fmt.Errorf("%w: node %q (%s): input %q is not defined before it", ErrFormat, n.name, op, name)
			}
		}
		for _, name := range n.outputs {
			p.defined[name] = true
		}
	}
	if len(m.Outputs) == 0 {
		return fmt.Errorf("%w: the graph has no output", ErrFormat)
	}
	for _, v := range m.Outputs {
		if !p.defined[v.Name] {
			return fmt.Errorf("%w: output %q is not defined", ErrFormat, v.Name)
		}
	}
	return nil
}

// CheckEncoder returns the output that holds the embeddings of a sentence
// encoder: sentence_embedding (batch×dims) if the file has it, else
// last_hidden_state or token_embeddings (batch×tokens×dims), which need
// pooling. It refuses graphs with inputs other than input_ids, attention_mask
// and token_type_ids (int64, batch×tokens), without such an output, or with a
// width other than dims (0: any width).
func (m *Info) CheckEncoder(dims int) (Value, error) {
	var ids bool
	for _, v := range m.Inputs {
		switch v.Name {
		case InputIDs:
			ids = true
		case AttentionMask, TokenTypeIDs:
		default:
			return Value{}, fmt.Errorf("unsupported graph input %q: want %s, %s and %s",
				v.Name, InputIDs, AttentionMask, TokenTypeIDs)
		}
		if v.Type != Int64 || len(v.Shape) != 2 {
			return Value{}, fmt.Errorf("input %q: want int64 of batch×tokens, got %s", v.Name, v.describe())
		}
	}
	if !ids {
		return Value{}, fmt.Errorf("no graph input %q (only %s)", InputIDs, names(m.Inputs))
	}
	for _, wanted := range []string{SentenceEmbedding, LastHiddenState, TokenEmbeddings} {
		for _, v := range m.Outputs {
			if v.Name == wanted {
				return v, v.checkWidth(dims)
			}
		}
	}
	return Value{}, fmt.Errorf("no graph output %s, %s or %s (only %s)",
		SentenceEmbedding, LastHiddenState, TokenEmbeddings, names(m.Outputs))
}

// checkWidth checks the shape of an encoder's output.
func (v Value) checkWidth(dims int) error {
	rank := 3
	if v.Name == SentenceEmbedding {
		rank = 2
	}
	if v.Type != Float32 || len(v.Shape) != rank {
		return fmt.Errorf("output %q is %s: want float32 of %d dimensions", v.Name, v.describe(), rank)
	}
	if last := v.Shape[rank-1]; dims > 0 && last.Name == "" && last.Size > 0 && last.Size != int64(dims) {
		return fmt.Errorf("output %q: got %d dimensions, want %d", v.Name, last.Size, dims)
	}
	return nil
}

// describe returns type and shape: "float32 of batch×384".
func (v Value) describe() string {
	if len(v.Shape) == 0 {
		return v.Type.String() + " without a shape"
	}
	dims := make([]string, len(v.Shape))
	for i, d := range v.Shape {
		dims[i] = d.String()
	}
	return v.Type.String() + " of " + strings.Join(dims, "×")
}

// names lists values for a message.
func names(values []Value) string {
	if len(values) == 0 {
		return "none"
	}
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = fmt.Sprintf("%q", v.Name)
	}
	return strings.Join(quoted, ", ")
}
