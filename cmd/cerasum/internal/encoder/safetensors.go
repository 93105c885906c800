package encoder

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/cerasum/cerasum/internal/weights/safetensors"
)

// errNotThere reports a missing file.
var errNotThere = fmt.Errorf("%w: %w", ErrFolder, fs.ErrNotExist)

// maxLayer limits the file of a Dense module: 65,536 × 4,096 float32.
const maxLayer = 1 << 30

// readSafetensors reads all tensors of a file.
func (f *folder) readSafetensors(name string) (map[string]safetensors.Tensor, error) {
	raw, err := f.content(name, maxLayer)
	if errors.Is(err, fs.ErrNotExist) {
		if bin := path.Join(path.Dir(name), "pytorch_model.bin"); f.exists(bin) {
			return nil, fmt.Errorf("%s: %w; %s is a pickle, which is not supported: save the model as safetensors", f.path(name), errNotThere, bin)
		}
		return nil, f.wrap(name, errNotThere)
	}
	if err != nil {
		return nil, err
	}
	tensors, err := safetensors.Parse(raw)
	if err != nil {
		return nil, f.bad(name, "%v", err)
	}
	return tensors, nil
}
