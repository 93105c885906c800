package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cerasum/cerasum/internal/archivetest"
	"golang.org/x/text/encoding/charmap"
)

// web is a server with a page for every trouble.
func web(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	answer := func(path, contentType, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			io.WriteString(w, body)
		})
	}
	russian, err := charmap.Windows1251.NewEncoder().String(floods["ru"])
	if err != nil {
		t.Fatal(err)
	}
	answer("/page", "text/html; charset=utf-8", "<title>A page</title><p>"+floods["es"]+"</p>")
	answer("/plain.txt", "text/plain", floods["en"])
	answer("/notes.md", "text/plain; charset=utf-8", "# Notes\n\n"+floods["fr"])
	answer("/markdown", "text/markdown", "# Notes\n\n"+floods["fr"])
	answer("/1251", "text/plain; charset=windows-1251", russian)
	answer("/lies", "text/plain; charset=iso-8859-1", floods["ru"])
	answer("/unknown-charset", "text/plain; charset=klingon", russian)
	answer("/false-utf8", "text/plain; charset=utf-8", russian)
	answer("/image", "image/png", "\x89PNG\r\n\x1a\n\x00")
	answer("/not-an-image", "text/plain", "\x89PNG\r\n\x1a\n\x00\x00")
	answer("/clusters", "application/x-ndjson", `{"documents":["From the web."]}`)
	answer("/large", "text/plain", strings.Repeat("too much ", 2<<20))
	answer("/a.txt.gz", "application/gzip", string(archivetest.Gzip(t, []byte(floods["pt"]))))
	mux.HandleFunc("/loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) })
	mux.HandleFunc("/once", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/page", http.StatusFound) })
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "file:///etc/hostname", http.StatusFound)
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, "It begins ")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("/silent", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/who", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintf(w, "Asked by %s politely.", r.UserAgent())
	})
	mux.HandleFunc("/cut", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Length", "1000")
		io.WriteString(w, "short")
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func TestFetch(t *testing.T) {
	s := web(t)
	for _, c := range []struct{ path, title, text, warning string }{
		{"/page", "A page", floods["es"] + "\n", ""},
		{"/once", "A page", floods["es"] + "\n", ""},
		{"/plain.txt", "", floods["en"], ""},
		{"/notes.md", "Notes", floods["fr"] + "\n", ""},
		{"/markdown", "Notes", floods["fr"] + "\n", ""},
		{"/1251", "", floods["ru"], ""},
		{"/lies", "", floods["ru"], "declared as iso-8859-1 but valid UTF-8"},
		{"/unknown-charset", "", floods["ru"], "unknown declared encoding klingon; read as windows-1251"},
		{"/false-utf8", "", floods["ru"], "read as windows-1251"},
		{"/a.txt.gz", "", floods["pt"], ""},
	} {
		t.Run(c.path, func(t *testing.T) {
			a := cli(t, nil, "summarize", "-f", "json", s.URL+c.path).want(t, exitOK, c.warning)
			if c.warning == "" && a.stderr != "" {
				t.Errorf("unexpected: %s", a.stderr)
			}
			d := parse(t, a.stdout).Documents[0]
			if c.title == "" {
				c.title = s.URL + c.path
			}
			if d.Text != c.text || d.Title != c.title || d.Source != s.URL+c.path {
				t.Errorf("%+v", d)
			}
		})
	}
	a := cli(t, nil, "summarize", "-f", "json", s.URL+"/clusters").want(t, exitOK)
	if p := parse(t, a.stdout); p.Text != "From the web." {
		t.Errorf("%q", p.Text)
	}
	a = cli(t, nil, "summarize", "-f", "json", s.URL+"/who").want(t, exitOK)
	if p := parse(t, a.stdout); !strings.HasPrefix(p.Text, "Asked by cerasum/") {
		t.Errorf("%q", p.Text)
	}
}

func TestFetchFails(t *testing.T) {
	s := web(t)
	for _, c := range []struct{ url, want string }{
		{s.URL + "/missing", "the server answered 404 Not Found"},
		{s.URL + "/loop", "more than 5 redirects"},
		{s.URL + "/away", "unsupported protocol scheme"},
		{s.URL + "/image", "content type image/png"},
		{s.URL + "/not-an-image", "NUL at byte"},
		{s.URL + "/large", "too large: more than 16 MiB"},
		{s.URL + "/silent", "timed out after 200ms"},
		{s.URL + "/slow", "timed out after 200ms"},
		{s.URL + "/cut", "unexpected EOF"},
		{"http://127.0.0.1:1/", "refused"},
		{"ftp://example.org/x", "want an http or https address"},
		{"http://", "http://: want an http or https address"},
		{"http://user:secret@127.0.0.1:1/", "user:xxxxx@127.0.0.1"},
	} {
		t.Run(c.url, func(t *testing.T) {
			start := time.Now()
			a := cli(t, nil, "summarize", "--timeout", "200ms", c.url)
			if strings.HasSuffix(c.url, "/large") {
				a = cli(t, nil, "summarize", c.url)
			}
			a.want(t, exitFailed, c.want)
			if strings.Contains(a.stderr, "secret") {
				t.Errorf("a password is shown: %s", a.stderr)
			}
			if took := time.Since(start); took > 20*time.Second && !testing.Short() {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestMarkdownLinksToPage looks at the links that scroll to a sentence.
func TestMarkdownLinksToPage(t *testing.T) {
	s := web(t)
	a := cli(t, nil, "summarize", "-f", "markdown", "--method", "mean", "-b", "200", s.URL+"/plain.txt").want(t, exitOK)
	for _, has := range []string{
		"](<" + s.URL + "/plain.txt#:~:text=The%20river%20burst%20its%20banks%20on%20Wednesday%20night.>)",
		"[" + strings.NewReplacer("_", `\_`).Replace(s.URL) + "/plain.txt](<" + s.URL + "/plain.txt>)",
	} {
		if !strings.Contains(a.stdout, has) {
			t.Errorf("lacks %s:\n%s", has, a.stdout)
		}
	}
}
