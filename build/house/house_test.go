// Package house holds the rules of which package may import which, as tests.
// Arrows never turn back: wasm and cmd import core, core imports neither.
package house

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
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
	for _, room := range []string{"core", "internal", "eval", "batch", "models", "wasm", "cmd"} {
		err := filepath.WalkDir("../../"+room, func(path string, entry fs.DirEntry, err error) error {
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

// targets are where the core must keep its rules: files differ by target.
var targets = []struct{ name, goos, goarch string }{
	{"native", "", ""},
	{"page", "js", "wasm"},
}

// TestCoreImports checks what the core's packages import themselves (the
// standard library reaches os through fmt, which cannot be helped).
func TestCoreImports(t *testing.T) {
	forbidden := []string{
		"os", "net", "syscall/js", "github.com/knights-analytics/hugot", "golang.org/x/net",
		module + "wasm", module + "cmd",
	}
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

// TestPageDependencies checks everything that ends up in the page's program.
func TestPageDependencies(t *testing.T) {
	forbidden := []string{
		"net", "encoding/json", "regexp", "text/template", "html/template", "crypto/tls",
		"github.com/knights-analytics/hugot", "golang.org/x/text", "golang.org/x/net",
		module + "cmd", module + "eval/dataset", module + "eval/evaluate", module + "internal/train", module + "eval/rouge",
	}
	// Small things for which the page would pay with tens of kilobytes: our own
	// packages in it do without. (A library brings fmt all the same; the page is
	// built with a copy of it that does not, see build/lean-module.mjs.)
	heavy := []string{"fmt", "log", "reflect", "runtime/debug", "encoding", "sort"}
	core := false
	for _, p := range list(t, "js", "wasm", "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./wasm/page") {
		core = core || p[0] == module+"core"
		if strings.HasPrefix(p[0], module) {
			for _, imported := range p[1:] {
				for _, f := range heavy {
					if within(imported, f) {
						t.Errorf("%s, which the page's program contains, imports %s", p[0], imported)
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
	if !core {
		t.Error("the page's program does not contain the core")
	}
}

// TestArrows checks the rooms that only look down.
func TestArrows(t *testing.T) {
	for _, target := range targets {
		for _, p := range list(t, target.goos, target.goarch, "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./wasm/...") {
			for _, imported := range p[1:] {
				if within(imported, module+"cmd") {
					t.Errorf("%s imports %s", p[0], imported)
				}
				if (imported == "syscall/js" || imported == module+"wasm/internal/kernel") && (within(p[0], module+"wasm/internal/protocol") || within(p[0], module+"wasm/edge/internal/api")) {
					t.Errorf("%s imports %s: it serves servers too", p[0], imported)
				}
			}
		}
	}
}
