//go:build !cgo

package encoder

import "fmt"

func openORT(_ []byte, _ *ports, library string) (session, error) {
	return nil, fmt.Errorf("%s: %w: this program was built without cgo, which calling such a library needs", library, ErrLibrary)
}
