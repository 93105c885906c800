package hub

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/lock"
	"github.com/cerasum/cerasum/models"
)

// Default is the name of the shipped encoder.
const Default = "default"

// errNothingShipped reports a program built without the models.
var errNothingShipped = errors.New("this program was built without an encoder")

// shippedFolder holds copies of the shipped encoder; no hub id has this form.
const shippedFolder = "~shipped"

// shipped is the embedded encoder or embedded weights, as described by
// models/manifest.json.
type shipped struct {
	Name       string   `json:"name"`
	Dimensions int      `json:"dimensions"`
	Licence    string   `json:"licence"`
	Languages  []string `json:"languages"`
	Files      []File   `json:"files"` // paths within files
	files      fs.FS
	hash       string              // of the manifest
	weights    *models.WeightsInfo // nil: an encoder
}

// openShipped returns the shipped encoder, or errNothingShipped.
func openShipped() (*shipped, error) {
	data, err := models.Manifest()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNothingShipped
	}
	if err != nil {
		return nil, err
	}
	files, err := models.Encoder()
	if err != nil {
		return nil, fmt.Errorf("manifest.json lists an encoder, but: %w", err)
	}
	return readShipped(data, files)
}

func readShipped(manifest []byte, files fs.FS) (*shipped, error) {
	var list struct{ Encoder *shipped }
	if err := json.Unmarshal(manifest, &list); err != nil {
		return nil, fmt.Errorf("manifest.json: %w", err)
	}
	s := list.Encoder
	if s == nil || len(s.Files) == 0 {
		return nil, errors.New("manifest.json: encoder.files: missing")
	}
	hash := sha256.Sum256(manifest)
	s.files, s.hash = files, hex.EncodeToString(hash[:])
	for i := range s.Files {
		f := &s.Files[i]
		f.Path = strings.TrimPrefix(f.Path, "encoder/")
		if !inside(f.Path) {
			return nil, fmt.Errorf("manifest.json: encoder.files[%d].path: want a path within the folder, got %q", i, f.Path)
		}
	}
	return s, nil
}

func (s *shipped) model() Model {
	m := Model{
		Name: Default, ID: s.Name, State: Shipped, Licence: s.Licence, Dimensions: s.Dimensions,
		Languages: strings.Join(s.Languages, " "), Files: s.Files,
	}
	if w := s.weights; w != nil {
		m.Name, m.Method, m.Encoder, m.Free, m.Corpora = "", w.Method, w.Encoder, w.Free, w.Corpora
	}
	for _, f := range s.Files {
		m.Bytes += f.Bytes
	}
	return m
}

// read returns one file after checking its hash.
func (s *shipped) read(f File) ([]byte, error) {
	data, err := fs.ReadFile(s.files, f.Path)
	if err != nil {
		return nil, fmt.Errorf("%w: shipped %s: %w", ErrDamaged, f.Path, err)
	}
	if int64(len(data)) != f.Bytes {
		return nil, fmt.Errorf("%w: shipped %s: got %d bytes, want %d", ErrDamaged, f.Path, len(data), f.Bytes)
	}
	if hash := sha256.Sum256(data); hex.EncodeToString(hash[:]) != f.SHA256 {
		return nil, fmt.Errorf("%w: shipped %s: got SHA-256 %x, want %s", ErrDamaged, f.Path, hash, f.SHA256)
	}
	return data, nil
}

// check looks for files that differ from the manifest or are not listed.
func (s *shipped) check(ctx context.Context) (Check, error) {
	c := Check{Model: s.model()}
	listed := map[string]bool{}
	for _, f := range s.Files {
		if ctx.Err() != nil {
			return c, context.Cause(ctx)
		}
		listed[f.Path] = true
		c.Files++
		if _, err := s.read(f); err != nil {
			c.Problems = append(c.Problems, err)
		}
	}
	err := fs.WalkDir(s.files, ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !listed[name] {
			c.Problems = append(c.Problems, fmt.Errorf("%w: shipped %s: not in manifest.json", ErrDamaged, name))
		}
		return err
	})
	return c, err
}

// install copies the embedded encoder to the cache, once.
func (s *shipped) install(ctx context.Context, to *store) (string, error) {
	dir := filepath.Join(to.dir, shippedFolder, s.hash[:16])
	if _, err := complete(dir); err == nil {
		return dir, nil
	}
	l, err := lock.Acquire(ctx, dir+lockSuffix, to.options.Waiting)
	if err != nil {
		return "", err
	}
	defer l.Release()
	to.tidy(dir)
	if _, err := complete(dir); err == nil {
		return dir, nil
	}
	stage := dir + stageSuffix
	if err := os.RemoveAll(stage); err != nil {
		return "", err
	}
	for _, f := range s.Files {
		data, err := s.read(f)
		if err != nil {
			return "", err
		}
		if err := writeFile(filepath.Join(stage, filepath.FromSlash(f.Path)), data); err != nil {
			return "", errors.Join(err, os.RemoveAll(stage))
		}
	}
	m := Manifest{
		Format: manifestFormat, ID: s.Name, Licence: s.Licence, Dimensions: s.Dimensions,
		Downloaded: time.Now().UTC().Truncate(time.Second), Files: s.Files,
	}
	if err := writeJSON(filepath.Join(stage, manifestName), m); err != nil {
		return "", errors.Join(err, os.RemoveAll(stage))
	}
	syncDir(stage)
	return dir, publish(stage, dir)
}

// writeFile creates a file and flushes it to disk.
func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = bytes.NewReader(data).WriteTo(f)
	return errors.Join(err, f.Sync(), f.Close())
}
