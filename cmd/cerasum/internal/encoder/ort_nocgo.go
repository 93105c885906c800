//go:build !cgo

package encoder

import "fmt"

func openORT(_ []byte, library string) (session, error) {
	_, err := ortVersion(library)
	return nil, err
}

func ortVersion(library string) (string, error) {
	return "", fmt.Errorf("%s: %w: onnxruntime requires a program built with cgo", library, ErrLibrary)
}
