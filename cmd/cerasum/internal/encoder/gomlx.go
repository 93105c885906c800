package encoder

import (
	"errors"
	"runtime"

	gomlx "github.com/gomlx/gomlx/backends"
	// Registers the pure Go backend.
	_ "github.com/gomlx/gomlx/backends/simplego"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
	mlcontext "github.com/gomlx/gomlx/pkg/ml/context"
	"github.com/gomlx/onnx-gomlx/onnx/parser"

	"github.com/cerasum/cerasum/internal/onnx"
)

// goRuntime is the name of the Go backend.
const goRuntime = "pure Go"

// goSession runs a graph in gomlx's Go backend.
type goSession struct {
	exec *mlcontext.Exec
	free func() error
}

func openGo(file []byte) (_ session, err error) {
	defer recovered(&err)
	// The backend multiplies 8-bit matrices several times slower.
	if file, err = onnx.ToFloat(file); err != nil {
		return nil, err
	}
	model, err := parser.Parse(file)
	if err != nil {
		return nil, err
	}
	weights := mlcontext.New().Reuse()
	if err := model.VariablesToContext(weights); err != nil {
		return nil, err
	}
	backend, exec, err := newExec(weights, func(c *mlcontext.Context, inputs []*graph.Node) []*graph.Node {
		return model.CallGraph(c, inputs[0].Graph(), map[string]*graph.Node{
			onnx.InputIDs: inputs[0], onnx.AttentionMask: inputs[1],
		}, onnx.LastHiddenState)
	})
	if err != nil {
		return nil, err
	}
	return &goSession{exec, func() error {
		exec.Finalize()
		weights.Finalize()
		backend.Finalize()
		return model.Close()
	}}, nil
}

// newExec makes an executor of a graph that multiplies matrices with gemm.
func newExec(weights *mlcontext.Context, call func(*mlcontext.Context, []*graph.Node) []*graph.Node) (gomlx.Backend, *mlcontext.Exec, error) {
	backend, err := gomlx.NewWithConfig(goBackend)
	if err != nil {
		return nil, nil, err
	}
	exec, err := mlcontext.NewExec(flatBackend{backend}, weights, call)
	if err != nil {
		return nil, nil, err
	}
	exec.SetMaxCache(-1) // round limits the number of shapes
	return backend, exec, nil
}

// round limits the number of shapes, since the backend compiles a graph for each: tokens
// to multiples of 8 up to 64, then steps of an eighth of the next lower power of two;
// texts to a power of two.
func (*goSession) round(rows, tokens int) (int, int) {
	step := 8
	for tokens > 8*step {
		step *= 2
	}
	r := 1
	for r < rows {
		r *= 2
	}
	return r, (tokens + step - 1) / step * step
}

// parallel returns the number of parallel batches. Some operations of the backend
// use a single processor.
func (*goSession) parallel() int { return runtime.GOMAXPROCS(0) }

func (*goSession) runtime() string { return goRuntime }

func (s *goSession) run(ids, mask []int64, rows, tokens int) (values []float32, err error) {
	defer recovered(&err)
	var inputs []any
	for _, data := range [][]int64{ids, mask} {
		t := tensors.FromFlatDataAndDimensions(data, rows, tokens)
		defer t.FinalizeAll()
		inputs = append(inputs, t)
	}
	outputs, err := s.exec.Exec(inputs...)
	if err != nil {
		return nil, errors.New(firstLine(err.Error()))
	}
	defer outputs[0].FinalizeAll()
	err = tensors.ConstFlatData(outputs[0], func(flat []float32) { values = append(values, flat...) })
	return values, err
}

func (s *goSession) close() (err error) {
	defer recovered(&err)
	return s.free()
}
