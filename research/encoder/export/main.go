// Export writes the encoder that ships from what research/encoder/train.py learned:
//
//	encoder.onnx   token ids to a vector for each token, which internal/onnx describes
//
//	go run ./research/encoder/export -weights student.safetensors -out models/encoder/encoder.onnx
//
// With -float matrices are float32, to measure what the 8 bits change. With -restore it goes
// the other way, as the weights in float32 are not kept:
//
//	weights.safetensors   weights of the encoder that ships, for train.py, ranges.py and export
//	pieces.txt            its pieces, for research/encoder/import
//
//	go run ./research/encoder/export -restore models/encoder -out DIR
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
	shipped := flag.String("restore", "", "folder of encoder.onnx and vocabulary.bin to restore the weights of")
	out := flag.String("out", "encoder.onnx", "file to write; with -restore a folder")
	float := flag.Bool("float", false, "keep matrices in float32")
	flag.Parse()
	var err error
	if *shipped != "" {
		err = restore(*shipped, *out)
	} else {
		err = run(*from, *out, *float)
	}
	if err != nil {
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
