//go:build js

package main

import (
	"math"
	"reflect"
	"strings"
	"syscall/js"
	"testing"
)

const bom = "\ufeff"

func eval(code string) js.Value {
	return js.Global().Get("Function").New("return " + code).Invoke()
}

func TestTreeRoundTrip(t *testing.T) {
	tree := map[string]any{
		"nothing": nil, "yes": true, "no": false, "text": "é🚢\x00שלום", "empty": "",
		"escapes": "\"quoted\" \\ \b\f\n\r\t\x1f\x7f\u2028/<script>", "a \"name\"\n": "x",
		"numbers": []any{-1.5, 0.0, 1e21, 1e-7, 5e-324, math.MaxFloat64, 9007199254740991.0, 0.1},
		"mark":    bom + bom + "a" + bom, "list": []any{1.0, []any{}, map[string]any{}, "x"},
	}
	got, err := toTree(toValue(tree), 0)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, tree) {
		t.Errorf("got %q\nwant %q", got, tree)
	}
}

func TestWhatJSONLacks(t *testing.T) {
	got, err := toTree(toValue([]any{math.NaN(), math.Inf(1), math.Inf(-1), "a\xffb\xc3"}), 0)
	want := []any{nil, nil, nil, "a\ufffdb\ufffd"}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	defer func() {
		if recover() == nil {
			t.Error("an int was taken for a part of a message")
		}
	}()
	toValue([]any{1})
}

func TestLengthsStayTrue(t *testing.T) {
	for code, want := range map[string]string{
		`"a\ud83d b"`:             "a\ufffd b",
		`"\udea2\ud83d"`:          "\ufffd\ufffd",
		`"\ud83d\udea2"`:          "🚢",
		`"\ufeffWith a mark"`:     bom + "With a mark",
		`"\ud83d\ud83d\udea2end"`: "\ufffd🚢end",
	} {
		got, err := toTree(eval(code), 0)
		if err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", code, got, err, want)
			continue
		}
		units := eval("(" + code + ").length").Int()
		if back := jsObject.New(toValue(got)).Length(); back != units {
			t.Errorf("%s: %d units came back as %d", code, units, back)
		}
	}
}

func TestFloatsCrossInOnePiece(t *testing.T) {
	for code, want := range map[string][]float32{
		`new Float32Array([1.5, -0.25, 3e38, 1e-45])`:                   {1.5, -0.25, 3e38, 1e-45},
		`new Float32Array([0, 1, 2, 3, 4]).subarray(1, 3)`:              {1, 2},
		`new Float32Array(0)`:                                           {},
		`new Float32Array([Infinity, -Infinity])`:                       {float32(math.Inf(1)), float32(math.Inf(-1))},
		`new Float32Array(new Float32Array([7, 8, 9]).buffer, 4, 2)`:    {8, 9},
		`new Float32Array(Array.from({ length: 100000 }, (_, i) => i))`: counting(100000),
	} {
		got, err := toTree(eval("({ numbers: "+code+" })"), 0)
		if err != nil || !reflect.DeepEqual(got, map[string]any{"numbers": want}) {
			t.Errorf("%s: %v", code, err)
		}
	}
}

func TestUintsCrossInOnePiece(t *testing.T) {
	for _, list := range [][]uint32{{}, {0, 1, 1 << 31, math.MaxUint32}, make([]uint32, 100_000)} {
		v := toValue(map[string]any{"kind": "opened", "offsets": list}).Get("offsets")
		if !v.InstanceOf(jsUints) || v.Length() != len(list) {
			t.Fatalf("%d numbers became %d, a Uint32Array: %v", len(list), v.Length(), v.InstanceOf(jsUints))
		}
		for i, want := range list {
			if got := v.Index(i).Float(); got != float64(want) {
				t.Fatalf("%d became %v", want, got)
			}
		}
	}
}

func counting(n int) []float32 {
	list := make([]float32, n)
	for i := range list {
		list[i] = float32(i)
	}
	return list
}

// BenchmarkFloats is 1,000 embeddings of 256 dimensions.
func BenchmarkFloats(b *testing.B) {
	v := eval("new Float32Array(256000)")
	for b.Loop() {
		if _, err := toTree(v, 0); err != nil {
			b.Fatal(err)
		}
	}
}

func TestUndefinedIsAbsent(t *testing.T) {
	got, err := toTree(eval(`({ title: undefined, text: null, list: [undefined] })`), 0)
	want := map[string]any{"text": nil, "list": []any{nil}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

func TestStrangeValuesAreRefused(t *testing.T) {
	for code, want := range map[string]string{
		`new Date()`:            "got Date",
		`({ text: new Map() })`: "got Map",
		`[new Int8Array(3)]`:    "got Int8Array",
		`[new Float64Array(3)]`: "got Float64Array",
		`Object.create(null)`:   "object without a prototype",
		`() => 1`:               "got function",
		`Symbol("s")`:           "got symbol",
		`new String("text")`:    "got String",
		`(() => { const a = []; a.push(a); return a })()`: "16 levels",
	} {
		if got, err := toTree(eval(code), 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, %v, want an error with %q", code, got, err, want)
		}
	}
}

func TestReadTakesOneMessage(t *testing.T) {
	if _, err := read(nil); err == nil {
		t.Error("no message was taken for one")
	}
	if got, err := read([]js.Value{js.ValueOf("x")}); err != nil || got != "x" {
		t.Errorf("got %v, %v", got, err)
	}
}
