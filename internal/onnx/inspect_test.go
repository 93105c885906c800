package onnx

import (
	"bytes"
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

func TestInspect(t *testing.T) {
	// One byte at a time, so that no length is taken for granted.
	m, err := Inspect(iotest.OneByteReader(strings.NewReader(golden)))
	if err != nil {
		t.Fatal(err)
	}
	shape := []Dim{Dynamic("n"), Fixed(2)}
	want := &Info{
		IR: 8, Producer: "p", Opsets: map[string]int64{"": 17}, Metadata: map[string]string{"a": "1", "b": "2"}, Graph: "g",
		Inputs: []Value{{"x", Float32, shape}}, Outputs: []Value{{"y", Float32, shape}}, Ops: map[string]int{"Op": 1},
		Initializers: []Initializer{{Name: "w", Type: Float32, Dims: []int64{2}, Bytes: 8}}, Bytes: int64(len(golden)),
	}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("got  %+v\nwant %+v", m, want)
	}
}

func TestInspectStatic(t *testing.T) {
	f, err := os.Open("testdata/static.onnx")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := Inspect(f)
	if err != nil {
		t.Fatal(err)
	}
	v, err := m.CheckEncoder(goldenDims)
	if err != nil || v.Name != SentenceEmbedding {
		t.Errorf("output %+v, %v", v, err)
	}
	if bytes, external := m.Weights(); bytes != goldenRows*goldenDims+goldenRows*4+8+4 || external != "" {
		t.Errorf("weights of %d bytes, external %q", bytes, external)
	}
	if _, err := m.CheckEncoder(goldenDims + 1); err == nil || err.Error() != `output "sentence_embedding": got 5 dimensions, want 6` {
		t.Errorf("wrong width: %v", err)
	}
}

// TestInspectCut cuts the file at every byte: no part of it is a model, and
// the message says so.
func TestInspectCut(t *testing.T) {
	for n := range len(golden) {
		_, err := Inspect(strings.NewReader(golden[:n]))
		if n >= len(golden)-16 { // the metadata at the end may be missing
			continue
		}
		if !errors.Is(err, ErrFormat) {
			t.Errorf("cut after %d bytes: %v", n, err)
		}
	}
	_, err := Inspect(strings.NewReader(golden[:100]))
	if err == nil || !strings.Contains(err.Error(), "truncated after 100 bytes") {
		t.Errorf("got %v", err)
	}
}

func TestInspectErrors(t *testing.T) {
	broken := errors.New("broken disk")
	if _, err := Inspect(io.MultiReader(strings.NewReader(golden[:50]), iotest.ErrReader(broken))); !errors.Is(err, broken) || errors.Is(err, ErrFormat) {
		t.Errorf("a reader's error came out as %v", err)
	}
	if _, err := Inspect(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("a reader's error came out as %v", err)
	}
	replace := func(old, new string) string {
		if strings.Count(golden, old) != 1 || len(old) != len(new) {
			t.Fatalf("%q occurs %d times", old, strings.Count(golden, old))
		}
		return strings.Replace(golden, old, new, 1)
	}
	for _, c := range []struct{ name, file, want string }{
		{"empty", "", "empty file"},
		{"page", "\n<!DOCTYPE html><html>404</html>", "looks like an HTML page"},
		{"pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "Git LFS pointer"},
		{"json", `{"error":"Repository not found"}`, "looks like JSON"},
		{"words", "Entry not found", "not a valid ONNX file: byte 0"},
		{"zip", "PK\x03\x04\x14\x00\x00\x00\x08\x00", "not a valid ONNX file"},
		{"zeros", strings.Repeat("\x00", 100), "no field has such a number"},
		{"no graph", "\x08\x08\x42\x04\x0a\x00\x10\x11", "no graph"},
		{"no opset", golden[:strings.Index(golden, "\x42\x04\x0a\x00")], "no opset"},
		{"twice", golden + golden, "a second graph"},
		{"too long", replace("\x0a\x3f\x0a\x01x", "\x0a\xff\x0a\x01x"), "more than remain"},
		{"endless", "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "more than ten bytes"},
		{"no message", replace("\x3a\x83\x01", "\x38\x83\x01"), "graph is no message"},
		{"raw", replace("\x08\x02\x10\x01", "\x08\x03\x10\x01"), `initializer "w" (float32, shape [3]): got 8 bytes, want 12`},
		{"unread", replace("\x0a\x01w", "\x0a\x01v"), `input "v" is not defined before it`},
		{"output", replace("\x12\x01y", "\x12\x01z"), `output "y" is not defined`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Inspect(strings.NewReader(c.file))
			if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

// TestInspectShape has shapes whose product is no number of elements.
func TestInspectShape(t *testing.T) {
	for _, dims := range [][]uint64{{1 << 40, 1 << 40}, {1 << 20, 1 << 20}, {1<<64 - 1}} {
		var m, graph, tensor message
		for _, d := range dims {
			tensor.varint(tensorDims, d)
		}
		tensor.text(tensorName, "w")
		graph.message(graphInitializer, &tensor)
		m.message(modelGraph, &graph)
		var b bytes.Buffer
		if _, err := m.writeTo(&b); err != nil {
			t.Fatal(err)
		}
		if _, err := Inspect(&b); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "\"w\": invalid shape") {
			t.Errorf("shape %v: %v", dims, err)
		}
	}
}

// TestInspectOld reads a file as old exporters write it: initializers listed
// among the inputs, dims packed, elements in float_data.
func TestInspectOld(t *testing.T) {
	var m, graph, node, tensor, opset message
	node.text(nodeInput, "x")
	node.text(nodeInput, "w")
	node.text(nodeOutput, "y")
	node.text(nodeOp, "Add")
	node.text(nodeDomain, "com.example")
	graph.message(graphNode, &node)
	tensor.text(tensorDims, "\x01\x02")
	tensor.varint(tensorType, 1)
	tensor.text(4, "\x00\x00\x80\x3f\x00\x00\x80\x3f")
	tensor.text(tensorName, "w")
	graph.message(graphInitializer, &tensor)
	for _, name := range []string{"w", "x"} {
		graph.message(graphInput, Value{name, Float32, []Dim{Fixed(1), Fixed(2)}}.message())
	}
	graph.message(graphOutput, Value{"y", Float32, nil}.message())
	opset.varint(opsetVersion, 11)
	m.message(modelOpset, &opset)
	m.message(modelGraph, &graph)
	var b bytes.Buffer
	if _, err := m.writeTo(&b); err != nil {
		t.Fatal(err)
	}
	info, err := Inspect(&b)
	if err != nil {
		t.Fatal(err)
	}
	if len(info.Inputs) != 1 || info.Inputs[0].Name != "x" || info.Opsets[""] != 11 || info.Ops["com.example:Add"] != 1 {
		t.Errorf("%+v", info)
	}
	if w := info.Initializers[0]; w.Bytes != 8 || len(w.Dims) != 2 || w.Dims[1] != 2 {
		t.Errorf("%+v", w)
	}
}

func TestCheckEncoder(t *testing.T) {
	ids := Value{InputIDs, Int64, []Dim{Dynamic("batch"), Dynamic("tokens")}}
	mask := Value{AttentionMask, Int64, ids.Shape}
	hidden := Value{LastHiddenState, Float32, []Dim{Dynamic("batch"), Dynamic("tokens"), Fixed(8)}}
	sentence := Value{SentenceEmbedding, Float32, []Dim{Dynamic("batch"), Fixed(4)}}
	for _, c := range []struct {
		name            string
		inputs, outputs []Value
		dims            int
		want            string // the output, or what the error says
	}{
		{"pooled", []Value{ids, mask}, []Value{hidden, sentence}, 4, SentenceEmbedding},
		{"tokens", []Value{ids, mask}, []Value{hidden}, 8, LastHiddenState},
		{"any width", []Value{ids}, []Value{hidden}, 0, LastHiddenState},
		{"unknown width", []Value{ids}, []Value{{TokenEmbeddings, Float32, []Dim{{}, {}, {}}}}, 8, TokenEmbeddings},
		{"wrong width", []Value{ids, mask}, []Value{hidden}, 9, `output "last_hidden_state": got 8 dimensions, want 9`},
		{"image", []Value{{"pixel_values", Float32, nil}}, []Value{hidden}, 8, `unsupported graph input "pixel_values"`},
		{"no ids", []Value{mask}, []Value{hidden}, 8, `no graph input "input_ids" (only "attention_mask")`},
		{"int32", []Value{{InputIDs, Int32, ids.Shape}}, []Value{hidden}, 8, `input "input_ids": want int64 of batch×tokens, got int32`},
		{"classifier", []Value{ids}, []Value{{"logits", Float32, nil}}, 8, `no graph output sentence_embedding, last_hidden_state or token_embeddings (only "logits")`},
		{"half", []Value{ids}, []Value{{LastHiddenState, 10, hidden.Shape}}, 8, `is float16 of batch×tokens×8: want float32 of 3 dimensions`},
		{"flat", []Value{ids}, []Value{{SentenceEmbedding, Float32, nil}}, 8, `is float32 without a shape`},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := (&Info{Inputs: c.inputs, Outputs: c.outputs}).CheckEncoder(c.dims)
			if err != nil && !strings.Contains(err.Error(), c.want) || err == nil && v.Name != c.want {
				t.Errorf("got %q, %v; want %q", v.Name, err, c.want)
			}
		})
	}
}

// FuzzInspect looks for files that take the reader's memory, time or life.
func FuzzInspect(f *testing.F) {
	f.Add([]byte(golden))
	if b, err := os.ReadFile("testdata/static.onnx"); err == nil {
		f.Add(b)
	}
	f.Add([]byte("version https://git-lfs"))
	f.Add([]byte("\x3a\x06\x2a\x04\x0a\x02\xff\x01"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Inspect(bytes.NewReader(b))
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Fatalf("a file's fault without ErrFormat: %v", err)
			}
			return
		}
		if m.Bytes != int64(len(b)) {
			t.Fatalf("read %d of %d bytes", m.Bytes, len(b))
		}
		if n, _ := m.Weights(); n > int64(len(b)) {
			t.Fatalf("%d bytes of weights in a file of %d", n, len(b))
		}
		_, _ = m.CheckEncoder(4)
	})
}
