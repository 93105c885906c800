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

// State is where a model is.
type State string

const (
	Shipped    State = "shipped"    // part of the program
	BuiltIn    State = "built in"   // compiled into the core, and always gone by
	Downloaded State = "downloaded" // in the cache folder, whole by its sizes
	Damaged    State = "damaged"    // in the cache folder, not as it was downloaded
	Incomplete State = "incomplete" // partly downloaded; Resolve goes on with it
	Available  State = "available"  // known, and not here
)

// Model is one that is here, or known.
type Model struct {
	Name       string    `json:"name"` // short name; empty where there is none
	ID         string    `json:"id"`
	Revision   string    `json:"revision"`
	Variant    string    `json:"variant,omitempty"`
	State      State     `json:"state"`
	Problem    string    `json:"problem,omitempty"` // of a damaged one
	Folder     string    `json:"folder,omitempty"`
	Bytes      int64     `json:"bytes"` // on the disk; of an available one what is known, about
	Licence    string    `json:"licence"`
	Dimensions int       `json:"dimensions"`
	Languages  string    `json:"languages"`
	Downloaded time.Time `json:"downloaded,omitzero"`
	Files      []File    `json:"files,omitempty"`
	// Of weights and of what is built in: the method that goes by them, of weights
	// with the embeddings of the encoder, what they learned from, and whether that
	// is free.
	Method  string   `json:"method,omitempty"`
	Encoder string   `json:"encoder,omitempty"`
	Free    bool     `json:"free,omitempty"`
	Corpora []string `json:"corpora,omitempty"`
}

// List gives the shipped model, those in the cache folder, those of the known
// list that are not there, the shipped weights, and what is compiled into the core.
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

// list looks through the cache folder, in the order of the names.
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

// folders names what is in a folder; one that is not there is empty.
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

// look says what a folder of the cache is.
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
	manifest, err := whole(dir)
	if err != nil {
		m.State, m.Problem = Damaged, err.Error()
		if errors.Is(err, fs.ErrNotExist) {
			m.Problem = "there is no " + manifestName
		}
		return m
	}
	m.ID, m.Revision, m.Variant = manifest.ID, manifest.Revision, manifest.Variant
	m.Licence, m.Dimensions = manifest.Licence, manifest.Dimensions
	m.Downloaded, m.Files = manifest.Downloaded, manifest.Files
	return m
}

// weigh sums up the sizes of the files in a folder.
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

// find gives the models of the cache folder that a name means: all revisions
// and variants, unless the name or the options choose one.
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

// ErrAbsent is a model that is not in the cache folder.
var ErrAbsent = errors.New("not downloaded")

// Remove deletes what is here of a model: all revisions and variants, unless
// the name or the options choose one. It gives what was removed.
func Remove(ctx context.Context, name string, o Options) ([]Model, error) {
	if name == "" || name == Default {
		return nil, errors.New("the shipped model is part of the program and cannot be removed")
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
	// The manifest first: what is half removed is no model.
	err = os.Remove(filepath.Join(dir, manifestName))
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = os.RemoveAll(dir)
	}
	s.tidy(model)
	l.Release()
	if err != nil {
		return err
	}
	// The folders above go too when they are empty; otherwise these fail.
	for up := filepath.Dir(dir); len(up) > len(s.dir); up = filepath.Dir(up) {
		if os.Remove(up) != nil {
			break
		}
	}
	return nil
}

// Check is what Verify found of one model.
type Check struct {
	Model    Model
	Files    int     // that were hashed
	Problems []error // each names a file; none: all is well
}

// Verify hashes the files of a model again; an empty name means every model
// that is here. A model whose download is not done is no problem, and left
// out.
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
