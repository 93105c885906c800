package hub

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
)

// A want is a file that a model needs, or may have.
type want struct {
	paths    []string // its places in the repository; the first that is there counts
	save     string   // where it is kept, if not at the same place
	required bool
}

// local is where the file of a place in the repository is kept.
func (w want) local(source string) string {
	if w.save != "" {
		return w.save
	}
	return source
}

// layout tells which files make a sentence-transformers export, small ones
// first: modules is the text of its modules.json, nil for a bare model, which
// has none. variant chooses another file for the model: a path
// (onnx/model_quantized.onnx) or what follows onnx/model_ (quantized).
//
// The browser's twin is layout in js/src/hub-layout.ts; both are tested with
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
			return nil, fmt.Errorf("variant: %q leads out of the model's folder", variant)
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

// variantPath is the place of a variant of the model in its repository.
func variantPath(variant string) string {
	if strings.HasSuffix(variant, ".onnx") {
		return variant
	}
	return "onnx/model_" + variant + ".onnx"
}

// readModules reads modules.json: the folder of the transformer and the files
// of the modules after it.
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
			return "", nil, fmt.Errorf("modules.json: modules[%d].path: %q leads out of the model's folder", i, m.Path)
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
		return "", nil, errors.New("modules.json: there is no Transformer")
	}
	return root, files, nil
}

// inside says whether a path with slashes stays in its folder, on every
// system: no backslash, no drive, no step up, nothing hidden by a dot.
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
