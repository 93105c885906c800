package hub

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/lock"
	"github.com/cerasum/cerasum/models"
)

// State is the state of a model.
type State string

const (
	Shipped    State = "shipped"    // part of the program
	BuiltIn    State = "built in"   // compiled into the program
	Downloaded State = "downloaded" // in the cache folder, complete by file sizes
	Damaged    State = "damaged"    // in the cache folder, changed since the download
	Incomplete State = "incomplete" // partly downloaded; Resolve resumes it
	Available  State = "available"  // known, not installed
)

// Model is an installed or known model.
type Model struct {
	Name       string    `json:"name"` // short name; may be empty
	ID         string    `json:"id"`
	Revision   string    `json:"revision"`
	Variant    string    `json:"variant,omitempty"`
	State      State     `json:"state"`
	Problem    string    `json:"problem,omitempty"` // of a damaged model
	Folder     string    `json:"folder,omitempty"`
	Bytes      int64     `json:"bytes"` // on disk; for an available model an estimate
	Licence    string    `json:"licence"`
	Dimensions int       `json:"dimensions"`
	Languages  string    `json:"languages"`
	Downloaded time.Time `json:"downloaded,omitzero"`
	Files      []File    `json:"files,omitempty"`
	// For weights and built-in experts: the method that uses them, for weights the
	// encoder, the training corpora, and whether these are freely licensed.
	Method  string   `json:"method,omitempty"`
	Encoder string   `json:"encoder,omitempty"`
	Free    bool     `json:"free,omitempty"`
	Corpora []string `json:"corpora,omitempty"`
}

// List returns the shipped model, those in the cache folder, known ones that are
// not installed, the shipped weights and the built-in experts.
func List(o Options) ([]Model, error) {
	s, err := o.store()
	if err != nil {
		return nil, err
	}
	list, err := s.list()
	if err != nil {
		return nil, err
	}
	known, err := KnownModels()
	if err != nil {
		return nil, err
	}
	for _, k := range known {
		if !slices.ContainsFunc(list, func(m Model) bool { return m.ID == k.ID }) {
			list = append(list, Model{
				Name: k.Name, ID: k.ID, Revision: k.Revision, State: Available,
				Bytes: k.bytes(), Licence: k.Licence, Dimensions: k.Dimensions, Languages: k.Languages,
			})
		}
	}
	all, err := shippedWeights()
	if err != nil {
		return nil, err
	}
	for _, w := range all {
		list = append(list, w.model())
	}
	builtIn, err := models.AllBuiltIn()
	if err != nil {
		return nil, err
	}
	for _, b := range builtIn {
		list = append(list, builtInModel(b))
	}
	ours, err := openShipped()
	if errors.Is(err, errNothingShipped) {
		return list, nil
	}
	if err != nil {
		return nil, err
	}
	return append([]Model{ours.model()}, list...), nil
}

// list reads the cache folder, sorted by name.
func (s *store) list() ([]Model, error) {
	var list []Model
	owners, err := folders(s.dir)
	for _, owner := range owners {
		var names []string
		if names, err = folders(filepath.Join(s.dir, owner)); err != nil {
			break
		}
		for _, name := range names {
			id := owner + "/" + name
			if !idPattern.MatchString(id) {
				continue
			}
			var revisions []string
			if revisions, err = folders(filepath.Join(s.dir, owner, name)); err != nil {
				return nil, err
			}
			for _, revision := range revisions {
				if m := look(filepath.Join(s.dir, owner, name, revision), id); m != nil {
					list = append(list, *m)
				}
			}
		}
	}
	return list, err
}

// folders returns the folders in a folder; none if it does not exist.
func folders(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// look examines a folder of the cache.
func look(dir, id string) *Model {
	m := &Model{ID: id, Folder: dir, Bytes: weigh(dir)}
	if k := Lookup(id); k != nil {
		m.Name, m.Licence, m.Dimensions, m.Languages = k.Name, k.Licence, k.Dimensions, k.Languages
	}
	base := filepath.Base(dir)
	if strings.Contains(base, oldSuffix) {
		return nil
	}
	if revision, ok := strings.CutSuffix(base, stageSuffix); ok {
		m.State, m.Revision = Incomplete, revision
		return m
	}
	m.State, m.Revision = Downloaded, base
	manifest, err := complete(dir)
	if err != nil {
		m.State, m.Problem = Damaged, err.Error()
		if errors.Is(err, fs.ErrNotExist) {
			m.Problem = manifestName + " is missing"
		}
		return m
	}
	m.ID, m.Revision, m.Variant = manifest.ID, manifest.Revision, manifest.Variant
	m.Licence, m.Dimensions = manifest.Licence, manifest.Dimensions
	m.Downloaded, m.Files = manifest.Downloaded, manifest.Files
	return m
}

// weigh returns the total size of the files in a folder.
func weigh(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil
		}
		if info, err := e.Info(); err == nil {
			n += info.Size()
		}
		return nil
	})
	return n
}

// find returns the installed models with a name: all revisions and variants,
// unless the name or the options select one.
func (s *store) find(name string) ([]Model, error) {
	r, err := s.options.parse(name)
	if err != nil {
		return nil, err
	}
	all, err := s.list()
	if err != nil {
		return nil, err
	}
	chosen := s.options.Revision != "" || strings.Contains(name, "@")
	var found []Model
	for _, m := range all {
		folder := strings.TrimSuffix(filepath.Base(m.Folder), stageSuffix)
		revision, variant, _ := strings.Cut(folder, "+")
		switch {
		case !strings.EqualFold(m.ID, r.id):
		case chosen && revision != escape(r.revision):
		case r.variant != "" && variant != escape(strings.TrimSuffix(r.variant, ".onnx")):
		default:
			found = append(found, m)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: %w", r.id, ErrAbsent)
	}
	return found, nil
}

// ErrAbsent reports a model that is not in the cache folder.
var ErrAbsent = errors.New("not downloaded")

// Remove deletes all revisions and variants of a model, unless the name or the
// options select one. It returns the models removed.
func Remove(ctx context.Context, name string, o Options) ([]Model, error) {
	if name == "" || name == Default {
		return nil, errors.New("cannot remove the shipped model: it is part of the program")
	}
	s, err := o.store()
	if err != nil {
		return nil, err
	}
	found, err := s.find(name)
	if err != nil {
		return nil, err
	}
	for i, m := range found {
		if err := s.remove(ctx, m.Folder); err != nil {
			return found[:i], fmt.Errorf("%s: %w", m.ID, err)
		}
	}
	return found, nil
}

func (s *store) remove(ctx context.Context, dir string) error {
	model := strings.TrimSuffix(dir, stageSuffix)
	l, err := lock.Acquire(ctx, model+lockSuffix, s.options.Waiting)
	if err != nil {
		return err
	}
	// The manifest goes first, so that a partly removed folder is not a model.
	err = os.Remove(filepath.Join(dir, manifestName))
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = os.RemoveAll(dir)
	}
	s.tidy(model)
	l.Release()
	if err != nil {
		return err
	}
	// Removes empty parent folders; fails for others.
	for up := filepath.Dir(dir); len(up) > len(s.dir); up = filepath.Dir(up) {
		if os.Remove(up) != nil {
			break
		}
	}
	return nil
}

// Check is the result of Verify for one model.
type Check struct {
	Model    Model
	Files    int     // number of files hashed
	Problems []error // each names a file
}

// Verify hashes the files of a model again; an empty name means all installed
// models. Incomplete downloads are skipped.
func Verify(ctx context.Context, name string, o Options) ([]Check, error) {
	s, err := o.store()
	if err != nil {
		return nil, err
	}
	var checks []Check
	if name == "" || name == Default {
		ours, err := openShipped()
		if err == nil {
			var c Check
			if c, err = ours.check(ctx); err == nil {
				checks = append(checks, c)
			}
		}
		if err != nil && (name == Default || !errors.Is(err, errNothingShipped)) {
			return nil, err
		}
	}
	if name == Default {
		return checks, nil
	}
	builtIn, err := models.AllBuiltIn()
	if err != nil {
		return nil, err
	}
	if name == "" || isBuiltIn(builtIn, name) {
		if checks = append(checks, checkBuiltIn(builtIn, name)...); name != "" {
			return checks, nil
		}
	}
	if name == "" || isWeights(name) {
		more, err := checkWeights(ctx, name)
		if err != nil {
			return nil, err
		}
		if checks = append(checks, more...); name != "" {
			return checks, nil
		}
	}
	var found []Model
	if name == "" {
		found, err = s.list()
	} else {
		found, err = s.find(name)
	}
	if err != nil {
		return nil, err
	}
	for _, m := range found {
		if m.State == Incomplete {
			continue
		}
		c, err := verify(ctx, m)
		if err != nil {
			return nil, err
		}
		checks = append(checks, c)
	}
	return checks, nil
}

func verify(ctx context.Context, m Model) (Check, error) {
	c := Check{Model: m}
	manifest, err := readManifest(m.Folder)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w: %s is missing", ErrDamaged, filepath.Join(m.Folder, manifestName))
		}
		c.Problems = append(c.Problems, err)
		return c, nil
	}
	for _, f := range manifest.Files {
		if ctx.Err() != nil {
			return c, context.Cause(ctx)
		}
		c.Files++
		if err := f.check(m.Folder); err != nil {
			c.Problems = append(c.Problems, err)
		}
	}
	return c, nil
}
