//go:build js

package main

import (
	"syscall/js"
	"unsafe"

	"github.com/cerasum/cerasum/internal/errorf"
)

// maxDepth is far above the depth of any message. It stops cyclic values, which
// structured cloning permits.
const maxDepth = 16

var (
	jsArray  = js.Global().Get("Array")
	jsObject = js.Global().Get("Object")
	jsJSON   = js.Global().Get("JSON")
	jsFloats = js.Global().Get("Float32Array")
	jsBytes  = js.Global().Get("Uint8Array")
	jsUints  = js.Global().Get("Uint32Array")
)

// toTree copies a JavaScript value into a tree of nil, bool, float64, string,
// []any, map[string]any and, of a Float32Array, []float32, of a Uint8Array, []byte. Fields
// that are undefined are left out. A lone surrogate becomes U+FFFD, also one UTF-16
// unit, so that offsets stay valid.
func toTree(v js.Value, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errorf.Errorf("want at most %d levels of nesting", maxDepth)
	}
	switch v.Type() {
	case js.TypeUndefined, js.TypeNull:
		return nil, nil
	case js.TypeBoolean:
		return v.Bool(), nil
	case js.TypeNumber:
		return v.Float(), nil
	case js.TypeString:
		return v.String(), nil
	case js.TypeObject:
		if jsArray.Call("isArray", v).Bool() {
			return toList(v, depth)
		}
		switch class := v.Get("constructor"); {
		case class.Equal(jsObject):
			return toMap(v, depth)
		case class.Equal(jsFloats):
			return toFloats(v), nil
		case class.Equal(jsBytes):
			b := make([]byte, v.Length())
			js.CopyBytesToGo(b, v)
			return b, nil
		}
	}
	return nil, errorf.Errorf("want plain objects, arrays, Float32Arrays, Uint8Arrays, strings, numbers and booleans, got %s", describe(v))
}

// toFloats copies the bytes of a Float32Array at once: copying 2 MB number by
// number took 30 ms. WebAssembly is little-endian, and so is every browser.
func toFloats(v js.Value) []float32 {
	floats := make([]float32, v.Length())
	if len(floats) > 0 {
		bytes := unsafe.Slice((*byte)(unsafe.Pointer(&floats[0])), 4*len(floats))
		js.CopyBytesToGo(bytes, jsBytes.New(v.Get("buffer"), v.Get("byteOffset"), v.Get("byteLength")))
	}
	return floats
}

func toList(v js.Value, depth int) (any, error) {
	list := make([]any, v.Length())
	for i := range list {
		item, err := toTree(v.Index(i), depth+1)
		if err != nil {
			return nil, err
		}
		list[i] = item
	}
	return list, nil
}

func toMap(v js.Value, depth int) (any, error) {
	names := jsObject.Call("keys", v)
	m := make(map[string]any, names.Length())
	for i := range names.Length() {
		name := names.Index(i).String()
		field := v.Get(name)
		if field.IsUndefined() {
			continue
		}
		item, err := toTree(field, depth+1)
		if err != nil {
			return nil, err
		}
		m[name] = item
	}
	return m, nil
}

// describe returns the class of an object ("Date") or the type of another
// value.
func describe(v js.Value) string {
	if v.Type() != js.TypeObject {
		return v.Type().String()
	}
	if class := v.Get("constructor"); class.Type() == js.TypeFunction {
		return class.Get("name").String()
	}
	return "object without a prototype"
}

// toValue converts a tree to a JavaScript value, by way of JSON: field by
// field, the sentences of ten megabytes of text took two seconds. JSON has no
// typed arrays: fields of the message with a []uint32 are set afterwards.
func toValue(tree any) js.Value {
	v := jsJSON.Call("parse", string(appendJSON(nil, tree)))
	if message, ok := tree.(map[string]any); ok {
		for name, field := range message {
			if list, ok := field.([]uint32); ok {
				v.Set(name, toUints(list))
			}
		}
	}
	return v
}

// toUints copies numbers to a Uint32Array, as toFloats does from a Float32Array.
func toUints(list []uint32) js.Value {
	bytes := jsBytes.New(4 * len(list))
	if len(list) > 0 {
		js.CopyBytesToJS(bytes, unsafe.Slice((*byte)(unsafe.Pointer(&list[0])), 4*len(list)))
	}
	return jsUints.New(bytes.Get("buffer"))
}
