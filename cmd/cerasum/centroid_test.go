package main

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/internal/reference"
	"github.com/cerasum/cerasum/internal/weights"
)

// writeWeights writes a folder of weights and returns its path.
func writeWeights(t *testing.T, w *centroid.Weights[float32], encoder string) string {
	t.Helper()
	folder := t.TempDir()
	err := weights.Write(w, weights.Origin{Encoder: encoder}, func(name string) (io.WriteCloser, error) {
		return os.Create(filepath.Join(folder, name))
	})
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// centroidCase is a case of the reference.
type centroidCase struct {
	Dimension, Positions int
	Interpolation        bool
	Weights              map[string]json.RawMessage
	Embeddings           [][][]float64
	PredictedCentroid    []float64 `json:"predicted_centroid"`
}

func (c *centroidCase) weights(t *testing.T) *centroid.Weights[float32] {
	t.Helper()
	w := centroid.NewWeights[float32](c.Dimension, c.Positions, c.Interpolation)
	w.Each(func(tensor centroid.Tensor, values []float32) {
		var rows [][]float32
		if json.Unmarshal(c.Weights[tensor.Name], &rows) != nil {
			rows = [][]float32{nil}
			if err := json.Unmarshal(c.Weights[tensor.Name], &rows[0]); err != nil {
				t.Fatal(err)
			}
		}
		if flat := slices.Concat(rows...); copy(values, flat) != len(flat) || len(flat) != len(values) {
			t.Fatalf("%s: %d numbers of %d", tensor.Name, len(flat), len(values))
		}
	})
	return w
}

// estimated is an answer of the command.
type estimated struct {
	Centroid  []float64
	Attention [][]float64
}

func TestCentroidAllReferenceCases(t *testing.T) {
	count := 0
	for n, c := range reference.Cases[centroidCase](t, reference.Open(t, "reference/cera.jsonl.gz")) {
		count++
		line, err := json.Marshal(map[string]any{"embeddings": c.Embeddings})
		if err != nil {
			t.Fatal(err)
		}
		a := cli(t, strings.NewReader(string(line)+"\n"), "centroid", "--weights", writeWeights(t, c.weights(t), "")).want(t, exitOK)
		var got estimated
		dec := json.NewDecoder(strings.NewReader(a.stdout))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&got); err != nil {
			t.Fatal(err)
		}
		largest, off := 0.0, 0.0
		for i, v := range c.PredictedCentroid {
			largest = max(largest, math.Abs(v))
			off = max(off, math.Abs(v-got.Centroid[i]))
		}
		if !(off <= 1e-5*largest) || len(got.Centroid) != c.Dimension {
			t.Errorf("case %d: off by %g, the largest component is %g", n, off, largest)
		}
		total := 0.0
		for i, doc := range c.Embeddings {
			if len(got.Attention) != len(c.Embeddings) || len(got.Attention[i]) != len(doc) {
				t.Fatalf("case %d: attention %v for %d documents", n, got.Attention, len(c.Embeddings))
			}
			for _, b := range got.Attention[i] {
				total += b
			}
		}
		if math.Abs(total-1) > 1e-9 {
			t.Errorf("case %d: attention sums to %v", n, total)
		}
	}
	if count != 16 {
		t.Errorf("%d cases, want 16", count)
	}
}

func plainWeights() *centroid.Weights[float32] {
	w := centroid.NewWeights[float32](2, 1, false)
	for i := range w.Data {
		w.Data[i] = float32(i%5) - 2
	}
	return w
}

func TestCentroidBadLines(t *testing.T) {
	folder := writeWeights(t, plainWeights(), "")
	const good = `{"embeddings":[[[1,2],[0,0]],[],[[1,2]]]}`
	for _, c := range []struct{ line, want string }{
		{`{`, "invalid JSON"},
		{`[]`, "want an object, got an array"},
		{`{}`, "embeddings: missing"},
		{`{"embeddings":[],"centroid":[]}`, "centroid: unknown field"},
		{`{"embeddings":null}`, "embeddings: want an array, got null"},
		{`{"embeddings":[[1,2]]}`, "embeddings[0][0]: want an array, got a number"},
		{`{"embeddings":[[[1,2]],[[1,2,3]]]}`, "embeddings[1][0]: want 2 dimensions, got 3"},
		{`{"embeddings":[[[1,null]]]}`, "embeddings[0][0][1]: want a number, got null"},
		{`{"embeddings":[[[1,NaN]]]}`, "invalid JSON"},
		{`{"embeddings":[[[1,1e999]]]}`, "embeddings[0][0][1]: want a number, got 1e999"},
		{`{"embeddings":[[[1,1e300]]]}`, "embeddings: cannot estimate the centroid: the embedding of sentence 0 of document 0"},
		{`{"embeddings":[]}`, "embeddings: want at least one embedding"},
		{`{"embeddings":[[[0,0]],[]]}`, "embeddings: want at least one embedding"},
	} {
		// The bad line stands between two good ones, which must not suffer.
		lines := good + "\n" + c.line + "\n" + good + "\n"
		a := cli(t, strings.NewReader(lines), "centroid", "-w", folder).want(t, exitFailed, "standard input:2: ", c.want)
		out := strings.Split(strings.TrimSpace(a.stdout), "\n")
		if len(out) != 2 || out[0] != out[1] || !strings.HasSuffix(out[0], `],"attention":[[0.5,0],[],[0.5]]}`) {
			t.Errorf("%s: the good lines gave %q", c.line, out)
		}
		path := file(t, "lines.jsonl", []byte(lines))
		if b := cli(t, nil, "centroid", "-w", folder, path).want(t, exitFailed, "lines.jsonl:2: ", c.want); b.stdout != a.stdout {
			t.Errorf("%s: a file gave %q", c.line, b.stdout)
		}
	}
}

func TestCentroidWeights(t *testing.T) {
	folder := writeWeights(t, plainWeights(), "encoder-1")
	in := func() io.Reader { return strings.NewReader(`{"embeddings":[[[1,2]]]}`) }
	cli(t, in(), "centroid", "-w", folder, "--encoder", "encoder-1").want(t, exitOK)
	cli(t, in(), "centroid", "-w", folder, "--encoder", "encoder-2").want(t, exitFailed, `"encoder-1"`, `"encoder-2"`, folder)
	cli(t, in(), "centroid").want(t, exitUsage, "--weights")
	cli(t, in(), "centroid", "-w", filepath.Join(folder, "none")).want(t, exitFailed, "none")
	if err := os.WriteFile(filepath.Join(folder, "config.json"), []byte(`{"dimensions":3,"positions":1,"interpolation":false,"encoder":""}`), 0o600); err != nil {
		t.Fatal(err)
	}
	cli(t, in(), "centroid", "-w", folder).want(t, exitFailed, "model.safetensors: bad weights: tensor \"input_norm.gain\": want the shape [3]")
	if err := os.Remove(filepath.Join(folder, "config.json")); err != nil {
		t.Fatal(err)
	}
	cli(t, in(), "centroid", "-w", folder).want(t, exitFailed, "config.json: ")
}
