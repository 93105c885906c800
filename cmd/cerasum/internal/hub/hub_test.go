package hub

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

func TestDownload(t *testing.T) {
	for _, c := range []struct {
		name     string
		change   func(h *fakeHub)
		verified string
	}{
		{"from the hub", func(*fakeHub) {}, "hub"},
		{"with large files elsewhere", func(h *fakeHub) { h.lfs = true }, "hub"},
		{"from a file server", func(h *fakeHub) { h.commit = "" }, ""},
		{"without ETags", func(h *fakeHub) { h.commit, h.plain = "", true }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHub(t)
			c.change(h)
			o := h.options(t)
			loaded := map[string]int64{}
			o.Progress = func(file string, n, total int64) {
				if total >= 0 && n > total || n < loaded[file] {
					t.Errorf("progress of %s: %d of %d after %d", file, n, total, loaded[file])
				}
				loaded[file] = n
			}
			start := time.Now().Truncate(time.Second)
			dir, err := Resolve(t.Context(), testID, o)
			if err != nil {
				t.Fatal(err)
			}
			h.sameFiles(t, dir, tinyFiles...)
			for _, name := range tinyFiles {
				if loaded[name] != int64(len(h.files[name])) {
					t.Errorf("progress of %s ended at %d", name, loaded[name])
				}
			}
			m, err := readManifest(dir)
			if err != nil {
				t.Fatal(err)
			}
			if m.ID != testID || m.Revision != "main" || m.Commit != h.commit || m.BaseURL != h.URL || m.Licence != "apache-2.0" || m.Dimensions != 16 || m.Downloaded.Before(start) || m.Downloaded.After(time.Now()) {
				t.Errorf("manifest: %+v", m)
			}
			for _, f := range m.Files {
				if f.Verified != c.verified {
					t.Errorf("%s is verified by %q, want %q", f.Path, f.Verified, c.verified)
				}
			}
			// After the first answer all files are of the commit that it named.
			for _, r := range h.asked("onnx/model.onnx") {
				if h.commit != "" && !strings.Contains(r, "/resolve/"+h.commit+"/") && !strings.Contains(r, "/store/") {
					t.Errorf("asked for %s", r)
				}
			}
			for _, headers := range h.headers {
				for name := range headers {
					if !slices.Contains([]string{"User-Agent", "Accept-Encoding"}, name) {
						t.Errorf("the server was sent %s: %s", name, headers.Get(name))
					}
				}
			}
			h.forget()
			again, err := Resolve(t.Context(), testID, o)
			if err != nil || again != dir || len(h.requests) > 0 {
				t.Errorf("the second time: %s, %v, %v", again, err, h.requests)
			}
			o.Offline, o.BaseURL = true, ""
			if again, err = Resolve(t.Context(), testID+"@main", o); err != nil || again != dir {
				t.Errorf("offline: %s, %v", again, err)
			}
		})
	}
}

func TestNames(t *testing.T) {
	h := newHub(t)
	o := h.options(t)
	folder := t.TempDir()
	if dir, err := Resolve(t.Context(), folder, o); err != nil || dir != folder {
		t.Errorf("a folder: %s, %v", dir, err)
	}
	for _, name := range []string{"mini", "a/b/c", "../x/y", "./no-such", "owner/", "/name", "-o/name", "owner/name.", "a b/c", "owner/na/../me", `owner\name`} {
		if _, err := Resolve(t.Context(), name, o); !errors.Is(err, ErrName) || !strings.Contains(err.Error(), "minilm") {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, revision := range []string{"a b", "../main", "a..b", "-x", "?"} {
		o := o
		o.Revision = revision
		if _, err := Resolve(t.Context(), testID, o); err == nil || !strings.Contains(err.Error(), "revision") {
			t.Errorf("revision %q: %v", revision, err)
		}
	}
	if _, err := Resolve(t.Context(), testID+"@", o); err == nil || !strings.Contains(err.Error(), "revision") {
		t.Errorf("an empty revision: %v", err)
	}
	if _, err := (Options{Revision: "v1"}).parse("minilm@v2"); err == nil {
		t.Error("two revisions are accepted")
	}
	for _, base := range []string{"ftp://x", "huggingface.co", "http://", "http://x?y=z"} {
		o := o
		o.BaseURL = base
		if _, err := Resolve(t.Context(), testID, o); err == nil || !strings.Contains(err.Error(), "base URL") {
			t.Errorf("base URL %q: %v", base, err)
		}
	}
	if len(h.requests) > 0 {
		t.Errorf("the server was asked for %v", h.requests)
	}

	known, err := KnownModels()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range known {
		for _, name := range []string{k.Name, k.ID, strings.ToLower(k.ID)} {
			r, err := Options{}.parse(name)
			if err != nil || r.id != k.ID || r.revision != k.Revision || r.known == nil {
				t.Errorf("%s: %+v, %v", name, r, err)
			}
		}
		if !commitPattern.MatchString(k.Revision) || k.Licence == "" || k.Dimensions == 0 || k.MaxTokens == 0 {
			t.Errorf("%s: %+v", k.Name, k)
		}
		for _, f := range k.Files {
			if f.SHA256 != "" && (len(f.SHA256) != 64 || !isHex(f.SHA256)) || f.Bytes == 0 {
				t.Errorf("%s: %+v", k.Name, f)
			}
		}
	}
	r, err := Options{BaseURL: "http://hub/models/", Variant: "quantized"}.parse("owner/name@refs/pr/1")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.url(r.revision, "a b/c.json"), "http://hub/models/owner/name/resolve/refs%2Fpr%2F1/a%20b/c.json"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := filepath.ToSlash(r.folder()), "owner/name/refs%2Fpr%2F1+onnx%2Fmodel_quantized"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	t.Setenv(BaseURLVariable, h.URL)
	o.BaseURL = ""
	if _, err := Resolve(t.Context(), testID, o); err != nil {
		t.Errorf("with %s: %v", BaseURLVariable, err)
	}
}

func TestVariant(t *testing.T) {
	h := newHub(t)
	o := h.options(t)
	plain, err := Resolve(t.Context(), testID, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Variant = "quantized"
	dir, err := Resolve(t.Context(), testID, o)
	if err != nil {
		t.Fatal(err)
	}
	if dir == plain {
		t.Fatalf("both are in %s", dir)
	}
	h.sameFiles(t, dir, tinyFiles...)
	o.Variant = "no-such"
	if _, err := Resolve(t.Context(), testID, o); err == nil || !strings.Contains(err.Error(), "no variant onnx/model_no-such.onnx") {
		t.Error(err)
	}
}

// TestMissing takes files away: some are needed, and then named.
func TestMissing(t *testing.T) {
	for _, c := range []struct {
		name    string
		without []string
		change  map[string]string
		want    string // in the error; empty: it works
	}{
		{"optional files", []string{"config.json", "sentence_bert_config.json", "README.md"}, nil, ""},
		{"a bare model", []string{"modules.json", "1_Pooling/config.json"}, nil, ""},
		{"the model at the root", []string{"onnx/model.onnx"}, map[string]string{"model.onnx": "\x08root"}, ""},
		{"the tokenizer", []string{"tokenizer.json"}, nil, "the repository has no tokenizer.json"},
		{"the model", []string{"onnx/model.onnx"}, nil, "the repository has no ONNX export (onnx/model.onnx or model.onnx)"},
		{"the pooling", []string{"1_Pooling/config.json"}, nil, "the repository has no 1_Pooling/config.json, required by its modules.json"},
		{"a module of another kind", nil, map[string]string{"modules.json": `[{"path":"","type":"a.CLIPModel"}]`}, "modules[0].type"},
		{"a path outside the folder", nil, map[string]string{"modules.json": `[{"path":"","type":"a.Transformer"},{"path":"../../x","type":"a.Pooling"}]`}, "want a path inside"},
		{"no JSON", nil, map[string]string{"modules.json": "nothing"}, "modules.json: the server sent something that is not JSON"},
		{"a page instead of a file", nil, map[string]string{"tokenizer.json": "<!doctype html><title>Log in</title>"}, "tokenizer.json: the server sent a web page"},
		{"a pointer instead of a file", nil, map[string]string{"onnx/model.onnx": "version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 3\n"}, "onnx/model.onnx: the server sent a Git LFS pointer"},
		{"an empty file", nil, map[string]string{"tokenizer.json": ""}, "tokenizer.json: the server sent an empty file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHub(t)
			for _, name := range c.without {
				delete(h.files, name)
			}
			for name, text := range c.change {
				h.files[name] = []byte(text)
			}
			o := h.options(t)
			dir, err := Resolve(t.Context(), testID, o)
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				if _, err := complete(dir); err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), testID) {
				t.Fatalf("%v, want %q", err, c.want)
			}
			notUsed(t, o)
		})
	}
}

func TestNoSuchModel(t *testing.T) {
	h := newHub(t)
	o := h.options(t)
	if _, err := Resolve(t.Context(), "tests/other", o); err == nil || !strings.Contains(err.Error(), "tests/other: modules.json: "+h.URL+" has no such model") {
		t.Error(err)
	}
	h.trouble = func(w http.ResponseWriter, _ *http.Request, _ string, _ []byte) bool {
		http.Error(w, "Invalid username or password.", http.StatusUnauthorized)
		return true
	}
	if _, err := Resolve(t.Context(), testID, o); err == nil || !strings.Contains(err.Error(), "401 Unauthorized: the model does not exist or is not public") {
		t.Error(err)
	}
	if n := len(h.asked("modules.json")); n != 2 {
		t.Errorf("%d requests for a missing file", n)
	}
	h.trouble = func(w http.ResponseWriter, _ *http.Request, _ string, _ []byte) bool {
		w.Header().Set("X-Error-Code", "RevisionNotFound")
		w.WriteHeader(http.StatusNotFound)
		return true
	}
	o.Revision = "v9"
	if _, err := Resolve(t.Context(), testID, o); err == nil || !strings.Contains(err.Error(), "no revision v9") {
		t.Error(err)
	}
}

// TestCut cuts the connection at random places until the file is complete: no
// byte is requested twice.
func TestCut(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for round := range 5 {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			h := newHub(t)
			var sent atomic.Int64
			h.trouble = cutting(func(int) int {
				n := random.IntN(90_000)
				sent.Add(int64(n))
				return n
			})
			o := h.options(t)
			o.tuning.tries = 20
			dir, err := Resolve(t.Context(), testID, o)
			if err != nil {
				t.Fatal(err)
			}
			h.sameFiles(t, dir, tinyFiles...)
			asked := h.asked("onnx/model.onnx")
			last := 0
			for i, r := range asked[1:] {
				var from int
				if _, after, ok := strings.Cut(r, "bytes="); ok {
					fmt.Sscanf(after, "%d-", &from)
				}
				if from < last {
					t.Errorf("request %d asks for byte %d after %d", i+2, from, last)
				}
				last = from
			}
			if last == 0 {
				t.Errorf("never resumed: %v", asked)
			}
		})
	}
}

// TestResumeLater gives up, and goes on with a second call, as a second run of
// the program would.
func TestResumeLater(t *testing.T) {
	h := newHub(t)
	o := h.options(t)
	h.trouble = cutting(func(have int) int { return max(0, 123_456-have) })
	_, err := Resolve(t.Context(), testID, o)
	if err == nil || !strings.Contains(err.Error(), "onnx/model.onnx") || !strings.Contains(err.Error(), "tried 4 times") {
		t.Fatal(err)
	}
	notUsed(t, o)
	list, err := List(o)
	if err != nil {
		t.Fatal(err)
	}
	if i := slices.IndexFunc(list, func(m Model) bool { return m.State == Incomplete }); i < 0 || list[i].ID != testID || list[i].Revision != "main" || list[i].Bytes < 123_456 {
		t.Errorf("the incomplete one is not listed: %+v", list)
	}
	h.forget()
	h.set(func() {
		h.trouble = func(w http.ResponseWriter, r *http.Request, file string, data []byte) bool {
			if file == "onnx/model.onnx" {
				// The ETag of cutting, so that If-Range holds.
				return cutting(func(int) int { return len(data) })(w, r, file, data)
			}
			return false
		}
	})
	dir, err := Resolve(t.Context(), testID, o)
	if err != nil {
		t.Fatal(err)
	}
	h.sameFiles(t, dir, tinyFiles...)
	if asked := h.asked("onnx/model.onnx"); len(asked) != 1 || !strings.HasSuffix(asked[0], " bytes=123456-") {
		t.Errorf("asked for %v", asked)
	}
	if asked := h.asked("tokenizer.json"); len(asked) > 0 {
		t.Errorf("asked again for %v", asked)
	}
}

// TestChanged replaces files between two tries.
func TestChanged(t *testing.T) {
	for _, c := range []struct {
		name   string
		commit bool
	}{{"on a hub whose branch moves", true}, {"on a file server", false}} {
		t.Run(c.name, func(t *testing.T) {
			h := newHub(t)
			if !c.commit {
				h.commit = ""
			}
			o := h.options(t)
			h.trouble = cutting(func(have int) int { return max(0, 100_000-have) })
			if _, err := Resolve(t.Context(), testID, o); err == nil {
				t.Fatal("no error")
			}
			h.set(func() {
				h.files["onnx/model.onnx"] = append([]byte{8}, []byte(strings.Repeat("new", 90_000))...)
				h.files["tokenizer.json"] = []byte(`{"version":"2.0"}`)
				old := h.commit
				if c.commit {
					h.commit = strings.Repeat("cd", 20)
				}
				h.trouble = func(w http.ResponseWriter, r *http.Request, _ string, _ []byte) bool {
					if c.commit && strings.Contains(r.URL.Path, old) { // it has been rewritten
						w.Header().Set("X-Error-Code", "RevisionNotFound")
						w.WriteHeader(http.StatusNotFound)
						return true
					}
					return false
				}
			})
			dir, err := Resolve(t.Context(), testID, o)
			if err != nil {
				t.Fatal(err)
			}
			h.sameFiles(t, dir, tinyFiles...)
		})
	}
}

// TestChangedMidway changes the file while it is fetched: a server that does
// not heed If-Range is found out by its ETag.
func TestChangedMidway(t *testing.T) {
	h := newHub(t)
	var tries atomic.Int64
	h.trouble = func(w http.ResponseWriter, r *http.Request, file string, data []byte) bool {
		if file != "onnx/model.onnx" {
			return false
		}
		if tries.Add(1) == 1 {
			return cutting(func(int) int { return 50_000 })(w, r, file, slices.Repeat([]byte{8}, len(data)))
		}
		r.Header.Del("If-Range")
		return false
	}
	dir, err := Resolve(t.Context(), testID, h.options(t))
	if err != nil {
		t.Fatal(err)
	}
	h.sameFiles(t, dir, tinyFiles...)
}

// TestBadHash sends other bytes than the hub promised.
func TestBadHash(t *testing.T) {
	for _, c := range []struct {
		name string
		lfs  bool
		file string
		want string
	}{
		{"of a large file", true, "onnx/model.onnx", "SHA-256"},
		{"of a small file", true, "tokenizer.json", "git hash"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHub(t)
			h.lfs = c.lfs
			good := h.files[c.file]
			bad := slices.Clone(good)
			bad[len(bad)-3] ^= 1
			h.trouble = func(w http.ResponseWriter, r *http.Request, file string, _ []byte) bool {
				if file != c.file || c.lfs && strings.HasSuffix(file, ".onnx") && !strings.HasPrefix(r.URL.Path, "/store/") {
					return false
				}
				if !strings.HasPrefix(r.URL.Path, "/store/") {
					w.Header().Set("ETag", `"`+blobOf(good)+`"`)
				}
				w.Write(bad)
				return true
			}
			o := h.options(t)
			_, err := Resolve(t.Context(), testID, o)
			if err == nil || !strings.Contains(err.Error(), c.file) || !strings.Contains(err.Error(), c.want) {
				t.Fatal(err)
			}
			notUsed(t, o)
			h.set(func() { h.trouble = nil })
			dir, err := Resolve(t.Context(), testID, o)
			if err != nil {
				t.Fatal(err)
			}
			h.sameFiles(t, dir, tinyFiles...)
		})
	}
}

// TestKnownHash checks the hashes of the known list.
func TestKnownHash(t *testing.T) {
	h := newHub(t)
	o := h.options(t)
	s, err := o.store()
	if err != nil {
		t.Fatal(err)
	}
	r, err := o.parse(testID)
	if err != nil {
		t.Fatal(err)
	}
	weights := h.files["onnx/model.onnx"]
	h.commit = ""
	r.known = &Known{ID: testID, Revision: r.revision, Licence: "MIT", Dimensions: 99, Files: []KnownFile{
		{Path: "onnx/model.onnx", Bytes: int64(len(weights)), SHA256: hashOf(weights)},
		{Path: "tokenizer.json", Bytes: 12345}, // an estimate
	}}
	dir, err := s.resolve(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	h.sameFiles(t, dir, tinyFiles...)
	m, err := readManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	if m.Licence != "MIT" || m.Dimensions != 99 || m.Files[len(m.Files)-1].Verified != "known" {
		t.Errorf("%+v", m)
	}
	for _, change := range []func([]byte) []byte{
		func(b []byte) []byte { b[7] ^= 1; return b },
		func(b []byte) []byte { return b[:len(b)-1] },
		func(b []byte) []byte { return append(b, 0) },
	} {
		o.CacheDir = t.TempDir()
		if s, err = o.store(); err != nil {
			t.Fatal(err)
		}
		h.set(func() { h.files["onnx/model.onnx"] = change(slices.Clone(weights)) })
		if _, err := s.resolve(t.Context(), r); err == nil || !strings.Contains(err.Error(), "onnx/model.onnx") {
			t.Error(err)
		}
		notUsed(t, o)
	}
}

func TestServerErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		code   int
		header map[string]string
		times  int64 // that the server fails; then it works
		want   string
		asked  int
	}{
		{"once unavailable", 503, map[string]string{"Retry-After": "0"}, 1, "", 2},
		{"three bad gateways", 502, nil, 3, "", 4},
		{"too many requests", 429, map[string]string{"Retry-After": time.Now().UTC().Format(http.TimeFormat)}, 2, "", 3},
		{"always failing", 500, nil, 1 << 40, "the server answered 500 Internal Server Error (tried 4 times)", 4},
		{"a long time to wait", 503, map[string]string{"Retry-After": "3600"}, 1 << 40, "retry in 1h0m0s", 1},
		{"a request it does not like", 400, nil, 1 << 40, "the server answered 400 Bad Request", 1},
		{"a teapot", 418, nil, 1 << 40, "418", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHub(t)
			var count atomic.Int64
			h.trouble = func(w http.ResponseWriter, _ *http.Request, file string, _ []byte) bool {
				if file != "tokenizer.json" || count.Add(1) > c.times {
					return false
				}
				for k, v := range c.header {
					w.Header().Set(k, v)
				}
				w.WriteHeader(c.code)
				return true
			}
			o := h.options(t)
			dir, err := Resolve(t.Context(), testID, o)
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				h.sameFiles(t, dir, tinyFiles...)
			} else {
				if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "tokenizer.json") {
					t.Fatalf("%v, want %q", err, c.want)
				}
				notUsed(t, o)
			}
			if n := len(h.asked("tokenizer.json")); n != c.asked {
				t.Errorf("asked %d times, want %d", n, c.asked)
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "-3": 0, "soon": 0,
		"Fri, 02 Jan 2026 03:05:05 GMT": time.Minute, "Fri, 02 Jan 2026 03:00:00 GMT": 0,
	} {
		if got := retryAfter(value, now); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

// TestSilent: the server stops sending in the middle, and the download is
// resumed.
func TestSilent(t *testing.T) {
	h := newHub(t)
	var tries atomic.Int64
	h.trouble = func(w http.ResponseWriter, r *http.Request, file string, data []byte) bool {
		if file != "onnx/model.onnx" {
			return false
		}
		if tries.Add(1) > 1 {
			return false
		}
		w.Header().Set("ETag", `"`+blobOf(data)+`"`)
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		w.Write(data[:70_000])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return true
	}
	o := h.options(t)
	o.IdleTimeout = time.Second
	dir, err := Resolve(t.Context(), testID, o)
	if err != nil {
		t.Fatal(err)
	}
	h.sameFiles(t, dir, tinyFiles...)
	if asked := h.asked("onnx/model.onnx"); len(asked) < 2 || !strings.HasSuffix(asked[1], "bytes=70000-") {
		t.Errorf("asked for %v", asked)
	}

	o = h.options(t)
	o.IdleTimeout, o.tuning.tries = 50*time.Millisecond, 2
	h.set(func() {
		h.trouble = func(_ http.ResponseWriter, r *http.Request, _ string, _ []byte) bool {
			<-r.Context().Done()
			return true
		}
	})
	if _, err := Resolve(t.Context(), testID, o); err == nil || !strings.Contains(err.Error(), "no data from the server for 50ms") {
		t.Error(err)
	}
	o.IdleTimeout, o.Timeout = time.Minute, 50*time.Millisecond
	if _, err := Resolve(t.Context(), testID, o); err == nil || !strings.Contains(err.Error(), "timed out after 50ms") {
		t.Error(err)
	}
}

// TestSlow sends bit by bit, each within the time.
func TestSlow(t *testing.T) {
	h := newHub(t)
	h.trouble = func(w http.ResponseWriter, _ *http.Request, file string, data []byte) bool {
		if file != "tokenizer.json" {
			return false
		}
		for _, b := range data { // no Content-Length
			w.Write([]byte{b})
			w.(http.Flusher).Flush()
			time.Sleep(40 * time.Millisecond)
		}
		return true
	}
	o := h.options(t)
	o.IdleTimeout = time.Second
	dir, err := Resolve(t.Context(), testID, o)
	if err != nil {
		t.Fatal(err)
	}
	h.sameFiles(t, dir, tinyFiles...)
}

func TestRedirects(t *testing.T) {
	for _, c := range []struct{ name, to, want string }{
		{"to a file of the machine", "file:///etc/hostname", "which is not http or https"},
		{"in a circle", "/" + testID + "/resolve/main/modules.json", "more than 10 redirects"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHub(t)
			h.trouble = func(w http.ResponseWriter, r *http.Request, _ string, _ []byte) bool {
				http.Redirect(w, r, c.to, http.StatusFound)
				return true
			}
			o := h.options(t)
			if _, err := Resolve(t.Context(), testID, o); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Error(err)
			}
			notUsed(t, o)
		})
	}
}

// TestRedirectsElsewhere redirects the weights to another host.
func TestRedirectsElsewhere(t *testing.T) {
	h := newHub(t)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		data := h.files["onnx/model.onnx"]
		h.mu.Unlock()
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	}))
	defer other.Close()
	h.trouble = func(w http.ResponseWriter, r *http.Request, file string, _ []byte) bool {
		if file != "onnx/model.onnx" {
			return false
		}
		http.Redirect(w, r, other.URL+"/file?signature=secret", http.StatusFound)
		return true
	}
	o := h.options(t)
	if _, err := Resolve(t.Context(), testID, o); err == nil || !strings.Contains(err.Error(), "which is not one of its file servers") || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
	notUsed(t, o)
	o.BaseURL += " " + other.URL
	dir, err := Resolve(t.Context(), testID, o)
	if err != nil {
		t.Fatal(err)
	}
	h.sameFiles(t, dir, tinyFiles...)
}

func TestMayRedirect(t *testing.T) {
	for _, c := range []struct {
		base, to string
		want     bool
	}{
		{"", "https://huggingface.co/a", true},
		{"", "https://cdn-lfs.hf.co/a", true},
		{"", "https://cas-bridge.xethub.hf.co/a", true},
		{"", "https://cdn-lfs.huggingface.co/a", true},
		{"https://huggingface.co/", "https://cdn-lfs.hf.co/a", true},
		{"", "http://huggingface.co/a", false},
		{"", "http://cdn-lfs.hf.co/a", false},
		{"", "https://hf.co.example/a", false},
		{"", "https://evilhf.co/a", false},
		{"", "https://example.org/a", false},
		{"", "https://cdn-lfs.hf.co:8443/a", false},
		{"http://hub.example:8000/base", "http://hub.example:8000/a", true},
		{"http://hub.example:8000", "https://hub.example/a", true},
		{"http://hub.example:8000", "http://hub.example:8001/a", false},
		{"http://hub.example", "http://files.example/a", false},
		{"http://hub.example", "https://files.example/a", false},
		{"http://hub.example http://files.example", "http://files.example/a", true},
		{"http://hub.example https://files.example", "http://files.example/a", false},
		{"https://hub.example https://*.example", "https://x.y.example/a", true},
		{"https://hub.example https://*.example", "https://example/a", false},
		{"https://hub.example http://files.example", "http://files.example/a", false},
		{"https://Hub.Example:443", "https://hub.example/a", true},
		{"http://hub.example", "http://HUB.example:80/a", true},
		{"http://hub.example:443", "https://hub.example/a", true},
		{"https://hub.example https://Files.Example", "https://files.example/a", true},
		{"https://hub.example HTTPS://files.example:443", "https://FILES.example/a", true},
		{"https://hub.example https://files.example", "https://files.example:443/a", true},
		{"https://hub.example https://files.example:80", "https://files.example/a", false},
		{"https://hub.example https://*.Files.Example:443", "https://a.files.example/a", true},
		{"https://hub.example https://*.files.example", "https://a.files.example:443/a", true},
		{"https://hub.example https://*.files.example", "https://a.files.example:8443/a", false},
		{"https://HuggingFace.co:443", "https://cdn-lfs.hf.co/a", true},
		{"https://HuggingFace.co/mirror", "https://cdn-lfs.hf.co/a", false},
	} {
		r, err := Options{BaseURL: c.base}.parse("a/b")
		if err != nil {
			t.Fatal(err)
		}
		to, err := url.Parse(c.to)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.mayRedirect(to) == nil; got != c.want {
			t.Errorf("%q to %s: %v, want %v", c.base, c.to, got, c.want)
		}
	}
	for _, base := range []string{"https://hub.example files.example", "https://hub.example ftp://x", "https://hub.example https://*"} {
		if _, err := (Options{BaseURL: base}).parse("a/b"); err == nil {
			t.Errorf("%q was accepted", base)
		}
	}
}

// TestOddAnswers are those of servers and networks that are not well.
func TestOddAnswers(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer func(w http.ResponseWriter, data []byte, try int64) bool
		want   string // empty: it works in the end
	}{
		{"a page for a login, at first", func(w http.ResponseWriter, _ []byte, _ int64) bool {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Write([]byte("<html>Pay here"))
			return true
		}, "web page"},
		{"compressed", func(w http.ResponseWriter, data []byte, _ int64) bool {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(data)
			return true
		}, "compressed (gzip)"},
		{"a part that was not asked for", func(w http.ResponseWriter, data []byte, _ int64) bool {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes 5-%d/%d", len(data)-1, len(data)))
			w.WriteHeader(http.StatusPartialContent)
			w.Write(data[5:])
			return true
		}, "206"},
		{"ranges not satisfiable, once", func(w http.ResponseWriter, data []byte, try int64) bool {
			if try == 1 {
				w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
				return true
			}
			return false
		}, ""},
		{"nothing", func(http.ResponseWriter, []byte, int64) bool { panic(http.ErrAbortHandler) }, "tried 4 times"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHub(t)
			var tries atomic.Int64
			h.trouble = func(w http.ResponseWriter, _ *http.Request, file string, data []byte) bool {
				return file == "onnx/model.onnx" && c.answer(w, data, tries.Add(1))
			}
			o := h.options(t)
			dir, err := Resolve(t.Context(), testID, o)
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				h.sameFiles(t, dir, tinyFiles...)
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "onnx/model.onnx") {
				t.Fatalf("%v, want %q", err, c.want)
			}
			notUsed(t, o)
		})
	}
}

// TestConcurrent lets several bring the same model at once: one does.
func TestConcurrent(t *testing.T) {
	h := newHub(t)
	h.trouble = func(http.ResponseWriter, *http.Request, string, []byte) bool {
		time.Sleep(5 * time.Millisecond)
		return false
	}
	o := h.options(t)
	var waits atomic.Int64
	o.Waiting = func() { waits.Add(1) }
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			dir, err := Resolve(t.Context(), testID, o)
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := complete(dir); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, name := range tinyFiles {
		if n := len(h.asked(name)); n != 1 && name != "config.json" {
			t.Errorf("%s was asked for %d times", name, n)
		}
	}
	if waits.Load() == 0 {
		t.Error("no one waited")
	}
	left, err := filepath.Glob(filepath.Join(o.CacheDir, "*", "*", "*~*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// fullDisk fails as a full disk does, after so many bytes of the model.
type fullDisk struct {
	partFile
	left *int
}

func (f fullDisk) Write(p []byte) (int, error) {
	if len(p) > *f.left {
		n, _ := f.partFile.Write(p[:*f.left])
		*f.left = 0
		return n, &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}
	}
	*f.left -= len(p)
	return f.partFile.Write(p)
}

func TestDiskFull(t *testing.T) {
	h := newHub(t)
	o := h.options(t)
	left := 100_000
	o.tuning.create = func(name string) (partFile, error) {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		return fullDisk{f, &left}, err
	}
	_, err := Resolve(t.Context(), testID, o)
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "cannot write") || !strings.Contains(err.Error(), "model.onnx") {
		t.Fatal(err)
	}
	notUsed(t, o)
	if n := len(h.asked("onnx/model.onnx")); n != 1 {
		t.Errorf("asked %d times", n)
	}
	if parts, _ := filepath.Glob(filepath.Join(o.CacheDir, "*", "*", "*", "*", "*.part")); len(parts) > 0 {
		t.Errorf("still in the way: %v", parts)
	}
	o.tuning.create = nil
	dir, err := Resolve(t.Context(), testID, o)
	if err != nil {
		t.Fatal(err)
	}
	h.sameFiles(t, dir, tinyFiles...)
}

func TestReadOnly(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root writes everywhere")
	}
	h := newHub(t)
	o := h.options(t)
	if err := os.MkdirAll(o.CacheDir, 0o555); err != nil {
		t.Fatal(err)
	}
	if _, err := Resolve(t.Context(), testID, o); !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), o.CacheDir) {
		t.Error(err)
	}
}

func TestCancelled(t *testing.T) {
	h := newHub(t)
	o := h.options(t)
	ctx, cancel := context.WithCancel(t.Context())
	o.Progress = func(file string, loaded, _ int64) {
		if file == "onnx/model.onnx" && loaded > 40_000 {
			cancel()
		}
	}
	// Whatever the buffers hold, the end does not come before the cancelling.
	h.trouble = cutting(func(have int) int { return 60_000 })
	if _, err := Resolve(ctx, testID, o); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	notUsed(t, o)
	o.Progress = nil
	h.forget()
	dir, err := Resolve(t.Context(), testID, o)
	if err != nil {
		t.Fatal(err)
	}
	h.sameFiles(t, dir, tinyFiles...)
	if asked := h.asked("onnx/model.onnx"); len(asked) == 0 || !strings.Contains(asked[0], "bytes=") {
		t.Errorf("downloaded parts were requested again: %v", asked)
	}
}

func TestOffline(t *testing.T) {
	h := newHub(t)
	o := h.options(t)
	o.Offline = true
	if _, err := Resolve(t.Context(), testID, o); !errors.Is(err, ErrOffline) || !strings.Contains(err.Error(), testID) {
		t.Error(err)
	}
	if len(h.requests) > 0 {
		t.Errorf("asked for %v", h.requests)
	}
	if entries, _ := os.ReadDir(o.CacheDir); len(entries) > 0 {
		t.Errorf("the cache folder has %v", entries)
	}
}

// TestOtherHub does not take what another hub gave for what this one has.
func TestOtherHub(t *testing.T) {
	one, other := newHub(t), newHub(t)
	other.files["config.json"] = []byte(`{"hidden_size":16,"other":true}`)
	o := one.options(t)
	if _, err := Resolve(t.Context(), testID, o); err != nil {
		t.Fatal(err)
	}
	o.BaseURL, o.Offline = other.URL, true
	if _, err := Resolve(t.Context(), testID, o); !errors.Is(err, ErrOffline) || !strings.Contains(err.Error(), one.URL) {
		t.Error(err)
	}
	o.Offline = false
	dir, err := Resolve(t.Context(), testID, o)
	if err != nil {
		t.Fatal(err)
	}
	other.sameFiles(t, dir, tinyFiles...)
}
