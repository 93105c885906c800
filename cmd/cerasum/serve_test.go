package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// builtPage is a folder like the one that the build leaves.
func builtPage(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range map[string]string{
		"index.html": "<!doctype html><title>page</title>", "assets/app.js": "export {}", "core.wasm": "\x00asm\x01\x00\x00\x00",
		"data.json": "{}", ".secret": "hidden", "assets/.git/config": "hidden",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	outside := file(t, "outside.txt", []byte("not for you"))
	if err := os.Symlink(outside, filepath.Join(dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestServe(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	r, w := io.Pipe()
	var errs bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{"serve", "--port", "0", "--site", builtPage(t)}, nil, w, &errs)
		w.Close()
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("%v; %s", err, errs.String())
	}
	address := regexp.MustCompile(`http://localhost:\d+/`).FindString(line)
	if address == "" {
		t.Fatalf("no address in %q", line)
	}
	port := regexp.MustCompile(`\d+`).FindString(address)
	if a := cli(t, nil, "serve", "--check", "--port", port).want(t, exitOK); a.stdout != "" {
		t.Errorf("--check said %q", a.stdout)
	}
	for _, c := range []struct {
		path, kind string
		status     int
	}{
		{"", "text/html; charset=utf-8", 200},
		{"assets/app.js", "text/javascript; charset=utf-8", 200},
		{"core.wasm", "application/wasm", 200},
		{"data.json", "application/json", 200},
		{"assets/", "", 404},
		{"assets", "", 404},
		{"nothing.js", "", 404},
		{".secret", "", 404},
		{"assets/.git/config", "", 404},
		{"link.txt", "", 404},
		{"../../../../etc/passwd", "", 404},
		{"%2e%2e/%2e%2e/%2e%2e/etc/passwd", "", 404},
		{"..%2f..%2fetc%2fpasswd", "", 404},
	} {
		resp, err := http.Get(address + c.path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != c.status || c.kind != "" && resp.Header.Get("Content-Type") != c.kind {
			t.Errorf("%s: %d %s, want %d %s", c.path, resp.StatusCode, resp.Header.Get("Content-Type"), c.status, c.kind)
		}
		if c.status != 200 && (strings.Contains(string(body), "hidden") || strings.Contains(string(body), "root:") || strings.Contains(string(body), "app.js") || strings.Contains(string(body), "not for you")) {
			t.Errorf("%s: gives away %q", c.path, body)
		}
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types cerasum; frame-ancestors 'none'",
			"X-Content-Type-Options":  "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp",
		} {
			if got := resp.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q", c.path, name, got)
			}
		}
	}
	resp, err := http.Post(address, "text/plain", strings.NewReader("x"))
	if err != nil || resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %v, %v", resp, err)
	}
	resp.Body.Close()
	stop()
	if c := <-code; c != exitOK || errs.Len() > 0 {
		t.Errorf("exit code %d: %s", c, errs.String())
	}
	if _, err := http.Get(address); err == nil {
		t.Error("it still answers")
	}
}

func TestServeFails(t *testing.T) {
	dir := builtPage(t)
	taken, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, err := net.SplitHostPort(taken.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	cli(t, nil, "serve", "--port", port, "--site", dir).want(t, exitFailed, "port "+port+" is already in use", "--port 0")
	cli(t, nil, "serve", "--site", t.TempDir()).want(t, exitFailed, "no built page", "make site")
	t.Chdir(t.TempDir())
	cli(t, nil, "serve").want(t, exitFailed, "no built page", "make site")
}

// TestServeCheck: nobody there, and somebody else.
func TestServeCheck(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.NotFoundHandler(), ReadHeaderTimeout: time.Second}
	go server.Serve(listener)
	cli(t, nil, "serve", "--check", "--port", port).want(t, exitFailed, "no page at http://localhost:"+port+"/: 404")
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	cli(t, nil, "serve", "--check", "--port", port).want(t, exitFailed, "no page at http://localhost:"+port+"/: ")
}
