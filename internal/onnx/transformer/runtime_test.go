package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// batch is what run.mjs reads.
type batch struct {
	InputIDs      [][]int64 `json:"input_ids"`
	AttentionMask [][]int64 `json:"attention_mask"`
	TokenTypeIDs  [][]int64 `json:"token_type_ids,omitempty"`
}

// result is what run.mjs writes for a batch.
type result struct {
	Name string    `json:"name"`
	Dims []int     `json:"dims"`
	Data []float64 `json:"data"`
}

// job is a model and what it is to be run with.
type job struct {
	Model   string  `json:"model"`
	Batches []batch `json:"batches"`
}

// onnxruntime runs jobs in onnxruntime-web, all in one process of Node, whose
// start takes longer than they do.
func onnxruntime(t *testing.T, jobs ...job) [][]result {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node here to run onnxruntime-web with")
	}
	if _, err := os.Stat("../../../node_modules/onnxruntime-web"); err != nil {
		t.Skip("onnxruntime-web is not installed: npm ci")
	}
	input, err := json.Marshal(jobs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "run.mjs")
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var results [][]result
	if err := json.Unmarshal(stdout.Bytes(), &results); err != nil {
		t.Fatal(err)
	}
	if len(results) != len(jobs) {
		t.Fatalf("results of %d jobs of %d", len(results), len(jobs))
	}
	for i, j := range jobs {
		if len(results[i]) != len(j.Batches) {
			t.Fatalf("%d results for %d batches", len(results[i]), len(j.Batches))
		}
	}
	return results
}

// near fails where got differs from want by more than a tolerance.
func near(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers instead of %d", what, len(got), len(want))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tolerance) {
			t.Fatalf("%s: number %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

// TestStatic runs the static encoder's golden file.
func TestStatic(t *testing.T) {
	const folder = "../testdata"
	b, err := os.ReadFile(filepath.Join(folder, "static.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		batch
		Name       string      `json:"name"`
		Embeddings [][]float64 `json:"sentence_embedding"`
	}
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	var batches []batch
	for _, c := range cases {
		batches = append(batches, c.batch)
	}
	results := onnxruntime(t, job{filepath.Join(folder, "static.onnx"), batches})[0]
	for k, c := range cases {
		r := results[k]
		dims := len(c.Embeddings[0])
		if r.Name != "sentence_embedding" || len(r.Dims) != 2 || r.Dims[0] != len(c.InputIDs) || r.Dims[1] != dims {
			t.Fatalf("%s: %s of shape %v", c.Name, r.Name, r.Dims)
		}
		for i, want := range c.Embeddings {
			near(t, c.Name, r.Data[i*dims:(i+1)*dims], want, 1e-6)
		}
	}
}

// texts are batches of random ids with and without padding.
var texts = []batch{
	{InputIDs: [][]int64{{2, 9, 17, 4, 30, 3}}, AttentionMask: [][]int64{{1, 1, 1, 1, 1, 1}}},
	{
		InputIDs:      [][]int64{{2, 9, 17, 4, 30, 3}, {2, 3, 0, 0, 0, 0}, {2, 11, 11, 12, 3, 7}},
		AttentionMask: [][]int64{{1, 1, 1, 1, 1, 1}, {1, 1, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 0}},
	},
	{InputIDs: [][]int64{{2}}, AttentionMask: [][]int64{{1}}},
}

// variants are the kinds of models that the program knows.
func variants() map[string]*description {
	all := map[string]*description{}
	variant := func(name string, change func(d *description)) {
		d := randomBERT(2, 16)
		d.config.Heads, d.config.Positions = 4, 12
		change(d)
		all[name] = d
	}
	variant("bert", func(*description) {})
	variant("one layer, one head, ReLU", func(d *description) {
		d.config.Layers, d.config.Heads, d.config.Activation = 1, 1, "relu"
	})
	variant("tanh GELU, CLS", func(d *description) {
		d.config.Activation, d.config.Epsilon = "gelu_new", 1e-5
		d.pooling = pooling{Width: 16, CLS: true}
		d.modules, d.normalize = d.modules[:2], false
	})
	variant("distilbert, dense", func(d *description) {
		d.config.ModelType, d.config.Types = "distilbert", 0
		d.modules[2] = module{2, "2", "2_Dense", "sentence_transformers.models.Dense"}
		d.dense, d.densePath, d.normalize = &dense{In: 16, Out: 8, Bias: true, Activation: "torch.nn.modules.activation.Tanh"}, "2_Dense", false
	})
	variant("xlm-roberta, max", func(d *description) {
		d.config.ModelType, d.config.Types, d.config.Padding, d.config.Epsilon = "xlm-roberta", 1, 1, 1e-5
		d.pooling = pooling{Width: 16, Max: true}
	})
	return all
}

// exportTo exports a model to a new folder and returns the path of its graph.
func exportTo(t *testing.T, source fs.FS, o options) string {
	t.Helper()
	out := t.TempDir()
	if _, err := export(source, out, o); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(out, "model.onnx")
}

// TestForward compares the exported graphs, as onnxruntime-web runs them, with
// the naive forward pass.
func TestForward(t *testing.T) {
	var models []*testModel
	var jobs []job
	for name, d := range variants() {
		m := newTestModel(t, name, d)
		models = append(models, m)
		for _, o := range []options{{}, {Pooled: true}, {Int8: true, Pooled: true}} {
			jobs = append(jobs, job{exportTo(t, m.source, o), texts})
		}
	}
	results := onnxruntime(t, jobs...)
	for k, m := range models {
		t.Run(m.name, func(t *testing.T) {
			hidden, pooled, rounded := results[3*k], results[3*k+1], results[3*k+2]
			for i, b := range texts {
				m.compare(t, b, hidden[i], pooled[i], rounded[i])
			}
		})
	}
}

// testModel is a random model with its weights as the naive pass wants them.
type testModel struct {
	name       string
	d          *description
	source     fs.FS
	w          *weights
	projection linear
}

func newTestModel(t *testing.T, name string, d *description) *testModel {
	t.Helper()
	source, err := randomModel(d, 7)
	if err != nil {
		t.Fatal(err)
	}
	m := &testModel{name: name, d: d, source: source}
	tensors, err := readSafetensors(source, weightsName)
	if err != nil {
		t.Fatal(err)
	}
	if m.w, err = pickWeights(tensors, &d.config); err != nil {
		t.Fatal(err)
	}
	if d.dense != nil {
		if tensors, err = readSafetensors(source, "2_Dense/"+weightsName); err != nil {
			t.Fatal(err)
		}
		if m.projection, err = pickDense(tensors, d.dense); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// compare checks what the three graphs of a model give for one batch.
func (m *testModel) compare(t *testing.T, b batch, hidden, pooled, rounded result) {
	t.Helper()
	tokens, width := len(b.InputIDs[0]), m.d.config.Width
	if dims := hidden.Dims; hidden.Name != "last_hidden_state" || len(dims) != 3 || dims[0] != len(b.InputIDs) || dims[1] != tokens || dims[2] != width {
		t.Fatalf("%s of shape %v", hidden.Name, dims)
	}
	for i, ids := range b.InputIDs {
		want := naiveForward(m.d.config, m.w, ids, b.AttentionMask[i])
		for s, row := range want {
			at := (i*tokens + s) * width
			near(t, "last_hidden_state", hidden.Data[at:at+width], row, 2e-5)
		}
		embedding := naiveEmbedding(m.d, m.projection, want, b.AttentionMask[i])
		n := len(embedding)
		if dims := pooled.Dims; pooled.Name != "sentence_embedding" || len(dims) != 2 || dims[0] != len(b.InputIDs) || dims[1] != n {
			t.Fatalf("%s of shape %v", pooled.Name, dims)
		}
		near(t, "sentence_embedding", pooled.Data[i*n:(i+1)*n], embedding, 2e-5)
		if c := cosine(rounded.Data[i*n:(i+1)*n], embedding); !(c > 0.999) {
			t.Errorf("int8: cosine %.5f", c)
		}
	}
}

func cosine(a, b []float64) float64 {
	var dot, aa, bb float64
	for i := range a {
		dot, aa, bb = dot+a[i]*b[i], aa+a[i]*a[i], bb+b[i]*b[i]
	}
	return dot / math.Sqrt(aa*bb)
}

// TestTokenTypes checks that the second type is another than the first.
func TestTokenTypes(t *testing.T) {
	source, err := randomModel(randomBERT(1, 8), 1)
	if err != nil {
		t.Fatal(err)
	}
	first := batch{InputIDs: [][]int64{{2, 5, 3}}, AttentionMask: [][]int64{{1, 1, 1}}, TokenTypeIDs: [][]int64{{0, 0, 0}}}
	second := first
	second.TokenTypeIDs = [][]int64{{0, 1, 1}}
	without := first
	without.TokenTypeIDs = nil
	r := onnxruntime(t, job{exportTo(t, source, options{}), []batch{first, second, without}})[0]
	near(t, "no types", r[2].Data, r[0].Data, 0)
	if cosine(r[0].Data, r[1].Data) > 0.999 {
		t.Error("token_type_ids do not matter")
	}
}
