package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
)

// matrix is a tensor of weights, row-major.
type matrix struct {
	shape  []int
	values []float32
}

// tensorHead is one entry of a safetensors header.
type tensorHead struct {
	Type    string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// maxHeader is the limit of the safetensors library.
const maxHeader = 100 << 20

// readSafetensors reads the floating-point tensors of a file as float32; others
// (positions as integers) are skipped. It reads the file once, sequentially, so
// that the file may be compressed in an archive.
func readSafetensors(source fs.FS, name string) (map[string]matrix, error) {
	f, err := source.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	tensors, err := decodeSafetensors(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return tensors, nil
}

func decodeSafetensors(file io.Reader) (map[string]matrix, error) {
	r := bufio.NewReaderSize(file, 1<<20)
	var size [8]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, cutShort(err)
	}
	n := binary.LittleEndian.Uint64(size[:])
	if n > maxHeader {
		return nil, fmt.Errorf("not a safetensors file: a header of %d bytes", n)
	}
	header, err := io.ReadAll(io.LimitReader(r, int64(n)))
	if err != nil {
		return nil, err
	}
	if uint64(len(header)) < n {
		return nil, cutShort(io.ErrUnexpectedEOF)
	}
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(header, &entries); err != nil {
		return nil, fmt.Errorf("not a safetensors file: its header: %w", err)
	}
	heads := map[string]tensorHead{}
	for name, raw := range entries {
		if name == "__metadata__" {
			continue
		}
		var h tensorHead
		if err := json.Unmarshal(raw, &h); err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		heads[name] = h
	}
	return readTensors(r, heads)
}

// cutShort replaces an unexpected EOF by a clearer error.
func cutShort(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("truncated")
	}
	return err
}

// readTensors reads the tensors in the order of their offsets.
func readTensors(r io.Reader, heads map[string]tensorHead) (map[string]matrix, error) {
	var order []string
	for name := range heads {
		order = append(order, name)
	}
	slices.SortFunc(order, func(a, b string) int {
		if d := heads[a].Offsets[0] - heads[b].Offsets[0]; d != 0 {
			return int(max(-1, min(1, d)))
		}
		return int(max(-1, min(1, heads[a].Offsets[1]-heads[b].Offsets[1])))
	})
	tensors := map[string]matrix{}
	at := int64(0)
	for _, name := range order {
		h := heads[name]
		bytes := h.Offsets[1] - h.Offsets[0]
		if h.Offsets[0] != at || bytes < 0 {
			return nil, fmt.Errorf("tensor %q: offsets %v: want the start at %d", name, h.Offsets, at)
		}
		at = h.Offsets[1]
		width := map[string]int64{"F64": 8, "F32": 4, "F16": 2, "BF16": 2}[h.Type]
		if width == 0 {
			if _, err := io.CopyN(io.Discard, r, bytes); err != nil {
				return nil, cutShort(err)
			}
			continue
		}
		elements := int64(1)
		for _, n := range h.Shape {
			if n < 0 || n > 0 && elements > math.MaxInt32/int64(n) {
				return nil, fmt.Errorf("tensor %q: invalid shape %v", name, h.Shape)
			}
			elements *= int64(n)
		}
		if elements*width != bytes {
			return nil, fmt.Errorf("tensor %q: %d bytes do not match %v of shape %v", name, bytes, h.Type, h.Shape)
		}
		values, err := readValues(r, h.Type, int(width), elements)
		if err != nil {
			return nil, cutShort(err)
		}
		tensors[name] = matrix{h.Shape, values}
	}
	return tensors, nil
}

// readValues reads n numbers. Memory grows with the data read, so that a wrong
// header cannot exhaust it.
func readValues(r io.Reader, kind string, width int, n int64) ([]float32, error) {
	values := make([]float32, 0, min(n, 1<<20))
	buffer := make([]byte, 1<<15)
	for int64(len(values)) < n {
		part := buffer[:min(int64(len(buffer)), (n-int64(len(values)))*int64(width))]
		if _, err := io.ReadFull(r, part); err != nil {
			return nil, err
		}
		for len(part) > 0 {
			values = append(values, decodeFloat(kind, part))
			part = part[width:]
		}
	}
	return values, nil
}

func decodeFloat(kind string, b []byte) float32 {
	switch kind {
	case "F64":
		return float32(math.Float64frombits(binary.LittleEndian.Uint64(b)))
	case "F32":
		return math.Float32frombits(binary.LittleEndian.Uint32(b))
	case "BF16":
		return math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16)
	}
	return halfToFloat(binary.LittleEndian.Uint16(b))
}

// halfToFloat converts IEEE 754 half precision.
func halfToFloat(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10)&0x1f, uint32(h)&0x3ff
	switch exponent {
	case 0: // zero and the subnormals: fraction × 2⁻²⁴
		v := float32(fraction) / (1 << 24)
		return math.Float32frombits(math.Float32bits(v) | sign)
	case 0x1f: // infinity and NaN
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}

// encodeSafetensors writes tensors as float32, in the order of their names.
func encodeSafetensors(w io.Writer, tensors map[string]matrix) error {
	names := make([]string, 0, len(tensors))
	for name := range tensors {
		names = append(names, name)
	}
	slices.Sort(names)
	heads := map[string]tensorHead{}
	at := int64(0)
	for _, name := range names {
		end := at + 4*int64(len(tensors[name].values))
		heads[name] = tensorHead{"F32", tensors[name].shape, [2]int64{at, end}}
		at = end
	}
	header, err := json.Marshal(heads)
	if err != nil {
		return err
	}
	b := append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)
	for _, name := range names {
		for _, v := range tensors[name].values {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
	}
	_, err = w.Write(b)
	return err
}
