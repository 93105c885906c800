package models

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/cerasum/cerasum/core"
)

// WeightsInfo is what manifest.json says of shipped weights of the centroid's
// estimation.
type WeightsInfo struct {
	// Name is that of their folder.
	Name string `json:"name"`
	// Method, "cera" or "cerai", goes by them, with the embeddings of Encoder.
	Method     string `json:"method"`
	Encoder    string `json:"encoder"`
	Dimensions int    `json:"dimensions"`
	Licence    string `json:"licence"`
	// Free says that they learned from corpora under free licences alone;
	// Corpora names these, each with its licence.
	Free    bool     `json:"free"`
	Corpora []string `json:"corpora"`
	Files   []File   `json:"files"`
}

// File is one of a model, its path from this folder.
type File struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// ErrNoWeights is wrapped by the errors about weights that this program was
// built without.
var ErrNoWeights = errors.New("this program was built without")

// AllWeights lists the shipped weights, of a method the first ones first.
func AllWeights() ([]WeightsInfo, error) {
	m, err := readManifest()
	return m.Weights, err
}

// Weights is the folder of shipped weights. The error wraps ErrNoWeights where
// there are none of this name, and names those that there are.
func Weights(name string) (fs.FS, error) {
	list, err := AllWeights()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, w := range list {
		if w.Name == name {
			return fs.Sub(files, name)
		}
		names = append(names, w.Name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%w weights: there are no %q", ErrNoWeights, name)
	}
	return nil, fmt.Errorf("%w weights %q: it has %s", ErrNoWeights, name, strings.Join(names, ", "))
}

// DefaultWeights names the weights that a method, "cera" or "cerai", goes by
// where none are given. licence is "", any, or core.LicenceFree. The error wraps
// ErrNoWeights where there are none.
func DefaultWeights(method, licence string) (string, error) {
	list, err := AllWeights()
	if err != nil {
		return "", err
	}
	return defaultWeights(list, method, licence)
}

func defaultWeights(list []WeightsInfo, method, licence string) (string, error) {
	some := false
	for _, w := range list {
		if w.Method != method {
			continue
		}
		if w.Free || licence != core.LicenceFree {
			return w.Name, nil
		}
		some = true
	}
	if some {
		return "", fmt.Errorf("%w weights for method %s that learned from corpora under free licences alone", ErrNoWeights, method)
	}
	return "", fmt.Errorf("%w weights for method %s", ErrNoWeights, method)
}
