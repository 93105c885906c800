// Package hub finds sentence encoders: the shipped one, a folder of the user,
// or a sentence-transformers export on a model hub, which is downloaded once
// and cached. Start with Resolve.
//
// Each model has its own folder, CacheDir/owner/name/revision. It is created by
// one rename, after all files have been downloaded and flushed to disk; its
// manifest (cerasum-model.json) lists them. Until then the files are in a
// temporary folder beside it, so that an interrupted or failed download is never
// used, and is resumed later.
//
// Nothing is sent but GET requests for the files by name.
package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/cerasum/cerasum/core"
)

const (
	// DefaultBaseURL is the default hub.
	DefaultBaseURL = "https://huggingface.co"
	// BaseURLVariable is the environment variable for another hub.
	BaseURLVariable = "CERASUM_HUB"

	defaultRevision    = "main"
	defaultIdleTimeout = 30 * time.Second
	defaultTimeout     = 6 * time.Hour
)

// defaultServers are those to which the default hub redirects.
var defaultServers = []string{"https://*.hf.co", "https://*.huggingface.co"}

var (
	// ErrName reports a name that is not a folder, a known model or a hub id.
	ErrName = errors.New("no such model")
	// ErrOffline reports a model that is not installed when downloads are not allowed.
	ErrOffline = errors.New("not downloaded yet, and working offline")
	// ErrDamaged reports a downloaded model whose files have changed.
	ErrDamaged = errors.New("damaged")
)

// Options for models and their storage. The zero value is ready to use.
type Options struct {
	// BaseURL is the hub, and after spaces the origins of other servers to which it
	// may redirect ("https://hub.example https://*.files.example"); empty means the
	// environment variable CERASUM_HUB, or DefaultBaseURL if it is not set.
	BaseURL string
	// Revision is a branch, tag or commit of the repository; empty means that of
	// the name (owner/name@revision), of the known list, or "main".
	Revision string
	// Variant selects another model file: its path in the repository
	// (onnx/model_quantized.onnx), or the part after onnx/model_ (quantized).
	Variant string
	// CacheDir holds the models; empty means cerasum/models in the user's cache
	// folder.
	CacheDir string
	// Offline forbids downloads.
	Offline bool
	// Progress is called with the bytes of each file; total is -1 if unknown. It is
	// called on the calling goroutine.
	Progress func(file string, loaded, total int64)
	// Waiting is called once if another process is downloading the same model.
	Waiting func()
	// IdleTimeout limits how long a server may be silent (0: 30 s), Timeout the
	// total duration (0: 6 h).
	IdleTimeout, Timeout time.Duration

	tuning tuning
}

// Resolve returns the folder of an encoder, downloading it if necessary. name is
// "" or "default" for the shipped one (copied to the cache; models.Encoder gives
// access without a copy), a folder, a short name of the known list, or a hub id,
// owner/name or owner/name@revision.
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

// A reference identifies one model on a hub.
type reference struct {
	id       string // owner/name
	revision string
	variant  string   // path in the repository; empty: the default model
	known    *Known   // nil if not in the known list
	base     string   // without a trailing slash
	servers  []string // origins to which the hub may redirect; *. stands for subdomains
	explicit bool     // whether base was given
}

// String is used in messages.
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
	// A conservative subset of the names that git allows for branches and tags.
	revisionPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,149}$`)
)

func (o Options) parse(name string) (reference, error) {
	id, revision, named := strings.Cut(name, "@")
	if named && o.Revision != "" && revision != o.Revision {
		return reference{}, fmt.Errorf("%s: conflicts with the revision %q", name, o.Revision)
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
		return reference{}, fmt.Errorf("%s: revision %q: want a branch, a tag or a commit", r.id, cmp.Or(o.Revision, revision))
	}
	if o.Variant != "" {
		r.variant = variantPath(o.Variant)
		if !inside(r.variant) {
			return reference{}, fmt.Errorf("variant: want a path inside the model's folder, got %q", o.Variant)
		}
	}
	r.base = cmp.Or(o.BaseURL, os.Getenv(BaseURLVariable))
	r.explicit = r.base != ""
	addresses := strings.Fields(cmp.Or(r.base, DefaultBaseURL))
	if len(addresses) == 0 {
		return reference{}, errors.New("base URL: want an http or https address")
	}
	r.base = strings.TrimRight(addresses[0], "/")
	r.servers = addresses[1:]
	if u, err := url.Parse(r.base); err == nil && u.Scheme+"://"+strings.TrimSuffix(authority(u), ":443")+u.Path == DefaultBaseURL {
		r.servers = append(r.servers, defaultServers...)
	}
	for i, address := range append([]string{r.base}, r.servers...) {
		u, err := url.Parse(strings.Replace(address, "://*.", "://", 1))
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || strings.Contains(u.Host, "*") || u.RawQuery != "" || u.Fragment != "" || i > 0 && u.Path != "" {
			return reference{}, fmt.Errorf("base URL %q: want an http or https address", address)
		}
	}
	return r, nil
}

// mayRedirect refuses a redirect of the hub that leaves https, or leads to a host
// that is neither the hub nor one of its file servers.
func (r reference) mayRedirect(to *url.URL) error {
	base, err := url.Parse(r.base)
	switch {
	case err != nil:
		return err
	case to.Scheme != "http" && to.Scheme != "https":
		return fmt.Errorf("the server redirects to %s, which is not http or https", withoutQuery(to))
	case to.Scheme == "http" && base.Scheme == "https":
		return fmt.Errorf("the server redirects from https to http (%s)", withoutQuery(to))
	case to.Scheme == base.Scheme && authority(to) == authority(base),
		to.Scheme == "https" && strings.EqualFold(to.Hostname(), base.Hostname()):
		return nil
	}
	for _, server := range r.servers {
		named, err := url.Parse(strings.Replace(server, "://*.", "://", 1))
		if err != nil || to.Scheme != named.Scheme {
			continue
		}
		wild := strings.Contains(server, "://*.")
		if !wild && authority(to) == authority(named) || wild && strings.HasSuffix(authority(to), "."+authority(named)) {
			return nil
		}
	}
	return fmt.Errorf("%s redirects to %s, which is not one of its file servers", r.base, withoutQuery(to))
}

// authority returns a host in lower case with its port.
func authority(u *url.URL) string {
	port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// withoutQuery leaves out what may be a signature or a password.
func withoutQuery(u *url.URL) string { return u.Scheme + "://" + u.Host + u.Path }

// url returns the address of a file. A revision is one path segment.
func (r reference) url(revision, file string) string {
	segments := strings.Split(file, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return r.base + "/" + r.id + "/resolve/" + url.PathEscape(revision) + "/" + strings.Join(segments, "/")
}

// folder returns the model's path below the cache folder. It never contains a
// tilde, which marks other files.
func (r reference) folder() string {
	name := escape(r.revision)
	if r.variant != "" {
		name += "+" + escape(strings.TrimSuffix(r.variant, ".onnx"))
	}
	return filepath.Join(filepath.FromSlash(r.id), name)
}

// escape converts any text to a file name, one to one.
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

// store opens the folder of the models. It need not exist.
func (o Options) store() (*store, error) {
	dir := o.CacheDir
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("no cache folder for models: %w", err)
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

// userAgent is the only header that identifies the program.
var userAgent = "cerasum/" + core.Version
