// Command encoders writes the small models of the encoder's tests into a
// folder: a static one and a transformer of one layer, with a tokenizer that
// both share and the weights as JSON, from which the tests compute what the
// models should give.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/cerasum/cerasum/internal/onnx"
)

// dims of a token's vector in both models.
const dims = 8

// weights of both models, matrices row-major.
type weights struct {
	Vocab  []string  `json:"vocab"`
	Dims   int       `json:"dims"`
	Table  []int8    `json:"table"`  // V × dims, of the static model
	Scales []float32 `json:"scales"` // V
	Tokens []float32 `json:"tokens"` // V × dims, of the transformer
	Types  []float32 `json:"types"`  // 2 × dims
	Query  []float32 `json:"query"`  // dims × dims
	Key    []float32 `json:"key"`    // dims × dims
	Value  []float32 `json:"value"`  // dims × dims
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: encoders FOLDER")
	}
	if err := write(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func write(folder string) error {
	w := makeWeights()
	if err := writeJSON(filepath.Join(folder, "weights.json"), w); err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(folder, "tokenizer.json"), tokenizer(w.Vocab)); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(folder, "static.onnx"), func(to io.Writer) error {
		return onnx.WriteStatic(to, w.Table, w.Scales, dims, nil)
	}); err != nil {
		return err
	}
	return writeFile(filepath.Join(folder, "transformer.onnx"), func(to io.Writer) error {
		_, err := transformer(w).WriteTo(to)
		return err
	})
}

func makeWeights() *weights {
	w := &weights{Dims: dims, Vocab: []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", ".", ",", "ferry", "harbour", "##s", "##ing", "船", "е"}}
	for c := 'a'; c <= 'z'; c++ {
		w.Vocab = append(w.Vocab, string(c), "##"+string(c))
	}
	random := rand.New(rand.NewPCG(4, 2))
	for range w.Vocab {
		w.Scales = append(w.Scales, 0.01+random.Float32()/10)
		for range dims {
			w.Table = append(w.Table, int8(random.IntN(255)-127))
		}
	}
	normal := func(n int) []float32 {
		all := make([]float32, n)
		for i := range all {
			all[i] = float32(random.NormFloat64())
		}
		return all
	}
	w.Tokens, w.Types = normal(len(w.Vocab)*dims), normal(2*dims)
	w.Query, w.Key, w.Value = normal(dims*dims), normal(dims*dims), normal(dims*dims)
	return w
}

// transformer is h + softmax(q·kᵀ + mask)·v with q, k and v of h, where h is
// the sum of the vectors of token and type.
func transformer(w *weights) *onnx.Graph {
	g := &onnx.Graph{Name: "transformer", Producer: "cerasum"}
	batch, tokens := onnx.Dynamic("batch"), onnx.Dynamic("tokens")
	for _, name := range []string{onnx.InputIDs, onnx.AttentionMask, onnx.TokenTypeIDs} {
		g.Input(name, onnx.Int64, batch, tokens)
	}
	g.Initializer("token_table", w.Tokens, len(w.Vocab), dims)
	g.Initializer("type_table", w.Types, 2, dims)
	g.Initializer("query", w.Query, dims, dims)
	g.Initializer("key", w.Key, dims, dims)
	g.Initializer("value", w.Value, dims, dims)
	g.Initializer("one", []float32{1})
	g.Initializer("far", []float32{-10000})
	g.Initializer("axis_1", []int64{1}, 1)
	node := func(op, output string, inputs ...string) { g.Node(op, inputs, []string{output}) }
	g.Node("Gather", []string{"token_table", onnx.InputIDs}, []string{"token"}, onnx.Int("axis", 0))
	g.Node("Gather", []string{"type_table", onnx.TokenTypeIDs}, []string{"type"}, onnx.Int("axis", 0))
	node("Add", "h", "token", "type")
	node("MatMul", "q", "h", "query")
	node("MatMul", "k", "h", "key")
	node("MatMul", "v", "h", "value")
	g.Node("Transpose", []string{"k"}, []string{"kt"}, onnx.Ints("perm", 0, 2, 1))
	node("MatMul", "scores", "q", "kt")
	g.Node("Cast", []string{onnx.AttentionMask}, []string{"mask"}, onnx.Int("to", int64(onnx.Float32)))
	node("Sub", "padding", "one", "mask")
	node("Mul", "away", "padding", "far")
	node("Unsqueeze", "bias", "away", "axis_1")
	node("Add", "masked", "scores", "bias")
	g.Node("Softmax", []string{"masked"}, []string{"shares"}, onnx.Int("axis", 2))
	node("MatMul", "context", "shares", "v")
	node("Add", onnx.LastHiddenState, "h", "context")
	g.Output(onnx.LastHiddenState, onnx.Float32, batch, tokens, onnx.Fixed(dims))
	return g
}

// tokenizer is BERT's for a vocabulary.
func tokenizer(vocab []string) any {
	ids := map[string]int{}
	for id, piece := range vocab {
		ids[piece] = id
	}
	type object = map[string]any
	var added []any
	for _, name := range vocab[:4] {
		added = append(added, object{"id": ids[name], "content": name, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true})
	}
	special := func(name string) object {
		return object{"SpecialToken": object{"id": name, "type_id": 0}}
	}
	sequence := func(id string) object { return object{"Sequence": object{"id": id, "type_id": 0}} }
	return object{
		"version": "1.0", "truncation": nil, "padding": nil, "added_tokens": added,
		"normalizer":    object{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": object{"type": "BertPreTokenizer"},
		"post_processor": object{
			"type":   "TemplateProcessing",
			"single": []any{special("[CLS]"), sequence("A"), special("[SEP]")},
			"pair":   []any{special("[CLS]"), sequence("A"), special("[SEP]"), sequence("B"), special("[SEP]")},
			"special_tokens": object{
				"[CLS]": object{"id": "[CLS]", "ids": []int{ids["[CLS]"]}, "tokens": []string{"[CLS]"}},
				"[SEP]": object{"id": "[SEP]", "ids": []int{ids["[SEP]"]}, "tokens": []string{"[SEP]"}},
			},
		},
		"decoder": object{"type": "WordPiece", "prefix": "##", "cleanup": true},
		"model":   object{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": ids},
	}
}

func writeJSON(name string, v any) error {
	return writeFile(name, func(to io.Writer) error {
		e := json.NewEncoder(to)
		e.SetEscapeHTML(false)
		return e.Encode(v)
	})
}

func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", name, err)
	}
	return f.Close()
}
