package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/hub"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
)

// modelHub serves one small model, and its cache folder is the test's own.
func modelHub(t *testing.T) *httptest.Server {
	t.Helper()
	cache := t.TempDir()
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, cache)
	}
	files := map[string]string{
		"modules.json":                   `[{"path":"","type":"sentence_transformers.models.Transformer"}]`,
		"tokenizer.json":                 `{"version":"1.0"}`,
		"README.md":                      "---\nlicense: mit\n---\n",
		"onnx/model.onnx":                "\x08" + strings.Repeat("weights ", 10_000),
		"onnx/model_qint8_avx512.onnx":   "\x08small",
		"config_sentence_transformers.x": "",
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rest, ok := strings.CutPrefix(r.URL.Path, "/tests/tiny/resolve/")
		_, name, _ := strings.Cut(rest, "/")
		text, found := files[name]
		if !ok || !found {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text))
	}))
	t.Cleanup(server.Close)
	t.Setenv("CERASUM_HUB", server.URL)
	return server
}

// TestModelsFitAScreen lists what a new installation has.
func TestModelsFitAScreen(t *testing.T) {
	modelHub(t)
	list, err := hub.List(hub.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	a := &app{stdout: &out, out: terminal.Terminal{Interactive: true, Width: 80}}
	if err := a.printModels(list); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) > 22 || len(lines) < len(list) { // the prompts before and after it take two
		t.Errorf("%d lines for %d models", len(lines), len(list))
	}
	for _, l := range lines {
		if terminal.Columns(l) > 80 {
			t.Errorf("%d columns: %s", terminal.Columns(l), l)
		}
	}
	plain := cli(t, nil, "models", "list").want(t, exitOK).stdout
	if !strings.Contains(plain, "non-commercial research and education\n") || strings.Contains(plain, "--long") {
		t.Errorf("in a pipe:\n%s", plain)
	}
}

func TestModels(t *testing.T) {
	modelHub(t)
	list := func() string {
		t.Helper()
		return cli(t, nil, "models", "list", "--long").want(t, exitOK).stdout
	}
	if text := list(); !strings.Contains(text, "minilm (sentence-transformers/all-MiniLM-L6-v2)") || !strings.Contains(text, "available, about 91 MB, 384 dimensions, licence Apache-2.0") || strings.Contains(text, "tests/tiny") {
		t.Errorf("list:\n%s", text)
	}
	pulled := cli(t, nil, "models", "pull", "tests/tiny", "--progress", "always").want(t, exitOK, "downloading tests/tiny: modules.json")
	dir := strings.TrimSpace(pulled.stdout)
	if _, err := os.Stat(filepath.Join(dir, "onnx", "model.onnx")); err != nil {
		t.Fatal(err)
	}
	if again := cli(t, nil, "models", "pull", "tests/tiny@main").want(t, exitOK); again.stdout != pulled.stdout || again.stderr != "" {
		t.Errorf("pulled again: %+v", again)
	}
	small := cli(t, nil, "models", "pull", "tests/tiny", "--variant", "qint8_avx512", "--revision", "v1").want(t, exitOK)
	if data, err := os.ReadFile(filepath.Join(strings.TrimSpace(small.stdout), "onnx", "model.onnx")); err != nil || string(data) != "\x08small" {
		t.Errorf("the variant: %q, %v", data, err)
	}
	text := list()
	text = strings.Join(strings.Fields(text), " ")
	for _, want := range []string{"tests/tiny downloaded", "downloaded, 81 kB, licence mit, revision main", "variant onnx/model_qint8_avx512.onnx", dir} {
		if !strings.Contains(text, want) {
			t.Errorf("the list lacks %q:\n%s", want, text)
		}
	}
	var models []struct {
		ID, State, Revision, Folder, Licence string
		Bytes                                int64
		Files                                []struct{ Path, SHA256 string }
	}
	if err := json.Unmarshal([]byte(cli(t, nil, "models", "list", "--format", "json").want(t, exitOK).stdout), &models); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, m := range models {
		if m.ID == "tests/tiny" {
			found++
			if m.State != "downloaded" || m.Licence != "mit" || len(m.Files) != 4 || len(m.Files[0].SHA256) != 64 {
				t.Errorf("%+v", m)
			}
		}
	}
	if found != 2 {
		t.Errorf("%d entries of the model, want 2: %+v", found, models)
	}

	if a := cli(t, nil, "models", "verify").want(t, exitOK); strings.Count(a.stdout, "verified") < 2 || !strings.Contains(a.stdout, "tests/tiny@v1: 4 files") {
		t.Errorf("verify: %s", a.stdout)
	}
	model := filepath.Join(dir, "onnx", "model.onnx")
	data, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	data[5] ^= 1
	if err := os.WriteFile(model, data, 0o666); err != nil {
		t.Fatal(err)
	}
	a := cli(t, nil, "models", "verify", "tests/tiny").want(t, exitFailed, model+": got SHA-256", "cerasum models rm")
	if !strings.Contains(a.stdout, "tests/tiny@v1: 4 files") || strings.Contains(a.stdout, "@main") {
		t.Errorf("verify: %s", a.stdout)
	}

	cli(t, nil, "models", "rm", "tests/tiny@main").want(t, exitOK, "removed "+dir)
	if text := list(); !strings.Contains(text, "revision v1") || strings.Contains(text, "revision main") {
		t.Errorf("list:\n%s", text)
	}
	cli(t, nil, "models", "rm", "tests/tiny", "-q").want(t, exitOK)
	cli(t, nil, "models", "rm", "tests/tiny").want(t, exitFailed, "tests/tiny: not downloaded", "cerasum models list")
	cli(t, nil, "models", "verify", "tests/tiny").want(t, exitFailed, "not downloaded")
	if _, err := os.Stat(dir); err == nil {
		t.Errorf("%s is still there", dir)
	}
}

func TestModelsErrors(t *testing.T) {
	server := modelHub(t)
	for _, c := range []struct {
		args string
		code int
		has  []string
	}{
		{"models get", exitUsage, []string{`unknown command "get"`, "list"}},
		{"models list x", exitUsage, []string{`unexpected argument "x"`}},
		{"models list --format yaml", exitUsage, []string{`"yaml"`, "text, json"}},
		{"models pull", exitUsage, []string{"no model given", "cerasum models list"}},
		{"models pull x --progress loud", exitUsage, []string{`"loud"`}},
		{"models pull x --timeout 0s", exitUsage, []string{"--timeout 0s"}},
		{"models rm", exitUsage, []string{"no model given"}},
		{"models rm default", exitFailed, []string{"cannot remove the shipped model"}},
		{"models pull minilmm", exitFailed, []string{`no such model "minilmm"`, "minilm", "owner/name"}},
		{"models pull tests/none", exitFailed, []string{"tests/none: the repository has no tokenizer.json"}},
		{"models pull tests/tiny --variant ../x.onnx", exitFailed, []string{`want a path inside the model's folder, got "../x.onnx"`}},
		{"models pull tests/tiny --base-url ftp://x", exitFailed, []string{`base URL "ftp://x"`}},
		{"models pull tests/tiny --base-url " + server.URL + "/deeper --timeout 1m", exitFailed, []string{"no tokenizer.json"}},
	} {
		t.Run(c.args, func(t *testing.T) {
			if a := cli(t, nil, strings.Fields(c.args)...).want(t, c.code, append(c.has, "cerasum: ")...); a.stdout != "" {
				t.Errorf("stdout is not empty: %q", a.stdout)
			}
		})
	}
	if a := cli(t, nil, "models").want(t, exitOK); !strings.Contains(a.stdout, "verify") {
		t.Errorf("help: %s", a.stdout)
	}
}

// TestModelsInterrupted presses Ctrl-C in the middle of a download.
func TestModelsInterrupted(t *testing.T) {
	modelHub(t)
	ctx, cancel := context.WithCancel(t.Context())
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		io.WriteString(w, "[")
		w.(http.Flusher).Flush()
		cancel()
		<-r.Context().Done()
	}))
	defer slow.Close()
	var out, errs bytes.Buffer
	code := run(ctx, []string{"models", "pull", "tests/tiny", "--base-url", slow.URL}, nil, &out, &errs)
	if code != exitInterrupted || out.Len() > 0 || !strings.Contains(errs.String(), "interrupted") || !strings.Contains(errs.String(), "to resume") {
		t.Errorf("code %d, %q, %q", code, out.String(), errs.String())
	}
}
