package encoder

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/cerasum/cerasum/internal/onnx"
	"github.com/cerasum/cerasum/internal/unigram"
)

// words of the small encoders, by id.
var words = []string{"<s>", "<pad>", "</s>", "<unk>", "▁broke", "▁query:", "▁roof", "▁storm", "▁sun", "▁the"}

const (
	broke, query, roof, storm, sun, the = 4, 5, 6, 7, 8, 9
	tokenWidth                          = 4 // D of the small encoders
)

func tokenTable() []float32 {
	table := make([]float32, len(words)*tokenWidth)
	for i := range table {
		table[i] = float32(math.Sin(float64(7*i + 1)))
	}
	return table
}

// tokenGraph gives last_hidden_state: the rows of its table, each with a tenth of the mean
// over the text's tokens added to it, so that padding that is not masked would show.
func tokenGraph(t testing.TB) []byte {
	return graphOf(t, func(g *onnx.Graph) {
		batch, tokens := onnx.Dynamic("batch"), onnx.Dynamic("tokens")
		g.Input(onnx.InputIDs, onnx.Int64, batch, tokens)
		g.Input(onnx.AttentionMask, onnx.Int64, batch, tokens)
		g.Initializer("table", tokenTable(), len(words), tokenWidth)
		g.Initializer("axis_2", []int64{2}, 1)
		g.Initializer("axis_1", []int64{1}, 1)
		g.Initializer("tenth", []float32{0.1})
		g.Node("Gather", []string{"table", onnx.InputIDs}, []string{"rows"}, onnx.Int("axis", 0))
		g.Node("Cast", []string{onnx.AttentionMask}, []string{"mask"}, onnx.Int("to", int64(onnx.Float32)))
		g.Node("Unsqueeze", []string{"mask", "axis_2"}, []string{"mask_column"})
		g.Node("Mul", []string{"rows", "mask_column"}, []string{"masked"})
		g.Node("ReduceSum", []string{"masked", "axis_1"}, []string{"sum"}, onnx.Int("keepdims", 1))
		g.Node("ReduceSum", []string{"mask_column", "axis_1"}, []string{"count"}, onnx.Int("keepdims", 1))
		g.Node("Div", []string{"sum", "count"}, []string{"mean"})
		g.Node("Mul", []string{"mean", "tenth"}, []string{"some"})
		g.Node("Add", []string{"rows", "some"}, []string{onnx.LastHiddenState})
		g.Output(onnx.LastHiddenState, onnx.Float32, batch, tokens, onnx.Fixed(tokenWidth))
	})
}

// graphOf writes a model.
func graphOf(t testing.TB, build func(g *onnx.Graph)) []byte {
	t.Helper()
	g := &onnx.Graph{Name: "test"}
	build(g)
	var b bytes.Buffer
	if _, err := g.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// wantEmbedding is the embedding of ids by hand: the mean of those from first to last,
// scaled to unit length.
func wantEmbedding(ids []int, first, last int) []float64 {
	table := tokenTable()
	sum, length := make([]float64, tokenWidth), 0.0
	for d := range sum {
		for i, id := range ids {
			x := float64(table[id*tokenWidth+d])
			sum[d] += 0.1 * x / float64(len(ids))
			if i >= first && i < last {
				sum[d] += x / float64(last-first)
			}
		}
		length += sum[d] * sum[d]
	}
	for d := range sum {
		sum[d] /= math.Sqrt(length)
	}
	return sum
}

// shippedFiles is a small encoder of the shipped form.
func shippedFiles(t testing.TB) fstest.MapFS {
	v := unigram.Vocabulary{Pieces: words, Scores: make([]float32, len(words))}
	for i := range v.Scores {
		v.Scores[i] = -1
	}
	return fstest.MapFS{graphFile: {Data: tokenGraph(t)}, vocabularyFile: {Data: v.Append(nil)}}
}

// tokenizerJSON is a WordPiece tokenizer of the words, between <s> and </s>.
func tokenizerJSON() []byte {
	vocabulary := map[string]int{}
	for id, w := range words {
		vocabulary[string(bytes.TrimPrefix([]byte(w), []byte("▁")))] = id
	}
	var added []any
	for id, w := range words[:4] {
		added = append(added, map[string]any{"id": id, "content": w, "special": true, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false})
	}
	return marshal(map[string]any{
		"version": "1.0", "truncation": nil, "padding": nil, "added_tokens": added,
		"normalizer":     map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer":  map[string]any{"type": "BertPreTokenizer"},
		"post_processor": map[string]any{"type": "BertProcessing", "sep": []any{"</s>", 2}, "cls": []any{"<s>", 0}},
		"decoder":        nil,
		"model":          map[string]any{"type": "WordPiece", "unk_token": "<unk>", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocabulary},
	})
}

func marshal(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}

// folderOf writes an export with some files changed; nil leaves one out.
func folderOf(t testing.TB, changes map[string]any) string {
	t.Helper()
	files := map[string]any{
		"tokenizer.json":  tokenizerJSON(),
		"onnx/model.onnx": tokenGraph(t),
		"modules.json": []map[string]any{
			{"idx": 0, "path": "", "type": "sentence_transformers.models.Transformer"},
			{"idx": 1, "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
		},
		"1_Pooling/config.json": map[string]any{"word_embedding_dimension": tokenWidth, "pooling_mode_cls_token": false, "pooling_mode_mean_tokens": true},
		"config.json":           map[string]any{"max_position_embeddings": 64, "model_type": "bert"},
	}
	maps.Copy(files, changes)
	dir := t.TempDir()
	for name, content := range files {
		raw, ok := content.([]byte)
		if content == nil {
			continue
		}
		if !ok {
			raw = marshal(content)
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// opened closes a model after the test.
func opened(t testing.TB, m *Model, err error) *Model {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

func openSmall(t testing.TB) *Model {
	m, err := OpenShipped(shippedFiles(t), Options{Name: "small"})
	return opened(t, m, err)
}

func openFolder(t testing.TB, changes map[string]any) *Model {
	m, err := Open(folderOf(t, changes), Options{})
	return opened(t, m, err)
}

func embed(t testing.TB, m *Model, texts ...string) []float32 {
	t.Helper()
	out, err := m.Embed(context.Background(), texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(out) != len(texts)*m.Dimensions() {
		t.Fatalf("%d numbers for %d texts of %d dimensions", len(out), len(texts), m.Dimensions())
	}
	return out
}

func near(t *testing.T, what string, got []float32, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for i := range got {
		if math.Abs(float64(got[i])-want[i]) > 1e-5 {
			t.Fatalf("%s: %v, want %v", what, got, want)
		}
	}
}
