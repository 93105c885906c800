package house

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// scripts are the folders of TypeScript, with those that each may import from
// by relative paths. They import the library by its name, cerasum.
var scripts = map[string][]string{
	"js/src":            nil,
	"web/common":        nil,
	"web/demo/src":      {"web/common"},
	"web/extension/src": {"web/common"},
}

// relativeImport finds the paths of static imports and exports, of types too,
// and of dynamic imports. An import by a variable is not found.
var relativeImport = regexp.MustCompile(`(?m)^[ \t]*(?:import|export)\b[^;"'` + "`" + `()=]*["'](\.[^"']+)["']` + `|\bimport\(\s*["'](\.[^"']+)["']`)

// importsOf returns the files of the repository that a source text imports.
func importsOf(t *testing.T, file, source string) []string {
	t.Helper()
	var found []string
	for _, m := range relativeImport.FindAllStringSubmatch(source, -1) {
		to := path.Join(path.Dir(file), m[1]+m[2])
		if path.Ext(to) == ".css" {
			continue
		}
		stem := strings.TrimSuffix(to, path.Ext(to))
		i := slices.IndexFunc([]string{to, stem + ".ts", stem + ".d.ts"}, func(name string) bool {
			_, err := os.Stat("../../" + name)
			return err == nil
		})
		if i < 0 {
			t.Errorf("%s imports %s, which does not exist", file, m[1]+m[2])
			continue
		}
		found = append(found, []string{to, stem + ".ts", stem + ".d.ts"}[i])
	}
	return found
}

// scriptImports returns the imports of every TypeScript file of the folders.
func scriptImports(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	for folder := range scripts {
		err := filepath.WalkDir("../../"+folder, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(name) != ".ts" {
				return err
			}
			source, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			file := strings.TrimPrefix(filepath.ToSlash(name), "../../")
			imports[file] = importsOf(t, file, string(source))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return imports
}

// circle returns files of which each imports the next and the last the first,
// or nil.
func circle(imports map[string][]string) []string {
	done := map[string]bool{}
	var trail []string
	var visit func(string) []string
	visit = func(file string) []string {
		if i := slices.Index(trail, file); i >= 0 {
			return slices.Clone(trail[i:])
		}
		if done[file] {
			return nil
		}
		trail = append(trail, file)
		for _, to := range imports[file] {
			if found := visit(to); found != nil {
				return found
			}
		}
		trail = trail[:len(trail)-1]
		done[file] = true
		return nil
	}
	files := make([]string, 0, len(imports))
	for file := range imports {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		if found := visit(file); found != nil {
			return found
		}
	}
	return nil
}

func TestScriptsHaveNoImportCircle(t *testing.T) {
	imports := scriptImports(t)
	if found := circle(imports); found != nil {
		t.Errorf("import circle: %s → %s", strings.Join(found, " → "), found[0])
	}
	edges := 0
	for _, to := range imports {
		edges += len(to)
	}
	if edges < len(imports) {
		t.Errorf("%d imports found in %d files: the pattern does not read them", edges, len(imports))
	}
}

func TestScriptArrows(t *testing.T) {
	for file, imports := range scriptImports(t) {
		for folder, allowed := range scripts {
			if !within(file, folder) {
				continue
			}
			for _, to := range imports {
				if !slices.ContainsFunc(append([]string{folder}, allowed...), func(f string) bool { return within(to, f) }) {
					t.Errorf("%s imports %s", file, to)
				}
			}
		}
	}
}

func TestImportsAreFound(t *testing.T) {
	source := `
import type { Session } from "./session.js";
import {
  open, type Core,
} from './core.js';
import "./life.js";
import styles from "../x.css";
export * from "./errors.js";
export { a as b } from "./public.js";
const late = () => import("./calls.js");
export const text = "./not-imported.js";
import { h } from "cerasum";
`
	want := []string{"session", "core", "life", "errors", "public", "calls"}
	var got []string
	for _, file := range importsOf(t, "js/src/index.ts", source) {
		got = append(got, strings.TrimSuffix(path.Base(file), ".ts"))
	}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if found := circle(map[string][]string{"a": {"b", "c"}, "b": {"d"}, "c": {"d", "e"}, "e": {"c"}}); !slices.Equal(found, []string{"c", "e"}) {
		t.Errorf("circle is %q, want c and e", found)
	}
}
