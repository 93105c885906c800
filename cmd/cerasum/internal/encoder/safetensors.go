package encoder

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
)

// errNotThere names a missing file by the error that callers look for.
var errNotThere = fmt.Errorf("%w: %w", ErrFolder, fs.ErrNotExist)

// tensor of a safetensors file, row-major.
type tensor struct {
	shape []int
	data  []float32
}

// maxLayer bounds the file of a Dense module: 65,536 × 4,096 float32.
const maxLayer = 1 << 30

// readSafetensors reads all tensors of a file of the safetensors format: eight
// bytes with the length of a JSON header, the header, the numbers.
func (f *folder) readSafetensors(name string) (map[string]tensor, error) {
	info, err := fs.Stat(f.files, name)
	if errors.Is(err, fs.ErrNotExist) {
		if bin := path.Join(path.Dir(name), "pytorch_model.bin"); f.exists(bin) {
			return nil, fmt.Errorf("%s: %w; %s is a pickle, which is not read: save the model anew for safetensors", f.path(name), errNotThere, bin)
		}
		return nil, f.wrap(name, errNotThere)
	}
	if err != nil {
		return nil, f.wrap(name, err)
	}
	if info.Size() > maxLayer {
		return nil, f.bad(name, "%d bytes: want at most %d", info.Size(), maxLayer)
	}
	raw, err := fs.ReadFile(f.files, name)
	if err != nil {
		return nil, f.wrap(name, err)
	}
	f.mark(name, raw)
	tensors, err := parseSafetensors(raw)
	if err != nil {
		return nil, f.bad(name, "%v", err)
	}
	return tensors, nil
}

func parseSafetensors(raw []byte) (map[string]tensor, error) {
	if len(raw) < 8 {
		return nil, errors.New("it is too short for a safetensors file")
	}
	n := binary.LittleEndian.Uint64(raw)
	if n > uint64(len(raw)-8) {
		return nil, fmt.Errorf("the header would take %d bytes of %d", n, len(raw))
	}
	header, body := raw[8:8+n], raw[8+n:]
	var members map[string]json.RawMessage
	if err := json.Unmarshal(header, &members); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	tensors := map[string]tensor{}
	for name, member := range members {
		if name == "__metadata__" {
			continue
		}
		var t struct {
			Type    string   `json:"dtype"`
			Shape   []int    `json:"shape"`
			Offsets [2]int64 `json:"data_offsets"`
		}
		if err := json.Unmarshal(member, &t); err != nil {
			return nil, fmt.Errorf("header: tensor %q: %w", name, err)
		}
		if t.Offsets[0] < 0 || t.Offsets[1] < t.Offsets[0] || t.Offsets[1] > int64(len(body)) {
			return nil, fmt.Errorf("tensor %q lies at %v of %d bytes", name, t.Offsets, len(body))
		}
		data, err := decodeTensor(t.Type, body[t.Offsets[0]:t.Offsets[1]])
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		count := 1
		for _, d := range t.Shape {
			// Dimensions larger than the data cannot be true, and might overflow.
			if d < 0 || d > len(data) || count > len(data) {
				count = -1
				break
			}
			count *= d
		}
		if count != len(data) {
			return nil, fmt.Errorf("tensor %q: %d numbers for the shape %v", name, len(data), t.Shape)
		}
		tensors[name] = tensor{t.Shape, data}
	}
	return tensors, nil
}

// decodeTensor makes float32 of little-endian numbers.
func decodeTensor(kind string, raw []byte) ([]float32, error) {
	size := map[string]int{"F64": 8, "F32": 4, "F16": 2, "BF16": 2}[kind]
	if size == 0 {
		return nil, fmt.Errorf("dtype %q: want F64, F32, F16 or BF16", kind)
	}
	if len(raw)%size != 0 {
		return nil, fmt.Errorf("%d bytes of %s", len(raw), kind)
	}
	out := make([]float32, len(raw)/size)
	for i := range out {
		b := raw[i*size:]
		switch kind {
		case "F64":
			out[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(b)))
		case "F32":
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b))
		case "BF16":
			out[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16)
		case "F16":
			out[i] = halfToFloat(binary.LittleEndian.Uint16(b))
		}
		if f := float64(out[i]); math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("number %d is %v", i, f)
		}
	}
	return out, nil
}

// halfToFloat widens an IEEE 754 half.
func halfToFloat(h uint16) float32 {
	sign := 1.0
	if h>>15 != 0 {
		sign = -1
	}
	exponent, fraction := int(h>>10)&31, float64(h&1023)
	switch exponent {
	case 0:
		return float32(sign * math.Ldexp(fraction, -24))
	case 31:
		if fraction != 0 {
			return float32(math.NaN())
		}
		return float32(math.Inf(int(sign)))
	}
	return float32(sign * math.Ldexp(1024+fraction, exponent-25))
}
