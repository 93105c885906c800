package safetensors

import (
	"bytes"
	"slices"
	"testing"
)

func file(t testing.TB, tensors ...Named) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, tensors); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWrittenIsParsed(t *testing.T) {
	raw := file(t, Named{"b", []int{2, 2}, []float32{1, 2, 3, 4}}, Named{"a", []int{}, []float32{5}}, Named{"none", []int{0, 3}, nil})
	if head := raw[0]; head%8 != 0 {
		t.Errorf("a header of %d bytes: the numbers are not aligned", head)
	}
	got, err := Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	if b := got["b"]; len(got) != 3 || b.Type != "F32" || !slices.Equal(b.Shape, []int{2, 2}) || !slices.Equal(b.Data, []float32{1, 2, 3, 4}) || !slices.Equal(got["a"].Data, []float32{5}) {
		t.Errorf("%+v", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(file(f, Named{"linear.weight", []int{2, 2}, []float32{1, 2, 3, 4}}))
	f.Fuzz(func(t *testing.T, raw []byte) {
		tensors, err := Parse(raw)
		if err != nil {
			return
		}
		for name, x := range tensors {
			n := 1
			for _, d := range x.Shape {
				n *= d
			}
			if n != len(x.Data) {
				t.Errorf("%s: %d numbers for %v", name, len(x.Data), x.Shape)
			}
		}
	})
}

func TestSmallTypes(t *testing.T) {
	for kind, c := range map[string]struct {
		raw  []byte
		want []float32
	}{
		"F16":  {[]byte{0x00, 0x3c, 0x00, 0xc0, 0x01, 0x00, 0xff, 0x7b, 0x00, 0x80}, []float32{1, -2, 5.9604645e-08, 65504, 0}},
		"BF16": {[]byte{0x80, 0x3f, 0x00, 0xc0}, []float32{1, -2}},
		"F64":  {[]byte{0, 0, 0, 0, 0, 0, 0xe0, 0x3f}, []float32{0.5}},
	} {
		got, err := Decode(kind, c.raw)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v; want %v", kind, got, err, c.want)
		}
	}
	if _, err := Decode("I8", []byte{1}); err == nil {
		t.Error("int8 was read")
	}
	if _, err := Decode("F16", []byte{0, 0x7c}); err == nil {
		t.Error("infinity was read")
	}
}
