package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEverythingFollows: "make version V=…" puts right what this names.
func TestEverythingFollows(t *testing.T) {
	problems, err := differing("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
	list, err := copies("../../..")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, r := range list {
		found[r.file] = true
	}
	for _, file := range []string{"package.json", "js/package.json", "web/extension/package.json", "js/examples/vite/package.json", "package-lock.json", "internal/api/openapi.json"} {
		if !found[file] {
			t.Errorf("%s is not looked at", file)
		}
	}
}

// repository is a small one; its files, each with something that must stay.
func repository(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"core/VERSION":                           "0.1.0\n",
		"internal/api/openapi.json":              `{"openapi": "3.1.0", "info": {"title": "t", "version": "0.1.0"}, "paths": {"version": 1}}`,
		"package.json":                           "{\n  \"private\": true,\n  \"version\": \"0.1.0\"\n}\n",
		"js/package.json":                        `{"devDependencies": {"cerasum": "1.0.0"}, "version" :  "0.1.0" , "name": "<&>"}`,
		"js/examples/a/package.json":             `{"dependencies": {"x": "^0.1.0", "cerasum": "^0.1.0", "cerasum-encoder": "^0.1.0"}}`,
		"web/demo/package.json":                  `{"dependencies": {"cerasum": "*"}}`,
		"web/demo/node_modules/dep/package.json": `{"version": "7.0.0"}`,
		"package-lock.json":                      `{"version": "0.1.0", "packages": {"": {"version": "0.1.0"}, "js": {"version": "0.1.0"}, "node_modules/x": {"version": "0.1.0"}}}`,
	} {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestSet(t *testing.T) {
	root := repository(t)
	if problems, err := differing(root); err != nil || len(problems) > 0 {
		t.Fatalf("%q, %v", problems, err)
	}
	changed, err := set(root, "0.2.0-rc.1")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"core/VERSION", "internal/api/openapi.json", "js/examples/a/package.json", "js/package.json", "package-lock.json", "package.json"}; !slices.Equal(changed, want) {
		t.Errorf("changed %q, want %q", changed, want)
	}
	for name, want := range map[string]string{
		"core/VERSION":               "0.2.0-rc.1\n",
		"internal/api/openapi.json":  `{"openapi": "3.1.0", "info": {"title": "t", "version": "0.2.0-rc.1"}, "paths": {"version": 1}}`,
		"package.json":               "{\n  \"private\": true,\n  \"version\": \"0.2.0-rc.1\"\n}\n",
		"js/package.json":            `{"devDependencies": {"cerasum": "1.0.0"}, "version" :  "0.2.0-rc.1" , "name": "<&>"}`,
		"js/examples/a/package.json": `{"dependencies": {"x": "^0.1.0", "cerasum": "^0.2.0-rc.1", "cerasum-encoder": "^0.2.0-rc.1"}}`,
		"web/demo/package.json":      `{"dependencies": {"cerasum": "*"}}`,
		"package-lock.json":          `{"version": "0.2.0-rc.1", "packages": {"": {"version": "0.2.0-rc.1"}, "js": {"version": "0.2.0-rc.1"}, "node_modules/x": {"version": "0.1.0"}}}`,
	} {
		if got, err := os.ReadFile(filepath.Join(root, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
	if problems, err := differing(root); err != nil || len(problems) > 0 {
		t.Errorf("after: %q, %v", problems, err)
	}
	if changed, err := set(root, "0.2.0-rc.1"); err != nil || len(changed) > 0 {
		t.Errorf("again: %q, %v", changed, err)
	}
}

func TestSetRefuses(t *testing.T) {
	root := repository(t)
	for _, v := range []string{"", "v0.2.0", "0.2", "0.2.0.1", "00.2.0", "0.2.0-", "0.2.0-01", "0.2.0 ", "next", "0.2.0\"}"} {
		if _, err := set(root, v); err == nil || !strings.Contains(err.Error(), "want a semantic version") {
			t.Errorf("%q: %v", v, err)
		}
	}
	for _, v := range []string{"0.2.0", "10.20.30", "1.0.0-alpha.1", "1.0.0-0a", "1.0.0+build.5"} {
		if !semver.MatchString(v) {
			t.Errorf("%q is refused", v)
		}
	}
	// One file that cannot be changed, and none is.
	if err := os.WriteFile(filepath.Join(root, "internal/api/openapi.json"), []byte(`{"info": {}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := set(root, "0.2.0"); err == nil || !strings.Contains(err.Error(), "openapi.json: missing info.version") {
		t.Error(err)
	}
	if got, err := os.ReadFile(filepath.Join(root, "core/VERSION")); err != nil || string(got) != "0.1.0\n" {
		t.Errorf("core/VERSION: %q, %v", got, err)
	}
}

func TestDiffering(t *testing.T) {
	for name, change := range map[string]struct{ text, says string }{
		"core/VERSION":               {"0.2.0\n", `js/package.json: version: want "0.2.0" as in core/VERSION, got "0.1.0"`},
		"js/package.json":            {`{"version": "0.3.0"}`, `js/package.json: version: want "0.1.0" as in core/VERSION, got "0.3.0"`},
		"js/examples/a/package.json": {`{"dependencies": {"cerasum": "0.1.0"}}`, `js/examples/a/package.json: dependencies.cerasum: want "^0.1.0" as in core/VERSION, got "0.1.0"`},
		"package-lock.json":          {`{"version": "0.1.0", "packages": {"": {"version": "0.1.0"}}}`, "package-lock.json: missing packages.js.version"},
		// A package that is new.
		"wasm/edge/package.json": {`{"version": "1.0.0"}`, `wasm/edge/package.json: version: want "0.1.0" as in core/VERSION, got "1.0.0"`},
	} {
		root := repository(t)
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(change.text), 0o644); err != nil {
			t.Fatal(err)
		}
		problems, err := differing(root)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(problems, func(p string) bool { return strings.Contains(p, change.says) }) {
			t.Errorf("%s: %q lacks %q", name, problems, change.says)
		}
	}
	root := repository(t)
	for _, bad := range []string{`{"version": 1}`, `[]`, `{"version": "0.1.0"`[:5], ``} {
		if err := os.WriteFile(filepath.Join(root, "js/package.json"), []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := differing(root); err == nil || !strings.Contains(err.Error(), "js/package.json") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
