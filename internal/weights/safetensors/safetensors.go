// Package safetensors reads and writes tensors in the safetensors format: eight
// bytes with the length of a JSON header, the header, and the data, little-endian
// and row-major.
package safetensors

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Tensor in a file.
type Tensor struct {
	// Type in the file: "F64", "F32", "F16" or "BF16".
	Type  string
	Shape []int
	// Data is row-major and matches Shape.
	Data []float32
}

// head is an entry of the header.
type head struct {
	Type    string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// Parse reads all tensors of a file, by name. Numbers that are not finite as float32,
// and types other than those of [Tensor] are errors, which name the tensor.
func Parse(raw []byte) (map[string]Tensor, error) {
	if len(raw) < 8 {
		return nil, errors.New("too short for a safetensors file")
	}
	n := binary.LittleEndian.Uint64(raw)
	if n > uint64(len(raw)-8) {
		return nil, fmt.Errorf("header length %d exceeds the file size %d", n, len(raw))
	}
	header, body := raw[8:8+n], raw[8+n:]
	var members map[string]json.RawMessage
	if err := json.Unmarshal(header, &members); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	tensors := map[string]Tensor{}
	for name, member := range members {
		if name == "__metadata__" {
			continue
		}
		var h head
		if err := json.Unmarshal(member, &h); err != nil {
			return nil, fmt.Errorf("header: tensor %q: %w", name, err)
		}
		if h.Offsets[0] < 0 || h.Offsets[1] < h.Offsets[0] || h.Offsets[1] > int64(len(body)) {
			return nil, fmt.Errorf("tensor %q: offsets %v out of %d bytes", name, h.Offsets, len(body))
		}
		data, err := Decode(h.Type, body[h.Offsets[0]:h.Offsets[1]])
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		if !holds(h.Shape, len(data)) {
			return nil, fmt.Errorf("tensor %q: %d numbers for the shape %v", name, len(data), h.Shape)
		}
		tensors[name] = Tensor{h.Type, h.Shape, data}
	}
	return tensors, nil
}

// holds reports whether a shape has n numbers.
func holds(shape []int, n int) bool {
	if slices.Contains(shape, 0) {
		return n == 0 && slices.Min(shape) == 0
	}
	count := 1
	for _, d := range shape {
		// Dimensions larger than the data are invalid and might overflow.
		if d < 0 || d > n/count {
			return false
		}
		count *= d
	}
	return count == n
}

// Decode decodes little-endian numbers of a type as float32.
func Decode(kind string, raw []byte) ([]float32, error) {
	size := map[string]int{"F64": 8, "F32": 4, "F16": 2, "BF16": 2}[kind]
	if size == 0 {
		return nil, fmt.Errorf("dtype: want F64, F32, F16 or BF16, got %q", kind)
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

// halfToFloat converts an IEEE 754 half.
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

// Named is a float32 tensor to write.
type Named struct {
	Name  string
	Shape []int
	Data  []float32
}

// Write writes tensors in the given order. It panics if a shape does not match its
// data.
func Write(w io.Writer, tensors []Named) error {
	heads := map[string]head{}
	at := int64(0)
	for _, t := range tensors {
		if !holds(t.Shape, len(t.Data)) {
			panic("safetensors: " + t.Name + " does not fit its shape")
		}
		end := at + 4*int64(len(t.Data))
		heads[t.Name] = head{"F32", t.Shape, [2]int64{at, end}}
		at = end
	}
	header, err := json.Marshal(heads)
	if err != nil {
		return err
	}
	for len(header)%8 != 0 { // aligns the data for memory mapping
		header = append(header, ' ')
	}
	b := bufio.NewWriterSize(w, 1<<16)
	// A bufio.Writer keeps its first error until Flush.
	b.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(header))))
	b.Write(header)
	var number [4]byte
	for _, t := range tensors {
		for _, v := range t.Data {
			binary.LittleEndian.PutUint32(number[:], math.Float32bits(v))
			b.Write(number[:])
		}
	}
	return b.Flush()
}
