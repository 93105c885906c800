package models

import (
	"encoding/json"
	"fmt"
)

// BuiltIn is the entry in manifest.json of a model compiled into the program.
type BuiltIn struct {
	Name string `json:"name"`
	// Method that uses it.
	Method string `json:"method"`
	// Path of its file in the repository.
	Path    string `json:"path"`
	Bytes   int64  `json:"bytes"`
	SHA256  string `json:"sha256"`
	Licence string `json:"licence"`
	// Free means that all training corpora are freely licensed; Corpora lists
	// them, each with its licence.
	Free    bool     `json:"free"`
	Corpora []string `json:"corpora"`
}

// AllBuiltIn lists them.
func AllBuiltIn() ([]BuiltIn, error) {
	m, err := readManifest()
	return m.BuiltIn, err
}

// manifest is the part of manifest.json that this package reads.
type manifest struct {
	Weights []WeightsInfo
	BuiltIn []BuiltIn `json:"built_in"`
}

func readManifest() (manifest, error) {
	raw, err := Manifest()
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
