package hub

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/cerasum/cerasum/models"
)

// Known is a hub model with a short name.
type Known struct {
	Name       string `json:"name"`
	ID         string `json:"id"`
	Revision   string `json:"revision"` // a commit of the hub
	Licence    string `json:"licence"`
	Dimensions int    `json:"dimensions"`
	MaxTokens  int    `json:"maxTokens"`
	Languages  string `json:"languages"`
	// Prefix must precede each text, for models trained that way.
	Prefix string      `json:"prefix"`
	Files  []KnownFile `json:"files"`
}

// KnownFile is a large file of a known model. Without a SHA-256, its size is an
// estimate.
type KnownFile struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

var readKnown = sync.OnceValues(func() ([]Known, error) {
	var list struct{ Models []Known }
	if err := json.Unmarshal(models.Known, &list); err != nil {
		return nil, fmt.Errorf("known.json: %w", err)
	}
	return list.Models, nil
})

// KnownModels returns the list in models/known.json.
func KnownModels() ([]Known, error) { return readKnown() }

// Lookup returns the known model with a short name, hub id or download folder;
// nil if there is none.
func Lookup(name string) *Known {
	list, err := KnownModels()
	if err != nil {
		return nil
	}
	id := name
	if m, err := readManifest(name); err == nil {
		id = m.ID
	}
	for i, k := range list {
		if id == k.Name || id == k.ID {
			return &list[i]
		}
	}
	return nil
}

// bytes returns the size of the model's known files.
func (k *Known) bytes() (n int64) {
	for _, f := range k.Files {
		n += f.Bytes
	}
	return n
}

// sha256 returns the hash of a file at the known revision; empty if unknown.
func (r reference) sha256(file string) (hash string, bytes int64) {
	if r.known == nil || r.revision != r.known.Revision {
		return "", 0
	}
	for _, f := range r.known.Files {
		if f.Path == file && f.SHA256 != "" {
			return f.SHA256, f.Bytes
		}
	}
	return "", 0
}
