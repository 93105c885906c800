package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/internal/archivetest"
	"github.com/cerasum/cerasum/internal/clustering"
	"github.com/cerasum/cerasum/internal/records"
)

// On Beam's local runner, prism, which takes what is sent to workers apart and
// puts it together again as the others do.
func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		playRole(role)
	}
	remove, err := ownTemp() // for the tests that run a pipeline without run
	if err != nil {
		log.Fatal(err)
	}
	code := ptest.MainRetWithDefault(m, "prism")
	if err := remove(); err != nil {
		log.Fatal(err)
	}
	os.Exit(code)
}

func TestRunLeavesNothing(t *testing.T) {
	dir, temp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	f := Files{Input: filepath.Join(dir, "in.jsonl"), Output: filepath.Join(dir, "out.jsonl"), Shards: 1}
	if err := os.WriteFile(f.Input, corpus(0, 5), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(context.Background(), f, settings(), io.Discard); err != nil {
		t.Fatal(err)
	}
	if got := os.TempDir(); got != temp {
		t.Errorf("the temporary folder is now %s", got)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// corpus makes the lines from..to, every 50th of them bad, a blank one before it.
func corpus(from, to int) []byte {
	var b bytes.Buffer
	for i := from; i < to; i++ {
		if i%50 == 49 {
			fmt.Fprintf(&b, "\n{\"id\": %d, \"documents\": \"none\"}\n", i)
			continue
		}
		fmt.Fprintf(&b, `{"id": %d, "url": 1, "documents": ["The river rose by %d metres on Monday. The mayor closed the old bridge. Nobody was hurt in flood %d.", "El río creció el lunes en la ciudad %d. Boats brought %d people out."]}`+"\n", i, i%9+1, i, i%7, i%40+2)
	}
	return b.Bytes()
}

// corpora are files as they come: plain, with a BOM and the ends of lines of
// Windows and none at the end, with what is not UTF-8 or too long, packed in one
// piece and in two, and empty.
func corpora(t *testing.T) map[string][]byte {
	t.Helper()
	windows := bytes.ReplaceAll(corpus(200, 300), []byte("\n"), []byte("\r\n"))
	return map[string][]byte{
		"corpus-0.jsonl": corpus(0, 200),
		"corpus-1.jsonl": append([]byte("\xef\xbb\xbf"), bytes.TrimSpace(windows)...),
		"corpus-2.jsonl": slices.Concat([]byte("\xff\xfe\n"), []byte(`"`+strings.Repeat("x", 1<<20)+`"`+"\n"), corpus(300, 400), []byte("{\"documents\": [\"a\x80.\"]}\n")),
		"corpus-3.jsonl": archivetest.Gzip(t, corpus(400, 500)), // its name does not say so
		"corpus-4.gz":    append(archivetest.Gzip(t, corpus(500, 550)), archivetest.Gzip(t, corpus(550, 600))...),
		"corpus-5.jsonl": nil,
	}
}

// lines reads the lines of files, sorted.
func lines(t *testing.T, names ...string) []string {
	t.Helper()
	var all []string
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 0 && data[len(data)-1] != '\n' {
			t.Errorf("%s has no end of line at its end", name)
		}
		for line := range strings.Lines(string(data)) {
			all = append(all, strings.TrimSuffix(line, "\n"))
		}
	}
	slices.Sort(all)
	return all
}

func settings() Settings {
	return Settings{Options: map[string]string{"budget": "2s"}, MaxLine: 1}
}

func TestPipelineMakesWhatBatchMakes(t *testing.T) {
	for name, change := range map[string]func(*Settings, *Files){
		"one file": func(s *Settings, _ *Files) { s.Options["order"], s.Language, s.KeepFields = "rank", "en-GB", true },
		"query, 3 files": func(s *Settings, f *Files) {
			s.Options["query"], s.Options["queryWeight"], f.Shards = "Was anybody hurt?", "0.9", 3
		},
		"free licence": func(s *Settings, _ *Files) {
			s.Options["licence"], s.Options["method"], s.Options["budget"] = "free", "salience", "90c"
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			f := Files{Input: filepath.Join(dir, "corpus-*"), Output: filepath.Join(dir, "out.jsonl"), Shards: 1}
			s := settings()
			change(&s, &f)
			o, err := s.options()
			if err != nil {
				t.Fatal(err)
			}
			var want, refused []string
			for name, data := range corpora(t) {
				path := filepath.Join(dir, name)
				if err := os.WriteFile(path, data, 0o600); err != nil {
					t.Fatal(err)
				}
				in, err := records.Inflate(bytes.NewReader(data))
				if err != nil {
					t.Fatal(err)
				}
				err = batch.Run(context.Background(), in, *o, batch.Place{}, 2, func(r batch.Result) error {
					if r.Err == nil {
						want = append(want, strings.TrimSuffix(string(r.Summary), "\n"))
						return nil
					}
					line, err := batch.Marshal(batch.NewRefused(path, r.Line, r.Err, r.Raw))
					refused = append(refused, strings.TrimSuffix(string(line), "\n"))
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			slices.Sort(want)
			slices.Sort(refused)
			if len(want) != 588 || len(refused) != 15 {
				t.Fatalf("batch has %d summaries and %d bad lines", len(want), len(refused))
			}
			var out bytes.Buffer
			if err := run(context.Background(), f, s, &out); err != nil {
				t.Fatal(err)
			}
			var files []string
			for i := range f.Shards {
				file := shardName(f.Output, i, f.Shards)
				if n := len(lines(t, file)); f.Shards > 1 && (n < 100 || n > 300) {
					t.Errorf("%s has %d lines", file, n)
				}
				files = append(files, file)
			}
			if got := lines(t, files...); !slices.Equal(got, want) {
				t.Errorf("%d summaries, want %d; the first: %.300s, want %.300s", len(got), len(want), got[0], want[0])
			}
			if got := lines(t, f.Output+".bad.jsonl"); !slices.Equal(got, refused) {
				t.Errorf("bad lines: %.2000q, want %.2000q", got, refused)
			}
			if want := "588 clusters summarized; 15 lines failed: see " + f.Output + ".bad.jsonl"; !strings.Contains(out.String(), want) {
				t.Errorf("got %q, want %q", out.String(), want)
			}
			// The counters that batch has, by the same reasons.
			if want := "; left out: too_long 1, unreadable 2, malformed 12; seconds: read "; !strings.Contains(out.String(), want) || !strings.Contains(out.String(), ", select ") || !strings.Contains(out.String(), ", write ") {
				t.Errorf("got %q, want %q", out.String(), want)
			}
			if ignored := strings.Contains(out.String(), "cerasum-beam: ignored field \"url\" in "); ignored == s.KeepFields {
				t.Errorf("keeping fields: %v, got %q", s.KeepFields, out.String())
			}
			if left, err := filepath.Glob(filepath.Join(dir, "*.tmp")); err != nil || left != nil {
				t.Errorf("left behind: %q, %v", left, err)
			}
		})
	}
}

// TestPipelineLarge: a cluster of 100,000 documents and a document of 10 MB are summarized, or
// above the limit reported; so are those beside them.
func TestPipelineLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: minutes on a busy machine")
	}
	dir := t.TempDir()
	f := Files{Input: filepath.Join(dir, "corpus"), Output: filepath.Join(dir, "out.jsonl"), Shards: 1}
	var corpus bytes.Buffer
	corpus.WriteString(`{"id": "skewed", "documents": ["One."`)
	for i := range 100_000 {
		fmt.Fprintf(&corpus, `,"The ferry of line %d left late on day %d. The harbour closed gate %d."`, i%97, i%30+1, i)
	}
	corpus.WriteString("]}\n" + `{"id": "long", "documents": ["`)
	for long := corpus.Len() + 10<<20; corpus.Len() < long; {
		fmt.Fprintf(&corpus, "The ferry of line %d left late on day %d. The harbour closed gate %d. ", corpus.Len()%97, corpus.Len()%30+1, corpus.Len())
	}
	corpus.WriteString(`"]}` + "\n" + `{"id": "small", "documents": ["Divers freed the ferry. Nobody was hurt."]}` + "\n")
	if err := os.WriteFile(f.Input, corpus.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int]string{64: "3 clusters summarized\n", 1: "1 clusters summarized; 2 lines failed"} {
		s := settings()
		s.MaxLine = limit
		var out bytes.Buffer
		if err := run(context.Background(), f, s, &out); err != nil {
			t.Fatal(err)
		}
		if limit == 1 && !strings.Contains(out.String(), "left out: too_long 2;") || !strings.Contains(out.String(), want) {
			t.Errorf("at most %d MiB: %s", limit, out.String())
		}
		if got := strings.Join(lines(t, f.Output), "\n"); strings.Contains(got, `{"id":"skewed"`) != (limit == 64) || !strings.Contains(got, `{"id":"small"`) {
			t.Errorf("at most %d MiB: %.300s", limit, got)
		}
	}
}

func TestPipelineOfNothing(t *testing.T) {
	dir := t.TempDir()
	f := Files{Input: filepath.Join(dir, "c*"), Output: filepath.Join(dir, "out.jsonl"), Shards: 2}
	if err := run(context.Background(), f, settings(), &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "no files match") {
		t.Errorf("without a corpus: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "c"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(context.Background(), f, settings(), &bytes.Buffer{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"out-00000-of-00002.jsonl", "out-00001-of-00002.jsonl", "out.jsonl.bad.jsonl"} {
		if got := lines(t, filepath.Join(dir, name)); len(got) != 0 {
			t.Errorf("%s: %q", name, got)
		}
	}
	broken := archivetest.Gzip(t, corpus(0, 200))
	if err := os.WriteFile(filepath.Join(dir, "c"), broken[:len(broken)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(context.Background(), f, settings(), &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "unexpected EOF") {
		t.Errorf("half a file: %v", err)
	}
}

// TestPipelineFolder: a folder stands for the corpora in it, as for batch.
func TestPipelineFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "corpora")
	for name, data := range map[string][]byte{"b.jsonl": corpus(0, 10), "a.csv": []byte("id,documents\nx,Divers freed the ferry.\n"), "notes.txt": []byte("none"), ".c.jsonl": corpus(10, 20), "in/d.jsonl": corpus(20, 30)} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700), os.WriteFile(filepath.Join(dir, name), data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, input := range []string{dir, dir + "/", filepath.Join(filepath.Dir(dir), "*")} {
		f := Files{Input: input, Output: filepath.Join(t.TempDir(), "out.jsonl"), Shards: 1}
		if err := run(context.Background(), f, settings(), &bytes.Buffer{}); err != nil {
			t.Fatal(err)
		}
		if got := lines(t, f.Output); len(got) != 11 {
			t.Errorf("%s: %d lines", input, len(got))
		}
	}
}

func TestSettings(t *testing.T) {
	files := Files{Input: "in", Output: "out", Shards: 1}
	for name, wrong := range map[string]func(*Settings, *Files){
		"budget":               func(s *Settings, _ *Files) { s.Options["budget"] = "ten" },
		"--lang":               func(s *Settings, _ *Files) { s.Language = "?" },
		"magic":                func(s *Settings, _ *Files) { s.Options["method"] = "magic" },
		"order":                func(s *Settings, _ *Files) { s.Options["order"] = "up" },
		"licence":              func(s *Settings, _ *Files) { s.Options["licence"] = "paid" },
		"cera":                 func(s *Settings, _ *Files) { s.Options["method"] = "cera" },
		"--max-line":           func(s *Settings, _ *Files) { s.MaxLine = 0 },
		"queryWeight":          func(s *Settings, _ *Files) { s.Options["query"], s.Options["queryWeight"] = "why", "2" },
		"by method lead":       func(s *Settings, _ *Files) { s.Options["method"], s.Options["query"] = "lead", "why" },
		"--expert":             func(s *Settings, _ *Files) { s.Expert = []byte("x") },
		"training corpora":     func(s *Settings, _ *Files) { s.LongBudget, s.Options["licence"] = []byte("x"), "free" },
		"--input":              func(_ *Settings, f *Files) { f.Input = "" },
		"--shards":             func(_ *Settings, f *Files) { f.Shards = 0 },
		"syntax error":         func(_ *Settings, f *Files) { f.Input = "[" },
		"output matches":       func(_ *Settings, f *Files) { f.Input, f.Output = "dir/*.jsonl", "dir/out.jsonl" },
		"dir/bad":              func(_ *Settings, f *Files) { f.Input, f.Bad = "dir/*", "dir/bad" },
		"--bad out":            func(_ *Settings, f *Files) { f.Bad = "out" },
		"matches --input dir:": func(_ *Settings, f *Files) { f.Input, f.Output = "dir", "./dir/out.csv.gz" },
		"matches --input d*/:": func(_ *Settings, f *Files) { f.Input, f.Output = "d*/", "dir/out.jsonl" },
		"id field":             func(s *Settings, _ *Files) { s.GroupBy, s.ID = "event", "uuid" },
		"with --cluster": func(s *Settings, _ *Files) {
			s.GroupBy, s.Clustering = "event", Clustering{On: true, Block: 1, Options: clustering.Options{Threshold: 0.1}}
		},
	} {
		s, f := settings(), files
		wrong(&s, &f)
		if err := run(context.Background(), f, s, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := settings().options(); err != nil {
		t.Error(err)
	}
}
