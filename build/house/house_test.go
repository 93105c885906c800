// Package house tests which package may import which: docs/architecture.md
// draws the rooms and the arrows between them.
package house

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/cerasum/cerasum/"

// list runs go list for a target and returns, for each package, its path and
// what its template adds. Only the tests' own environment is passed on.
func list(t *testing.T, goos, goarch string, args ...string) [][]string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command here to list the packages with")
	}
	touch(t)
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = "../.."
	cmd.Env = os.Environ()
	if goos != "" {
		cmd.Env = append(cmd.Env, "GOOS="+goos, "GOARCH="+goarch)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	var packages [][]string
	for line := range strings.Lines(string(out)) {
		packages = append(packages, strings.Fields(line))
	}
	if len(packages) == 0 {
		t.Fatalf("go list %s names no package", strings.Join(args, " "))
	}
	return packages
}

// touch looks at every Go file of the rooms that the rules are about: go test
// keeps a result until a file that the test itself looked at changes, and does
// not know what go list reads.
func touch(t *testing.T) {
	t.Helper()
	for _, room := range []string{"core", "internal", "eval", "batch", "models", "wasm", "cmd", "research", "js", "build"} {
		err := filepath.WalkDir("../../"+room, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() && (entry.Name() == "node_modules" || path == "../../build/out") {
				return fs.SkipDir
			}
			if err == nil && filepath.Ext(path) == ".go" {
				_, err = os.Stat(path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// within says whether a path is the package prefix or lies below it.
func within(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, prefix+"/")
}

// inside returns a package's path in this module, or false.
func inside(path string) (string, bool) { return strings.CutPrefix(path, module) }

// room is the first element of a path in this module: "core".
func room(path string) string {
	first, _, _ := strings.Cut(path, "/")
	return first
}

// targets are where the rules must hold: files differ by target.
var targets = []struct{ name, goos, goarch string }{
	{"native", "", ""},
	{"page", "js", "wasm"},
}

// public are the packages that others may import: those that are neither
// internal nor commands. Adding one is a promise; ten is the limit.
var public = []string{
	"batch",
	"core", "core/centroid", "core/cluster", "core/linalg", "core/selection",
	"eval/dataset", "eval/evaluate", "eval/rouge",
	"models",
}

func TestPublicPackages(t *testing.T) {
	if len(public) > 10 {
		t.Errorf("%d public packages, want at most 10", len(public))
	}
	var found []string
	for _, p := range list(t, "", "", "-f", `{{if .GoFiles}}{{.Name}} {{.ImportPath}}{{end}}`, "./...") {
		path, ok := inside(p[1])
		if ok && p[0] != "main" && !slices.Contains(strings.Split(path, "/"), "internal") {
			found = append(found, path)
		}
	}
	if !slices.Equal(found, public) {
		t.Errorf("public packages are %q, want %q", found, public)
	}
}

// arrows lists, for each room, the rooms that its packages may import besides
// packages of their own room.
var arrows = map[string][]string{
	"core":     {"internal"},
	"internal": {"core", "batch"},
	"eval":     {"core", "internal"},
	"batch":    {"core", "internal"},
	"models":   {"core", "internal"},
	"wasm":     {"core", "batch", "internal"},
	"cmd":      {"core", "batch", "eval", "models", "internal"},
	"build":    {"core", "internal"},
	"research": {"core", "internal"},
	"js":       {"internal"}, // bench/seq2seq writes ONNX files
}

// intoCore lists what packages under internal import of core, which itself
// imports some of them, and of batch. All else under internal stands alone.
var intoCore = map[string][]string{
	// What core is built on: the types of documents and of vectors.
	"internal/text":               {"core/cluster"},
	"internal/lexical":            {"core/cluster", "core/linalg"},
	"internal/lexical/background": {"core/cluster"},
	"internal/lexical/tables":     {"core/cluster"},
	"internal/reading":            {"core/cluster"},
	// Files of other programs, whose blocks have the kinds of documents'.
	"internal/files": {"core/cluster"},
	// Files of weights, for package models and for commands.
	"internal/weights": {"core/centroid"},
	// Trainers use what they train.
	"internal/train/centroid": {"core/centroid", "core/linalg"},
	"internal/train/salience": {"core", "core/cluster"},
	// "cerasum select" and POST /v1/select call the search itself.
	"internal/wire": {"core/centroid", "core/cluster", "core/linalg", "core/selection"},
	// A measure of finished summaries.
	"internal/reading/disagreements": {"core/cluster"},

	"internal/translated": {"core/cluster"},
	// The options of a summary as text.
	"internal/options": {"core", "core/centroid"},
	// Documents of corpora, with fields that package batch accepts.
	"internal/records": {"core", "core/cluster"},
	// The HTTP interface, which the Worker and "cerasum serve" share.
	"internal/api": {"batch", "core", "core/selection"},
	// What package batch counts, over OTLP.
	"internal/telemetry": {"batch"},
}

func TestArrows(t *testing.T) {
	for _, target := range targets {
		t.Run(target.name, func(t *testing.T) {
			for _, p := range list(t, target.goos, target.goarch, "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...") {
				from, _ := inside(p[0])
				allowed, known := arrows[room(from)]
				if !known {
					t.Errorf("%s is in a room without arrows: add %q to them", from, room(from))
					continue
				}
				for _, imported := range p[1:] {
					to, ok := inside(imported)
					if !ok {
						continue
					}
					if room(to) != room(from) && !slices.Contains(allowed, room(to)) {
						t.Errorf("%s imports %s", from, to)
					}
					if room(from) == "internal" && room(to) != "internal" && !slices.Contains(intoCore[from], to) {
						t.Errorf("%s imports %s: intoCore does not list it", from, to)
					}
				}
			}
		})
	}
}

// TestCoreImports checks what the core's packages import themselves (the
// standard library reaches os through fmt, which cannot be helped).
func TestCoreImports(t *testing.T) {
	forbidden := []string{"os", "net", "syscall/js", "github.com/knights-analytics/hugot", "golang.org/x/net"}
	for _, target := range targets {
		t.Run(target.name, func(t *testing.T) {
			for _, p := range list(t, target.goos, target.goarch, "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./core/...") {
				for _, imported := range p[1:] {
					for _, f := range forbidden {
						if within(imported, f) {
							t.Errorf("%s imports %s", p[0], imported)
						}
					}
				}
			}
		})
	}
}

// TestPageDependencies checks everything that the page's program contains.
func TestPageDependencies(t *testing.T) {
	forbidden := []string{
		"net", "encoding/json", "regexp", "text/template", "html/template", "crypto/tls",
		"github.com/knights-analytics/hugot", "golang.org/x/text", "golang.org/x/net",
	}
	// Small things for which the page would pay with tens of kilobytes: our own
	// packages in it do without. (A library imports fmt and log all the same, in
	// functions that the linker drops.)
	heavy := []string{"fmt", "log", "net", "os", "reflect", "runtime/debug", "encoding", "sort"}
	var ours []string
	for _, p := range list(t, "js", "wasm", "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./wasm/page") {
		if path, ok := inside(p[0]); ok {
			ours = append(ours, path)
			if !slices.Contains([]string{"core", "wasm", "internal"}, room(path)) {
				t.Errorf("the page's program contains %s", path)
			}
			for _, imported := range p[1:] {
				for _, f := range heavy {
					if within(imported, f) {
						t.Errorf("%s, which the page's program contains, imports %s", path, imported)
					}
				}
			}
		}
		for _, f := range forbidden {
			if within(p[0], f) {
				t.Errorf("the page's program contains %s", p[0])
			}
		}
	}
	for _, p := range list(t, "js", "wasm", "./core/...") {
		if path, _ := inside(p[0]); !slices.Contains(ours, path) {
			t.Errorf("%s is not part of the page's program: it belongs in another room", path)
		}
	}
}

// TestServersNeedNoBrowser checks the parts of wasm that servers and tests use
// too.
func TestServersNeedNoBrowser(t *testing.T) {
	for _, target := range targets {
		for _, p := range list(t, target.goos, target.goarch, "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./wasm/internal/protocol", "./internal/api") {
			for _, imported := range p[1:] {
				if imported == "syscall/js" || imported == module+"wasm/internal/kernel" {
					t.Errorf("%s imports %s", p[0], imported)
				}
			}
		}
	}
}
