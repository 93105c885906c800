package hub

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
)

// A want is a required or optional file of a model.
type want struct {
	paths    []string // possible paths in the repository; the first that exists is used
	save     string   // local path, if different
	required bool
}

// local returns the local path of a file in the repository.
func (w want) local(source string) string {
	if w.save != "" {
		return w.save
	}
	return source
}

// layout returns the files that make up a sentence-transformers export, small
// ones first. modules is the text of modules.json, nil for a bare model, which has
// none. variant selects another model file: a path (onnx/model_quantized.onnx) or
// the part after onnx/model_ (quantized).
//
// js/src/hub-layout.ts is the same for the browser; both are tested with
// models/testdata/layout.json.
func layout(modules []byte, variant string) ([]want, error) {
	root, more := "", []want(nil)
	if modules != nil {
		var err error
		if root, more, err = readModules(modules); err != nil {
			return nil, err
		}
	}
	in := func(name string) string { return path.Join(root, name) }
	tokenizer := want{paths: []string{in("tokenizer.json")}, required: true}
	model := want{paths: []string{in("onnx/model.onnx"), in("model.onnx")}, required: true}
	if root != "" {
		tokenizer.paths = append(tokenizer.paths, "tokenizer.json")
		model.paths = append(model.paths, "onnx/model.onnx", "model.onnx")
	}
	if variant != "" {
		source := variantPath(variant)
		if !inside(source) {
			return nil, fmt.Errorf("variant: want a path inside the model's folder, got %q", variant)
		}
		model = want{paths: []string{source}, save: in("onnx/model.onnx"), required: true}
	}
	files := []want{
		{paths: []string{in("config.json")}},
		{paths: []string{in("sentence_bert_config.json")}},
		{paths: []string{"config_sentence_transformers.json"}},
		{paths: []string{in("tokenizer_config.json")}},
		{paths: []string{"README.md"}},
	}
	return append(append(files, more...), tokenizer, model), nil
}

// variantPath returns the path of a variant in the repository.
func variantPath(variant string) string {
	if strings.HasSuffix(variant, ".onnx") {
		return variant
	}
	return "onnx/model_" + variant + ".onnx"
}

// readModules reads modules.json: the folder of the transformer and the files of
// the modules after it.
func readModules(data []byte) (root string, files []want, err error) {
	var modules []struct {
		Path string `json:"path"`
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &modules); err != nil || modules == nil {
		return "", nil, errors.New("modules.json: want a list of modules")
	}
	transformer := false
	for i, m := range modules {
		if m.Path != "" && !inside(m.Path) {
			return "", nil, fmt.Errorf("modules.json: modules[%d].path: want a path inside the model's folder, got %q", i, m.Path)
		}
		need := func(name string) {
			files = append(files, want{paths: []string{path.Join(m.Path, name)}, required: true})
		}
		switch m.Type[strings.LastIndexByte(m.Type, '.')+1:] {
		case "Transformer":
			if transformer {
				return "", nil, fmt.Errorf("modules.json: modules[%d].type: a second Transformer", i)
			}
			transformer, root = true, m.Path
		case "Pooling":
			need("config.json")
		case "Dense":
			need("config.json")
			need("model.safetensors")
		case "Normalize":
		default:
			return "", nil, fmt.Errorf("modules.json: modules[%d].type: %q is not supported: want Transformer, Pooling, Dense or Normalize", i, m.Type)
		}
	}
	if !transformer {
		return "", nil, errors.New("modules.json: no Transformer module")
	}
	return root, files, nil
}

// inside reports whether a slash-separated path stays in its folder on every
// operating system: no backslash, drive, parent or hidden element.
func inside(name string) bool {
	if strings.ContainsAny(name, "\\:*?\"<>|") || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") {
			return false
		}
	}
	return true
}
