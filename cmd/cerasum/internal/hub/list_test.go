package hub

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// here gives the models of the cache folder.
func here(t *testing.T, o Options) []Model {
	t.Helper()
	list, err := List(o)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(list, func(m Model) bool { return m.State == Available || m.State == Shipped || m.State == BuiltIn })
}

func TestList(t *testing.T) {
	h := newHub(t)
	o := h.options(t)
	list, err := List(o)
	if err != nil {
		t.Fatal(err)
	}
	known, err := KnownModels()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range known {
		i := slices.IndexFunc(list, func(m Model) bool { return m.ID == k.ID })
		if i < 0 || list[i].State != Available || list[i].Bytes < 50_000_000 || list[i].Licence != k.Licence || list[i].Name != k.Name {
			t.Errorf("%s is listed as %+v", k.Name, list)
		}
	}
	for _, revision := range []string{"main", "v1/x"} {
		o := o
		o.Revision = revision
		if _, err := Resolve(t.Context(), testID, o); err != nil {
			t.Fatal(err)
		}
	}
	got := here(t, o)
	if len(got) != 2 || got[0].Revision != "main" || got[1].Revision != "v1/x" {
		t.Fatalf("%+v", got)
	}
	for _, m := range got {
		if m.ID != testID || m.State != Downloaded || m.Licence != "apache-2.0" || m.Dimensions != 16 || m.Bytes < 300_000 || len(m.Files) != len(tinyFiles) {
			t.Errorf("%+v", m)
		}
	}
}

func TestRemove(t *testing.T) {
	h := newHub(t)
	o := h.options(t)
	pull := func() {
		t.Helper()
		for _, revision := range []string{"main", "v1"} {
			o := o
			o.Revision = revision
			if _, err := Resolve(t.Context(), testID, o); err != nil {
				t.Fatal(err)
			}
		}
	}
	pull()
	if gone, err := Remove(t.Context(), testID+"@v1", o); err != nil || len(gone) != 1 || gone[0].Revision != "v1" {
		t.Errorf("%+v, %v", gone, err)
	}
	if left := here(t, o); len(left) != 1 || left[0].Revision != "main" {
		t.Errorf("left: %+v", left)
	}
	pull()
	if gone, err := Remove(t.Context(), testID, o); err != nil || len(gone) != 2 {
		t.Errorf("%+v, %v", gone, err)
	}
	if entries, err := os.ReadDir(o.CacheDir); err != nil || len(entries) > 0 {
		t.Errorf("left: %v, %v", entries, err)
	}
	for _, name := range []string{testID, "minilm"} {
		if _, err := Remove(t.Context(), name, o); !errors.Is(err, ErrAbsent) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Remove(t.Context(), "default", o); err == nil {
		t.Error("the shipped model was removed")
	}
	if _, err := Remove(t.Context(), "../..", o); !errors.Is(err, ErrName) {
		t.Error(err)
	}
}

func TestVerify(t *testing.T) {
	h := newHub(t)
	for _, c := range []struct {
		name    string
		damage  func(t *testing.T, dir string) error
		problem string
		repair  bool // whether Resolve sees it by itself and downloads again
	}{
		{"whole", func(*testing.T, string) error { return nil }, "", false},
		{"a changed byte", func(t *testing.T, dir string) error {
			name := filepath.Join(dir, "onnx", "model.onnx")
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			data[99] ^= 1
			return os.WriteFile(name, data, 0o666)
		}, "model.onnx: got SHA-256", false},
		{"a file cut off", func(t *testing.T, dir string) error {
			return os.Truncate(filepath.Join(dir, "tokenizer.json"), 3)
		}, "tokenizer.json: got 3 bytes", true},
		{"a file gone", func(t *testing.T, dir string) error {
			return os.Remove(filepath.Join(dir, "config.json"))
		}, "config.json is missing", true},
		{"a manifest gone", func(t *testing.T, dir string) error {
			return os.Remove(filepath.Join(dir, manifestName))
		}, manifestName + " is missing", true},
		{"a manifest that is none", func(t *testing.T, dir string) error {
			return os.WriteFile(filepath.Join(dir, manifestName), []byte("{"), 0o666)
		}, manifestName, true},
		{"a manifest with a path outside", func(t *testing.T, dir string) error {
			text := fmt.Sprintf(`{"format":1,"id":%q,"revision":"main","files":[{"path":"../../x","bytes":1}]}`, testID)
			return os.WriteFile(filepath.Join(dir, manifestName), []byte(text), 0o666)
		}, "want a path within the folder", true},
		{"a manifest without files", func(t *testing.T, dir string) error {
			return os.WriteFile(filepath.Join(dir, manifestName), []byte(`{"format":1}`), 0o666)
		}, "files: missing", true},
		{"a manifest of a later program", func(t *testing.T, dir string) error {
			return os.WriteFile(filepath.Join(dir, manifestName), []byte(`{"format":2}`), 0o666)
		}, "format 2, want 1", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := h.options(t)
			dir, err := Resolve(t.Context(), testID, o)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.damage(t, dir); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"", testID} {
				checks, err := Verify(t.Context(), name, o)
				if err != nil {
					t.Fatal(err)
				}
				checks = slices.DeleteFunc(checks, func(c Check) bool { return c.Model.State == Shipped || c.Model.State == BuiltIn })
				if len(checks) != 1 {
					t.Fatalf("%+v", checks)
				}
				problems := errors.Join(checks[0].Problems...)
				switch {
				case c.problem == "":
					if problems != nil || checks[0].Files != len(tinyFiles) {
						t.Errorf("%d files, %v", checks[0].Files, problems)
					}
				case !errors.Is(problems, ErrDamaged) || !strings.Contains(problems.Error(), c.problem):
					t.Errorf("%v, want %q", problems, c.problem)
				}
			}
			o.Offline = true
			if _, err := Resolve(t.Context(), testID, o); (err != nil) != c.repair {
				t.Errorf("offline: %v", err)
			}
			o.Offline = false
			if dir, err = Resolve(t.Context(), testID, o); err != nil {
				t.Fatal(err)
			}
			if c.repair {
				h.sameFiles(t, dir, tinyFiles...)
			}
		})
	}
	if _, err := Verify(t.Context(), "tests/absent", h.options(t)); !errors.Is(err, ErrAbsent) {
		t.Error(err)
	}
}

// TestMain is also the program that TestKilled kills.
func TestMain(m *testing.M) {
	if base := os.Getenv("CERASUM_TEST_PULL"); base != "" {
		_, err := Resolve(context.Background(), testID, Options{
			BaseURL: base, CacheDir: os.Getenv("CERASUM_TEST_CACHE"),
			Progress: func(file string, loaded, _ int64) {
				if file == "onnx/model.onnx" {
					fmt.Println(loaded)
				}
			},
			tuning: tuning{tries: 4, restarts: 2, backoff: time.Millisecond, checkpoint: 10_000},
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestKilled kills a download with no warning, several times over: nothing
// half is used, its lock holds no one up, and the rest is all that is fetched.
func TestKilled(t *testing.T) {
	h := newHub(t)
	o := h.options(t)
	var enough atomic.Int64 // bytes that a download has when it is killed
	slow := func(w http.ResponseWriter, r *http.Request, file string, data []byte) bool {
		if file != "onnx/model.onnx" {
			return false
		}
		from := 0
		w.Header().Set("ETag", `"`+blobOf(data)+`"`)
		if v := r.Header.Get("Range"); v != "" {
			fmt.Sscanf(v, "bytes=%d-", &from)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(data)-1, len(data)))
			w.Header().Set("Content-Length", fmt.Sprint(len(data)-from))
			w.WriteHeader(http.StatusPartialContent)
		} else {
			w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		}
		for ; from < len(data); from += 5000 {
			if _, err := w.Write(data[from:min(from+5000, len(data))]); err != nil {
				break
			}
			w.(http.Flusher).Flush()
			if int64(from) < enough.Load() {
				time.Sleep(time.Millisecond)
			} else {
				time.Sleep(100 * time.Millisecond) // the rest must not arrive before the kill
			}
		}
		return true
	}
	h.set(func() { h.trouble = slow })
	for kill := range 3 {
		enough.Store(60_000 * int64(kill+1))
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), "CERASUM_TEST_PULL="+h.URL, "CERASUM_TEST_CACHE="+o.CacheDir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			var n int
			if fmt.Sscan(lines.Text(), &n); n > 60_000*(kill+1) {
				break
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil {
			t.Fatal("it was done before it was killed")
		}
		notUsed(t, o)
	}
	h.set(func() { h.trouble = nil })
	h.forget()
	dir, err := Resolve(t.Context(), testID, o)
	if err != nil {
		t.Fatal(err)
	}
	h.sameFiles(t, dir, tinyFiles...)
	asked := h.asked("onnx/model.onnx")
	var from int
	if len(asked) == 1 {
		if _, after, ok := strings.Cut(asked[0], "bytes="); ok {
			fmt.Sscanf(after, "%d-", &from)
		}
	}
	// Of the 180,000 bytes of the last kill some are of the other files.
	if from < 100_000 {
		t.Errorf("asked for %v", asked)
	}
}

// TestLeftovers are those of a process that was killed while it put a new
// model in the place of one.
func TestLeftovers(t *testing.T) {
	h := newHub(t)
	o := h.options(t)
	dir, err := Resolve(t.Context(), testID, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir, dir+oldSuffix+"0123"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+lockSuffix, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if got := here(t, o); len(got) > 0 {
		t.Errorf("listed: %+v", got)
	}
	if dir, err = Resolve(t.Context(), testID, o); err != nil {
		t.Fatal(err)
	}
	h.sameFiles(t, dir, tinyFiles...)
	entries, err := os.ReadDir(filepath.Dir(dir))
	if err != nil || len(entries) != 1 {
		t.Errorf("left: %v, %v", entries, err)
	}
}

// TestSpoiltStage finds things in the folder of a download that it did not
// put there.
func TestSpoiltStage(t *testing.T) {
	for name, text := range map[string]string{
		stateName:               `{"format":1,"id":"tests/tiny-encoder","revision":"main","done":[{"path":"../../../escaped","bytes":1}]}`,
		"tokenizer.json":        "{}",
		"onnx/model.onnx.part":  "rubbish",
		"1_Pooling/x/y/z.extra": "rubbish",
	} {
		t.Run(strings.ReplaceAll(name, "/", "-"), func(t *testing.T) {
			h := newHub(t)
			o := h.options(t)
			file := filepath.Join(o.CacheDir, filepath.FromSlash(testID), "main"+stageSuffix, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			dir, err := Resolve(t.Context(), testID, o)
			if err != nil {
				t.Fatal(err)
			}
			h.sameFiles(t, dir, tinyFiles...)
		})
	}
}

func TestLicence(t *testing.T) {
	for card, want := range map[string]string{
		"---\nlicense: mit\n---\n# x":                          "mit",
		"---\r\nlanguage: en\r\nlicense: \"cc-by-4.0\"\r\n---": "cc-by-4.0",
		"# no head\nlicense: mit\n":                            "",
		"---\nlicense:\n- mit\n- apache-2.0\n---":              "",
		"---\nlicense: mit\nno end":                            "",
		"---\ntags:\n  license: no\n---\nlicense: mit\n":       "",
		"": "",
	} {
		if got := cardLicence(card); got != want {
			t.Errorf("%q: %q, want %q", card, got, want)
		}
	}
}
