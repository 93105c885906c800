package encoder

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cerasum/cerasum/internal/onnx"
)

// graph writes a small model by hand.
func graph(t testing.TB, build func(g *onnx.Graph)) []byte {
	t.Helper()
	g := &onnx.Graph{Name: "test"}
	build(g)
	var b bytes.Buffer
	if _, err := g.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// sums is a model whose output rows are the rows of a table, not pooled.
func sums(output string, shape []onnx.Dim, table []float32, dims int) func(g *onnx.Graph) {
	return func(g *onnx.Graph) {
		g.Input(onnx.InputIDs, onnx.Int64, onnx.Dynamic("batch"), onnx.Dynamic("tokens"))
		g.Input(onnx.AttentionMask, onnx.Int64, onnx.Dynamic("batch"), onnx.Dynamic("tokens"))
		g.Initializer("table", table, len(table)/dims, dims)
		g.Node("Gather", []string{"table", onnx.InputIDs}, []string{output}, onnx.Int("axis", 0))
		g.Output(output, onnx.Float32, shape...)
	}
}

func TestErrors(t *testing.T) {
	static, tokens := staticFiles(t), tokenFiles(t, []string{"mean_tokens"})
	batch, dynamic := onnx.Dynamic("batch"), onnx.Dynamic("tokens")
	dense := denseFiles(t, "torch.nn.modules.activation.Tanh", true)
	good := dense["2_Dense/model.safetensors"].Data
	whole := static["model.onnx"].Data
	for name, c := range map[string]struct {
		files   fstest.MapFS
		changes map[string][]byte
		options Options
		want    []string
	}{
		"no model":          {static, map[string][]byte{"model.onnx": nil}, Options{}, []string{"model.onnx", "not exist"}},
		"weights of torch":  {static, map[string][]byte{"model.onnx": nil, "pytorch_model.bin": {1}}, Options{}, []string{"pytorch_model.bin is not supported"}},
		"no tokenizer":      {static, map[string][]byte{"tokenizer.json": nil}, Options{}, []string{"tokenizer.json", "not exist"}},
		"tokenizer no JSON": {static, map[string][]byte{"tokenizer.json": []byte("{")}, Options{}, []string{"folder/tokenizer.json"}},
		"tokenizer with an unknown part": {static, map[string][]byte{
			"tokenizer.json": []byte(strings.Replace(string(tokenizerJSON(false)), `"BertPreTokenizer"`, `"MartianPreTokenizer"`, 1)),
		}, Options{}, []string{"folder/tokenizer.json", "pre_tokenizer", "MartianPreTokenizer"}},
		"tokenizer of another model": {tokens, map[string][]byte{"config.json": []byte(`{"vocab_size": 5}`)}, Options{}, []string{"folder/tokenizer.json", "10 tokens", "vocab_size of 5"}},
		"table too small": {tokens, map[string][]byte{"config.json": nil,
			"onnx/model.onnx": graph(t, sums(onnx.LastHiddenState, []onnx.Dim{batch, dynamic, onnx.Fixed(4)}, make([]float32, 9*4), 4)),
		}, Options{}, []string{"folder/onnx/model.onnx", "10 tokens"}},

		"empty":       {static, map[string][]byte{"model.onnx": {}}, Options{}, []string{"folder/model.onnx"}},
		"text":        {static, map[string][]byte{"model.onnx": []byte("<html>404</html>")}, Options{}, []string{"folder/model.onnx"}},
		"cut off":     {static, map[string][]byte{"model.onnx": whole[:len(whole)/2]}, Options{}, []string{"folder/model.onnx"}},
		"git lfs":     {static, map[string][]byte{"model.onnx": []byte("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 90405214\n")}, Options{}, []string{"folder/model.onnx"}},
		"other input": {static, map[string][]byte{"model.onnx": graph(t, func(g *onnx.Graph) { g.Input("pixels", onnx.Float32, batch); g.Output("pixels", onnx.Float32, batch) })}, Options{}, []string{"folder/model.onnx", "pixels"}},
		"other output": {static, map[string][]byte{"model.onnx": graph(t, sums("logits", []onnx.Dim{batch, onnx.Fixed(3)}, make([]float32, 30), 3))},
			Options{}, []string{"folder/model.onnx", "logits"}},
		"other operation": {static, map[string][]byte{"model.onnx": graph(t, func(g *onnx.Graph) {
			sums("rows", nil, make([]float32, 30), 3)(g)
			g.Node("Frobnicate", []string{"rows"}, []string{onnx.SentenceEmbedding})
			g.Output(onnx.SentenceEmbedding, onnx.Float32, batch, onnx.Fixed(3))
		})}, Options{}, []string{"folder/model.onnx", "Frobnicate"}},
		"shape of another form": {static, map[string][]byte{"model.onnx": graph(t, sums(onnx.SentenceEmbedding, []onnx.Dim{batch, onnx.Fixed(3)}, make([]float32, 30), 3))},
			Options{}, []string{"folder/model.onnx", onnx.SentenceEmbedding, "shape"}},

		"no modules":          {tokens, map[string][]byte{"modules.json": []byte("[]")}, Options{}, []string{"folder/modules.json"}},
		"modules no JSON":     {tokens, map[string][]byte{"modules.json": []byte("[{]")}, Options{}, []string{"folder/modules.json"}},
		"unknown module":      {tokens, map[string][]byte{"modules.json": modulesJSON("Transformer:", "LSTM:1_LSTM")}, Options{}, []string{"folder/modules.json", "LSTM"}},
		"modules out of turn": {tokens, map[string][]byte{"modules.json": modulesJSON("Pooling:1_Pooling", "Transformer:")}, Options{}, []string{"folder/modules.json", "unexpected Transformer"}},
		"out of the folder":   {tokens, map[string][]byte{"modules.json": modulesJSON("Transformer:", "Pooling:../1_Pooling")}, Options{}, []string{"folder/modules.json", "want a path within the folder"}},
		"no pooling":          {tokens, map[string][]byte{"1_Pooling/config.json": nil}, Options{}, []string{"folder/1_Pooling/config.json"}},
		"unknown pooling":     {tokens, map[string][]byte{"1_Pooling/config.json": []byte(`{"pooling_mode_mean_tokens": true, "pooling_mode_lasttoken": true}`)}, Options{}, []string{"folder/1_Pooling/config.json", "lasttoken"}},
		"pooling of nothing":  {tokens, map[string][]byte{"1_Pooling/config.json": []byte(`{"pooling_mode_mean_tokens": false}`)}, Options{}, []string{"folder/1_Pooling/config.json", "pooling mode: none set"}},
		"pooling too wide":    {tokens, map[string][]byte{"1_Pooling/config.json": []byte(`{"pooling_mode_mean_tokens": true, "word_embedding_dimension": 384}`)}, Options{}, []string{"folder/1_Pooling/config.json", "384", "4"}},
		"pooling not a width": {tokens, map[string][]byte{"1_Pooling/config.json": []byte(`{"pooling_mode_mean_tokens": true, "word_embedding_dimension": "many"}`)}, Options{}, []string{"folder/1_Pooling/config.json", "many"}},
		"sentences too wide":  {static, map[string][]byte{"1_Pooling/config.json": []byte(`{"pooling_mode_mean_tokens": true, "word_embedding_dimension": 5}`)}, Options{}, []string{"folder/model.onnx", "3 dimensions", "5"}},

		"dense of another width": {dense, map[string][]byte{"2_Dense/config.json": []byte(`{"in_features": 3, "out_features": 2, "bias": false}`),
			"2_Dense/model.safetensors": tensorFile(map[string][]float32{"linear.weight": make([]float32, 6)}, map[string][]int{"linear.weight": {2, 3}})},
			Options{}, []string{"folder/2_Dense/config.json", "in_features is 3", "4"}},
		"dense of another shape": {dense, map[string][]byte{"2_Dense/config.json": []byte(`{"in_features": 4, "out_features": 3}`)}, Options{}, []string{"folder/2_Dense/model.safetensors", "linear.weight", "[2 4]"}},
		"dense of no size":       {dense, map[string][]byte{"2_Dense/config.json": []byte(`{"in_features": 0, "out_features": 3}`)}, Options{}, []string{"folder/2_Dense/config.json", "in_features 0"}},
		"dense activation":       {dense, map[string][]byte{"2_Dense/config.json": []byte(`{"in_features": 4, "out_features": 2, "activation_function": "torch.nn.Mish"}`)}, Options{}, []string{"folder/2_Dense/config.json", "torch.nn.Mish"}},
		"dense without weights":  {dense, map[string][]byte{"2_Dense/model.safetensors": nil}, Options{}, []string{"folder/2_Dense/model.safetensors", "not exist"}},
		"dense as a pickle":      {dense, map[string][]byte{"2_Dense/model.safetensors": nil, "2_Dense/pytorch_model.bin": {1}}, Options{}, []string{"2_Dense/pytorch_model.bin is a pickle"}},
		"dense without settings": {dense, map[string][]byte{"2_Dense/config.json": nil}, Options{}, []string{"folder/2_Dense/config.json", "not exist"}},
		"dense cut off":          {dense, map[string][]byte{"2_Dense/model.safetensors": good[:len(good)-3]}, Options{}, []string{"folder/2_Dense/model.safetensors", "offsets"}},
		"dense too short":        {dense, map[string][]byte{"2_Dense/model.safetensors": good[:5]}, Options{}, []string{"folder/2_Dense/model.safetensors", "too short"}},
		"dense header too long":  {dense, map[string][]byte{"2_Dense/model.safetensors": bytes.Repeat([]byte{255}, 20)}, Options{}, []string{"folder/2_Dense/model.safetensors", "header"}},
		"dense not a number": {dense, map[string][]byte{"2_Dense/model.safetensors": tensorFile(map[string][]float32{
			"linear.weight": {0, 0, float32(math.NaN()), 0, 0, 0, 0, 0}, "linear.bias": {0, 0},
		}, map[string][]int{"linear.weight": {2, 4}, "linear.bias": {2}})}, Options{}, []string{"folder/2_Dense/model.safetensors", "NaN"}},

		"limit of nothing": {tokens, map[string][]byte{"sentence_bert_config.json": []byte(`{"max_seq_length": 0}`)}, Options{}, []string{"folder/sentence_bert_config.json", "max_seq_length: want 1 to"}},
		"limit no number":  {tokens, map[string][]byte{"sentence_bert_config.json": []byte(`{"max_seq_length": "x"}`)}, Options{}, []string{"folder/sentence_bert_config.json"}},
		"prompt missing":   {tokens, map[string][]byte{"config_sentence_transformers.json": []byte(`{"prompts": {}, "default_prompt_name": "query"}`)}, Options{}, []string{"folder/config_sentence_transformers.json", "query"}},
		"settings too long": {tokens, map[string][]byte{"config.json": bytes.Repeat([]byte(" "), maxSmallFile+1)}, Options{},
			[]string{"folder/config.json", "bytes"}},
		"prompt not pooled": {tokens, map[string][]byte{"1_Pooling/config.json": []byte(`{"pooling_mode_mean_tokens": true, "include_prompt": false}`),
			"config_sentence_transformers.json": []byte(`{"prompts": {"q": "query: "}, "default_prompt_name": "q"}`)}, Options{}, []string{"folder/1_Pooling/config.json", "include_prompt"}},
		"too large": {static, nil, Options{MaxMemory: 1 << 20}, []string{"folder/model.onnx", "1 MiB", "65 MiB", "1 MiB available"}},
		"library":   {static, nil, Options{ORTLibrary: "no/library.so"}, []string{"no/library.so"}},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := OpenFS(with(c.files, c.changes), "folder", c.options)
			if err == nil {
				m.Close()
				t.Fatal("no error")
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q lacks %q", err, w)
				}
			}
			if name != "library" && !errors.Is(err, ErrFolder) || name == "library" && !errors.Is(err, ErrLibrary) {
				t.Errorf("%v wraps neither ErrFolder nor ErrLibrary", err)
			}
			if strings.Contains(err.Error(), "\n") || len(err.Error()) > 400 {
				t.Errorf("too long: %q", err)
			}
		})
	}
}

// TestNotANumber names the text whose embedding is no number.
func TestNotANumber(t *testing.T) {
	table := tokenTable()
	table[9*tokenWidth+1] = float32(math.NaN()) // "sun"
	m := open(t, with(tokenFiles(t, []string{"mean_tokens"}), map[string][]byte{
		"onnx/model.onnx": graph(t, sums(onnx.LastHiddenState, []onnx.Dim{onnx.Dynamic("batch"), onnx.Dynamic("tokens"), onnx.Fixed(tokenWidth)}, table, tokenWidth)),
	}), Options{})
	embed(t, m, "the storm")
	_, err := m.Embed(context.Background(), []string{"the storm", "roofs", "the sun"}, nil)
	var about *TextError
	if !errors.As(err, &about) || about.Text != 2 || !strings.Contains(err.Error(), "folder/onnx/model.onnx: text 3") || !strings.Contains(err.Error(), "NaN") {
		t.Error(err)
	}
}

func TestOpenFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "an export")
	for name, f := range staticFiles(t) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Name() != "an export" {
		t.Error(m.Name())
	}
	if err := errors.Join(m.Close(), m.Close()); err != nil {
		t.Error(err)
	}
	if _, err := Open(filepath.Join(dir, "model.onnx"), Options{}); !errors.Is(err, ErrFolder) {
		t.Errorf("a file: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "none"), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

func TestLanguages(t *testing.T) {
	for card, want := range map[string]string{
		"---\nlanguage: en\nlicense: mit\n---\ntext":                "[en]",
		"---\r\nlanguage:\r\n- en\r\n- zh-tw\r\n- zh-cn\r\n---\r\n": "[en zh]",
		"---\nlanguages: [pt, RU, tr]\n---\n":                       "[pt ru tr]",
		"---\nlanguage:\n- multilingual\n- en\n---\n":               "[]",
		"---\ntags:\n- en\n---\nlanguage: fr\n":                     "[]",
		"no head":                                                   "[]",
	} {
		m := open(t, with(staticFiles(t), map[string][]byte{"README.md": []byte(card)}), Options{})
		if got := "[" + strings.Join(m.Languages(), " ") + "]"; got != want {
			t.Errorf("%q: %s, want %s", card, got, want)
		}
	}
}

// FuzzModel: whatever the files hold gives an error or a model, never a panic.
func FuzzModel(f *testing.F) {
	static := staticFiles(f)
	f.Add(static["model.onnx"].Data)
	f.Add(tokenModel(f))
	f.Fuzz(func(t *testing.T, model []byte) {
		m, err := OpenFS(with(static, map[string][]byte{"model.onnx": model, "modules.json": nil}), "folder", Options{})
		if err != nil {
			return
		}
		defer m.Close()
		if m.Dimensions() > 1000 {
			return
		}
		// An error is well; what counts is that there is no panic.
		_, _ = m.Embed(context.Background(), []string{"the storm", ""}, nil)
	})
}
