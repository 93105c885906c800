package encoder

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cerasum/cerasum/internal/onnx"
)

// words of the small tokenizer, by id.
var words = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "storm", "broke", "roof", "##s", "sun"}

// tokenizerJSON is a WordPiece tokenizer of these words. With special, texts
// stand between [CLS] and [SEP].
func tokenizerJSON(special bool) []byte {
	vocabulary := map[string]int{}
	for id, w := range words {
		vocabulary[w] = id
	}
	added := []map[string]any{}
	for id, w := range words[:4] {
		added = append(added, map[string]any{"id": id, "content": w, "special": true, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false})
	}
	t := map[string]any{
		"version": "1.0", "truncation": nil, "padding": nil, "added_tokens": added,
		"normalizer":     map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer":  map[string]any{"type": "BertPreTokenizer"},
		"post_processor": nil,
		"decoder":        nil,
		"model":          map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocabulary},
	}
	if special {
		t["post_processor"] = map[string]any{"type": "BertProcessing", "sep": []any{"[SEP]", 3}, "cls": []any{"[CLS]", 2}}
	}
	return marshal(t)
}

func marshal(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}

// staticTable are the rows of the small static encoder: 10 × 3.
var staticTable = []int8{
	0, 0, 0 /* [PAD] */, 9, 9, 9 /* [UNK] */, 0, 0, 0, 0, 0, 0,
	1, 0, 0 /* the */, 0, 4, 0 /* storm */, 0, 0, 3 /* broke */, 2, 0, 2 /* roof */, 0, 1, 0 /* ##s */, -5, 0, 0, /* sun */
}

// staticScales: [UNK] counts nothing.
var staticScales = []float32{0, 0, 0, 0, 0.5, 1, 1, 0.5, 2, 1}

// staticFiles is the export of the small static encoder.
func staticFiles(t testing.TB) fstest.MapFS {
	t.Helper()
	var model bytes.Buffer
	if err := onnx.WriteStatic(&model, staticTable, staticScales, 3, nil); err != nil {
		t.Fatal(err)
	}
	return files(map[string][]byte{
		"tokenizer.json": tokenizerJSON(false),
		"model.onnx":     model.Bytes(),
		"modules.json":   modulesJSON("Transformer:", "Pooling:1_Pooling"),
		"1_Pooling/config.json": marshal(map[string]any{
			"word_embedding_dimension": 3, "pooling_mode_mean_tokens": true,
		}),
	})
}

func files(contents map[string][]byte) fstest.MapFS {
	m := fstest.MapFS{}
	for name, data := range contents {
		m[name] = &fstest.MapFile{Data: data}
	}
	return m
}

// with is the files with some of them changed; nil takes a file away.
func with(m fstest.MapFS, changes map[string][]byte) fstest.MapFS {
	m = maps.Clone(m)
	for name, data := range changes {
		if data == nil {
			delete(m, name)
			continue
		}
		m[name] = &fstest.MapFile{Data: data}
	}
	return m
}

// modulesJSON lists modules given as "Class:path".
func modulesJSON(modules ...string) []byte {
	var list []map[string]any
	for i, m := range modules {
		class, path, _ := strings.Cut(m, ":")
		list = append(list, map[string]any{"idx": i, "name": fmt.Sprint(i), "path": path, "type": "sentence_transformers.models." + class})
	}
	return marshal(list)
}

// Width of the small token model, and its rows: 10 × 4.
const tokenWidth = 4

func tokenTable() []float32 {
	table := make([]float32, len(words)*tokenWidth)
	for i := range table {
		table[i] = float32(math.Sin(float64(7*i + 1)))
	}
	return table
}

// tokenModel writes a model with last_hidden_state: the rows of its table,
// each with a tenth of the mean over the text's tokens added to it, so that
// padding that is not masked would show.
func tokenModel(t testing.TB) []byte {
	t.Helper()
	g := &onnx.Graph{Name: "tokens"}
	batch, tokens := onnx.Dynamic("batch"), onnx.Dynamic("tokens")
	for _, in := range []string{onnx.InputIDs, onnx.AttentionMask, onnx.TokenTypeIDs} {
		g.Input(in, onnx.Int64, batch, tokens)
	}
	g.Initializer("table", tokenTable(), len(words), tokenWidth)
	g.Initializer("types", make([]float32, 2*tokenWidth), 2, tokenWidth)
	g.Initializer("axis_2", []int64{2}, 1)
	g.Initializer("axis_1", []int64{1}, 1)
	g.Initializer("tenth", []float32{0.1})
	g.Node("Gather", []string{"table", onnx.InputIDs}, []string{"token"}, onnx.Int("axis", 0))
	g.Node("Gather", []string{"types", onnx.TokenTypeIDs}, []string{"type"}, onnx.Int("axis", 0))
	g.Node("Add", []string{"token", "type"}, []string{"rows"})
	g.Node("Cast", []string{onnx.AttentionMask}, []string{"mask"}, onnx.Int("to", int64(onnx.Float32)))
	g.Node("Unsqueeze", []string{"mask", "axis_2"}, []string{"mask_column"})
	g.Node("Mul", []string{"rows", "mask_column"}, []string{"masked"})
	g.Node("ReduceSum", []string{"masked", "axis_1"}, []string{"sum"}, onnx.Int("keepdims", 1))
	g.Node("ReduceSum", []string{"mask_column", "axis_1"}, []string{"count"}, onnx.Int("keepdims", 1))
	g.Node("Div", []string{"sum", "count"}, []string{"mean"})
	g.Node("Mul", []string{"mean", "tenth"}, []string{"some"})
	g.Node("Add", []string{"rows", "some"}, []string{onnx.LastHiddenState})
	g.Output(onnx.LastHiddenState, onnx.Float32, batch, tokens, onnx.Fixed(tokenWidth))
	var b bytes.Buffer
	if _, err := g.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// hidden is what tokenModel gives for one text, by hand.
func hidden(ids []int32) [][]float64 {
	table := tokenTable()
	mean := make([]float64, tokenWidth)
	for _, id := range ids {
		for d := range mean {
			mean[d] += float64(table[int(id)*tokenWidth+d]) / float64(len(ids))
		}
	}
	rows := make([][]float64, len(ids))
	for t, id := range ids {
		for d := range mean {
			rows[t] = append(rows[t], float64(table[int(id)*tokenWidth+d])+mean[d]/10)
		}
	}
	return rows
}

// tokenFiles is the export of tokenModel with some pooling modes and modules.
func tokenFiles(t testing.TB, modes []string, more ...string) fstest.MapFS {
	t.Helper()
	pooling := map[string]any{"word_embedding_dimension": tokenWidth}
	for _, m := range []string{"cls_token", "max_tokens", "mean_tokens", "mean_sqrt_len_tokens"} {
		pooling["pooling_mode_"+m] = false
	}
	for _, m := range modes {
		pooling["pooling_mode_"+m] = true
	}
	return files(map[string][]byte{
		"tokenizer.json":        tokenizerJSON(true),
		"onnx/model.onnx":       tokenModel(t),
		"modules.json":          modulesJSON(append([]string{"Transformer:", "Pooling:1_Pooling"}, more...)...),
		"1_Pooling/config.json": marshal(pooling),
		"config.json":           marshal(map[string]any{"vocab_size": len(words), "max_position_embeddings": 64, "model_type": "bert"}),
	})
}

// tensorFile writes float32 tensors as safetensors.
func tensorFile(tensors map[string][]float32, shapes map[string][]int) []byte {
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	var body []byte
	for name, data := range tensors {
		from := len(body)
		for _, v := range data {
			body = binary.LittleEndian.AppendUint32(body, math.Float32bits(v))
		}
		header[name] = map[string]any{"dtype": "F32", "shape": shapes[name], "data_offsets": []int{from, len(body)}}
	}
	h := marshal(header)
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(h))), h...), body...)
}
