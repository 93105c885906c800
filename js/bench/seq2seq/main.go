// Command seq2seq writes the two ONNX files by which a small summarizing
// transformer runs, with random weights: what one takes does not depend on
// their values, and no file of a real one is part of this repository. The
// shape is that of T5-small: 6 layers of encoder and decoder, 512 wide, 8
// heads, 2,048 within, 32,128 tokens, RMS norms and ReLU. The bias of relative
// positions, which adds next to no time, is left out.
//
//	go run ./js/bench/seq2seq [--int8] --out FOLDER
//
// encoder.onnx takes input_ids (1 × S) and gives, for each layer of the
// decoder, the keys and values that it will attend to. decoder.onnx takes one
// token with those and the keys and values of the tokens before it, and gives
// the likeliest next token with the keys and values that now are. With --int8
// matrices are int8 and products are done in integers, as exporters do it
// ("dynamic quantization").
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/cerasum/cerasum/internal/onnx"
)

// shape of a model: D width, H heads.
type shape struct {
	Layers, Width, Heads, Inner, Vocabulary int
}

var t5small = shape{Layers: 6, Width: 512, Heads: 8, Inner: 2048, Vocabulary: 32128}

func main() {
	log.SetFlags(0)
	log.SetPrefix("seq2seq: ")
	out := flag.String("out", "", "folder to write")
	int8s := flag.Bool("int8", false, "matrices as int8, products in integers")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		log.Fatal("--out FOLDER is wanted, and nothing else")
	}
	if err := write(*out, t5small, *int8s); err != nil {
		log.Fatal(err)
	}
}

func write(folder string, s shape, int8s bool) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, g := range map[string]io.WriterTo{"encoder.onnx": encoder(s, int8s), "decoder.onnx": decoder(s, int8s)} {
		file, err := os.Create(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		if _, err := g.WriteTo(file); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	return nil
}

// builder adds the parts of a model to a graph.
type builder struct {
	*onnx.Graph
	shape
	int8   bool
	random *rand.Rand
	shared map[string]bool
}

func newBuilder(name string, s shape, int8s bool) *builder {
	return &builder{&onnx.Graph{Name: name, Producer: "cerasum"}, s, int8s, rand.New(rand.NewPCG(1, 2)), map[string]bool{}}
}

// node adds an operation of one output, which it names and returns.
func (b *builder) node(output, op string, inputs []string, attrs ...onnx.Attr) string {
	b.Node(op, inputs, []string{output}, attrs...)
	return output
}

// constant adds a constant that several nodes may share, once.
func (b *builder) constant(name string, data any, dims ...int) string {
	if !b.shared[name] {
		b.shared[name] = true
		b.Initializer(name, data, dims...)
	}
	return name
}

func (b *builder) real(name string, value float64) string {
	return b.constant(name, []float32{float32(value)})
}

// matrix adds random weights of about 1/√scale and, where they are int8, their
// one scale, under name+"_scale".
func (b *builder) matrix(name string, rows, columns, scale int) {
	spread := 1 / math.Sqrt(float64(scale))
	if !b.int8 {
		values := make([]float32, rows*columns)
		for i := range values {
			values[i] = float32(spread * b.random.NormFloat64())
		}
		b.Initializer(name, values, rows, columns)
		return
	}
	values := make([]int8, rows*columns)
	for i := range values {
		values[i] = int8(b.random.IntN(255) - 127)
	}
	b.Initializer(name, values, rows, columns)
	b.Initializer(name+"_scale", []float32{float32(spread / 73)}) // the standard deviation of −127 … 127
}

// linear multiplies by random weights: … × in to … × out.
func (b *builder) linear(name, x string, in, out int) string {
	weight := name + "_weight"
	b.matrix(weight, in, out, in)
	if !b.int8 {
		return b.node(name, "MatMul", []string{x, weight})
	}
	b.Node("DynamicQuantizeLinear", []string{x}, []string{name + "_q", name + "_q_scale", name + "_q_zero"})
	b.node(name+"_int", "MatMulInteger", []string{name + "_q", weight, name + "_q_zero"})
	b.node(name+"_float", "Cast", []string{name + "_int"}, onnx.Int("to", int64(onnx.Float32)))
	b.node(name+"_scale", "Mul", []string{name + "_q_scale", weight + "_scale"})
	return b.node(name, "Mul", []string{name + "_float", name + "_scale"})
}

// words looks tokens up: 1 × T to 1 × T × D.
func (b *builder) words(ids string) string {
	b.matrix("words", b.Vocabulary, b.Width, 1)
	x := b.node("words_of", "Gather", []string{"words", ids})
	if b.int8 {
		x = b.node("words_float", "Cast", []string{x}, onnx.Int("to", int64(onnx.Float32)))
		x = b.node("words_scaled", "Mul", []string{x, "words_scale"})
	}
	return x
}

// norm divides by the root of the mean square.
func (b *builder) norm(name, x string) string {
	ones := make([]float32, b.Width)
	for i := range ones {
		ones[i] = 1
	}
	square := b.node(name+"_square", "Mul", []string{x, x})
	mean := b.node(name+"_mean", "ReduceMean", []string{square}, onnx.Ints("axes", -1), onnx.Int("keepdims", 1))
	mean = b.node(name+"_above_0", "Add", []string{mean, b.real("epsilon", 1e-6)})
	root := b.node(name+"_root", "Sqrt", []string{mean})
	x = b.node(name+"_unit", "Div", []string{x, root})
	return b.node(name, "Mul", []string{x, b.constant("ones", ones, b.Width)})
}

// heads brings 1×T×D to 1×H×T×D/H, or to 1×H×D/H×T for keys.
func (b *builder) heads(name, x string, key bool) string {
	order := []int64{0, 2, 1, 3}
	if key {
		order = []int64{0, 2, 3, 1}
	}
	split := b.constant("split_heads", []int64{0, 0, int64(b.Heads), int64(b.Width / b.Heads)}, 4)
	x = b.node(name+"_split", "Reshape", []string{x, split})
	return b.node(name+"_heads", "Transpose", []string{x}, onnx.Ints("perm", order...))
}

// attend adds to x what its queries find among keys and values. T5 does not
// scale the scores; here they are, lest random ones overflow.
func (b *builder) attend(at, x, query, keys, values string) string {
	scores := b.node(at+"scores", "MatMul", []string{query, keys})
	scores = b.node(at+"scaled", "Div", []string{scores, b.real("root", math.Sqrt(float64(b.Width/b.Heads)))})
	attention := b.node(at+"attention", "Softmax", []string{scores}, onnx.Int("axis", -1))
	context := b.node(at+"context", "MatMul", []string{attention, values})
	context = b.node(at+"context_split", "Transpose", []string{context}, onnx.Ints("perm", 0, 2, 1, 3))
	context = b.node(at+"context_joined", "Reshape", []string{context, b.constant("join_heads", []int64{0, 0, int64(b.Width)}, 3)})
	return b.node(at+"attended", "Add", []string{x, b.linear(at+"output", context, b.Width, b.Width)})
}

// think is the part of a layer after its attention.
func (b *builder) think(at, x string) string {
	inner := b.linear(at+"inner", b.norm(at+"inner_norm", x), b.Width, b.Inner)
	inner = b.node(at+"inner_activated", "Relu", []string{inner})
	return b.node(at+"sum", "Add", []string{x, b.linear(at+"outer", inner, b.Inner, b.Width)})
}

// past is the shape of keys (D/H × tokens) or values (tokens × D/H).
func (b *builder) past(key bool, tokens string) []onnx.Dim {
	each, many := onnx.Fixed(b.Width/b.Heads), onnx.Dynamic(tokens)
	if key {
		return []onnx.Dim{onnx.Fixed(1), onnx.Fixed(b.Heads), each, many}
	}
	return []onnx.Dim{onnx.Fixed(1), onnx.Fixed(b.Heads), many, each}
}

func encoder(s shape, int8s bool) *onnx.Graph {
	b := newBuilder("encoder", s, int8s)
	b.Input("input_ids", onnx.Int64, onnx.Fixed(1), onnx.Dynamic("source"))
	x := b.words("input_ids")
	for i := range s.Layers {
		at := fmt.Sprintf("layer_%d/", i)
		y := b.norm(at+"norm", x)
		query := b.heads(at+"query", b.linear(at+"query", y, s.Width, s.Width), false)
		keys := b.heads(at+"key", b.linear(at+"key", y, s.Width, s.Width), true)
		values := b.heads(at+"value", b.linear(at+"value", y, s.Width, s.Width), false)
		x = b.think(at, b.attend(at, x, query, keys, values))
	}
	x = b.norm("last_norm", x)
	for i := range s.Layers {
		for _, part := range []string{"key", "value"} {
			name := fmt.Sprintf("source_%s_%d", part, i)
			b.node(name, "Identity", []string{b.heads(name+"_of", b.linear(name+"_of", x, s.Width, s.Width), part == "key")})
			b.Output(name, onnx.Float32, b.past(part == "key", "source")...)
		}
	}
	return b.Graph
}

func decoder(s shape, int8s bool) *onnx.Graph {
	b := newBuilder("decoder", s, int8s)
	b.Input("input_ids", onnx.Int64, onnx.Fixed(1), onnx.Fixed(1))
	for i := range s.Layers {
		for _, part := range []string{"key", "value"} {
			b.Input(fmt.Sprintf("source_%s_%d", part, i), onnx.Float32, b.past(part == "key", "source")...)
			b.Input(fmt.Sprintf("past_%s_%d", part, i), onnx.Float32, b.past(part == "key", "past")...)
		}
	}
	x := b.words("input_ids")
	for i := range s.Layers {
		at := fmt.Sprintf("layer_%d/", i)
		y := b.norm(at+"norm", x)
		query := b.heads(at+"query", b.linear(at+"query", y, s.Width, s.Width), false)
		var all [2]string
		for j, part := range []string{"key", "value"} {
			own := b.heads(at+part, b.linear(at+part, y, s.Width, s.Width), part == "key")
			axis := []int64{3, 2}[j]
			all[j] = b.node(fmt.Sprintf("present_%s_%d", part, i), "Concat", []string{fmt.Sprintf("past_%s_%d", part, i), own}, onnx.Int("axis", axis))
			b.Output(all[j], onnx.Float32, b.past(part == "key", "present")...)
		}
		x = b.attend(at, x, query, all[0], all[1])
		at += "source/"
		query = b.heads(at+"query", b.linear(at+"query", b.norm(at+"norm", x), s.Width, s.Width), false)
		x = b.think(at, b.attend(at, x, query, fmt.Sprintf("source_key_%d", i), fmt.Sprintf("source_value_%d", i)))
	}
	logits := b.linear("logits", b.norm("last_norm", x), s.Width, s.Vocabulary)
	b.node("next", "ArgMax", []string{logits}, onnx.Int("axis", -1), onnx.Int("keepdims", 0))
	b.Output("next", onnx.Int64, onnx.Fixed(1), onnx.Fixed(1))
	return b.Graph
}
