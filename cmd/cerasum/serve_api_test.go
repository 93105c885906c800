package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/encoder"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/api"
)

// serverRun is a server in this process.
type serverRun struct {
	url, port string
	stop      func() int // returns the exit code
	log       func() string
}

func serveAPI(t *testing.T, args ...string) *serverRun {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	var log lockedBuffer
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, append([]string{"serve", "--api", "--port", "0"}, args...), nil, w, &log)
		w.Close()
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(log.String())
	}
	stop := sync.OnceValue(func() int { cancel(); return <-code })
	t.Cleanup(func() { stop() })
	port := regexp.MustCompile(`:(\d+)/`).FindStringSubmatch(line)[1]
	return &serverRun{"http://localhost:" + port, port, stop, log.String}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// ask sends a request and returns the answer with its body.
func (s *serverRun) ask(t *testing.T, method, path, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
}

const twoTexts = `"documents": ["The ferry to Orvik left two hours late on Monday. A chain had caught in its screw. Nobody was hurt.", "Divers freed the ferry. The harbour wants to know whose chain it was."], "budget": {"sentences": 2}`

// TestServeAPI: what the page's server answers besides the page.
func TestServeAPI(t *testing.T) {
	const secret = "s3cret-token"
	token := file(t, "token", []byte(secret+"\n"))
	s := serveAPI(t, "--site", builtPage(t), "--token-file", token, "--max-documents", "3", "--max-body", "1", "--allow-origin", "HTTPS://News.Example:443/")
	cli(t, nil, "serve", "--check", "--port", s.port).want(t, exitOK)
	bearer := "Bearer " + secret
	// The same sentences as on the command line, with the encoder and CeRA, and with a question.
	for _, c := range [][2]string{{"auto"}, {"cera"}, {"cerai"}, {"hybrid"}, {"instant"}, {"mean"}, {"salience", "Who was injured?"}} {
		method, query := c[0], c[1]
		resp, body := s.ask(t, "POST", "/v1/summarize", `{"method": "`+method+`", "query": "`+query+`", `+twoTexts+`}`, "Authorization", bearer, "X-Request-Id", "mine-1")
		if resp.StatusCode != 200 || resp.Header.Get("X-Request-Id") != "mine-1" {
			t.Fatalf("%s: %d %s", method, resp.StatusCode, body)
		}
		line := file(t, "c.jsonl", []byte(`{`+strings.TrimSuffix(twoTexts, `, "budget": {"sentences": 2}`)+`}`))
		args := []string{"batch", line, "--method", method, "--budget", "2s"}
		if query != "" {
			args = append(args, "--query", query)
		}
		want := cli(t, nil, args...).want(t, exitOK)
		if body != want.stdout {
			t.Errorf("%s: %s, want %s", method, body, want.stdout)
		}
	}
	for _, c := range []struct {
		method, path, body string
		headers            []string
		status             int
		has                string
	}{
		{"GET", "/", "", nil, 200, "<title>page</title>"},
		{"GET", "/readyz", "", []string{"Host", "10.0.0.7:8080"}, 200, "ready"},
		{"GET", "/healthz", "", []string{"Host", "10.0.0.7:8080"}, 200, "version"},
		{"GET", "/openapi.json", "", nil, 200, "openapi"},
		{"GET", "/openapi.json", "", []string{"Host", "evil.example"}, 421, "urn:cerasum:problem:misdirected"},
		{"GET", "/v1/methods", "", []string{"Host", "evil.example", "Authorization", bearer}, 421, "--allow-host"},
		{"POST", "/readyz", "{}", nil, 405, "urn:cerasum:problem:method-not-allowed"},
		{"OPTIONS", "/readyz", "", nil, 405, "GET, HEAD"},
		{"HEAD", "/readyz", "", nil, 200, ""},
		{"POST", "/healthz", "{}", nil, 405, "method-not-allowed"},
		{"POST", "/openapi.json", "{}", nil, 405, "method-not-allowed"},
		{"POST", "/v1/methods", "{}", []string{"Authorization", bearer}, 405, "method-not-allowed"},
		{"POST", "/metrics", "{}", nil, 401, "unauthorized"},
		{"POST", "/metrics", "{}", []string{"Authorization", bearer}, 405, "method-not-allowed"},
		{"GET", "/v1/methods", "", nil, 401, "urn:cerasum:problem:unauthorized"},
		{"GET", "/v1/methods", "", []string{"Authorization", "Bearer s3cret"}, 401, "unauthorized"},
		{"GET", "/v1/methods", "", []string{"Authorization", "Basic " + secret}, 401, "unauthorized"},
		{"GET", "/v1/methods", "", []string{"Authorization", "bearer " + secret}, 200, `"name":"cera"`},
		{"POST", "/v1/summarize", `{` + twoTexts + `}`, nil, 401, "unauthorized"},
		{"GET", "/metrics", "", nil, 401, "unauthorized"},
		{"OPTIONS", "/metrics", "", nil, 401, "unauthorized"},
		{"GET", "/metrics", "", []string{"Authorization", bearer}, 200, `cerasum_http_requests_total{method="POST",route="/v1/summarize",status="200"} 7`},
		{"GET", "/metrics", "", []string{"Authorization", bearer}, 200, `cerasum_http_requests_total{method="GET",route="/v1/methods",status="421"} 1`},
		{"OPTIONS", "/v1/summarize", "", []string{"Origin", "https://news.example"}, 204, ""},
		{"GET", "/v1/nothing", "", []string{"Authorization", bearer}, 404, "/v1/summarize"},
		{"POST", "/v1/summarize", `{"documents": ["a", "b", "c", "d"]}`, []string{"Authorization", bearer}, 422, `"limit":3`},
		{"POST", "/v1/summarize", `{"documents": ["` + strings.Repeat("a", 1<<20) + `"]}`, []string{"Authorization", bearer}, 413, "1048576"},
		{"POST", "/v1/summarize", `{"documents": ["` + strings.Repeat("a", 3<<20) + `"]}`, []string{"Authorization", bearer}, 413, "1048576"},
		{"POST", "/v1/summarize", `{"method": "cera", "embeddings": [[1], [1], [1], [1], [1]], ` + twoTexts + `}`, []string{"Authorization", bearer}, 422, `"field":"embeddings"`},
		{"POST", "/v1/summarize", `{"queryEmbedding": [1], "query": "why", "method": "hybrid", ` + twoTexts + `}`, []string{"Authorization", bearer}, 400, `"field":"queryEmbedding"`},
	} {
		resp, body := s.ask(t, c.method, c.path, c.body, c.headers...)
		if origin := resp.Header.Get("Access-Control-Allow-Origin"); c.status == 204 && origin != "https://news.example" {
			t.Errorf("origin %q", origin)
		}
		if resp.StatusCode != c.status || !strings.Contains(body, c.has) {
			t.Errorf("%s %s %.60s: %d %.300s, want %d %s", c.method, c.path, c.body, resp.StatusCode, body, c.status, c.has)
		}
		if c.path != "/" && !regexp.MustCompile(`^[0-9a-f]{16}$`).MatchString(resp.Header.Get("X-Request-Id")) {
			t.Errorf("%s: id %q", c.path, resp.Header.Get("X-Request-Id"))
		}
		if kind := resp.Header.Get("Content-Type"); c.status >= 400 && kind != api.ContentType {
			t.Errorf("%s: %q", c.path, kind)
		}
		if c.status == 405 && !strings.HasPrefix(resp.Header.Get("Allow"), "GET, HEAD") {
			t.Errorf("%s: %v", c.path, resp.Header)
		}
		if c.status == 401 && resp.Header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%s: %v", c.path, resp.Header)
		}
	}
	if code := s.stop(); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	log := s.log()
	lines := strings.Split(strings.TrimSpace(log), "\n")
	for _, line := range lines {
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); err != nil || entry["id"] == "" || entry["route"] == nil {
			t.Errorf("%q: %v", line, err)
		}
	}
	// 7 summaries, the table without the page, --check.
	if len(lines) != 7+29+1 {
		t.Errorf("%d lines in the log", len(lines))
	}
	for _, content := range []string{"ferry", "Orvik", secret, "127.0.0.1", "nothing", "news.example", "evil"} {
		if strings.Contains(log, content) {
			t.Errorf("the log has %q", content)
		}
	}
}

// TestServeAPIBusy: one request at a time, none waiting. The first is held open by
// a body that does not end, which needs no turn; then by work.
func TestServeAPIBusy(t *testing.T) {
	s := serveAPI(t, "--concurrency", "1", "--queue", "0", "--encoder", "lexical", "--time-limit", "20s")
	var texts []string
	for i := range 40 {
		texts = append(texts, loadText(uint64(i), 45))
	}
	body, err := json.Marshal(map[string]any{"documents": texts, "method": "lexrank"})
	if err != nil {
		t.Fatal(err)
	}
	busy := make(chan struct{})
	done := make(chan struct{})
	var once sync.Once
	for range 2 {
		go func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				resp, err := http.Post(s.url+"/v1/summarize", "application/json", bytes.NewReader(body))
				if err != nil {
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				if resp.StatusCode == 503 && resp.Header.Get("Retry-After") == "1" && resp.Header.Get("Content-Type") == "application/problem+json" {
					once.Do(func() { close(busy) })
				}
			}
		}()
	}
	defer close(done)
	select {
	case <-busy:
	case <-time.After(time.Minute):
		t.Error("no request was refused")
	}
}

// TestServeAPIShutsDown: a request in progress gets its answer.
func TestServeAPIShutsDown(t *testing.T) {
	s := serveAPI(t, "--encoder", "lexical")
	conn, err := net.Dial("tcp", "localhost:"+s.port)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	body := `{` + twoTexts + `}`
	fmt.Fprintf(conn, "POST /v1/summarize HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body[:20])
	for deadline := time.Now().Add(10 * time.Second); !strings.Contains(metric(t, s, "cerasum_http_body_bytes"), " 20"); {
		if time.Now().After(deadline) {
			t.Fatal("the server does not read")
		}
		time.Sleep(5 * time.Millisecond)
	}
	code := make(chan int)
	go func() { code <- s.stop() }()
	for deadline := time.Now().Add(10 * time.Second); ; {
		if _, err := net.DialTimeout("tcp", "localhost:"+s.port, time.Second); err != nil {
			break // nobody new is let in
		}
		if time.Now().After(deadline) {
			t.Fatal("it still listens")
		}
		time.Sleep(5 * time.Millisecond)
	}
	fmt.Fprint(conn, body[20:])
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || resp.StatusCode != 200 {
		t.Fatal(resp, err)
	}
	conn.Close()
	if c := <-code; c != exitOK {
		t.Errorf("exit code %d: %s", c, s.log())
	}
}

// metric returns the line of a metric.
func metric(t *testing.T, s *serverRun, name string) string {
	t.Helper()
	_, body := s.ask(t, "GET", "/metrics", "")
	for line := range strings.Lines(body) {
		if strings.HasPrefix(line, name+" ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

func TestServeAPIFlags(t *testing.T) {
	empty := file(t, "empty", []byte(" \n"))
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--token-file", empty}, exitUsage, "--token-file requires --api"},
		{[]string{"--api", "--token-file", empty}, exitFailed, "want a token, got an empty file"},
		{[]string{"--api", "--token-file", empty + "x"}, exitFailed, "no such file"},
		{[]string{"--api", "--token-file", file(t, "long", make([]byte, 5000))}, exitFailed, "want at most 4096 bytes"},
		{[]string{"--api", "--queue", "-1"}, exitUsage, "--queue -1: want 0 to 1024"},
		{[]string{"--api", "--max-body", "0"}, exitUsage, "--max-body 0: want 1 to 512"},
		{[]string{"--api", "--time-limit", "2m"}, exitUsage, "at most 50s"},
		{[]string{"--api", "--allow-origin", "news.example"}, exitUsage, "want an origin"},
		{[]string{"--api", "--log", "xml"}, exitUsage, "--log"},
		{[]string{"--api", "--site", t.TempDir()}, exitFailed, "no built page"},
	} {
		cli(t, nil, append([]string{"serve", "--port", "0"}, c.args...)...).want(t, c.code, c.says)
	}
	t.Setenv(tokenVariable, "")
	cli(t, nil, "serve", "--api").want(t, exitUsage, tokenVariable)
	t.Setenv(tokenVariable, "from the environment")
	s := serveAPI(t, "--encoder", "lexical", "--host", "0.0.0.0")
	if resp, _ := s.ask(t, "GET", "/v1/methods", "", "Authorization", "Bearer from the environment"); resp.StatusCode != 200 {
		t.Error(resp.Status)
	}
	s.stop()
	if err := os.Unsetenv(tokenVariable); err != nil {
		t.Fatal(err)
	}
	open := serveAPI(t, "--encoder", "lexical", "--host", "0.0.0.0", "--log", "off")
	open.stop()
	if log := open.log(); !strings.Contains(log, "--token-file") {
		t.Errorf("%q", log)
	}
}

// TestServeAPIEncoderBusy: a request that never got the encoder's turn may be sent
// again.
func TestServeAPIEncoderBusy(t *testing.T) {
	session, err := core.Open(t.Context(), []core.Document{{Text: "The ferry left late. A chain was in its screw."}, {Text: "Divers freed the ferry. Nobody was hurt."}}, core.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	e := &apiEncoder{flags: encoderFlags{name: "default"}, turn: make(chan struct{}, 1)}
	e.turn <- struct{}{}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := e.Prepare(ctx, session, &core.Options{Method: "hybrid"}); !errors.Is(err, api.ErrBusy) {
		t.Error(err)
	}
	// Nor is the model freed while a request uses it.
	e.model = &encoder.Model{}
	closed := make(chan error, 1)
	go func() { closed <- e.close() }()
	select {
	case <-closed:
		t.Error("the model was freed in use")
	case <-time.After(20 * time.Millisecond):
	}
	<-e.turn
	if err := <-closed; err != nil {
		t.Error(err)
	}
}
