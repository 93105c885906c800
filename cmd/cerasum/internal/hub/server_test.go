package hub

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

const testID = "tests/tiny-encoder"

// fakeHub serves repositories as the hub does: small files itself, large ones
// by a redirect to a store, whose ETags are its own.
type fakeHub struct {
	*httptest.Server
	mu       sync.Mutex
	files    map[string][]byte // of testID, at every revision
	commit   string            // empty: not told, as by a plain file server
	lfs      bool              // large files are redirected, and their SHA-256 told
	plain    bool              // no ETag at all
	requests []string          // method, path, and Range if any
	headers  []http.Header
	// trouble may answer a request itself: then it returns true.
	trouble func(w http.ResponseWriter, r *http.Request, file string, data []byte) bool
}

func newHub(t *testing.T) *fakeHub {
	t.Helper()
	h := &fakeHub{files: tinyModel(), commit: strings.Repeat("ab", 20)}
	h.Server = httptest.NewServer(http.HandlerFunc(h.serve))
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
	})
	return h
}

// tinyModel has the shape of an export, not its sense.
func tinyModel() map[string][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	weights := make([]byte, 300_000)
	for i := range weights {
		weights[i] = byte(random.Uint32())
	}
	weights[0] = 8
	return map[string][]byte{
		"modules.json": []byte(`[{"idx":0,"name":"0","path":"","type":"sentence_transformers.models.Transformer"},
			{"idx":1,"name":"1","path":"1_Pooling","type":"sentence_transformers.models.Pooling"},
			{"idx":2,"name":"2","path":"2_Normalize","type":"sentence_transformers.models.Normalize"}]`),
		"config.json":                     []byte(`{"hidden_size":16}`),
		"1_Pooling/config.json":           []byte(`{"word_embedding_dimension":16,"pooling_mode_mean_tokens":true}`),
		"sentence_bert_config.json":       []byte(`{"max_seq_length":64}`),
		"tokenizer.json":                  []byte(`{"version":"1.0","model":{"type":"WordPiece"}}`),
		"README.md":                       []byte("---\nlanguage: en\nlicense: apache-2.0\n---\n# Tiny\n"),
		"onnx/model.onnx":                 weights,
		"onnx/model_quantized.onnx":       append([]byte{8}, bytes.Repeat([]byte("q"), 1000)...),
		"unrelated/model.onnx_data":       []byte("not wanted"),
		"config_sentence_transformers.js": []byte("not wanted"),
	}
}

func (h *fakeHub) serve(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	line := r.Method + " " + r.URL.Path
	if v := r.Header.Get("Range"); v != "" {
		line += " " + v
	}
	h.requests = append(h.requests, line)
	h.headers = append(h.headers, r.Header.Clone())
	trouble, files, commit, lfs, plain := h.trouble, h.files, h.commit, h.lfs, h.plain
	h.mu.Unlock()

	file, stored := strings.CutPrefix(r.URL.Path, "/store/")
	if !stored {
		rest, ok := strings.CutPrefix(r.URL.EscapedPath(), "/"+testID+"/resolve/")
		if !ok {
			w.Header().Set("X-Error-Code", "RepoNotFound")
			http.Error(w, "Repository not found", http.StatusNotFound)
			return
		}
		_, file, _ = strings.Cut(rest, "/")
		if commit != "" {
			w.Header().Set("X-Repo-Commit", commit)
		}
	}
	data, ok := files[file]
	if trouble != nil && trouble(w, r, file, data) {
		return
	}
	if !ok {
		w.Header().Set("X-Error-Code", "EntryNotFound")
		http.Error(w, "Entry not found", http.StatusNotFound)
		return
	}
	if lfs && !stored && strings.HasSuffix(file, ".onnx") {
		w.Header().Set("X-Linked-Etag", `"`+hashOf(data)+`"`)
		w.Header().Set("X-Linked-Size", fmt.Sprint(len(data)))
		http.Redirect(w, r, "/store/"+file+"?signature=secret", http.StatusFound)
		return
	}
	switch {
	case plain:
	case stored:
		w.Header().Set("ETag", fmt.Sprintf(`"%x-7"`, sha1.Sum(data)))
	default:
		w.Header().Set("ETag", `"`+blobOf(data)+`"`)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

func hashOf(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

func blobOf(data []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

func (h *fakeHub) set(change func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change()
}

// asked gives the requests since the last time that were for a file.
func (h *fakeHub) asked(file string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var found []string
	for _, r := range h.requests {
		if strings.Contains(r, "/"+file) {
			found = append(found, r)
		}
	}
	return found
}

func (h *fakeHub) forget() {
	h.set(func() { h.requests, h.headers = nil, nil })
}

// options are those of a test: quick to try again.
func (h *fakeHub) options(t *testing.T) Options {
	return Options{
		BaseURL: h.URL, CacheDir: filepath.Join(t.TempDir(), "models"), IdleTimeout: 5 * time.Second,
		tuning: tuning{tries: 4, restarts: 2, backoff: time.Millisecond, checkpoint: 10_000},
	}
}

// sameFiles fails unless a folder holds exactly these files of the hub, with a
// manifest that says so.
func (h *fakeHub) sameFiles(t *testing.T, dir string, names ...string) {
	t.Helper()
	m, err := complete(dir)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]File{}
	for _, f := range m.Files {
		listed[f.Path] = f
	}
	for _, name := range names {
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
			continue
		}
		f, ok := listed[name]
		source := name
		if f.Source != "" {
			source = f.Source
		}
		if !bytes.Equal(got, h.files[source]) {
			t.Errorf("%s is not what the hub has", name)
		}
		if !ok || f.SHA256 != hashOf(got) || f.Bytes != int64(len(got)) {
			t.Errorf("the manifest says of %s: %+v", name, f)
		}
	}
	if len(m.Files) != len(names) {
		t.Errorf("the manifest lists %d files, want %d: %+v", len(m.Files), len(names), m.Files)
	}
	count := 0
	err = filepath.Walk(dir, func(_ string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			count++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if count != len(names)+1 {
		t.Errorf("the folder has %d files, want %d and the manifest", count, len(names))
	}
}

var tinyFiles = []string{
	"modules.json", "config.json", "1_Pooling/config.json", "sentence_bert_config.json", "tokenizer.json", "README.md", "onnx/model.onnx",
}

// notUsed fails if a failed download has left a model.
func notUsed(t *testing.T, o Options) {
	t.Helper()
	o.Offline = true
	if dir, err := Resolve(t.Context(), testID, o); err == nil {
		t.Errorf("%s is taken for a model", dir)
	}
	if list, err := List(o); err != nil {
		t.Error(err)
	} else {
		for _, m := range list {
			if m.State == Downloaded || m.State == Damaged {
				t.Errorf("listed: %+v", m)
			}
		}
	}
}

// cutting closes the connection after at(have) bytes of a file, unless that is
// negative; have is the first byte requested.
func cutting(at func(have int) int) func(http.ResponseWriter, *http.Request, string, []byte) bool {
	return func(w http.ResponseWriter, r *http.Request, file string, data []byte) bool {
		if file != "onnx/model.onnx" || r.Header.Get("If-None-Match") != "" {
			return false
		}
		from := 0
		if v := r.Header.Get("Range"); v != "" {
			if _, err := fmt.Sscanf(v, "bytes=%d-", &from); err != nil {
				panic(err)
			}
		}
		n := at(from)
		if n < 0 {
			return false
		}
		w.Header().Set("ETag", `"`+blobOf(data)+`"`)
		w.Header().Set("Content-Length", fmt.Sprint(len(data)-from))
		if from > 0 {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(data)-1, len(data)))
			w.WriteHeader(http.StatusPartialContent)
		}
		end := min(from+n, len(data))
		w.Write(data[from:end])
		w.(http.Flusher).Flush()
		if end < len(data) {
			panic(http.ErrAbortHandler)
		}
		return true
	}
}
