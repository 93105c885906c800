package hub

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// manifestName is the file that marks a folder as a downloaded model.
const manifestName = "cerasum-model.json"

// Manifest describes a downloaded model. js/src/hub.node.ts uses the same format.
type Manifest struct {
	Format     int       `json:"format"`
	ID         string    `json:"id"`
	Revision   string    `json:"revision"` // as requested
	Commit     string    `json:"commit"`   // as reported by the hub; may be empty
	BaseURL    string    `json:"baseURL"`
	Variant    string    `json:"variant"`
	Licence    string    `json:"licence"`
	Dimensions int       `json:"dimensions"` // 0 if unknown
	Downloaded time.Time `json:"downloaded"`
	Files      []File    `json:"files"`
}

// File is one file of a model.
type File struct {
	Path   string `json:"path"`
	Source string `json:"source,omitempty"` // its path in the repository, if different
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	// Verified is the source of the hash at download time: "known"
	// (models/known.json), "hub" (a header), or empty.
	Verified string `json:"verified,omitempty"`
}

const manifestFormat = 1

// readManifest reads the manifest of a folder.
func readManifest(dir string) (*Manifest, error) {
	data, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return nil, err
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("%w: %s: %v", ErrDamaged, filepath.Join(dir, manifestName), err)
	}
	if m.Format != manifestFormat {
		return nil, fmt.Errorf("%w: %s: format %d, want %d", ErrDamaged, filepath.Join(dir, manifestName), m.Format, manifestFormat)
	}
	if len(m.Files) == 0 {
		return nil, fmt.Errorf("%w: %s: files: missing", ErrDamaged, filepath.Join(dir, manifestName))
	}
	for i, f := range m.Files {
		if !inside(f.Path) {
			return nil, fmt.Errorf("%w: %s: files[%d].path: want a path within the folder, got %q", ErrDamaged, filepath.Join(dir, manifestName), i, f.Path)
		}
	}
	return &m, nil
}

// complete reads the manifest of a folder and checks the sizes of its files. The
// error is fs.ErrNotExist without a manifest, ErrDamaged if the files do not match
// it.
func complete(dir string) (*Manifest, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range m.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Path))
		switch info, err := os.Stat(name); {
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%w: %s is missing", ErrDamaged, name)
		case err != nil:
			return nil, err
		case !info.Mode().IsRegular():
			return nil, fmt.Errorf("%w: %s is not a regular file", ErrDamaged, name)
		case info.Size() != f.Bytes:
			return nil, fmt.Errorf("%w: %s: got %d bytes, want %d", ErrDamaged, name, info.Size(), f.Bytes)
		}
	}
	return m, nil
}

// check verifies the hash of one file in a folder.
func (f File) check(dir string) error {
	name := filepath.Join(dir, filepath.FromSlash(f.Path))
	hash, n, err := hashFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: %s is missing", ErrDamaged, name)
	case err != nil:
		return err
	case n != f.Bytes:
		return fmt.Errorf("%w: %s: got %d bytes, want %d", ErrDamaged, name, n, f.Bytes)
	case hash != f.SHA256:
		return fmt.Errorf("%w: %s: got SHA-256 %s, want %s", ErrDamaged, name, hash, f.SHA256)
	}
	return nil
}

// hashFile returns the SHA-256 and the size of a file.
func hashFile(name string) (hash string, n int64, err error) {
	f, err := os.Open(name)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	n, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), n, err
}

// writeJSON writes a file atomically.
func writeJSON(name string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	temporary := name + ".tmp"
	f, err := os.Create(temporary)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(temporary, name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return nil
}

// syncDir flushes the entries of a folder to disk, where the operating system
// supports it.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
