package encoder

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/cerasum/cerasum/eval/evaluate"
)

var _ evaluate.Encoder = (*Model)(nil)

func open(t testing.TB, m fstest.MapFS, o Options) *Model {
	t.Helper()
	model, err := OpenFS(m, "folder", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := model.Close(); err != nil {
			t.Error(err)
		}
	})
	return model
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

// TestStatic compares with vectors made by hand from staticTable.
func TestStatic(t *testing.T) {
	m := open(t, staticFiles(t), Options{Name: "small"})
	if m.Name() != "small" || m.Dimensions() != 3 || m.Runtime() != "hugot" {
		t.Errorf("%s, %d dimensions, %s", m.Name(), m.Dimensions(), m.Runtime())
	}
	unit := func(v ...float64) []float64 {
		sum := 0.0
		for _, x := range v {
			sum += x * x
		}
		for i := range v {
			v[i] /= math.Sqrt(sum)
		}
		return v
	}
	texts := []string{"the storm", "Roofs", "roof, sun", "zebra", "", "the the broke"}
	got := embed(t, m, texts...)
	for i, want := range [][]float64{
		unit(0.5, 4, 0),
		unit(1, 2, 1), // roof 0.5·(2,0,2) and ##s 2·(0,1,0)
		unit(1-5, 0, 1),
		{0, 0, 0},
		{0, 0, 0},
		unit(1, 0, 3),
	} {
		near(t, texts[i], got[3*i:3*i+3], want)
	}
}

// TestOrder embeds texts of many lengths together and alone: rows stay with
// their texts, and neighbours and padding change nothing.
func TestOrder(t *testing.T) {
	for name, files := range map[string]fstest.MapFS{
		"static": staticFiles(t),
		"tokens": tokenFiles(t, []string{"mean_tokens"}),
	} {
		m := open(t, files, Options{})
		var texts []string
		for i := range 150 {
			texts = append(texts, strings.Repeat(words[4+i%6]+" ", i*7%50)+words[4+i%5])
		}
		all := embed(t, m, texts...)
		for i := 0; i < len(texts); i += 11 {
			alone := embed(t, m, texts[i])
			var want []float64
			for _, v := range alone {
				want = append(want, float64(v))
			}
			near(t, name+": "+texts[i], all[i*m.Dimensions():(i+1)*m.Dimensions()], want)
		}
	}
}

// naivePool is pooling written down as simply as it can be.
func naivePool(mode string, rows [][]float64) []float64 {
	out := slices.Clone(rows[0])
	for d := range out {
		switch mode {
		case "mean_tokens":
			out[d] = 0
			for _, r := range rows {
				out[d] += r[d] / float64(len(rows))
			}
		case "max_tokens":
			for _, r := range rows {
				out[d] = math.Max(out[d], r[d])
			}
		}
	}
	return out
}

func TestPooling(t *testing.T) {
	texts := []string{"the storm broke the roofs", "sun"}
	ids := [][]int32{{2, 4, 5, 6, 4, 7, 8, 3}, {2, 9, 3}}
	for _, modes := range [][]string{
		{"mean_tokens"}, {"cls_token"}, {"max_tokens"},
		{"cls_token", "mean_tokens"}, {"cls_token", "max_tokens", "mean_tokens"},
	} {
		m := open(t, tokenFiles(t, modes), Options{})
		if m.Dimensions() != len(modes)*tokenWidth {
			t.Fatalf("%v: %d dimensions", modes, m.Dimensions())
		}
		got := embed(t, m, texts...)
		for i := range texts {
			var want []float64
			for _, mode := range modes {
				want = append(want, naivePool(mode, hidden(ids[i]))...)
			}
			near(t, strings.Join(modes, "+"), got[i*m.Dimensions():(i+1)*m.Dimensions()], want)
		}
	}
}

// TestBare opens a folder without modules.json: mean pooling.
func TestBare(t *testing.T) {
	full := tokenFiles(t, []string{"mean_tokens"})
	bare := with(full, map[string][]byte{"modules.json": nil, "1_Pooling/config.json": nil, "config.json": nil})
	a, b := embed(t, open(t, full, Options{}), "the storm broke"), embed(t, open(t, bare, Options{}), "the storm broke")
	if !slices.Equal(a, b) {
		t.Errorf("%v, with modules.json %v", b, a)
	}
}

// denseFiles adds a layer from tokenWidth to two dimensions.
func denseFiles(t testing.TB, activation string, bias bool) fstest.MapFS {
	t.Helper()
	tensors := map[string][]float32{"linear.weight": {1, 0, -1, 0.5, 0, 2, 0, 0}}
	if bias {
		tensors["linear.bias"] = []float32{0.25, -0.5}
	}
	return with(tokenFiles(t, []string{"mean_tokens"}, "Dense:2_Dense", "Normalize:3_Normalize"), map[string][]byte{
		"2_Dense/config.json": marshal(map[string]any{
			"in_features": 4, "out_features": 2, "bias": bias, "activation_function": activation,
		}),
		"2_Dense/model.safetensors": tensorFile(tensors, map[string][]int{"linear.weight": {2, 4}, "linear.bias": {2}}),
	})
}

func TestDense(t *testing.T) {
	mean := naivePool("mean_tokens", hidden([]int32{2, 4, 5, 3}))
	for _, c := range []struct {
		activation string
		bias       bool
		f          func(float64) float64
	}{
		{"torch.nn.modules.activation.Tanh", true, math.Tanh},
		{"torch.nn.modules.linear.Identity", false, func(x float64) float64 { return x }},
		{"torch.nn.modules.activation.ReLU", true, func(x float64) float64 { return math.Max(0, x) }},
		{"torch.nn.modules.activation.Sigmoid", true, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }},
	} {
		m := open(t, denseFiles(t, c.activation, c.bias), Options{})
		x, y := mean[0]-mean[2]+0.5*mean[3], 2*mean[1]
		if c.bias {
			x, y = x+0.25, y-0.5
		}
		x, y = c.f(x), c.f(y)
		length := math.Hypot(x, y)
		near(t, c.activation, embed(t, m, "the storm"), []float64{x / length, y / length})
	}
}

func TestPrefix(t *testing.T) {
	plain := tokenFiles(t, []string{"mean_tokens"})
	want := embed(t, open(t, plain, Options{}), "sun the storm")
	prefix := "sun "
	byOption := open(t, plain, Options{Prefix: &prefix})
	byFile := open(t, with(plain, map[string][]byte{
		"config_sentence_transformers.json": []byte(`{"prompts": {"a": "roof ", "b": "sun "}, "default_prompt_name": "b"}`),
	}), Options{})
	none := ""
	overridden := open(t, with(plain, map[string][]byte{
		"config_sentence_transformers.json": []byte(`{"prompts": {"a": "roof "}, "default_prompt_name": "a"}`),
	}), Options{Prefix: &none})
	unused := open(t, with(plain, map[string][]byte{
		"config_sentence_transformers.json": []byte(`{"prompts": {"a": "roof "}, "default_prompt_name": null}`),
	}), Options{})
	for name, got := range map[string][]float32{
		"option": embed(t, byOption, "the storm"), "file": embed(t, byFile, "the storm"),
		"overridden": embed(t, overridden, "sun the storm"), "no default": embed(t, unused, "sun the storm"),
	} {
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if byOption.Fingerprint() == open(t, plain, Options{}).Fingerprint() {
		t.Error("the prefix does not change the fingerprint")
	}
}

// TestLimit cuts texts at the least of the limits, special tokens kept.
func TestLimit(t *testing.T) {
	long := strings.Repeat("storm ", 100)
	for name, c := range map[string]struct {
		files map[string][]byte
		max   int
	}{
		"max_seq_length":          {map[string][]byte{"sentence_bert_config.json": []byte(`{"max_seq_length": 6, "do_lower_case": false}`)}, 6},
		"model_max_length":        {map[string][]byte{"tokenizer_config.json": []byte(`{"model_max_length": 10}`)}, 10},
		"no limit":                {map[string][]byte{"tokenizer_config.json": []byte(`{"model_max_length": 1000000000000000019884624838656}`)}, 64},
		"max_position_embeddings": {nil, 64},
		"positions from padding":  {map[string][]byte{"config.json": []byte(`{"max_position_embeddings": 14, "model_type": "xlm-roberta", "pad_token_id": 1}`)}, 12},
		"null": {map[string][]byte{"sentence_bert_config.json": []byte(`{"max_seq_length": null}`),
			"config.json": []byte(`{}`)}, 102},
	} {
		m := open(t, with(tokenFiles(t, []string{"mean_tokens"}), c.files), Options{})
		ids := []int32{2}
		for range c.max - 2 {
			ids = append(ids, 5)
		}
		want := naivePool("mean_tokens", hidden(append(ids, 3)))
		near(t, name, embed(t, m, long), want)
	}
}

func TestLowerCase(t *testing.T) {
	cased := with(tokenFiles(t, []string{"mean_tokens"}), nil)
	raw := strings.Replace(string(cased["tokenizer.json"].Data), `"lowercase":true`, `"lowercase":false`, 1)
	cased = with(cased, map[string][]byte{"tokenizer.json": []byte(raw)})
	lower := with(cased, map[string][]byte{"sentence_bert_config.json": []byte(`{"do_lower_case": true}`)})
	want := embed(t, open(t, cased, Options{}), "storm")
	if got := embed(t, open(t, lower, Options{}), "STORM"); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := embed(t, open(t, cased, Options{}), "STORM"); slices.Equal(got, want) {
		t.Error("the tokenizer lowers by itself: the test shows nothing")
	}
}

func TestCancel(t *testing.T) {
	m := open(t, staticFiles(t), Options{})
	ctx, cancel := context.WithCancel(context.Background())
	texts := make([]string, 1000)
	for i := range texts {
		texts[i] = strings.Repeat("storm ", 1+i%60)
	}
	calls := 0
	_, err := m.Embed(ctx, texts, func(done, total int) {
		if total != len(texts) {
			t.Errorf("total %d", total)
		}
		if calls++; done > 0 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || calls != 2 {
		t.Errorf("%v after %d calls", err, calls)
	}
	if _, err := m.Embed(ctx, texts, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestProgress(t *testing.T) {
	m := open(t, staticFiles(t), Options{})
	last := -1
	texts := slices.Repeat([]string{"storm", "", "the sun"}, 100)
	if _, err := m.Embed(context.Background(), texts, func(done, total int) {
		if done <= last || total != 300 {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
	}); err != nil || last != 300 {
		t.Errorf("%v, %d", err, last)
	}
	if out, err := m.Embed(context.Background(), nil, nil); err != nil || len(out) != 0 {
		t.Errorf("nothing: %v, %v", out, err)
	}
}

func TestConcurrent(t *testing.T) {
	m := open(t, tokenFiles(t, []string{"mean_tokens"}), Options{})
	texts := []string{"the storm broke the roofs", "sun", "roof the sun"}
	want := embed(t, m, texts...)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				got, err := m.Embed(context.Background(), texts, nil)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%v: %v, want %v", err, got, want)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestFingerprint(t *testing.T) {
	files := staticFiles(t)
	a := open(t, files, Options{Name: "a"}).Fingerprint()
	if b := open(t, files, Options{Name: "b"}).Fingerprint(); a != b || len(a) != 64 {
		t.Errorf("%s, %s", a, b)
	}
	other := slices.Clone(staticScales)
	other[4] = 7
	changed := with(files, map[string][]byte{"config.json": []byte(`{"x": 1}`)})
	if b := open(t, changed, Options{}).Fingerprint(); a == b {
		t.Error("another config.json, the same fingerprint")
	}
}

// TestORT runs the same in a local library.
func TestORT(t *testing.T) {
	library := os.Getenv("CERASUM_ORT_LIBRARY")
	if library == "" {
		t.Skip("CERASUM_ORT_LIBRARY does not name an onnxruntime library")
	}
	for name, files := range map[string]fstest.MapFS{"static": staticFiles(t), "tokens": tokenFiles(t, []string{"cls_token", "mean_tokens"})} {
		goModel, ortModel := open(t, files, Options{}), open(t, files, Options{ORTLibrary: library})
		if ortModel.Runtime() != "onnxruntime" {
			t.Error(ortModel.Runtime())
		}
		texts := []string{"the storm broke the roofs", "sun", "roof the sun", ""}
		var want []float64
		for _, v := range embed(t, goModel, texts...) {
			want = append(want, float64(v))
		}
		near(t, name, embed(t, ortModel, texts...), want)
	}
}
