package site

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	script = "export const page = 'as it is written';"
	brotli = "the script as brotli has it"
)

// folder is a built page with copies of some of its files.
func folder(t *testing.T) (dir string, handler http.Handler) {
	t.Helper()
	dir = t.TempDir()
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	io.WriteString(w, script)
	w.Close()
	for _, file := range []struct{ name, content string }{
		{"index.html", "<!doctype html>"}, {"index.html.br", "html as brotli has it"}, {"sw.js", "self;"},
		{"assets/app-Ab3_x-9z.js", script}, {"assets/app-Ab3_x-9z.js.br", brotli}, {"assets/app-Ab3_x-9z.js.gz", zipped.String()},
		{"assets/only-12345678.css", "a {}"}, {"assets/only-12345678.css.gz", zipped.String()},
		{"assets/plain.js", script}, {"files/files-1b6ac964.wasm", "\x00asm"}, {"encoder/model.onnx", "weights"}, {"encoder/LICENSE", "free"},
	} {
		path := filepath.Join(dir, filepath.FromSlash(file.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(file.content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, Handler(os.DirFS(dir))
}

// get sends a request with headers, as name and value in turn.
func get(handler http.Handler, method, path string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, response *http.Response) string {
	t.Helper()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestAcceptEncoding(t *testing.T) {
	_, handler := folder(t)
	for _, c := range []struct{ accept, coding string }{
		{"", ""}, {"identity", ""}, {"deflate, zstd", ""},
		{"gzip, deflate, br, zstd", "br"}, {"br", "br"}, {"BR", "br"}, {"gzip", "gzip"}, {"gzip, deflate", "gzip"}, {"*", "br"},
		{"br;q=0", ""}, {"br;q=0, gzip", "gzip"}, {"br;q=0.000,gzip;q=0.001", "gzip"}, {"*;q=0", ""}, {"*, br;q=0", "gzip"},
		{"br;q=0.5, gzip", "gzip"}, {"br;q=0.5, gzip;q=0.5", "br"}, {"gzip;q=1.0 , br ; Q = 0.9", "gzip"},
		{"identity, gzip;q=0.5", ""}, {"identity;q=0.5, gzip;q=0.5", "gzip"}, {"gzip;q=0.2, *;q=0.5", "br"}, {"identity;q=0, br;q=0", ""},
		{"*;q=0.5, br;q=0.1, gzip;q=0.1", ""},
		{"br;q=x, gzip", "gzip"}, {"br;q=-1", ""}, {"br;q=2", ""}, {"br;q=NaN", ""}, {"br;level=4", ""}, {";,;q=1,,", ""},
	} {
		response := get(handler, "GET", "/assets/app-Ab3_x-9z.js", "Accept-Encoding", c.accept)
		want := map[string]string{"": script, "br": brotli}[c.coding]
		got := body(t, response)
		if c.coding == "gzip" {
			want = script
			if r, err := gzip.NewReader(strings.NewReader(got)); err != nil {
				t.Errorf("%q: %v", c.accept, err)
			} else if unpacked, err := io.ReadAll(r); err != nil {
				t.Errorf("%q: %v", c.accept, err)
			} else if response.ContentLength != int64(len(got)) {
				t.Errorf("%q: Content-Length is %d, the body %d bytes", c.accept, response.ContentLength, len(got))
			} else {
				got = string(unpacked)
			}
		} else if length := response.Header.Get("Content-Length"); length != strconv.Itoa(len(want)) {
			t.Errorf("%q: Content-Length is %q, want %d", c.accept, length, len(want))
		}
		if coding := response.Header.Get("Content-Encoding"); coding != c.coding || got != want {
			t.Errorf("%q: %q as %q, want %q as %q", c.accept, got, coding, want, c.coding)
		}
		for name, want := range map[string]string{"Vary": "Accept-Encoding", "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "public, max-age=31536000, immutable"} {
			if got := response.Header.Get(name); got != want {
				t.Errorf("%q: %s is %q", c.accept, name, got)
			}
		}
	}
	// Headers that are sent twice are one list.
	if response := get(handler, "GET", "/assets/app-Ab3_x-9z.js", "Accept-Encoding", "gzip;q=0.5", "Accept-Encoding", "br"); response.Header.Get("Content-Encoding") != "br" {
		t.Errorf("two headers: %v", response.Header)
	}
	// The copy that there is.
	if response := get(handler, "GET", "/assets/only-12345678.css", "Accept-Encoding", "br, gzip;q=0.1"); response.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("a file without brotli: %v", response.Header)
	}
}

func TestCaching(t *testing.T) {
	_, handler := folder(t)
	const forever, check = "public, max-age=31536000, immutable", "no-cache"
	for _, c := range []struct{ path, kind, caching string }{
		{"/", "text/html; charset=utf-8", check}, {"/index.html", "text/html; charset=utf-8", check}, {"/sw.js", "text/javascript; charset=utf-8", check},
		{"/assets/app-Ab3_x-9z.js", "text/javascript; charset=utf-8", forever}, {"/files/files-1b6ac964.wasm", "application/wasm", forever},
		{"/assets/plain.js", "text/javascript; charset=utf-8", check}, {"/encoder/model.onnx", "application/octet-stream", check}, {"/encoder/LICENSE", "text/plain; charset=utf-8", check},
	} {
		for _, accept := range []string{"", "br"} {
			response := get(handler, "GET", c.path, "Accept-Encoding", accept)
			if h := response.Header; response.StatusCode != 200 || h.Get("Content-Type") != c.kind || h.Get("Cache-Control") != c.caching {
				t.Errorf("%s: %d, %v", c.path, response.StatusCode, h)
			}
			head := get(handler, "HEAD", c.path, "Accept-Encoding", accept)
			if body(t, head) != "" {
				t.Errorf("HEAD %s has a body", c.path)
			}
			for name := range response.Header {
				if got, want := head.Header.Get(name), response.Header.Get(name); got != want {
					t.Errorf("HEAD %s: %s is %q, want %q", c.path, name, got, want)
				}
			}
		}
	}
	for _, path := range []string{"/none.js", "/assets/none-12345678.js", "/assets", "/assets/", "//index.html", "/../index.html", "/assets/../index.html"} {
		if response := get(handler, "GET", path); response.StatusCode != 404 || response.Header.Get("Cache-Control") != "" || response.Header.Get("ETag") != "" {
			t.Errorf("%s: %d, %v", path, response.StatusCode, response.Header)
		}
	}
}

func TestTags(t *testing.T) {
	dir, handler := folder(t)
	const path = "/assets/app-Ab3_x-9z.js"
	tag := func(accept string) string {
		return get(handler, "GET", path, "Accept-Encoding", accept).Header.Get("ETag")
	}
	tags := []string{tag(""), tag("br"), tag("gzip")}
	if tags[0] == tags[1] || tags[1] == tags[2] || tags[0] == tags[2] || tags[0] == "" {
		t.Errorf("the same tag for different contents: %v", tags)
	}
	for i, accept := range []string{"", "br", "gzip"} {
		for j, tag := range tags {
			response := get(handler, "GET", path, "Accept-Encoding", accept, "If-None-Match", tag)
			status, length := 200, true
			if i == j {
				status, length = 304, false
			}
			h := response.Header
			if response.StatusCode != status || (body(t, response) != "") != length || h.Get("ETag") != tags[i] || h.Get("Vary") == "" || h.Get("Cache-Control") == "" || status == 304 && h.Get("Content-Encoding") != "" {
				t.Errorf("Accept-Encoding: %s, If-None-Match: %s: %d, %v", accept, tag, response.StatusCode, h)
			}
		}
	}
	if response := get(handler, "GET", path, "Accept-Encoding", "br", "If-Match", `"other"`); response.StatusCode != 412 || response.Header.Get("Content-Encoding") != "" {
		t.Errorf("If-Match: %d, %v", response.StatusCode, response.Header)
	}

	// Another version of the same length and time, as in a container image.
	page := filepath.Join(dir, "sw.js")
	before := time.Unix(1, 0)
	if err := os.Chtimes(page, before, before); err != nil {
		t.Fatal(err)
	}
	old := get(handler, "GET", "/sw.js").Header.Get("ETag")
	if err := os.WriteFile(page, []byte("this;"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(page, before, before); err != nil {
		t.Fatal(err)
	}
	if response := get(Handler(os.DirFS(dir)), "GET", "/sw.js", "If-None-Match", old, "If-Modified-Since", time.Now().UTC().Format(http.TimeFormat)); response.StatusCode != 200 || body(t, response) != "this;" {
		t.Errorf("another version: %d", response.StatusCode)
	}
	// And one that the same server finds: its time is another.
	if err := os.WriteFile(page, []byte("that;"), 0o600); err != nil {
		t.Fatal(err)
	}
	if response := get(handler, "GET", "/sw.js", "If-None-Match", old); response.StatusCode != 200 || body(t, response) != "that;" {
		t.Errorf("a version written while it runs: %d", response.StatusCode)
	}
}

// TestStaleCopy: a file that was edited after the build is sent, not the copy of before.
func TestStaleCopy(t *testing.T) {
	dir, handler := folder(t)
	if response := get(handler, "GET", "/", "Accept-Encoding", "br"); response.Header.Get("Content-Encoding") != "br" {
		t.Errorf("before: %v", response.Header)
	}
	page := filepath.Join(dir, "index.html")
	if err := os.WriteFile(page, []byte("<!doctype html><title>Ours</title>"), 0o600); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(page, later, later); err != nil {
		t.Fatal(err)
	}
	if response := get(handler, "GET", "/", "Accept-Encoding", "br"); response.Header.Get("Content-Encoding") != "" || !strings.Contains(body(t, response), "Ours") {
		t.Errorf("after: %v", response.Header)
	}
}

// TestRanges: parts are of the file, not of a compressed copy.
func TestRanges(t *testing.T) {
	_, handler := folder(t)
	const path = "/assets/app-Ab3_x-9z.js"
	response := get(handler, "GET", path, "Accept-Encoding", "br", "Range", "bytes=7-11")
	if h := response.Header; response.StatusCode != 206 || body(t, response) != script[7:12] || h.Get("Content-Encoding") != "" || h.Get("Content-Range") != "bytes 7-11/"+strconv.Itoa(len(script)) || h.Get("Vary") == "" {
		t.Errorf("%d, %v", response.StatusCode, h)
	}
	// The client has the compressed copy: a part of the file would not fit it.
	tag := get(handler, "GET", path, "Accept-Encoding", "br").Header.Get("ETag")
	if response := get(handler, "GET", path, "Accept-Encoding", "br", "Range", "bytes=7-11", "If-Range", tag); response.StatusCode != 200 || body(t, response) != script {
		t.Errorf("If-Range: %d, %v", response.StatusCode, response.Header)
	}
	if response := get(handler, "GET", path, "Range", "bytes=900-"); response.StatusCode != 416 {
		t.Errorf("a range beyond the end: %d", response.StatusCode)
	}
}
