// Package site serves the files of the built web page.
package site

import (
	"errors"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// policy allows the page's own files and WebAssembly, and no other origin.
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types cerasum; frame-ancestors 'none'"

// types override the system's table, which may lack or change them; browsers
// require application/wasm for streaming compilation.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8", ".json": "application/json", ".webmanifest": "application/manifest+json",
	".wasm": "application/wasm", ".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon",
	".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8", ".md": "text/markdown; charset=utf-8",
	".onnx": "application/octet-stream", ".bin": "application/octet-stream", ".map": "application/json",
}

// Handler serves the files of a folder. It does not list folders, and supports
// only GET and HEAD.
func Handler(files fs.FS) http.Handler {
	server := http.FileServerFS(plain{files})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
		name := r.URL.Path
		if strings.HasSuffix(name, "/") {
			name += "index.html"
		}
		if t, ok := types[strings.ToLower(path.Ext(name))]; ok {
			h.Set("Content-Type", t)
		}
		// Builds replace the page's files under the same names.
		h.Set("Cache-Control", "no-cache")
		server.ServeHTTP(w, r)
	})
}

// plain hides folders without an index and hidden files.
type plain struct{ fs.FS }

func (p plain) Open(name string) (fs.File, error) {
	for part := range strings.SplitSeq(name, "/") {
		if part != "." && strings.HasPrefix(part, ".") {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
	}
	f, err := p.FS.Open(name)
	if err != nil && !errors.Is(err, fs.ErrPermission) {
		// A link out of the folder does not count as a file.
		err = &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if info.IsDir() {
		if _, err := fs.Stat(p.FS, path.Join(name, "index.html")); err != nil {
			return nil, errors.Join(&fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}, f.Close())
		}
	}
	return f, nil
}
