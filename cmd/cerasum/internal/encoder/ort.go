//go:build cgo

package encoder

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
)

// ortSession runs a model with a local onnxruntime library.
type ortSession struct {
	*ports
	session *ort.DynamicAdvancedSession
}

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

func openORT(raw []byte, p *ports, library string) (_ session, err error) {
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
	s, err := ort.NewDynamicAdvancedSessionWithONNXData(raw, p.inputs, []string{p.output}, o)
	if err != nil {
		return nil, fmt.Errorf("%w: onnxruntime: %s", ErrFolder, firstLine(err.Error()))
	}
	return &ortSession{ports: p, session: s}, nil
}

// parallel returns 1: the library uses all processors itself.
func (s *ortSession) parallel() int { return 1 }

func (s *ortSession) runtime() string { return "onnxruntime" }

func (s *ortSession) run(ids, mask []int64, rows, tokens int) (values []float32, shape []int, err error) {
	defer recovered(&err)
	inputs := make([]ort.Value, len(s.inputs))
	for i, name := range s.inputs {
		t, err := ort.NewTensor(ort.NewShape(int64(rows), int64(tokens)), feed(name, ids, mask))
		if err != nil {
			return nil, nil, fmt.Errorf("onnxruntime: %w", err)
		}
		defer t.Destroy()
		inputs[i] = t
	}
	outputs := []ort.Value{nil} // allocated by the run
	if err := s.session.Run(inputs, outputs); err != nil {
		return nil, nil, fmt.Errorf("%w: onnxruntime: %s", ErrFolder, firstLine(err.Error()))
	}
	defer outputs[0].Destroy()
	t, ok := outputs[0].(*ort.Tensor[float32])
	if !ok {
		return nil, nil, fmt.Errorf("%w: output %s: want float32", ErrFolder, s.output)
	}
	for _, d := range t.GetShape() {
		shape = append(shape, int(d))
	}
	// The data is freed with the tensor.
	return append(values, t.GetData()...), shape, nil
}

func (s *ortSession) close() error {
	if err := s.session.Destroy(); err != nil {
		return errors.Join(errors.New("onnxruntime"), err)
	}
	return nil
}
