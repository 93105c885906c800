package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/internal/onnx"
)

// weightsName is the only supported format of weights; the others are Python
// pickles or belong to other frameworks.
const weightsName = "model.safetensors"

// companions are the files that an export copies besides the weights. All but
// the tokenizer are optional.
var companions = []string{
	"config.json", "tokenizer.json", "sentence_bert_config.json", "config_sentence_transformers.json",
	"tokenizer_config.json", "special_tokens_map.json", "README.md", "LICENSE", "LICENSE.txt",
}

// export writes the export folder of a model and returns the size of model.onnx
// in bytes, which is written last and appears only when complete.
func export(source fs.FS, out string, o options) (int64, error) {
	d, err := describe(source)
	if err != nil {
		return 0, err
	}
	transformer, err := fs.Sub(source, d.transformer)
	if err != nil {
		return 0, err
	}
	if _, err := fs.Stat(transformer, "tokenizer.json"); err != nil {
		return 0, fmt.Errorf("%w (vocab.txt and sentencepiece.model are not supported)", err)
	}
	g, err := graphOf(source, d, o)
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return 0, err
	}
	for _, name := range companions {
		if err := copyFile(transformer, name, filepath.Join(out, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
	}
	if err := writeModules(source, d, out); err != nil {
		return 0, err
	}
	var size int64
	err = writeFile(filepath.Join(out, "model.onnx"), func(w io.Writer) (err error) {
		size, err = g.WriteTo(w)
		return err
	})
	return size, err
}

// graphOf reads the weights and builds the graph.
func graphOf(source fs.FS, d *description, o options) (*onnx.Graph, error) {
	name := path.Join(d.transformer, weightsName)
	tensors, err := readWeights(source, name)
	if err != nil {
		return nil, err
	}
	w, err := pickWeights(tensors, &d.config)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var projection linear
	if d.dense != nil {
		// Even if the graph does not include it: users of the export need it
		// for pooling.
		name := path.Join(d.densePath, weightsName)
		if tensors, err = readWeights(source, name); err != nil {
			return nil, err
		}
		if projection, err = pickDense(tensors, d.dense); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return build(d, w, projection, o)
}

// readWeights reads a safetensors file. If it is missing, the error names
// weights in other formats.
func readWeights(source fs.FS, name string) (map[string]matrix, error) {
	tensors, err := readSafetensors(source, name)
	if !errors.Is(err, fs.ErrNotExist) {
		return tensors, err
	}
	entries, listErr := fs.ReadDir(source, path.Dir(name))
	if listErr != nil {
		return nil, err
	}
	for _, e := range entries {
		switch e.Name() {
		case "pytorch_model.bin", "tf_model.h5", "model.safetensors.index.json":
			return nil, fmt.Errorf("%w: %s is not supported: save the model as safetensors", err, e.Name())
		}
	}
	return nil, err
}

// writeModules writes modules.json and the folders that it names. The
// transformer's files are at the root of an export, wherever they were in the
// model.
func writeModules(source fs.FS, d *description, out string) error {
	modules := slices.Clone(d.modules)
	for i, m := range modules {
		if m.kind() == "Transformer" {
			modules[i].Path = ""
			continue
		}
		dir := path.Clean(m.Path)
		if err := os.MkdirAll(filepath.Join(out, filepath.FromSlash(dir)), 0o755); err != nil {
			return err
		}
		for _, name := range []string{"config.json", weightsName} {
			name = path.Join(dir, name)
			err := copyFile(source, name, filepath.Join(out, filepath.FromSlash(name)))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	b, err := json.MarshalIndent(modules, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(out, "modules.json"), func(w io.Writer) error {
		_, err := w.Write(append(b, '\n'))
		return err
	})
}

func copyFile(source fs.FS, name, to string) error {
	f, err := source.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return writeFile(to, func(w io.Writer) error {
		_, err := io.Copy(w, f)
		return err
	})
}

// writeFile writes a file under a temporary name and renames it when it is
// complete.
func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // no-op after the rename
	if err := errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return os.Rename(f.Name(), name)
}

// kind is the last part of the activation: Tanh, Identity.
func (d *dense) kind() string { return d.Activation[strings.LastIndexByte(d.Activation, '.')+1:] }
