// Command encoder writes the encoder of the tests into this folder: one layer of random
// weights, and a vocabulary of letters and a few words. Run it in the repository's root:
//
//	go run ./js/tests/testdata/encoder
package main

import (
	"bytes"
	"cmp"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/cerasum/cerasum/internal/unigram"
	"github.com/cerasum/cerasum/internal/weights/safetensors"
)

const (
	folder    = "js/tests/testdata/encoder"
	width     = 24 // a multiple of the 12 heads
	inner     = 16
	positions = unigram.MostTokens + 16 // BOS, EOS and the pieces of "query:"
)

func main() {
	log.SetFlags(0)
	v := vocabulary()
	file := filepath.Join(os.TempDir(), "cerasum-encoder.safetensors")
	err := os.WriteFile(file, weights(len(v.Pieces)), 0o600)
	defer os.Remove(file)
	export := exec.Command("go", "run", "./research/encoder/export", "-weights", file, "-out", folder+"/encoder.onnx")
	export.Stderr = os.Stderr
	if err := cmp.Or(err, export.Run(), os.WriteFile(folder+"/vocabulary.bin", v.Append(nil), 0o644)); err != nil {
		log.Fatal(err)
	}
}

func vocabulary() *unigram.Vocabulary {
	pieces := []string{"▁", ":", "▁ferry", "▁harbour", "▁query", "▁sail", "▁the"}
	for c := 'a'; c <= 'z'; c++ {
		pieces = append(pieces, string(c))
	}
	slices.Sort(pieces)
	v := &unigram.Vocabulary{Pieces: append([]string{"<s>", "<pad>", "</s>", "<unk>"}, pieces...)}
	for i := range v.Pieces {
		v.Scores = append(v.Scores, -1-float32(i%7)/8)
	}
	clear(v.Scores[:unigram.Unknown+1])
	return v
}

// weights are the tensors that the export wants.
func weights(pieces int) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	var tensors []safetensors.Named
	add := func(name string, number func() float64, shape ...int) {
		n := 1
		for _, d := range shape {
			n *= d
		}
		data := make([]float32, n)
		for i := range data {
			data[i] = float32(number())
		}
		tensors = append(tensors, safetensors.Named{Name: name, Shape: shape, Data: data})
	}
	one := func() float64 { return 1 }
	normal := random.NormFloat64
	small := func() float64 { return random.NormFloat64() / 5 }
	add("codes", func() float64 { return float64(random.IntN(256)) }, pieces, 6)
	add("books", normal, 6, 256, width/6)
	add("positions", small, positions, width)
	add("norm.scale", one, width)
	add("norm.shift", small, width)
	for _, part := range []struct {
		name            string
		outputs, inputs int
	}{{"qkv", 3 * width, width}, {"attended", width, width}, {"inner", inner, width}, {"outer", width, inner}} {
		at := "layers.0." + part.name
		add(at+".weight", small, part.outputs, part.inputs)
		add(at+".bias", small, part.outputs)
		add(at+".shrink", one, part.inputs)
		sign := -1.0
		add(at+".range", func() float64 { sign = -sign; return -4 * sign }, 2)
		if part.outputs == width {
			add(at+".scale", one, width)
			add(at+".shift", small, width)
		}
	}
	add("output.weight", normal, width, width)
	add("output.bias", small, width)
	var file bytes.Buffer
	if err := safetensors.Write(&file, tensors); err != nil {
		log.Fatal(err)
	}
	return file.Bytes()
}
