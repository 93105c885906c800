// Package hub finds sentence encoders: the shipped one, a folder of the user,
// or a sentence-transformers export of a model hub, which it downloads once
// and keeps. Start with Resolve.
//
// A model is kept in a folder of its own, CacheDir/owner/name/revision. It
// comes into being by one rename, when every file is there, whole and written
// to the disk; its manifest (cerasum-model.json) says what it holds. Until
// then the files lie beside it in a folder that no one reads, so that a
// download that was cut, killed or refused is never used, and goes on from
// where it was.
//
// Nothing is sent but GET requests for the files by name.
package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/cerasum/cerasum/core"
)

const (
	// DefaultBaseURL is the hub that models come from.
	DefaultBaseURL = "https://huggingface.co"
	// BaseURLVariable is the environment variable that names another hub.
	BaseURLVariable = "CERASUM_HUB"

	defaultRevision    = "main"
	defaultIdleTimeout = 30 * time.Second
	defaultTimeout     = 6 * time.Hour
)

var (
	// ErrName is a name that is no folder, no known model and no hub id.
	ErrName = errors.New("no such model")
	// ErrOffline is a model that is not here, while nothing may be downloaded.
	ErrOffline = errors.New("not downloaded yet, and working offline")
	// ErrDamaged is a downloaded model whose files are not as they were.
	ErrDamaged = errors.New("damaged")
)

// Options tell where models come from and go to. The zero value is ready.
type Options struct {
	// BaseURL is the hub; empty is that of the environment variable
	// CERASUM_HUB, and DefaultBaseURL without one.
	BaseURL string
	// Revision is a branch, tag or commit of the repository; empty is that of
	// the name (owner/name@revision), of the known list, or "main".
	Revision string
	// Variant is another file for the model: its path in the repository
	// (onnx/model_quantized.onnx), or what follows onnx/model_ (quantized).
	Variant string
	// CacheDir keeps the models; empty is cerasum/models in the user's folder
	// for caches.
	CacheDir string
	// Offline forbids downloads.
	Offline bool
	// Progress is told of the bytes of each file; total is -1 where the server
	// does not tell. It is called from the calling goroutine.
	Progress func(file string, loaded, total int64)
	// Waiting is called once where another process downloads the same model.
	Waiting func()
	// IdleTimeout is how long a server may be silent (0: 30 s), Timeout how
	// long the whole may take (0: 6 h).
	IdleTimeout, Timeout time.Duration

	tuning tuning
}

// Resolve gives the folder of an encoder, downloading it where it is not here:
// name is "" or "default" for the shipped one (a copy of it,
// as it is part of the program: models.Encoder has it without), a folder, a short name of the
// known list, or a hub id, owner/name or owner/name@revision.
func Resolve(ctx context.Context, name string, o Options) (dir string, err error) {
	if name == "" || name == Default {
		s, err := openShipped()
		if err != nil {
			return "", err
		}
		to, err := o.store()
		if err != nil {
			return "", err
		}
		return s.install(ctx, to)
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return name, nil
	}
	r, err := o.parse(name)
	if err != nil {
		return "", err
	}
	s, err := o.store()
	if err != nil {
		return "", err
	}
	return s.resolve(ctx, r)
}

// A reference is one model of a hub.
type reference struct {
	id       string // owner/name
	revision string
	variant  string // path in the repository; empty: the usual model
	known    *Known // nil where it is not of the known list
	base     string // without a slash at its end
	explicit bool   // whether base was asked for
}

// String is for messages.
func (r reference) String() string {
	s := r.id
	if r.revision != defaultRevision {
		s += "@" + r.revision
	}
	if r.variant != "" {
		s += " (" + r.variant + ")"
	}
	return s
}

var (
	idPattern     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}$`)
	commitPattern = regexp.MustCompile(`^[0-9a-f]{40}$`)
	// What git allows in the name of a branch or tag, less what is odd.
	revisionPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,149}$`)
)

func (o Options) parse(name string) (reference, error) {
	id, revision, named := strings.Cut(name, "@")
	if named && o.Revision != "" && revision != o.Revision {
		return reference{}, fmt.Errorf("%s: its revision and another one, %q, are both given", name, o.Revision)
	}
	r := reference{id: id}
	list, err := KnownModels()
	if err != nil {
		return reference{}, err
	}
	for i, k := range list {
		if id == k.Name || strings.EqualFold(id, k.ID) {
			r.known, r.id = &list[i], k.ID
		}
	}
	if !idPattern.MatchString(r.id) || strings.HasSuffix(r.id, ".") || strings.Contains(r.id, "./") {
		names := make([]string, len(list))
		for i, k := range list {
			names[i] = k.Name
		}
		return reference{}, fmt.Errorf("%w %q: want a folder that exists, a known name (%s) or a hub id, owner/name", ErrName, name, strings.Join(names, ", "))
	}
	r.revision = cmp.Or(o.Revision, revision)
	if r.revision == "" && r.known != nil {
		r.revision = r.known.Revision
	}
	r.revision = cmp.Or(r.revision, defaultRevision)
	if named && revision == "" || !revisionPattern.MatchString(r.revision) || strings.Contains(r.revision, "..") || strings.Contains(r.revision, "//") {
		return reference{}, fmt.Errorf("%s: revision %q: want the name of a branch or tag, or a commit", r.id, cmp.Or(o.Revision, revision))
	}
	if o.Variant != "" {
		r.variant = variantPath(o.Variant)
		if !inside(r.variant) {
			return reference{}, fmt.Errorf("variant: %q leads out of the model's folder", o.Variant)
		}
	}
	r.base = cmp.Or(o.BaseURL, os.Getenv(BaseURLVariable))
	r.explicit = r.base != ""
	r.base = strings.TrimRight(cmp.Or(r.base, DefaultBaseURL), "/")
	u, err := url.Parse(r.base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return reference{}, fmt.Errorf("base URL %q: want an http or https address", r.base)
	}
	return r, nil
}

// url is the address of a file. A revision is one segment of it.
func (r reference) url(revision, file string) string {
	segments := strings.Split(file, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return r.base + "/" + r.id + "/resolve/" + url.PathEscape(revision) + "/" + strings.Join(segments, "/")
}

// folder is where the model is kept, below the cache folder. A tilde is in no
// such name: it marks what is not a model.
func (r reference) folder() string {
	name := escape(r.revision)
	if r.variant != "" {
		name += "+" + escape(strings.TrimSuffix(r.variant, ".onnx"))
	}
	return filepath.Join(filepath.FromSlash(r.id), name)
}

// escape makes a name of a file of any text, one to one.
func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_', c == '.' && i > 0 && i < len(s)-1:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// store opens the folder that keeps models. It need not exist.
func (o Options) store() (*store, error) {
	dir := o.CacheDir
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("no folder to keep models in: %w", err)
		}
		dir = filepath.Join(base, "cerasum", "models")
	}
	if o.IdleTimeout == 0 {
		o.IdleTimeout = defaultIdleTimeout
	}
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	o.tuning.defaults()
	return &store{dir: dir, options: o}, nil
}

// userAgent is all that a server learns besides the address and the file.
var userAgent = "cerasum/" + core.Version
