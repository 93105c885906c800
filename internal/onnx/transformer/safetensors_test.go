package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"
)

// safetensors puts a file together from its header and data.
func safetensors(header string, data ...byte) []byte {
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), data...)
}

func TestDecodeSafetensors(t *testing.T) {
	got, err := decodeSafetensors(bytes.NewReader(safetensors(
		`{"__metadata__":{"format":"pt"},
		"d":{"dtype":"F64","shape":[1],"data_offsets":[14,22]},
		"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},
		"ids":{"dtype":"U8","shape":[2],"data_offsets":[8,10]},
		"b":{"dtype":"BF16","shape":[],"data_offsets":[10,12]},
		"h":{"dtype":"F16","shape":[1],"data_offsets":[12,14]}}`,
		0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 7, 7, 0x40, 0x40, 0x00, 0x3c, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f)))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float32{"a": {1, -2}, "b": {3}, "h": {1}, "d": {0.5}} {
		m := got[name]
		if len(m.values) != len(want) || m.values[0] != want[0] || m.values[len(want)-1] != want[len(want)-1] {
			t.Errorf("%s = %v, want %v", name, m.values, want)
		}
	}
	if len(got) != 4 || len(got["a"].shape) != 2 {
		t.Errorf("%v", got)
	}
}

func TestHalf(t *testing.T) {
	for h, want := range map[uint16]float64{
		0x0000: 0, 0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0400: math.Ldexp(1, -14), 0x0001: math.Ldexp(1, -24),
		0x83ff: -math.Ldexp(1023, -24), 0x3555: 0.333251953125, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1),
	} {
		if got := float64(halfToFloat(h)); got != want {
			t.Errorf("%#04x is %v, want %v", h, got, want)
		}
	}
	if got := halfToFloat(0x8000); math.Float32bits(got) != 1<<31 {
		t.Errorf("negative zero is %v", got)
	}
	if got := halfToFloat(0x7e00); got == got {
		t.Errorf("NaN is %v", got)
	}
}

func TestSafetensorsErrors(t *testing.T) {
	for _, c := range []struct {
		name, want string
		file       []byte
	}{
		{"empty", "truncated", nil},
		{"half a length", "truncated", []byte{1, 2, 3}},
		{"huge header", "not a safetensors file: a header of", bytes.Repeat([]byte{'x'}, 20)},
		{"cut header", "truncated", safetensors(`{"a":`)[:10]},
		{"no JSON", "not a safetensors file: its header", safetensors(`hello`)},
		{"no tensor", `tensor "a": json`, safetensors(`{"a":5}`)},
		{"gap", `tensor "a": offsets [4 8]: want the start at 0`, safetensors(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`, 0, 0, 0, 0, 0, 0, 0, 0)},
		{"backwards", `tensor "a": offsets [0 -4]`, safetensors(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,-4]}}`)},
		{"wrong shape", `tensor "a": 4 bytes do not match F32 of shape [2]`, safetensors(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, 0, 0, 0, 0)},
		{"negative shape", `tensor "a": invalid shape [-1 -1]`, safetensors(`{"a":{"dtype":"F32","shape":[-1,-1],"data_offsets":[0,4]}}`, 0, 0, 0, 0)},
		{"vast shape", `tensor "a": invalid shape`, safetensors(`{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`)},
		{"no data", "truncated", safetensors(`{"a":{"dtype":"F32","shape":[400000000],"data_offsets":[0,1600000000]}}`, 0, 0)},
		{"no integers", "truncated", safetensors(`{"a":{"dtype":"I64","shape":[4],"data_offsets":[0,32]}}`, 0, 0)},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := decodeSafetensors(bytes.NewReader(c.file))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

func TestWeightsNotFinite(t *testing.T) {
	nan := float32(math.NaN())
	p := &picker{tensors: map[string]matrix{"a": {[]int{2}, []float32{1, nan}}}}
	if p.take("a", 2); p.err == nil || p.err.Error() != `tensor "a" contains NaN` {
		t.Errorf("got %v", p.err)
	}
}

func TestQuantizeRows(t *testing.T) {
	m := matrix{[]int{3, 3}, []float32{-2, 1, 0.5, 0, 0, 0, 1e-30, -3e-30, 2e-30}}
	q, scales := quantizeRows(m)
	for i, v := range m.values {
		got := float32(q[i]) * scales[i/3]
		if step := scales[i/3]; math.Abs(float64(got-v)) > float64(step)*0.5001 {
			t.Errorf("element %d: %v came out as %v, more than half a step of %v away", i, v, got, step)
		}
	}
	if q[0] != -127 || q[7] != -127 {
		t.Errorf("the largest of a row are %d and %d steps", q[0], q[7])
	}
}

func FuzzDecodeSafetensors(f *testing.F) {
	f.Add(safetensors(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 0, 0, 0, 0))
	f.Add(safetensors(`{"a":{"dtype":"F16","shape":[400000000],"data_offsets":[0,800000000]}}`, 0, 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		tensors, err := decodeSafetensors(bytes.NewReader(b))
		if err != nil {
			return
		}
		for name, m := range tensors {
			n := 1
			for _, s := range m.shape {
				n *= s
			}
			if n != len(m.values) {
				t.Fatalf("tensor %q: %d numbers of shape %v", name, len(m.values), m.shape)
			}
		}
	})
}
