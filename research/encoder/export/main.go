// Export writes the encoder that ships from what research/encoder/train.py learned:
//
//	encoder.onnx   token ids to a vector for each token, which internal/onnx describes
//
//	go run ./research/encoder/export -weights student.safetensors -out models/encoder/encoder.onnx
//
// With -float matrices are float32, to measure what the 8 bits change.
package main

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"os"

	"github.com/cerasum/cerasum/internal/weights/safetensors"
)

func main() {
	from := flag.String("weights", "", "safetensors file of train.py")
	out := flag.String("out", "encoder.onnx", "file to write")
	float := flag.Bool("float", false, "keep matrices in float32")
	flag.Parse()
	if err := run(*from, *out, *float); err != nil {
		fmt.Fprintln(os.Stderr, "export:", err)
		os.Exit(1)
	}
}

func run(from, out string, float bool) error {
	raw, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	tensors, err := safetensors.Parse(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	e, err := newEncoder(tensors)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	_, err = e.graph(float).WriteTo(w)
	return cmp.Or(err, w.Flush(), f.Close())
}
