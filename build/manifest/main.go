// Command manifest writes models/manifest.json: what is shipped, with bytes and
// SHA-256 of each file.
//
//	go run ./build/manifest            # writes it
//	go run ./build/manifest --check    # fails where it is out of date
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
	"regexp"
)

// Manifest is the form of models/manifest.json.
type Manifest struct {
	Encoder Encoder `json:"encoder"`
}

// Encoder describes models/encoder.
type Encoder struct {
	Name       string   `json:"name"`
	Dimensions int      `json:"dimensions"`
	Licence    string   `json:"licence"`
	Languages  []string `json:"languages"`
	Files      []File   `json:"files"`
}

// File is one of a model, its path from models/.
type File struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

func main() {
	check := flag.Bool("check", false, "fail where the manifest is out of date")
	folder := flag.String("models", "models", "folder of the models")
	flag.Parse()
	if err := run(*folder, *check); err != nil {
		fmt.Fprintln(os.Stderr, "manifest:", err)
		os.Exit(1)
	}
}

func run(folder string, check bool) error {
	m, err := build(os.DirFS(folder))
	if err != nil {
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
		return fmt.Errorf("%s is out of date: run go run ./build/manifest", name)
	}
	return nil
}

var licence = regexp.MustCompile(`(?m)^Licence of the weights: (.+?)\. `)

func build(files fs.FS) (*Manifest, error) {
	var config struct {
		Name      string   `json:"name"`
		Size      int      `json:"hidden_size"`
		Languages []string `json:"languages"`
	}
	raw, err := fs.ReadFile(files, "encoder/config.json")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &config); err != nil {
		return nil, fmt.Errorf("encoder/config.json: %w", err)
	}
	card, err := fs.ReadFile(files, "encoder/README.md")
	if err != nil {
		return nil, err
	}
	stated := licence.FindSubmatch(card)
	if stated == nil || config.Name == "" || config.Size == 0 || len(config.Languages) == 0 {
		return nil, errors.New("encoder/config.json or README.md does not tell name, dimensions, languages and licence")
	}
	m := &Manifest{Encoder{Name: config.Name, Dimensions: config.Size, Licence: string(stated[1]), Languages: config.Languages}}
	err = fs.WalkDir(files, "encoder", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		m.Encoder.Files = append(m.Encoder.Files, File{name, int64(len(data)), hex.EncodeToString(sum[:])})
		return nil
	})
	return m, err
}
