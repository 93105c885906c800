package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/internal/onnx"
	"github.com/cerasum/cerasum/internal/weights/safetensors"
)

const (
	heads   = 12
	epsilon = 1e-12 // of the layer norms
	// masked is added to the attention of padding: finite, so that no row is all NaN.
	masked = -10000
	// steps of a quantized weight, on each side of zero. Seven bits: processors without
	// dot products of bytes add two products of 8 × 8 bits in 16, which saturate.
	steps = 63
)

// encoder is the trained network. V pieces, D dimensions, L layers.
type encoder struct {
	tensors map[string]safetensors.Tensor
	layers  int
	width   int // D
}

// newEncoder checks that all tensors are there:
//
//	codes V×S, books S×256×D/S   vector of piece v: the concatenation of books[s][codes[v][s]]
//	positions P×D, norm.{scale,shift} D
//	layers.K.{qkv,attended,inner,outer}.{weight,bias}, matrices outputs×inputs
//	layers.K.{attended,outer}.{scale,shift} D   of the layer norms
//	output.{weight,bias}   D×D
//	layers.K.NAME.shrink    of each matrix but the output's: factor of each of its inputs
//	layers.K.NAME.range 2   least and greatest of the shrunk inputs
func newEncoder(tensors map[string]safetensors.Tensor) (*encoder, error) {
	e := &encoder{tensors: tensors}
	shape := func(name string, dims int) ([]int, error) {
		t, ok := tensors[name]
		if !ok || len(t.Shape) != dims {
			return nil, fmt.Errorf("tensor %q: want %d dimensions, got %v", name, dims, t.Shape)
		}
		return t.Shape, nil
	}
	positions, err := shape("positions", 2)
	if err != nil {
		return nil, err
	}
	e.width = positions[1]
	for {
		if _, ok := tensors[fmt.Sprintf("layers.%d.qkv.weight", e.layers)]; !ok {
			break
		}
		e.layers++
	}
	names := map[string]int{"codes": 2, "books": 3, "norm.scale": 1, "norm.shift": 1, "output.weight": 2, "output.bias": 1}
	for k := range e.layers {
		for _, part := range strings.Fields("qkv attended inner outer") {
			names[fmt.Sprintf("layers.%d.%s.weight", k, part)] = 2
			names[fmt.Sprintf("layers.%d.%s.bias", k, part)] = 1
		}
		for _, part := range strings.Fields("attended outer") {
			names[fmt.Sprintf("layers.%d.%s.scale", k, part)] = 1
			names[fmt.Sprintf("layers.%d.%s.shift", k, part)] = 1
		}
	}
	for name := range maps.Clone(names) {
		if matrix, ok := strings.CutSuffix(name, ".weight"); ok && matrix != "output" {
			names[matrix+".range"] = 1
			names[matrix+".shrink"] = 1
		}
	}
	for name, dims := range names {
		if _, err := shape(name, dims); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// builder adds the parts of the network to a graph. B windows, T tokens.
type builder struct {
	*onnx.Graph
	e      *encoder
	float  bool
	shared map[string]bool
}

func (b *builder) node(output, op string, inputs []string, attrs ...onnx.Attr) string {
	b.Node(op, inputs, []string{output}, attrs...)
	return output
}

// constant adds a constant, once.
func (b *builder) constant(name string, data any, dims ...int) string {
	if !b.shared[name] {
		b.shared[name] = true
		b.Initializer(name, data, dims...)
	}
	return name
}

func (b *builder) ints(name string, values ...int64) string {
	return b.constant(name, values, len(values))
}

// tensor adds a trained tensor as it is.
func (b *builder) tensor(name string) string {
	t := b.e.tensors[name]
	return b.constant(name, t.Data, t.Shape...)
}

// graph is the network: input_ids and attention_mask (int64, B×T) to last_hidden_state
// (float32, B×T×D), whose mean over the tokens of a sentence, scaled to unit length, is the
// sentence's embedding.
func (e *encoder) graph(float bool) *onnx.Graph {
	b := &builder{Graph: &onnx.Graph{Name: "cerasum encoder", Producer: "cerasum"}, e: e, float: float, shared: map[string]bool{}}
	batch, tokens := onnx.Dynamic("batch"), onnx.Dynamic("tokens")
	b.Input(onnx.InputIDs, onnx.Int64, batch, tokens)
	b.Input(onnx.AttentionMask, onnx.Int64, batch, tokens)
	x := b.embeddings()
	mask := b.node("shown", "Cast", []string{onnx.AttentionMask}, onnx.Int("to", int64(onnx.Float32)))
	mask = b.node("shown_4d", "Unsqueeze", []string{mask, b.ints("axes_1_2", 1, 2)}) // B×1×1×T
	mask = b.node("hidden", "Sub", []string{b.constant("one", []float32{1}), mask})
	mask = b.node("mask", "Mul", []string{mask, b.constant("masked", []float32{masked})})
	for k := range e.layers {
		x = b.layer(fmt.Sprintf("layers.%d.", k), x, mask)
	}
	b.linear(onnx.LastHiddenState, "output", x)
	b.Output(onnx.LastHiddenState, onnx.Float32, batch, tokens, onnx.Fixed(e.width))
	return b.Graph
}

// embeddings is pieces + positions, normalized: B×T×D.
func (b *builder) embeddings() string {
	codes, books := b.e.tensors["codes"], b.e.tensors["books"]
	parts, sub := codes.Shape[1], books.Shape[2]
	bytes := make([]uint8, len(codes.Data))
	for i, c := range codes.Data {
		bytes[i] = uint8(c)
	}
	first := make([]int32, parts)
	for s := range first {
		first[s] = int32(s * 256)
	}
	b.Initializer("codes", bytes, codes.Shape...)
	b.Initializer("first", first, parts)
	b.Initializer("books", books.Data, parts*256, sub)
	x := b.node("codes_of_tokens", "Gather", []string{"codes", onnx.InputIDs}, onnx.Int("axis", 0)) // B×T×S
	x = b.node("codes_int32", "Cast", []string{x}, onnx.Int("to", int64(onnx.Int32)))
	x = b.node("rows_of_tokens", "Add", []string{x, "first"})
	x = b.node("parts_of_tokens", "Gather", []string{"books", x}, onnx.Int("axis", 0)) // B×T×S×D/S
	x = b.node("pieces", "Reshape", []string{x, b.ints("joined", 0, 0, int64(b.e.width))})
	shape := b.node("shape", "Shape", []string{onnx.InputIDs})
	length := b.node("length", "Slice", []string{shape, b.ints("axis_1", 1), b.ints("two", 2), b.ints("axis_0", 0)})
	rows := b.node("positions_of_tokens", "Slice", []string{b.tensor("positions"), b.ints("axis_0", 0), length, b.ints("axis_0", 0)})
	x = b.node("embeddings", "Add", []string{x, rows})
	return b.norm("embedded", "norm", x)
}

// linear is x·Wᵀ + b.
func (b *builder) linear(name, of, x string) string {
	weight, bias := b.e.tensors[of+".weight"], b.tensor(of+".bias")
	outputs, inputs := weight.Shape[0], weight.Shape[1]
	// The output layer enlarges small differences, and so rounding: in 8 bits its vectors had a
	// cosine of 0.74 with the exact ones.
	if b.float || of == "output" {
		b.Initializer(of+".weight", transpose(weight.Data, outputs, inputs), inputs, outputs)
		x = b.node(name+".product", "MatMul", []string{x, of + ".weight"})
		return b.node(name, "Add", []string{x, bias})
	}
	// Both factors are rounded and scaled back; onnxruntime makes one product of bytes of it.
	shrink := b.e.tensors[of+".shrink"].Data
	if slices.Min(shrink) < 1 {
		b.Initializer(of+".shrink", shrink, inputs)
		x = b.node(name+".shrunk", "Mul", []string{x, of + ".shrink"})
	}
	stretched := slices.Clone(weight.Data)
	for i := range stretched {
		stretched[i] /= shrink[i%inputs]
	}
	q, scales := quantize(stretched, outputs, inputs)
	b.Initializer(of+".weight", transpose(q, outputs, inputs), inputs, outputs)
	b.Initializer(of+".steps", scales, outputs)
	matrix := b.node(of+".matrix", "DequantizeLinear", []string{of + ".weight", of + ".steps"}, onnx.Int("axis", 1))
	step, zero := grid(b.e.tensors[of+".range"].Data)
	b.Initializer(of+".input_step", []float32{step})
	b.Initializer(of+".input_zero", []uint8{zero})
	bytes := b.node(name+".bytes", "QuantizeLinear", []string{x, of + ".input_step", of + ".input_zero"})
	x = b.node(name+".rounded", "DequantizeLinear", []string{bytes, of + ".input_step", of + ".input_zero"})
	x = b.node(name+".product", "MatMul", []string{x, matrix})
	return b.node(name, "Add", []string{x, bias})
}

// grid spreads the bytes 0 to 255 over a range of numbers, which contains 0.
func grid(r []float32) (step float32, zero uint8) {
	low, high := min(r[0], 0), max(r[1], 0)
	step = (high - low) / 255
	return step, uint8(math.RoundToEven(float64(-low / step)))
}

func (b *builder) norm(name, of, x string) string {
	return b.node(name, "LayerNormalization", []string{x, b.tensor(of + ".scale"), b.tensor(of + ".shift")}, onnx.Int("axis", -1), onnx.Float("epsilon", epsilon))
}

// layer is one layer, B×T×D to B×T×D.
func (b *builder) layer(at, x, mask string) string {
	size := int64(b.e.width / heads)
	qkv := b.linear(at+"qkv.all", at+"qkv", x) // B×T×3D
	width := int64(b.e.width)
	b.Node("Split", []string{qkv, b.ints("thirds", width, width, width)}, []string{at + "q", at + "k", at + "v"}, onnx.Int("axis", -1))
	head := func(name string, order ...int64) string {
		split := b.node(name+".split", "Reshape", []string{name, b.ints("split_heads", 0, 0, heads, size)})
		return b.node(name+".heads", "Transpose", []string{split}, onnx.Ints("perm", order...))
	}
	scores := b.node(at+"scores", "MatMul", []string{head(at+"q", 0, 2, 1, 3), head(at+"k", 0, 2, 3, 1)}) // B×H×T×T
	scores = b.node(at+"scores_scaled", "Mul", []string{scores, b.constant("scale", []float32{float32(1 / math.Sqrt(float64(size)))})})
	scores = b.node(at+"scores_masked", "Add", []string{scores, mask})
	attention := b.node(at+"attention", "Softmax", []string{scores}, onnx.Int("axis", -1))
	context := b.node(at+"context_heads", "MatMul", []string{attention, head(at+"v", 0, 2, 1, 3)})
	context = b.node(at+"context_split", "Transpose", []string{context}, onnx.Ints("perm", 0, 2, 1, 3))
	context = b.node(at+"context", "Reshape", []string{context, "joined"})
	x = b.node(at+"attended.sum", "Add", []string{b.linear(at+"attended.out", at+"attended", context), x})
	x = b.norm(at+"attended.normed", at+"attended", x)
	inner := b.linear(at+"inner.out", at+"inner", x)
	// x/2 · (1 + erf(x/√2)), in the order that onnxruntime fuses into one operation
	y := b.node(at+"gelu.scaled", "Div", []string{inner, b.constant("sqrt_2", []float32{math.Sqrt2})})
	y = b.node(at+"gelu.erf", "Erf", []string{y})
	y = b.node(at+"gelu.above_0", "Add", []string{y, "one"})
	y = b.node(at+"gelu.product", "Mul", []string{inner, y})
	y = b.node(at+"gelu", "Mul", []string{y, b.constant("half", []float32{0.5})})
	x = b.node(at+"outer.sum", "Add", []string{b.linear(at+"outer.out", at+"outer", y), x})
	return b.norm(at+"normed", at+"outer", x)
}

// transpose converts rows×columns to columns×rows.
func transpose[T float32 | int8](m []T, rows, columns int) []T {
	out := make([]T, len(m))
	for r := range rows {
		for c, v := range m[r*columns : (r+1)*columns] {
			out[c*rows+r] = v
		}
	}
	return out
}

// quantize rounds each row to -steps … steps times a scale of its own.
func quantize(m []float32, rows, columns int) (q []int8, scales []float32) {
	q, scales = make([]int8, len(m)), make([]float32, rows)
	for r := range rows {
		row := m[r*columns : (r+1)*columns]
		top := float32(0)
		for _, v := range row {
			top = max(top, v, -v)
		}
		if top == 0 {
			continue
		}
		scales[r] = top / steps
		for c, v := range row {
			q[r*columns+c] = int8(math.RoundToEven(float64(v) / float64(top) * steps))
		}
	}
	return q, scales
}
