// Package weights reads and writes folders of centroid weights: config.json, and
// model.safetensors with the tensors that core/centroid lists.
//
// Start with [Read] and [Write]. The page's program does not include this package:
// it gets the tensors over the bridge.
package weights

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/internal/weights/safetensors"
)

// File names in a folder.
const (
	ConfigFile  = "config.json"
	TensorsFile = "model.safetensors"
)

// Size limits.
const (
	maxConfig  = 1 << 20 // bytes
	maxTensors = 8 << 30 // bytes
)

// ErrWeights is wrapped by errors about invalid weights, ErrEncoder by those about
// weights for another encoder.
var (
	ErrWeights = errors.New("bad weights")
	ErrEncoder = errors.New("weights for another encoder")
)

// Config is the content of config.json.
type Config struct {
	// Dimensions of an embedding, positions with an embedding, and whether the
	// weights are those of CeRAI.
	Dimensions    int  `json:"dimensions"`
	Positions     int  `json:"positions"`
	Interpolation bool `json:"interpolation"`
	Origin
}

// Origin is the provenance of weights. All fields may be empty.
type Origin struct {
	// Encoder is the name of the encoder used in training; empty if unknown.
	// EncoderSHA256, in lower-case hexadecimal, is its fingerprint; empty if
	// unknown.
	Encoder       string `json:"encoder"`
	EncoderSHA256 string `json:"encoder_sha256,omitempty"`
	// Licence of the weights. Free means that all training corpora are freely
	// licensed, for any use by anyone; Corpora lists them, each with its licence.
	Licence string   `json:"licence,omitempty"`
	Free    bool     `json:"free,omitempty"`
	Corpora []string `json:"corpora,omitempty"`
}

// Model is the content of a folder.
type Model struct {
	Config
	*centroid.Weights[float32]
}

// CheckEncoder refuses an encoder, by name and fingerprint if known, that the weights
// were not trained for. The error is ErrEncoder and names both.
func (c Config) CheckEncoder(name, sha256 string) error {
	if c.Encoder != "" && c.Encoder != name {
		return fmt.Errorf("%w: want %q, got %q", ErrEncoder, c.Encoder, name)
	}
	if c.EncoderSHA256 != "" && sha256 != "" && c.EncoderSHA256 != sha256 {
		return fmt.Errorf("%w: want %q with SHA-256 %s, got %q with SHA-256 %s", ErrEncoder, c.Encoder, c.EncoderSHA256, name, sha256)
	}
	return nil
}

// Read reads the root of files; folder is its name in errors.
func Read(files fs.FS, folder string) (*Model, error) {
	raw, err := readFile(files, ConfigFile, maxConfig)
	if err != nil {
		return nil, fmt.Errorf("%s/%w", folder, err)
	}
	c, err := parseConfig(raw)
	if err != nil {
		return nil, fmt.Errorf("%s/%s: %w: %w", folder, ConfigFile, ErrWeights, err)
	}
	if raw, err = readFile(files, TensorsFile, maxTensors); err != nil {
		return nil, fmt.Errorf("%s/%w", folder, err)
	}
	w, err := parse(c, raw)
	if err != nil {
		return nil, fmt.Errorf("%s/%s: %w: %w", folder, TensorsFile, ErrWeights, err)
	}
	return &Model{c, w}, nil
}

// readFile reads a file of at most max bytes. Errors start with its name.
func readFile(files fs.FS, name string, max int64) ([]byte, error) {
	info, err := fs.Stat(files, name)
	if err == nil && info.Size() > max {
		return nil, fmt.Errorf("%s: %w: want at most %d bytes, got %d", name, ErrWeights, max, info.Size())
	}
	var raw []byte
	if err == nil {
		raw, err = fs.ReadFile(files, name)
	}
	if err != nil {
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return raw, nil
}

// parseConfig reads config.json. Missing, unknown and out-of-range fields are errors
// that name the field.
func parseConfig(raw []byte) (Config, error) {
	var c Config
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return c, fmt.Errorf("want a JSON object: %w", err)
	}
	fields := map[string]struct {
		to   any
		want string
	}{
		"dimensions":     {&c.Dimensions, "an integer"},
		"positions":      {&c.Positions, "an integer"},
		"interpolation":  {&c.Interpolation, "true or false"},
		"encoder":        {&c.Encoder, "a string"},
		"encoder_sha256": {&c.EncoderSHA256, "a string"},
		"licence":        {&c.Licence, "a string"},
		"free":           {&c.Free, "true or false"},
		"corpora":        {&c.Corpora, "an array of strings"},
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		f, known := fields[name]
		if !known {
			return c, fmt.Errorf("%s: unknown field: want one of %s", name, strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
		}
		if value := members[name]; bytes.Equal(value, []byte("null")) || json.Unmarshal(value, f.to) != nil {
			return c, fmt.Errorf("%s: want %s, got %.40s", name, f.want, value)
		}
	}
	for _, name := range []string{"dimensions", "positions", "interpolation", "encoder"} {
		if members[name] == nil {
			return c, fmt.Errorf("%s: missing", name)
		}
	}
	if len(c.Corpora) == 0 {
		c.Corpora = nil
	}
	return c, c.check()
}

func (c Config) check() error {
	switch {
	case c.Dimensions < 1 || c.Dimensions > centroid.MaxDimensions:
		return fmt.Errorf("dimensions: want 1 to %d, got %d", centroid.MaxDimensions, c.Dimensions)
	case c.Positions < 1 || c.Positions > centroid.MaxPositions:
		return fmt.Errorf("positions: want 1 to %d, got %d", centroid.MaxPositions, c.Positions)
	case c.EncoderSHA256 != "" && (len(c.EncoderSHA256) != 64 || strings.Trim(c.EncoderSHA256, "0123456789abcdef") != ""):
		return fmt.Errorf("encoder_sha256: want 64 lower-case hexadecimal digits, got %.80q", c.EncoderSHA256)
	case c.Free && (c.Licence == "" || len(c.Corpora) == 0):
		return errors.New("free requires licence and corpora")
	}
	return nil
}

// parse assigns the tensors of a file.
func parse(c Config, raw []byte) (*centroid.Weights[float32], error) {
	tensors, err := safetensors.Parse(raw)
	if err != nil {
		return nil, err
	}
	layout := centroid.Tensors(c.Dimensions, c.Positions, c.Interpolation)
	for _, want := range layout {
		got, ok := tensors[want.Name]
		switch {
		case !ok:
			return nil, fmt.Errorf("missing tensor %q", want.Name)
		case got.Type != "F32":
			return nil, fmt.Errorf("tensor %q: want F32, got %s", want.Name, got.Type)
		case !slices.Equal(got.Shape, want.Shape):
			return nil, fmt.Errorf("tensor %q: want the shape %v by %s, got %v", want.Name, want.Shape, ConfigFile, got.Shape)
		}
	}
	if len(tensors) > len(layout) {
		for _, name := range slices.Sorted(maps.Keys(tensors)) {
			if !slices.ContainsFunc(layout, func(t centroid.Tensor) bool { return t.Name == name }) {
				return nil, fmt.Errorf("unknown tensor %q (interpolation is %v)", name, c.Interpolation)
			}
		}
	}
	w := centroid.NewWeights[float32](c.Dimensions, c.Positions, c.Interpolation)
	w.Each(func(t centroid.Tensor, values []float32) { copy(values, tensors[t.Name].Data) })
	return w, nil
}

// Write writes the files of a folder, each opened by create.
func Write(w *centroid.Weights[float32], from Origin, create func(name string) (io.WriteCloser, error)) error {
	c := Config{w.Dimensions, w.Positions, w.Interpolation, from}
	if err := c.check(); err != nil {
		return fmt.Errorf("%w: %w", ErrWeights, err)
	}
	config, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	var tensors []safetensors.Named
	w.Each(func(t centroid.Tensor, values []float32) {
		tensors = append(tensors, safetensors.Named{Name: t.Name, Shape: t.Shape, Data: values})
	})
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{ConfigFile, func(w io.Writer) error { _, err := w.Write(append(config, '\n')); return err }},
		{TensorsFile, func(w io.Writer) error { return safetensors.Write(w, tensors) }},
	} {
		file, err := create(f.name)
		if err != nil {
			return err
		}
		if err := errors.Join(f.write(file), file.Close()); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return nil
}
