package hub

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/lock"
)

// store is the folder of the models.
type store struct {
	dir     string
	options Options
}

// Temporarily beside a model's folder: its lock, its download folder, and the
// folder that it replaces.
const (
	lockSuffix  = "~lock"
	stageSuffix = "~part"
	oldSuffix   = "~old"
)

func (s *store) resolve(ctx context.Context, r reference) (string, error) {
	dir := filepath.Join(s.dir, r.folder())
	ok, err := s.has(dir, r)
	if ok {
		return dir, nil
	}
	if s.options.Offline {
		return "", fmt.Errorf("%s: %w", r, cmp.Or(err, ErrOffline))
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.options.Timeout, fmt.Errorf("timed out after %v", s.options.Timeout))
	defer cancel()
	if err := s.install(ctx, r, dir); err != nil {
		return "", fmt.Errorf("%s: %w", r, err)
	}
	return dir, nil
}

// has reports whether a folder holds the model; if not, the error says why unless
// the folder does not exist.
func (s *store) has(dir string, r reference) (bool, error) {
	m, err := complete(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case m.ID != r.id || m.Revision != r.revision || m.Variant != r.variant:
		return false, fmt.Errorf("%w: %s holds a different model, %s@%s", ErrDamaged, dir, m.ID, m.Revision)
	case r.explicit && m.BaseURL != r.base:
		return false, fmt.Errorf("%w: the one in %s is from %s", ErrOffline, dir, m.BaseURL)
	}
	return true, nil
}

// install downloads a model into its folder.
func (s *store) install(ctx context.Context, r reference, dir string) error {
	l, err := lock.Acquire(ctx, dir+lockSuffix, s.options.Waiting)
	if err != nil {
		return err
	}
	defer l.Release()
	s.tidy(dir)
	// Another process may have installed it in the meantime.
	if ok, _ := s.has(dir, r); ok {
		return nil
	}
	stage := dir + stageSuffix
	d := &download{store: s, reference: r, dir: stage}
	resumed, err := d.open()
	if err != nil {
		return err
	}
	err = d.run(ctx)
	if resumed && errors.As(err, new(gone)) {
		// The files of the earlier download no longer exist: the branch has moved.
		if err = d.reset(); err == nil {
			err = d.run(ctx)
		}
	}
	if err != nil {
		return err
	}
	return publish(stage, dir)
}

// publish renames a finished folder to the model's.
func publish(stage, dir string) error {
	old := fmt.Sprintf("%s%s%08x", dir, oldSuffix, rand.Uint32())
	if err := os.Rename(dir, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(stage, dir); err != nil {
		return err
	}
	syncDir(filepath.Dir(dir))
	// Unused now; tidy tries again if this fails.
	_ = os.RemoveAll(old)
	return nil
}

// tidy removes replaced folders left by killed processes. The lock must be held.
func (s *store) tidy(dir string) {
	entries, _ := os.ReadDir(filepath.Dir(dir))
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(dir)+oldSuffix) {
			_ = os.RemoveAll(filepath.Join(filepath.Dir(dir), e.Name()))
		}
	}
}

// A download is a model being downloaded; one process at a time holds its lock.
type download struct {
	*store
	reference
	dir   string
	state state
}

// state is the part of a download that is on disk, in the file stateName.
type state struct {
	Format   int    `json:"format"`
	ID       string `json:"id"`
	Revision string `json:"revision"`
	Variant  string `json:"variant"`
	BaseURL  string `json:"baseURL"`
	// Commit is the commit of the revision when the download started: all files
	// come from it, even if the branch moves.
	Commit  string   `json:"commit"`
	Done    []done   `json:"done"`
	Partial *partial `json:"partial,omitempty"`
}

type done struct {
	File
	ETag string `json:"etag"`
}

// partial is an incomplete file.
type partial struct {
	Source    string `json:"source"`
	Path      string `json:"path"`
	Total     int64  `json:"total"`     // -1: unknown
	Bytes     int64  `json:"bytes"`     // flushed to disk
	Validator string `json:"validator"` // an ETag or a date; empty: cannot be distinguished from a later version
}

const stateName = "cerasum-download.json"

// open resumes an earlier download.
func (d *download) open() (resumed bool, err error) {
	data, err := os.ReadFile(filepath.Join(d.dir, stateName))
	if err == nil && json.Unmarshal(data, &d.state) == nil && d.state.matches(d.reference) {
		return true, nil
	}
	return false, d.reset()
}

func (s *state) matches(r reference) bool {
	for _, f := range s.Done {
		if !inside(f.Path) {
			return false
		}
	}
	return s.Format == manifestFormat && s.ID == r.id && s.Revision == r.revision && s.Variant == r.variant && s.BaseURL == r.base
}

// reset discards an earlier download.
func (d *download) reset() error {
	if err := os.RemoveAll(d.dir); err != nil {
		return err
	}
	if err := os.MkdirAll(d.dir, 0o777); err != nil {
		return err
	}
	d.state = state{Format: manifestFormat, ID: d.id, Revision: d.revision, Variant: d.variant, BaseURL: d.base}
	if commitPattern.MatchString(d.revision) {
		d.state.Commit = d.revision
	}
	return nil
}

func (d *download) save() error {
	if err := writeJSON(filepath.Join(d.dir, stateName), d.state); err != nil {
		return fmt.Errorf("cannot save the download state: %w", err)
	}
	return nil
}

// run fetches all files and writes the manifest.
func (d *download) run(ctx context.Context) error {
	modules, err := d.file(ctx, want{paths: []string{"modules.json"}})
	if err != nil {
		return err
	}
	var text []byte
	if modules != nil {
		if text, err = os.ReadFile(d.local(modules.Path)); err != nil {
			return err
		}
	}
	wants, err := layout(text, d.variant)
	if err != nil {
		return err
	}
	files := []File{}
	if modules != nil {
		files = append(files, *modules)
	}
	for _, w := range wants {
		f, err := d.file(ctx, w)
		if err != nil {
			return err
		}
		if f != nil {
			files = append(files, *f)
		}
	}
	m := Manifest{
		Format: manifestFormat, ID: d.id, Revision: d.revision, Commit: d.state.Commit,
		BaseURL: d.base, Variant: d.variant, Downloaded: time.Now().UTC().Truncate(time.Second), Files: files,
	}
	m.describe(d.dir, d.known)
	if err := d.clean(files); err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(d.dir, manifestName), m); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(d.dir, stateName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	syncDir(d.dir)
	return nil
}

// clean removes files that are not part of the model, such as those of an earlier
// attempt.
func (d *download) clean(files []File) error {
	return filepath.WalkDir(d.dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(d.dir, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if rel == stateName || slices.ContainsFunc(files, func(f File) bool { return f.Path == rel }) {
			return nil
		}
		return os.Remove(name)
	})
}

func (d *download) local(path string) string { return filepath.Join(d.dir, filepath.FromSlash(path)) }

// missing describes what a repository lacks.
func (w want) missing() error {
	switch {
	case path.Base(w.paths[0]) == "tokenizer.json":
		return gone{errors.New("the repository has no tokenizer.json")}
	case w.save != "":
		return gone{fmt.Errorf("the repository has no variant %s", w.paths[0])}
	case path.Ext(w.paths[0]) == ".onnx":
		return gone{fmt.Errorf("the repository has no ONNX export (%s)", strings.Join(w.paths, " or "))}
	}
	return gone{fmt.Errorf("the repository has no %s, required by its modules.json", w.paths[0])}
}

// file downloads one file, from the first of its paths that exists; nil means that
// an optional file does not exist.
func (d *download) file(ctx context.Context, w want) (*File, error) {
	for _, source := range w.paths {
		f, err := d.fetch(ctx, source, w.local(source))
		if errors.Is(err, errNotFound) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", source, err)
		}
		return f, nil
	}
	if w.required {
		return nil, w.missing()
	}
	return nil, nil
}

// fetch downloads the file at one path, unless it is already there unchanged.
func (d *download) fetch(ctx context.Context, source, local string) (*File, error) {
	have := slices.IndexFunc(d.state.Done, func(f done) bool { return f.Path == local && f.Source == alias(source, local) })
	etag := ""
	if have >= 0 {
		f := d.state.Done[have]
		if f.check(d.dir) == nil {
			if d.state.Commit != "" {
				return &f.File, nil // a commit does not change
			}
			etag = f.ETag
		}
	}
	t := &transfer{download: d, source: source, path: local, etag: etag}
	t.hash, t.bytes = d.sha256(source)
	f, err := t.run(ctx)
	if errors.Is(err, errNotModified) {
		return &d.state.Done[have].File, nil
	}
	if err != nil {
		return nil, err
	}
	f.Source = alias(source, local)
	d.state.Done = slices.DeleteFunc(d.state.Done, func(old done) bool { return old.Path == local })
	d.state.Done = append(d.state.Done, done{*f, t.seen.etag})
	d.state.Partial = nil
	if d.state.Commit == "" {
		d.state.Commit = t.seen.commit
	}
	return f, d.save()
}

func alias(source, local string) string {
	if source == local {
		return ""
	}
	return source
}

// describe fills in what the files say about the model.
func (m *Manifest) describe(dir string, known *Known) {
	read := func(name string, into any) bool {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		return err == nil && json.Unmarshal(data, into) == nil
	}
	var config struct {
		HiddenSize int `json:"hidden_size"`
		Dim        int `json:"dim"`
	}
	var pooling struct {
		Dimensions int `json:"word_embedding_dimension"`
	}
	var dense struct {
		Dimensions int `json:"out_features"`
	}
	for _, f := range m.Files {
		if path.Base(f.Path) != "config.json" {
			continue
		}
		// The files are in the order of the modules: the last value counts.
		if config.HiddenSize, config.Dim = 0, 0; read(f.Path, &config) {
			m.Dimensions = cmp.Or(config.HiddenSize, config.Dim, m.Dimensions)
		}
		if pooling.Dimensions = 0; read(f.Path, &pooling) {
			m.Dimensions = cmp.Or(pooling.Dimensions, m.Dimensions)
		}
		if dense.Dimensions = 0; read(f.Path, &dense) {
			m.Dimensions = cmp.Or(dense.Dimensions, m.Dimensions)
		}
	}
	if card, err := os.ReadFile(filepath.Join(dir, "README.md")); err == nil {
		m.Licence = cardLicence(string(card))
	}
	if known != nil {
		m.Licence, m.Dimensions = known.Licence, known.Dimensions
	}
}

var licenceLine = regexp.MustCompile(`(?m)^license:[ \t]*["']?([A-Za-z0-9][A-Za-z0-9. +-]{0,63}?)["']?[ \t]*\r?$`)

// cardLicence returns the licence in the front matter of a model card.
func cardLicence(card string) string {
	card, found := strings.CutPrefix(card, "---")
	if !found {
		return ""
	}
	head, _, found := strings.Cut(card, "\n---")
	if !found {
		return ""
	}
	if m := licenceLine.FindStringSubmatch(head); m != nil {
		return m[1]
	}
	return ""
}
