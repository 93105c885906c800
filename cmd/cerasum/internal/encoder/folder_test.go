package encoder

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/internal/onnx"
)

// TestFolder compares with vectors made by hand from tokenTable.
func TestFolder(t *testing.T) {
	for name, changes := range map[string]map[string]any{
		"described": nil,
		"bare":      {"modules.json": nil, "1_Pooling/config.json": nil, "config.json": nil},
		"by list":   {"1_Pooling/config.json": map[string]any{"pooling_mode": []string{"mean"}}},
	} {
		m := openFolder(t, changes)
		if m.Dimensions() != tokenWidth || m.Runtime() != "pure Go" {
			t.Errorf("%s: %d dimensions, %s", name, m.Dimensions(), m.Runtime())
		}
		got := embed(t, m, "the Storm", " ", "sun")
		near(t, name, got[:tokenWidth], wantEmbedding([]int{0, the, storm, 2}, 0, 4))
		near(t, name, got[tokenWidth:2*tokenWidth], make([]float64, tokenWidth))
		near(t, name, got[2*tokenWidth:], wantEmbedding([]int{0, sun, 2}, 0, 3))
	}
}

func TestPrompts(t *testing.T) {
	m := openFolder(t, map[string]any{"config_sentence_transformers.json": map[string]any{
		"prompts": map[string]string{"query": "roof ", "passage": "sun "}, "default_prompt_name": "passage",
	}})
	near(t, "text", embed(t, m, "storm"), wantEmbedding([]int{0, sun, storm, 2}, 0, 4))
	asked, err := m.EmbedQuestion(t.Context(), "storm")
	if err != nil {
		t.Fatal(err)
	}
	near(t, "question", asked, wantEmbedding([]int{0, roof, storm, 2}, 0, 4))
}

// TestLimit cuts texts at the least of the limits.
func TestLimit(t *testing.T) {
	long := strings.Repeat("storm ", 100)
	for most, changes := range map[int]map[string]any{
		62: nil,
		6:  {"sentence_bert_config.json": map[string]any{"max_seq_length": 6}},
	} {
		ids := []int{0}
		for range most - 2 {
			ids = append(ids, storm)
		}
		near(t, "limit", embed(t, openFolder(t, changes), long), wantEmbedding(append(ids, 2), 0, most))
	}
}

func TestFingerprint(t *testing.T) {
	a, same := openFolder(t, nil).Fingerprint(), openFolder(t, nil).Fingerprint()
	other := openFolder(t, map[string]any{"config.json": map[string]any{"x": 1}}).Fingerprint()
	if len(a) != 64 || a != same || a == other {
		t.Errorf("%s, %s, %s", a, same, other)
	}
}

func TestCardLanguages(t *testing.T) {
	name := filepath.Join(t.TempDir(), "README.md")
	for card, want := range map[string][]string{
		"---\nlanguage: en\n---\n":                           {"en"},
		"---\nlicense: mit\nlanguage:\n- de\n- zh-tw\n---\n": {"de", "zh"},
		"---\r\nlanguages: [fr, \"pt\"]\r\ntags: [x]\r\n---": {"fr", "pt"},
		"---\nlanguage: multilingual\n---\n":                 nil,
		"language: en\n":                                     nil,
	} {
		if err := os.WriteFile(name, []byte(card), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := cardLanguages(name); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v, want %v", card, got, err, want)
		}
	}
}

func TestFolderErrors(t *testing.T) {
	batch, tokens := onnx.Dynamic("batch"), onnx.Dynamic("tokens")
	// rows is a model whose output is a table's rows.
	rows := func(output string, shape ...onnx.Dim) []byte {
		return graphOf(t, func(g *onnx.Graph) {
			g.Input(onnx.InputIDs, onnx.Int64, batch, tokens)
			g.Input(onnx.AttentionMask, onnx.Int64, batch, tokens)
			g.Initializer("table", tokenTable(), len(words), tokenWidth)
			g.Node("Gather", []string{"table", onnx.InputIDs}, []string{output}, onnx.Int("axis", 0))
			g.Output(output, onnx.Float32, shape...)
		})
	}
	modules := func(kind string) []map[string]any {
		return []map[string]any{{"path": "", "type": "sentence_transformers.models.Transformer"}, {"path": "2", "type": "sentence_transformers.models." + kind}}
	}
	nan := tokenTable()
	nan[sun*tokenWidth] = float32(math.NaN())
	for name, c := range map[string]struct {
		changes map[string]any
		want    []string
	}{
		"no model":       {map[string]any{"onnx/model.onnx": nil}, []string{".onnx"}},
		"no tokenizer":   {map[string]any{"tokenizer.json": nil}, []string{"tokenizer.json", "not exist"}},
		"no JSON":        {map[string]any{"tokenizer.json": []byte("{")}, []string{"tokenizer.json"}},
		"no settings":    {map[string]any{"config.json": []byte("{")}, []string{"config.json"}},
		"not ONNX":       {map[string]any{"onnx/model.onnx": []byte("<html>404</html>")}, []string{"model.onnx"}},
		"empty":          {map[string]any{"onnx/model.onnx": []byte{}}, []string{"model.onnx"}},
		"other output":   {map[string]any{"onnx/model.onnx": rows("logits", batch, onnx.Fixed(4))}, []string{"model.onnx", "sentence_embedding"}},
		"unknown width":  {map[string]any{"onnx/model.onnx": rows("states", batch, tokens, onnx.Dynamic("width"))}, []string{"model.onnx", "states", "not stated"}},
		"first token":    {map[string]any{"1_Pooling/config.json": map[string]any{"pooling_mode_cls_token": true}}, []string{filepath.Join("1_Pooling", "config.json"), "cls_token"}},
		"first, by name": {map[string]any{"1_Pooling/config.json": map[string]any{"pooling_mode": "cls"}}, []string{filepath.Join("1_Pooling", "config.json"), "cls"}},
		"dense layer":    {map[string]any{"modules.json": modules("Dense")}, []string{"modules.json", "Dense"}},
		"other operation": {map[string]any{"onnx/model.onnx": graphOf(t, func(g *onnx.Graph) {
			g.Input(onnx.InputIDs, onnx.Int64, batch, tokens)
			g.Input(onnx.AttentionMask, onnx.Int64, batch, tokens)
			g.Node("Frobnicate", []string{onnx.InputIDs, onnx.AttentionMask}, []string{"sentence_embedding"})
			g.Output("sentence_embedding", onnx.Float32, batch, onnx.Fixed(4))
		})}, []string{"Frobnicate"}},
		"no mask": {map[string]any{"onnx/model.onnx": graphOf(t, func(g *onnx.Graph) {
			g.Input(onnx.InputIDs, onnx.Int64, batch, tokens)
			g.Initializer("table", tokenTable(), len(words), tokenWidth)
			g.Node("Gather", []string{"table", onnx.InputIDs}, []string{"states"}, onnx.Int("axis", 0))
			g.Output("states", onnx.Float32, batch, tokens, onnx.Fixed(4))
		})}, []string{"model.onnx", "attention_mask"}},
		"other input": {map[string]any{"onnx/model.onnx": graphOf(t, func(g *onnx.Graph) {
			g.Input("sounds", onnx.Float32, batch, tokens)
			g.Input(onnx.AttentionMask, onnx.Float32, batch, tokens)
			g.Node("Add", []string{"sounds", onnx.AttentionMask}, []string{"sentence_embedding"})
			g.Output("sentence_embedding", onnx.Float32, batch, onnx.Fixed(4))
		})}, []string{"sounds"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folderOf(t, c.changes)
			m, err := Open(dir, Options{})
			if err == nil {
				m.Close()
				t.Fatal("no error")
			}
			if !errors.Is(err, ErrFolder) && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%v wraps neither", err)
			}
			for _, want := range append(c.want, dir) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("no %q in: %v", want, err)
				}
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %v", err)
			}
		})
	}
	if _, err := Open(filepath.Join(t.TempDir(), "missing"), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Open(folderOf(t, nil), Options{ORTLibrary: "x.so"}); !errors.Is(err, ErrLibrary) {
		t.Error(err)
	}
	m := openFolder(t, map[string]any{"onnx/model.onnx": graphOf(t, func(g *onnx.Graph) {
		g.Input(onnx.InputIDs, onnx.Int64, batch, tokens)
		g.Input(onnx.AttentionMask, onnx.Int64, batch, tokens)
		g.Initializer("table", nan, len(words), tokenWidth)
		g.Node("Gather", []string{"table", onnx.InputIDs}, []string{"states"}, onnx.Int("axis", 0))
		g.Output("states", onnx.Float32, batch, tokens, onnx.Fixed(4))
	})})
	_, err := m.Embed(t.Context(), []string{"storm", "the sun"}, nil)
	var text *TextError
	if !errors.As(err, &text) || text.Text != 1 || !strings.Contains(err.Error(), "not finite") {
		t.Error(err)
	}
}
