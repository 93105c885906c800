//go:build cgo

package encoder

import (
	"fmt"
	"path/filepath"
	"runtime"
	"sync"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/cerasum/cerasum/internal/onnx"
)

// ortSession runs a graph with a local onnxruntime library.
type ortSession struct{ session *ort.DynamicAdvancedSession }

// A process can load one onnxruntime library only.
var loaded struct {
	sync.Mutex
	library string
}

func loadORT(library string) error {
	library, err := filepath.Abs(library)
	if err != nil {
		return err
	}
	loaded.Lock()
	defer loaded.Unlock()
	if loaded.library == library {
		return nil
	}
	if loaded.library != "" {
		return fmt.Errorf("%s: %w: %s is already loaded", library, ErrLibrary, loaded.library)
	}
	ort.SetSharedLibraryPath(library)
	err = ort.InitializeEnvironment(ort.WithLogLevelError())
	if err == nil {
		// Some builds of the library send telemetry.
		err = ort.DisableTelemetry()
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %s", library, ErrLibrary, firstLine(err.Error()))
	}
	loaded.library = library
	return nil
}

func openORT(graph []byte, library string) (_ session, err error) {
	defer recovered(&err)
	if err := loadORT(library); err != nil {
		return nil, err
	}
	o, err := ort.NewSessionOptions()
	if err != nil {
		return nil, fmt.Errorf("onnxruntime: %w", err)
	}
	defer o.Destroy()
	if err := o.SetIntraOpNumThreads(runtime.GOMAXPROCS(0)); err != nil {
		return nil, fmt.Errorf("onnxruntime: %w", err)
	}
	s, err := ort.NewDynamicAdvancedSessionWithONNXData(graph, []string{onnx.InputIDs, onnx.AttentionMask}, []string{onnx.LastHiddenState}, o)
	if err != nil {
		return nil, fmt.Errorf("onnxruntime: %s", firstLine(err.Error()))
	}
	return &ortSession{s}, nil
}

// ortVersion loads a library and returns its version.
func ortVersion(library string) (string, error) {
	if err := loadORT(library); err != nil {
		return "", err
	}
	return ort.GetVersion(), nil
}

func (*ortSession) round(rows, tokens int) (int, int) { return rows, tokens }

// parallel returns 1: the library uses all processors itself.
func (*ortSession) parallel() int { return 1 }

func (*ortSession) runtime() string { return ortRuntime + ort.GetVersion() }

func (s *ortSession) run(ids, mask []int64, rows, tokens int) (values []float32, err error) {
	defer recovered(&err)
	var inputs []ort.Value
	for _, data := range [][]int64{ids, mask} {
		t, err := ort.NewTensor(ort.NewShape(int64(rows), int64(tokens)), data)
		if err != nil {
			return nil, fmt.Errorf("onnxruntime: %w", err)
		}
		defer t.Destroy()
		inputs = append(inputs, t)
	}
	outputs := []ort.Value{nil} // allocated by the run
	if err := s.session.Run(inputs, outputs); err != nil {
		return nil, fmt.Errorf("onnxruntime: %s", firstLine(err.Error()))
	}
	defer outputs[0].Destroy()
	t, ok := outputs[0].(*ort.Tensor[float32])
	if !ok {
		return nil, fmt.Errorf("output %s: want float32", onnx.LastHiddenState)
	}
	// The data is freed with the tensor.
	return append(values, t.GetData()...), nil
}

func (s *ortSession) close() error {
	if err := s.session.Destroy(); err != nil {
		return fmt.Errorf("onnxruntime: %w", err)
	}
	return nil
}
