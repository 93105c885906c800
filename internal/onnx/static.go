package onnx

import (
	"fmt"
	"io"
	"math"
)

// Names of the inputs and outputs that sentence encoders have by convention.
const (
	InputIDs          = "input_ids"
	AttentionMask     = "attention_mask"
	TokenTypeIDs      = "token_type_ids"
	SentenceEmbedding = "sentence_embedding"
	LastHiddenState   = "last_hidden_state"
	TokenEmbeddings   = "token_embeddings"
)

// StaticEpsilon is the minimum norm by which a static embedding is divided: a
// text without known tokens gives zeros, not NaN.
const StaticEpsilon = 1e-12

// WriteStatic writes the graph of the static encoder: a table of token vectors,
// whose sum is scaled to unit length.
//
//	table   V×dims, row-major: row id is the direction of token id
//	scales  V: what row id is multiplied by (its quantization step and weight)
//
// Inputs of the graph are input_ids and attention_mask (int64, batch×tokens);
// its output is sentence_embedding (float32, batch×dims):
//
//	sum = Σ over tokens of mask · scales[id] · table[id];  sum / max(‖sum‖, StaticEpsilon)
//
// The weighted sum is one matrix product per text, 1×tokens by tokens×dims, so
// that the rows are converted to float32 only once.
//
// It returns an error for mismatched shapes and scales that are not finite, and
// errors of w.
func WriteStatic(w io.Writer, table []int8, scales []float32, dims int, metadata map[string]string) error {
	rows := len(scales)
	if rows == 0 || dims <= 0 || len(table) != rows*dims {
		return fmt.Errorf("onnx: a table of %d elements is not %d scales × %d dimensions", len(table), rows, dims)
	}
	for id, s := range scales {
		if math.IsNaN(float64(s)) || math.IsInf(float64(s), 0) {
			return fmt.Errorf("onnx: the scale of token %d is %v", id, s)
		}
	}
	g := &Graph{Name: "static", Producer: "cerasum", Metadata: metadata}
	batch, tokens := Dynamic("batch"), Dynamic("tokens")
	g.Input(InputIDs, Int64, batch, tokens)
	g.Input(AttentionMask, Int64, batch, tokens)
	g.Initializer("table", table, rows, dims)
	g.Initializer("scales", scales, rows)
	g.Initializer("axis_1", []int64{1}, 1)
	g.Initializer("epsilon", []float32{StaticEpsilon})

	g.Node("Gather", []string{"table", InputIDs}, []string{"rows_int8"}, Int("axis", 0))
	g.Node("Cast", []string{"rows_int8"}, []string{"rows"}, Int("to", int64(Float32)))
	g.Node("Gather", []string{"scales", InputIDs}, []string{"scale"}, Int("axis", 0))
	g.Node("Cast", []string{AttentionMask}, []string{"mask"}, Int("to", int64(Float32)))
	g.Node("Mul", []string{"scale", "mask"}, []string{"weight"})
	g.Node("Unsqueeze", []string{"weight", "axis_1"}, []string{"weight_row"})
	g.Node("MatMul", []string{"weight_row", "rows"}, []string{"sum_row"})
	g.Node("Squeeze", []string{"sum_row", "axis_1"}, []string{"sum"})
	g.Node("ReduceL2", []string{"sum"}, []string{"norm"}, Ints("axes", 1), Int("keepdims", 1))
	g.Node("Max", []string{"norm", "epsilon"}, []string{"length"})
	g.Node("Div", []string{"sum", "length"}, []string{SentenceEmbedding})
	g.Output(SentenceEmbedding, Float32, batch, Fixed(dims))
	_, err := g.WriteTo(w)
	return err
}
