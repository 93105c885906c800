package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
)

// BuiltIn is what manifest.json says of parameters that were learned and are
// compiled into the core.
type BuiltIn struct {
	Name string `json:"name"`
	// Method goes by them.
	Method string `json:"method"`
	// Path is that of their file in the repository.
	Path    string `json:"path"`
	Bytes   int64  `json:"bytes"`
	SHA256  string `json:"sha256"`
	Licence string `json:"licence"`
	// Free says that they learned from corpora under free licences alone;
	// Corpora names these, each with its licence.
	Free    bool     `json:"free"`
	Corpora []string `json:"corpora"`
}

// AllBuiltIn lists them; none in a program that was built without a manifest.
func AllBuiltIn() ([]BuiltIn, error) {
	m, err := readManifest()
	return m.BuiltIn, err
}

// manifest is what this package reads of manifest.json.
type manifest struct {
	Weights []WeightsInfo
	BuiltIn []BuiltIn `json:"built_in"`
}

func readManifest() (manifest, error) {
	raw, err := Manifest()
	if errors.Is(err, fs.ErrNotExist) {
		return manifest{}, nil
	}
	if err != nil {
		return manifest{}, err
	}
	return parseManifest(raw)
}

func parseManifest(raw []byte) (m manifest, err error) {
	if err := json.Unmarshal(raw, &m); err != nil {
		return manifest{}, fmt.Errorf("manifest.json: %w", err)
	}
	return m, nil
}
