package models

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/cerasum/cerasum/core"
)

// WeightsInfo is the entry of shipped centroid weights in manifest.json.
type WeightsInfo struct {
	// Name of their folder.
	Name string `json:"name"`
	// Method, "cera" or "cerai", that uses them with embeddings of Encoder.
	Method     string `json:"method"`
	Encoder    string `json:"encoder"`
	Dimensions int    `json:"dimensions"`
	Licence    string `json:"licence"`
	// Free means that all training corpora are freely licensed; Corpora lists
	// them, each with its licence.
	Free    bool     `json:"free"`
	Corpora []string `json:"corpora"`
	Files   []File   `json:"files"`
}

// File is one file of a model, with its path relative to this folder.
type File struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// ErrNoWeights is wrapped by errors about weights that the program was built
// without.
var ErrNoWeights = errors.New("this program was built without")

// AllWeights lists the shipped weights, the default of each method first.
func AllWeights() ([]WeightsInfo, error) {
	m, err := readManifest()
	return m.Weights, err
}

// Weights returns the folder of shipped weights. If there are none of this name, the
// error wraps ErrNoWeights and lists those that exist.
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
		return nil, fmt.Errorf("%w weights: want %q", ErrNoWeights, name)
	}
	return nil, fmt.Errorf("%w weights %q: shipped are %s", ErrNoWeights, name, strings.Join(names, ", "))
}

// DefaultWeights returns the name of the default weights of a method, "cera" or
// "cerai". licence is that of core.Options. The error wraps ErrNoWeights if
// there are none.
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
		if w.Free || licence == core.LicenceAny {
			return w.Name, nil
		}
		some = true
	}
	if some {
		return "", fmt.Errorf("%w weights for method %s trained on freely licensed corpora only", ErrNoWeights, method)
	}
	return "", fmt.Errorf("%w weights for method %s", ErrNoWeights, method)
}
