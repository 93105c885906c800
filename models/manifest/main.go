// Command manifest writes models/manifest.json: the shipped models with size and
// SHA-256 of each file.
//
//	go run ./models/manifest            # write it
//	go run ./models/manifest --check    # fail if it is out of date
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/internal/weights"
	"github.com/cerasum/cerasum/models"
)

// Manifest is the form of models/manifest.json.
type Manifest struct {
	Encoder Encoder `json:"encoder"`
	// Weights, sorted by name: the first of each method are the default.
	Weights []models.WeightsInfo `json:"weights"`
	BuiltIn []models.BuiltIn     `json:"built_in"`
}

// Encoder describes models/encoder.
type Encoder struct {
	Name       string        `json:"name"`
	Dimensions int           `json:"dimensions"`
	Licence    string        `json:"licence"`
	Languages  []string      `json:"languages"`
	Files      []models.File `json:"files"`
}

func main() {
	check := flag.Bool("check", false, "fail if the manifest is out of date")
	root := flag.String("root", ".", "folder of the repository")
	flag.Parse()
	if err := run(*root, *check); err != nil {
		fmt.Fprintln(os.Stderr, "manifest:", err)
		os.Exit(1)
	}
}

func run(root string, check bool) error {
	folder := path.Join(root, "models")
	m, err := build(os.DirFS(folder))
	if err != nil {
		return err
	}
	if m.BuiltIn, err = describeBuiltIn(os.DirFS(root), builtIn); err != nil {
		return err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		return err
	}
	name := path.Join(folder, "manifest.json")
	if !check {
		return os.WriteFile(name, b.Bytes(), 0o666)
	}
	have, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if !bytes.Equal(have, b.Bytes()) {
		return fmt.Errorf("%s is out of date: run \"go run ./models/manifest\"", name)
	}
	return nil
}

// build describes everything but the built-in models; files is the folder models.
func build(files fs.FS) (*Manifest, error) {
	raw, err := fs.ReadFile(files, "encoder/config.json")
	if err != nil {
		return nil, err
	}
	var e Encoder
	if err := json.Unmarshal(raw, &e); err != nil {
		return nil, fmt.Errorf("encoder/config.json: %w", err)
	}
	if e.Name == "" || e.Dimensions == 0 || e.Licence == "" || len(e.Languages) == 0 {
		return nil, errors.New("encoder/config.json: want name, dimensions, licence and languages")
	}
	m := &Manifest{Encoder: e, Weights: []models.WeightsInfo{}}
	if m.Encoder.Files, err = list(files, "encoder"); err != nil {
		return nil, err
	}
	for _, name := range []string{"encoder/README.md", "encoder/encoder.onnx", "encoder/vocabulary.bin"} {
		if !slices.ContainsFunc(m.Encoder.Files, func(f models.File) bool { return f.Path == name }) {
			return nil, fmt.Errorf("%s: missing", name)
		}
	}
	folders, err := fs.Glob(files, "cera*")
	if err != nil {
		return nil, err
	}
	for _, folder := range folders {
		w, err := describe(files, folder, &m.Encoder)
		if err != nil {
			return nil, err
		}
		m.Weights = append(m.Weights, *w)
	}
	return m, nil
}

// list lists the files of a folder.
func list(files fs.FS, folder string) (found []models.File, err error) {
	err = fs.WalkDir(files, folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		found = append(found, models.File{Path: name, Bytes: int64(len(data)), SHA256: hex.EncodeToString(sum[:])})
		return nil
	})
	return found, err
}

// describe reads a folder of weights and refuses weights that must not be shipped:
// for another encoder, or without training corpora.
func describe(files fs.FS, folder string, encoder *Encoder) (*models.WeightsInfo, error) {
	sub, err := fs.Sub(files, folder)
	if err != nil {
		return nil, err
	}
	m, err := weights.Read(sub, folder)
	if err != nil {
		return nil, err
	}
	w := &models.WeightsInfo{
		Name: folder, Method: "cera", Encoder: m.Encoder, Dimensions: m.Config.Dimensions,
		Licence: m.Licence, Free: m.Free, Corpora: m.Corpora,
	}
	if m.Config.Interpolation {
		w.Method = "cerai"
	}
	_, card := fs.Stat(sub, "README.md")
	switch {
	case !strings.HasPrefix(folder, w.Method+"-"):
		return nil, fmt.Errorf("%s: weights of %s: want a folder name that starts with the method and a hyphen", folder, w.Method)
	case m.Encoder != encoder.Name || m.Config.Dimensions != encoder.Dimensions:
		return nil, fmt.Errorf("%s/config.json: want the shipped encoder %q of %d dimensions, got %q of %d", folder, encoder.Name, encoder.Dimensions, m.Encoder, m.Config.Dimensions)
	case m.EncoderSHA256 == "":
		return nil, fmt.Errorf("%s/config.json: encoder_sha256: missing", folder)
	case m.Licence == "" || len(m.Corpora) == 0:
		return nil, fmt.Errorf("%s/config.json: want licence and corpora", folder)
	case card != nil:
		return nil, fmt.Errorf("%s: missing card: %w", folder, card)
	}
	w.Files, err = list(files, folder)
	return w, err
}
