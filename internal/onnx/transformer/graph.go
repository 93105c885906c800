package main

import (
	"fmt"
	"math"

	"github.com/cerasum/cerasum/internal/onnx"
)

// options of the graph.
type options struct {
	Int8   bool // matrices as int8 with one scale a column
	Pooled bool // sentence_embedding instead of last_hidden_state
}

// masked is added to the attention score of a masked token. It is finite, so
// that a row of padding does not give NaN, and low enough for a weight of zero
// in float32.
const masked = -10000

// builder adds the parts of an encoder to a graph. Shapes in its comments:
// B texts, T tokens, D width, H heads.
type builder struct {
	g      *onnx.Graph
	c      config
	int8   bool
	shared map[string]bool
}

// node adds an operation with one output and returns its name.
func (b *builder) node(output, op string, inputs []string, attrs ...onnx.Attr) string {
	b.g.Node(op, inputs, []string{output}, attrs...)
	return output
}

// constant adds a constant, once: several nodes may share it.
func (b *builder) constant(name string, data any, dims ...int) string {
	if !b.shared[name] {
		b.shared[name] = true
		b.g.Initializer(name, data, dims...)
	}
	return name
}

func (b *builder) real(name string, value float64) string {
	return b.constant(name, []float32{float32(value)})
}

// ints is a list of axes or sizes.
func (b *builder) ints(name string, values ...int64) string {
	return b.constant(name, values, len(values))
}

// build makes the graph of an encoder.
func build(d *description, w *weights, projection linear, o options) (*onnx.Graph, error) {
	g := &onnx.Graph{Name: d.config.ModelType, Producer: "cerasum"}
	b := &builder{g: g, c: d.config, int8: o.Int8, shared: map[string]bool{}}
	batch, tokens := onnx.Dynamic("batch"), onnx.Dynamic("tokens")
	g.Input(onnx.InputIDs, onnx.Int64, batch, tokens)
	g.Input(onnx.AttentionMask, onnx.Int64, batch, tokens)
	if d.config.Types > 1 {
		g.Input(onnx.TokenTypeIDs, onnx.Int64, batch, tokens)
	}
	x := b.embeddings(w)
	// B×1×1×T, added to the scores B×H×T×T
	mask := b.node("mask", "Cast", []string{onnx.AttentionMask}, onnx.Int("to", int64(onnx.Float32)))
	mask = b.node("mask_4d", "Unsqueeze", []string{mask, b.ints("axes_1_2", 1, 2)})
	mask = b.node("hidden", "Sub", []string{b.real("one", 1), mask})
	mask = b.node("mask_added", "Mul", []string{mask, b.real("masked", masked)})
	for i, l := range w.layers {
		last := i == len(w.layers)-1 && !o.Pooled
		x = b.layer(fmt.Sprintf("layer_%d/", i), x, mask, l, last)
	}
	if !o.Pooled {
		g.Output(x, onnx.Float32, batch, tokens, onnx.Fixed(d.config.Width))
		return g, nil
	}
	x = b.pool(d.pooling, x)
	width := d.config.Width
	if d.dense != nil {
		width = d.dense.Out
		var err error
		if x, err = b.project(d.dense, projection, x); err != nil {
			return nil, err
		}
	}
	if d.normalize {
		norm := b.node("norm", "ReduceL2", []string{x}, onnx.Ints("axes", 1), onnx.Int("keepdims", 1))
		norm = b.node("norm_above_0", "Max", []string{norm, b.real("least_norm", 1e-12)})
		b.node(onnx.SentenceEmbedding, "Div", []string{x, norm})
	} else {
		b.node(onnx.SentenceEmbedding, "Identity", []string{x})
	}
	g.Output(onnx.SentenceEmbedding, onnx.Float32, batch, onnx.Fixed(width))
	return g, nil
}

// embeddings is words + positions (+ token types), normalized: B×T×D.
func (b *builder) embeddings(w *weights) string {
	first := b.c.firstPosition() * b.c.Width
	positions := append([]float32(nil), w.positions.values[first:]...)
	if b.c.Types == 1 { // every token has this type
		for i := range positions {
			positions[i] += w.types.values[i%b.c.Width]
		}
	}
	x := b.gather("words", w.words, onnx.InputIDs)
	if b.c.Types > 1 {
		b.g.Initializer("types", w.types.values, w.types.shape...)
		types := b.node("types_of_tokens", "Gather", []string{"types", onnx.TokenTypeIDs}, onnx.Int("axis", 0))
		x = b.node("words_and_types", "Add", []string{x, types})
	}
	b.g.Initializer("positions", positions, len(positions)/b.c.Width, b.c.Width)
	shape := b.node("shape", "Shape", []string{onnx.InputIDs})
	tokens := b.node("tokens", "Slice", []string{shape, b.ints("axis_1", 1), b.ints("two", 2), b.ints("axis_0", 0)}) // 1 number
	rows := b.node("positions_of_tokens", "Slice", []string{"positions", b.ints("axis_0", 0), tokens, b.ints("axis_0", 0)})
	x = b.node("embeddings", "Add", []string{x, rows})
	return b.layerNorm("embeddings_normed", x, w.norm)
}

// gather takes the rows of a table: B×T×D.
func (b *builder) gather(name string, table matrix, ids string) string {
	rows, width := table.shape[0], table.shape[1]
	if !b.int8 {
		b.g.Initializer(name, table.values, rows, width)
		return b.node(name+"_of_tokens", "Gather", []string{name, ids}, onnx.Int("axis", 0))
	}
	q, scales := quantizeRows(table)
	b.g.Initializer(name, q, rows, width)
	b.g.Initializer(name+"_scale", scales, rows)
	x := b.node(name+"_int8", "Gather", []string{name, ids}, onnx.Int("axis", 0))
	x = b.node(name+"_float", "Cast", []string{x}, onnx.Int("to", int64(onnx.Float32)))
	s := b.node(name+"_scales", "Gather", []string{name + "_scale", ids}, onnx.Int("axis", 0))
	s = b.node(name+"_scales_3d", "Unsqueeze", []string{s, b.ints("axis_2", 2)})
	return b.node(name+"_of_tokens", "Mul", []string{x, s})
}

// linear is x·Wᵀ + b.
func (b *builder) linear(name, x string, l linear) string {
	out, in := l.weight.shape[0], l.weight.shape[1]
	weight := name + "_weight"
	if b.int8 {
		// Every row of W is a column of the product, with a scale of its own.
		// onnxruntime evaluates the Cast and the Mul of constants once, when it
		// starts.
		q, scales := quantizeRows(l.weight)
		b.g.Initializer(weight+"_int8", transpose(q, out, in), in, out)
		b.g.Initializer(weight+"_scale", scales, out)
		b.node(weight+"_float", "Cast", []string{weight + "_int8"}, onnx.Int("to", int64(onnx.Float32)))
		b.node(weight, "Mul", []string{weight + "_float", weight + "_scale"})
	} else {
		b.g.Initializer(weight, transpose(l.weight.values, out, in), in, out)
	}
	if len(l.bias.values) == 0 {
		return b.node(name, "MatMul", []string{x, weight})
	}
	b.g.Initializer(name+"_bias", l.bias.values, out)
	product := b.node(name+"_product", "MatMul", []string{x, weight})
	return b.node(name, "Add", []string{product, name + "_bias"})
}

func (b *builder) layerNorm(name, x string, l layerNorm) string {
	b.g.Initializer(name+"_scale", l.scale.values, len(l.scale.values))
	b.g.Initializer(name+"_shift", l.shift.values, len(l.shift.values))
	return b.node(name, "LayerNormalization", []string{x, name + "_scale", name + "_shift"},
		onnx.Int("axis", -1), onnx.Float("epsilon", float32(b.c.Epsilon)))
}

// heads reshapes B×T×D to the given order of B, T, H and D/H.
func (b *builder) heads(name, x string, order ...int64) string {
	x = b.node(name+"_split", "Reshape", []string{x, b.ints("split_heads", 0, 0, int64(b.c.Heads), int64(b.c.Width/b.c.Heads))})
	return b.node(name+"_heads", "Transpose", []string{x}, onnx.Ints("perm", order...))
}

// layer is one layer of the encoder, B×T×D to B×T×D. The output of the last one
// has the name of the graph's output.
func (b *builder) layer(at, x, mask string, l layer, last bool) string {
	query := b.heads(at+"query", b.linear(at+"query", x, l.query), 0, 2, 1, 3) // B×H×T×D/H
	key := b.heads(at+"key", b.linear(at+"key", x, l.key), 0, 2, 3, 1)         // B×H×D/H×T
	value := b.heads(at+"value", b.linear(at+"value", x, l.value), 0, 2, 1, 3)
	scores := b.node(at+"scores", "MatMul", []string{query, key}) // B×H×T×T
	scores = b.node(at+"scores_scaled", "Div", []string{scores, b.real("root", math.Sqrt(float64(b.c.Width/b.c.Heads)))})
	scores = b.node(at+"scores_masked", "Add", []string{scores, mask})
	attention := b.node(at+"attention", "Softmax", []string{scores}, onnx.Int("axis", -1))
	context := b.node(at+"context_heads", "MatMul", []string{attention, value})
	context = b.node(at+"context_split", "Transpose", []string{context}, onnx.Ints("perm", 0, 2, 1, 3))
	context = b.node(at+"context", "Reshape", []string{context, b.ints("join_heads", 0, 0, int64(b.c.Width))})
	output := b.linear(at+"output", context, l.output)
	x = b.node(at+"attended", "Add", []string{output, x})
	x = b.layerNorm(at+"attended_normed", x, l.attentionNorm)

	inner := b.activate(at+"inner_activated", b.linear(at+"inner", x, l.inner))
	outer := b.linear(at+"outer", inner, l.outer)
	x = b.node(at+"sum", "Add", []string{outer, x})
	name := at + "normed"
	if last {
		name = onnx.LastHiddenState
	}
	return b.layerNorm(name, x, l.outputNorm)
}

// activate is the activation of the inner layer.
func (b *builder) activate(name, x string) string {
	switch b.c.Activation {
	case "relu":
		return b.node(name, "Relu", []string{x})
	case "gelu_new": // x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³)))
		cube := b.node(name+"_square", "Mul", []string{x, x})
		cube = b.node(name+"_cube", "Mul", []string{cube, x})
		cube = b.node(name+"_cubic", "Mul", []string{cube, b.real("cubic", 0.044715)})
		y := b.node(name+"_sum", "Add", []string{x, cube})
		y = b.node(name+"_scaled", "Mul", []string{y, b.real("sqrt_2_over_pi", math.Sqrt(2/math.Pi))})
		y = b.node(name+"_tanh", "Tanh", []string{y})
		y = b.node(name+"_above_0", "Add", []string{y, b.real("one", 1)})
		y = b.node(name+"_product", "Mul", []string{x, y})
		return b.node(name, "Mul", []string{y, b.real("half", 0.5)})
	}
	// x/2 · (1 + erf(x/√2)), in the order that onnxruntime fuses into one
	// operation
	y := b.node(name+"_scaled", "Div", []string{x, b.real("sqrt_2", math.Sqrt2)})
	y = b.node(name+"_erf", "Erf", []string{y})
	y = b.node(name+"_above_0", "Add", []string{y, b.real("one", 1)})
	y = b.node(name+"_product", "Mul", []string{x, y})
	return b.node(name, "Mul", []string{y, b.real("half", 0.5)})
}

// pool reduces B×T×D, of the tokens, to B×D, of the texts.
func (b *builder) pool(p pooling, x string) string {
	if p.CLS {
		return b.node("pooled", "Gather", []string{x, b.constant("first", []int64{0})}, onnx.Int("axis", 1))
	}
	weight := b.node("mask_3d", "Unsqueeze", []string{"mask", b.ints("axis_2", 2)}) // B×T×1
	if p.Max {
		hidden := b.node("hidden_3d", "Sub", []string{b.real("one", 1), weight})
		hidden = b.node("hidden_added", "Mul", []string{hidden, b.real("least", -1e9)})
		x = b.node("shown", "Add", []string{x, hidden})
		return b.node("pooled", "ReduceMax", []string{x}, onnx.Ints("axes", 1), onnx.Int("keepdims", 0))
	}
	sum := b.node("weighted", "Mul", []string{x, weight})
	sum = b.node("sum", "ReduceSum", []string{sum, b.ints("axis_1", 1)}, onnx.Int("keepdims", 0))
	count := b.node("count", "ReduceSum", []string{weight, b.ints("axis_1", 1)}, onnx.Int("keepdims", 0)) // B×1
	count = b.node("count_above_0", "Max", []string{count, b.real("least_count", 1e-9)})
	return b.node("pooled", "Div", []string{sum, count})
}

// project is the Dense module: B×D to B×out.
func (b *builder) project(d *dense, l linear, x string) (string, error) {
	x = b.linear("dense", x, l)
	switch d.kind() {
	case "Tanh", "ReLU":
		op := map[string]string{"Tanh": "Tanh", "ReLU": "Relu"}[d.kind()]
		return b.node("dense_activated", op, []string{x}), nil
	case "Identity":
		return x, nil
	}
	return "", fmt.Errorf("unsupported activation_function %q: want Tanh, ReLU or Identity", d.Activation)
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

// quantizeRows rounds each row to −127 … 127 steps of its own scale.
func quantizeRows(m matrix) (q []int8, scales []float32) {
	rows, columns := m.shape[0], m.shape[1]
	q, scales = make([]int8, len(m.values)), make([]float32, rows)
	for r := range rows {
		row := m.values[r*columns : (r+1)*columns]
		top := float32(0)
		for _, v := range row {
			top = max(top, max(v, -v))
		}
		if top == 0 {
			continue
		}
		scales[r] = top / 127
		for c, v := range row {
			q[r*columns+c] = int8(math.RoundToEven(float64(v) / float64(top) * 127))
		}
	}
	return q, scales
}
