package encoder

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/internal/onnx"
)

// session is a model loaded in a runtime. It is safe for concurrent use.
type session interface {
	// run feeds ids and mask, rows × tokens, and returns the values and the shape
	// of the output.
	run(ids, mask []int64, rows, tokens int) (values []float32, shape []int, err error)
	runtime() string
	parallel() int // number of batches to run in parallel
	close() error
}

// ports are the inputs of a model in its order, and the output to use.
type ports struct {
	inputs  []string
	output  string
	index   int // of the output
	outputs int
}

// sentence reports whether the output holds text embeddings rather than token vectors.
func (p *ports) sentence() bool { return p.output == onnx.SentenceEmbedding }

// inspect checks the file before a runtime reads it.
func (f *folder) inspect(raw []byte) (*ports, error) {
	info, err := onnx.Inspect(bytes.NewReader(raw))
	if err != nil {
		return nil, f.bad(f.onnx, "%v", err)
	}
	if _, external := info.Weights(); external != "" {
		return nil, f.bad(f.onnx, "tensor %q is stored in another file: export the model to one file", external)
	}
	value, err := info.CheckEncoder(0)
	if err != nil {
		return nil, f.bad(f.onnx, "%v", err)
	}
	// Runtimes do not report a token beyond the model's table but read another
	// row. The table is one of the matrices.
	rows := int64(0)
	for _, t := range info.Initializers {
		if len(t.Dims) == 2 {
			rows = max(rows, t.Dims[0])
		}
	}
	if n := int64(f.tokenizer.Size()); rows < n {
		return nil, f.bad(f.onnx, "no embedding table with a row for each of the %d tokens of %s: the files do not match", n, f.tokenFile)
	}
	p := &ports{output: value.Name, outputs: len(info.Outputs)}
	for _, in := range info.Inputs {
		p.inputs = append(p.inputs, in.Name)
	}
	p.index = slices.IndexFunc(info.Outputs, func(v onnx.Value) bool { return v.Name == value.Name })
	return p, nil
}

// feed returns the value of an input.
func feed(name string, ids, mask []int64) []int64 {
	switch name {
	case onnx.InputIDs:
		return ids
	case onnx.AttentionMask:
		return mask
	}
	return make([]int64, len(ids)) // token_type_ids: one text is all of type 0
}

// recovered turns a panic into an error, in a deferred call: the runtimes panic
// on unsupported graphs.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: running the model failed: %s", ErrFolder, firstLine(fmt.Sprint(r)))
	}
}

// firstLine drops the stack trace of some errors, and the name of the function
// that panicked.
func firstLine(message string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(message), "\n")
	if _, why, ok := strings.Cut(first, "panicked: "); ok {
		return why
	}
	return first
}
