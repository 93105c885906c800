// Package dependencies holds docs/dependencies.md to what is in use: every
// direct dependency has a row with its version, and every row a dependency.
package dependencies

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../../.."

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// direct lists the direct dependencies of a go.mod file.
func direct(mod string) map[string]string {
	found := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^(?:require )?\t?([\w.-]+\.[\w.-]+/\S+|gonum\.org\S*) (v\S+)$`).FindAllStringSubmatch(mod, -1) {
		found[m[1]] = m[2]
	}
	return found
}

// rows lists names and versions of the tables of a page. A name that has two
// rows is an error.
func rows(t *testing.T, page string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (\\S+) \\| \\d{4}-\\d\\d-\\d\\d \\| \\S+ \\| [^|]+ \\| [^|]{5,} \\|$").FindAllStringSubmatch(page, -1) {
		if found[m[1]] != "" {
			t.Errorf("%s has two rows", m[1])
		}
		found[m[1]] = m[2]
	}
	return found
}

func TestPage(t *testing.T) {
	used := map[string]string{} // name to version
	add := func(where, name, version string) {
		if was := used[name]; was != "" && was != version {
			t.Errorf("%s: %s is %s, and elsewhere %s", where, name, version, was)
		}
		used[name] = version
	}
	const ours = "github.com/cerasum/cerasum"
	for _, file := range []string{"go.mod", "batch/beam/go.mod"} {
		modules := direct(read(t, file))
		if len(modules) == 0 {
			t.Fatalf("%s names no module", file)
		}
		for name, version := range modules {
			if name != ours {
				add(file, name, version)
			}
		}
	}
	var top struct{ Workspaces []string }
	if err := json.Unmarshal([]byte(read(t, "package.json")), &top); err != nil {
		t.Fatal(err)
	}
	for _, folder := range append(top.Workspaces, ".") {
		file := folder + "/package.json"
		var p struct{ Dependencies, DevDependencies, PeerDependencies, OptionalDependencies map[string]string }
		if err := json.Unmarshal([]byte(read(t, file)), &p); err != nil {
			t.Fatal(err)
		}
		for _, list := range []map[string]string{p.Dependencies, p.DevDependencies, p.PeerDependencies, p.OptionalDependencies} {
			for name, version := range list {
				if name != "cerasum" && name != "cerasum-encoder" { // our own
					add(file, name, version)
				}
			}
		}
	}
	for _, tool := range []struct{ file, name, version string }{
		{"Makefile", "honnef.co/go/tools", `honnef\.co/go/tools/\S+@(v\S+)`},
		{"Makefile", "golang.org/x/vuln", `golang\.org/x/vuln/\S+@(v\S+)`},
		{"web/extension/scripts/lint.mjs", "web-ext", `"web-ext@([^"]+)"`},
	} {
		m := regexp.MustCompile(tool.version).FindStringSubmatch(read(t, tool.file))
		if m == nil {
			t.Errorf("%s names no %s", tool.file, tool.name)
			continue
		}
		add(tool.file, tool.name, m[1])
	}

	told := rows(t, read(t, "docs/dependencies.md"))
	for _, name := range slices.Sorted(maps.Keys(used)) {
		if told[name] == "" {
			t.Errorf("docs/dependencies.md has no row for %s %s", name, used[name])
		} else if told[name] != used[name] {
			t.Errorf("docs/dependencies.md: %s is %s, in use is %s", name, told[name], used[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(told)) {
		if used[name] == "" {
			t.Errorf("docs/dependencies.md: %s is no direct dependency", name)
		}
	}
	// What it says of those further down is of modules that are there.
	sum := read(t, "go.sum")
	_, below, _ := strings.Cut(read(t, "docs/dependencies.md"), "## Unmaintained dependencies")
	named := regexp.MustCompile("`([\\w.-]+\\.\\w+/[\\w./-]+)`").FindAllStringSubmatch(below, -1)
	if len(named) == 0 {
		t.Error("docs/dependencies.md names no unmaintained dependency")
	}
	for _, m := range named {
		if !strings.Contains(sum, m[1]+" ") {
			t.Errorf("docs/dependencies.md: %s is not in go.sum", m[1])
		}
	}
}

// TestReaders: what the test itself goes by reads what it should.
func TestReaders(t *testing.T) {
	mod := "module a.b/c\n\ngo 1.26.0\n\nrequire one.org/x v1.0.0\n\nrequire (\n\ttwo.org/y/v2 v2.0.0-rc.1\n\tthree.org/z v0.1.0 // indirect\n\tgonum.org/v1/gonum v0.17.0\n)\n\nreplace one.org/x => ../x\n"
	if got, want := direct(mod), (map[string]string{"one.org/x": "v1.0.0", "two.org/y/v2": "v2.0.0-rc.1", "gonum.org/v1/gonum": "v0.17.0"}); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	page := "| Name | Version |\n|---|---|\n| `a` | v1 | 2026-01-02 | same | MIT | For this. |\n| `b` | 2.0 | 2026-01-02 | — | MIT OR Apache-2.0 | For that. |\n| `no-reason` | 1 | 2026-01-02 | same | MIT |  |\n"
	if got, want := rows(t, page), (map[string]string{"a": "v1", "b": "2.0"}); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
