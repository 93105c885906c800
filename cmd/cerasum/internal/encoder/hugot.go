package encoder

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"

	gomlx "github.com/gomlx/gomlx/backends"
	// Registers the pure Go backend.
	_ "github.com/gomlx/gomlx/backends/simplego"
	"github.com/gomlx/gomlx/pkg/core/tensors"
	mlcontext "github.com/gomlx/gomlx/pkg/ml/context"
	"github.com/knights-analytics/hugot/backends"
	"github.com/knights-analytics/hugot/options"
	"github.com/knights-analytics/hugot/util/fileutil"
)

// hugotSession runs a model in hugot's pure Go backend. It uses only the model of
// hugot's pipelines: their tokenizer differs from the browser's library for some
// tokenizer.json files.
type hugotSession struct {
	*ports
	model *backends.Model
}

// hugot requires a folder with one ONNX file before it accepts a model from a
// reader. This folder is in memory, and its file is empty.
const placeholder = "mem://localhost/cerasum-encoder"

var makePlaceholder = sync.OnceValue(func() error {
	w, err := fileutil.NewFileWriter(context.Background(), placeholder+"/model.onnx", "")
	if err != nil {
		return err
	}
	if _, err := w.Write([]byte{0}); err != nil {
		return err
	}
	return w.Close()
})

func openHugot(raw []byte, p *ports) (s session, err error) {
	defer recovered(&err)
	if err := makePlaceholder(); err != nil {
		return nil, fmt.Errorf("hugot: %w", err)
	}
	m := &backends.Model{
		Path: placeholder, OnnxFilename: "model.onnx", OnnxReader: io.NopCloser(bytes.NewReader(raw)),
	}
	o := options.Defaults()
	o.Backend = "GO"
	if err := backends.CreateModelBackend(context.Background(), m, o); err != nil {
		return nil, fmt.Errorf("%w: hugot: %s", ErrFolder, firstLine(err.Error()))
	}
	if err := useGonum(m.GoMLXModel); err != nil {
		m.GoMLXModel.Destroy()
		return nil, fmt.Errorf("%w: hugot: %s", ErrFolder, firstLine(err.Error()))
	}
	// hugot lists the inputs in the file's order, including initializers that old
	// files declare as inputs and that it would require as inputs.
	if len(m.InputsMeta) != len(p.inputs) {
		m.GoMLXModel.Destroy()
		return nil, fmt.Errorf("%w: hugot: the file lists its weights as inputs: export it again", ErrFolder)
	}
	return &hugotSession{ports: p, model: m}, nil
}

// useGonum replaces hugot's executor, which has not run yet.
func useGonum(m *backends.GoMLXModel) error {
	backend, err := gomlx.NewWithConfig(goBackend)
	if err != nil {
		return err
	}
	exec, err := mlcontext.NewExec(flatBackend{backend}, m.Ctx, m.Call)
	if err != nil {
		return err
	}
	exec.SetMaxCache(-1) // plan limits the number of shapes
	destroy := m.Destroy
	m.Backend, m.Exec, m.Destroy = backend, exec, func() {
		exec.Finalize()
		destroy()
		backend.Finalize()
	}
	return nil
}

// parallel returns the number of parallel batches. Some operations of the backend
// use a single processor.
func (s *hugotSession) parallel() int { return runtime.GOMAXPROCS(0) }

func (s *hugotSession) runtime() string { return "hugot" }

func (s *hugotSession) run(ids, mask []int64, rows, tokens int) (values []float32, shape []int, err error) {
	defer recovered(&err)
	inputs := make([]any, len(s.inputs))
	for i, name := range s.inputs {
		t := tensors.FromFlatDataAndDimensions(feed(name, ids, mask), rows, tokens)
		defer t.FinalizeAll()
		inputs[i] = t
	}
	outputs, err := s.model.GoMLXModel.Exec.Exec(inputs...)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: hugot: %s", ErrFolder, firstLine(err.Error()))
	}
	for _, t := range outputs {
		defer t.FinalizeAll()
	}
	if len(outputs) != s.outputs {
		return nil, nil, fmt.Errorf("%w: hugot: want %d outputs, got %d", ErrFolder, s.outputs, len(outputs))
	}
	out := outputs[s.index]
	err = tensors.ConstFlatData(out, func(flat []float32) {
		values = append(values, flat...)
	})
	if err != nil {
		return nil, nil, fmt.Errorf("%w: output %s: want float32, got %s", ErrFolder, s.output, out.DType())
	}
	return values, out.Shape().Dimensions, nil
}

func (s *hugotSession) close() (err error) {
	defer recovered(&err)
	s.model.GoMLXModel.Destroy()
	return nil
}
