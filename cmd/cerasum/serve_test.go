package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
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

// served starts a server in a test and returns its port.
func served(t *testing.T, args ...string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, append([]string{"serve", "--port", "0"}, args...), nil, w, io.Discard)
		w.Close()
	}()
	t.Cleanup(func() {
		stop()
		<-code
	})
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`:(\d+)/`).FindStringSubmatch(line)[1]
}

// TestServeHosts: a site whose name was rebound to this computer's address must
// not be able to read the page's origin.
func TestServeHosts(t *testing.T) {
	dir := builtPage(t)
	plain := served(t, "--site", dir)
	more := served(t, "--site", dir, "--host", "127.0.0.1", "--allow-host", "Page.Example,192.0.2.7")
	everywhere := served(t, "--site", dir, "--host", "0.0.0.0")
	for _, c := range []struct {
		port, host string
		status     int
	}{
		{plain, "localhost", 200}, {plain, "LOCALHOST.", 200}, {plain, "127.0.0.1", 200}, {plain, "127.9.9.9:99", 200},
		{plain, "[::1]", 200}, {plain, "[::1]:8080", 200}, {plain, "page.localhost:1", 200},
		{plain, "evil.example", 421}, {plain, "localhost.evil.example", 421}, {plain, "127.0.0.1.evil.example", 421},
		{plain, "192.0.2.7", 421}, {plain, "evil.example:80", 421}, {plain, "0.0.0.0", 421},
		{more, "page.example", 200}, {more, "page.example.:8080", 200}, {more, "192.0.2.7:8080", 200}, {more, "other.example", 421},
		{everywhere, "localhost", 200}, {everywhere, "0.0.0.0", 200}, {everywhere, "evil.example", 421}, {everywhere, "192.0.2.7", 421},
	} {
		conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", c.port))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", c.host)
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		conn.Close()
		if resp.StatusCode != c.status {
			t.Errorf("Host: %s: %d, want %d", c.host, resp.StatusCode, c.status)
		}
		if c.status == 421 && (bytes.Contains(body, []byte("<title>")) || !bytes.Contains(body, []byte("--allow-host"))) {
			t.Errorf("Host: %s: %q", c.host, body)
		}
	}
	cli(t, nil, "serve", "--site", dir, "--allow-host", "http://x/").want(t, exitUsage, "--allow-host", "want a host name")
}

// TestServeNetwork: other devices open the page at this computer's addresses, which are
// printed; under any other name it is refused.
func TestServeNetwork(t *testing.T) {
	all := addresses("0.0.0.0", "8080")
	if all[0] != "http://localhost:8080/" {
		t.Errorf("addresses: %v", all)
	}
	if got := addresses("page.example", "80"); len(got) != 1 || got[0] != "http://page.example:80/" {
		t.Errorf("addresses of one host: %v", got)
	}
	if len(all) == 1 {
		t.Skip("this computer has no address in a network")
	}
	own := strings.TrimSuffix(strings.TrimPrefix(all[1], "http://"), ":8080/")
	port := served(t, "--site", builtPage(t), "--host", "0.0.0.0")
	for _, c := range []struct {
		host   string
		status int
	}{{own + ":" + port, 200}, {own, 200}, {"192.0.2.77", 421}, {"evil.example", 421}, {own + ".evil.example", 421}} {
		request, err := http.NewRequest("GET", "http://"+net.JoinHostPort(own, port)+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = c.host
		resp, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != c.status {
			t.Errorf("Host: %s: %d, want %d", c.host, resp.StatusCode, c.status)
		}
	}
}

// TestServeSlowReaders: who does not read is disconnected, and who reads slowly gets
// all.
func TestServeSlowReaders(t *testing.T) {
	defer func(old time.Duration) { serveWriteTimeout = old }(serveWriteTimeout)
	serveWriteTimeout = 2 * time.Second
	dir := builtPage(t)
	const size = 64 << 20
	if err := os.WriteFile(filepath.Join(dir, "large.bin"), make([]byte, size), 0o600); err != nil {
		t.Fatal(err)
	}
	port := served(t, "--site", dir)
	// The first bytes come after `stalls`; then there is a pause every 6 MB.
	read := func(stalls, pauses time.Duration) (n int64) {
		conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", port))
		if err != nil {
			t.Error(err)
			return 0
		}
		defer conn.Close()
		fmt.Fprint(conn, "GET /large.bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
		time.Sleep(stalls)
		for {
			some, err := io.CopyN(io.Discard, conn, 6<<20)
			n += some
			if err != nil {
				return n
			}
			time.Sleep(pauses)
		}
	}
	var wait sync.WaitGroup
	wait.Go(func() {
		if n := read(2*serveWriteTimeout, 0); n >= size {
			t.Errorf("a client that stalls: all %d bytes came", n)
		}
	})
	wait.Go(func() {
		if n := read(0, serveWriteTimeout/7); n < size {
			t.Errorf("a slow client: %d of %d bytes came", n, size)
		}
	})
	wait.Wait()
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
