//go:build !cgo

package encoder

import "fmt"

func openORT(_ []byte, _ *ports, library string) (session, error) {
	return nil, fmt.Errorf("%s: %w: onnxruntime requires a program built with cgo", library, ErrLibrary)
}
