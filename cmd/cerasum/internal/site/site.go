// Package site serves the files of the built web page.
package site

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// policy allows the page's own files and WebAssembly, and no other origin.
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types cerasum; frame-ancestors 'none'"

// types are those of the page's files, since the system's table may lack or change them;
// browsers require application/wasm for streaming compilation.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8", ".json": "application/json", ".webmanifest": "application/manifest+json",
	".wasm": "application/wasm", ".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon",
	".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8", ".md": "text/markdown; charset=utf-8",
	".map": "application/json", "": "text/plain; charset=utf-8",
}

// hashed matches the files whose names hold a hash of their content.
var hashed = regexp.MustCompile(`^(assets|files)/.*-[\w-]{8}\.\w+$`)

// Handler serves the files of a folder. It does not list folders, and supports only GET
// and HEAD. Where the build left compressed copies beside a file (NAME.br, NAME.gz), it
// sends the one that the client prefers.
func Handler(files fs.FS) http.Handler { return &handler{files: files} }

type handler struct {
	files fs.FS
	tags  sync.Map // name of a file: its tag
}

func (s *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Embedder-Policy", "require-corp")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	found, err := s.open(name)
	if err != nil {
		status := http.StatusNotFound
		if errors.Is(err, fs.ErrPermission) {
			status = http.StatusForbidden
		}
		http.Error(w, http.StatusText(status), status)
		return
	}
	defer func() { found.Close() }()
	h.Set("Vary", "Accept-Encoding")
	// A part of a compressed copy is of little use: ranges are of the file itself.
	if r.Header.Get("Range") == "" {
		for _, coding := range accepted(r.Header.Values("Accept-Encoding")) {
			copied, err := s.open(name + suffixes[coding])
			if err != nil {
				continue
			}
			// One that is older was made of another version of the file.
			if copied.info.ModTime().Before(found.info.ModTime()) {
				copied.Close()
				continue
			}
			found.Close()
			found, w = copied, &encoded{w, coding}
			break
		}
	}
	tag, err := s.tag(found)
	if err != nil {
		http.Error(w, "the file cannot be read", http.StatusInternalServerError)
		return
	}
	h.Set("ETag", tag)
	kind, ok := types[strings.ToLower(path.Ext(name))]
	if !ok {
		kind = "application/octet-stream"
	}
	h.Set("Content-Type", kind)
	if hashed.MatchString(name) {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		// Builds replace these under the same names.
		h.Set("Cache-Control", "no-cache")
	}
	// Without the time of the file, which may go back: tags tell versions apart.
	http.ServeContent(w, r, name, time.Time{}, found)
}

// file is an open file of the page.
type file struct {
	io.ReadSeeker
	io.Closer
	name string
	info fs.FileInfo
}

// open opens a regular file that is not hidden. A link out of the folder does not count
// as a file.
func (s *handler) open(name string) (*file, error) {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") {
			return nil, fs.ErrNotExist
		}
	}
	f, err := s.files.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	content, ok := f.(io.ReadSeeker)
	if !ok || !info.Mode().IsRegular() {
		return nil, errors.Join(fs.ErrNotExist, f.Close())
	}
	return &file{content, f, name, info}, nil
}

// tag is the entity tag of a version of a file.
type tag struct {
	modified time.Time
	size     int64
	text     string
}

// tag returns the entity tag of a file: of its content, since files of two versions may
// have the same time, as in the container image.
func (s *handler) tag(f *file) (string, error) {
	if known, ok := s.tags.Load(f.name); ok {
		if t := known.(tag); t.modified.Equal(f.info.ModTime()) && t.size == f.info.Size() {
			return t.text, nil
		}
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	text := fmt.Sprintf(`"%x"`, hash.Sum(nil)[:16])
	s.tags.Store(f.name, tag{f.info.ModTime(), f.info.Size(), text})
	return text, nil
}

// encoded marks a response that has the whole content as compressed. Not before the status
// is known: with a content coding, http.ServeContent leaves the length out.
type encoded struct {
	http.ResponseWriter
	coding string
}

func (w *encoded) WriteHeader(status int) {
	if status == http.StatusOK {
		w.Header().Set("Content-Encoding", w.coding)
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for [http.ResponseController].
func (w *encoded) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// suffixes are those of the compressed copies, by content coding.
var suffixes = map[string]string{"br": ".br", "gzip": ".gz"}

// accepted returns the content codings of [suffixes] that the headers prefer to the plain
// file, the best one first. Elements that are not well-formed are ignored.
func accepted(headers []string) []string {
	quality := map[string]float64{}
	for element := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		coding, parameter, weighted := strings.Cut(element, ";")
		q := 1.0
		if weighted {
			name, value, _ := strings.Cut(parameter, "=")
			var err error
			q, err = strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil || !strings.EqualFold(strings.TrimSpace(name), "q") || !(q >= 0 && q <= 1) {
				continue
			}
		}
		quality[strings.ToLower(strings.TrimSpace(coding))] = q
	}
	of := func(coding string) float64 {
		if q, ok := quality[coding]; ok {
			return q
		}
		return quality["*"]
	}
	// Brotli is the smaller one.
	codings := []string{"br", "gzip"}
	if of("gzip") > of("br") {
		codings = []string{"gzip", "br"}
	}
	return slices.DeleteFunc(codings, func(coding string) bool { return of(coding) == 0 || of(coding) < of("identity") })
}
