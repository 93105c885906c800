// Version sets the project's version: core/VERSION and all copies of it. Its test,
// part of "make test", reports files that differ.
//
//	go run ./build/release/version 0.2.0
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// source is the file that defines the version.
const source = "core/VERSION"

// semver is the regular expression suggested by semver.org.
var semver = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$`)

func main() {
	if len(os.Args) != 2 || strings.HasPrefix(os.Args[1], "-") {
		fmt.Fprintln(os.Stderr, "usage: go run ./build/release/version VERSION, (in the repository root), for example 0.2.0")
		os.Exit(2)
	}
	changed, err := set(".", os.Args[1])
	for _, file := range changed {
		fmt.Println(file)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "version:", err)
		os.Exit(1)
	}
}

// copies lists the copies of the version below root. Every package.json is included,
// so that a new one cannot be forgotten.
func copies(root string) ([]repeated, error) {
	list := []repeated{{file: "internal/api/openapi.json", path: []string{"info", "version"}}}
	var files []string
	for _, pattern := range []string{"package.json", "*/package.json", "*/*/package.json", "*/*/*/package.json"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	const lock = "package-lock.json"
	for _, found := range files {
		file, err := filepath.Rel(root, found)
		if err != nil {
			return nil, err
		}
		file = filepath.ToSlash(file)
		folder, _ := strings.CutSuffix(file, "package.json")
		folder = strings.TrimSuffix(folder, "/")
		if slices.ContainsFunc(strings.Split(folder, "/"), func(name string) bool { return name == "node_modules" || name == "out" }) {
			continue
		}
		data, err := os.ReadFile(found)
		if err != nil {
			return nil, err
		}
		own, err := (repeated{file: file, path: []string{"version"}}).find(data)
		if err != nil {
			return nil, err
		}
		if own != nil {
			list = append(list, repeated{file: file, path: []string{"version"}}, repeated{file: lock, path: []string{"packages", folder, "version"}})
		}
		// A package of this repository depends on the local library, "*"; an
		// example depends on those published with it.
		for _, name := range []string{"cerasum", "cerasum-encoder"} {
			library := repeated{file: file, path: []string{"dependencies", name}, prefix: "^"}
			asked, err := library.find(data)
			if err != nil {
				return nil, err
			}
			if asked != nil && asked.value != "*" {
				list = append(list, library)
			}
		}
	}
	return append(list, repeated{file: lock, path: []string{"version"}}), nil
}

// set writes the version everywhere and returns the changed files.
func set(root, version string) (changed []string, err error) {
	if !semver.MatchString(version) {
		return nil, fmt.Errorf("want a semantic version such as 0.2.0 or 0.2.0-rc.1, got %q", version)
	}
	list, err := copies(root)
	if err != nil {
		return nil, err
	}
	// Find everything before writing anything.
	contents := map[string][]byte{}
	for _, r := range list {
		data, read := contents[r.file]
		if !read {
			if data, err = os.ReadFile(filepath.Join(root, r.file)); err != nil {
				return nil, err
			}
		}
		at, err := r.find(data)
		if err != nil {
			return nil, err
		}
		if at == nil {
			return nil, fmt.Errorf("%s: missing %s", r.file, strings.Join(r.path, "."))
		}
		contents[r.file] = slices.Concat(data[:at.start], []byte(`"`+r.prefix+version+`"`), data[at.end:])
	}
	contents[source] = []byte(version + "\n")
	for file, data := range contents {
		name := filepath.Join(root, file)
		was, err := os.ReadFile(name)
		if err != nil {
			return changed, err
		}
		if bytes.Equal(was, data) {
			continue
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return changed, err
		}
		changed = append(changed, file)
	}
	slices.Sort(changed)
	return changed, nil
}

// differing reports copies that differ from core/VERSION.
func differing(root string) ([]string, error) {
	data, err := os.ReadFile(filepath.Join(root, source))
	if err != nil {
		return nil, err
	}
	version := strings.TrimSpace(string(data))
	var problems []string
	if !semver.MatchString(version) {
		problems = append(problems, fmt.Sprintf("%s: want a semantic version, got %q", source, version))
	}
	list, err := copies(root)
	if err != nil {
		return nil, err
	}
	for _, r := range list {
		data, err := os.ReadFile(filepath.Join(root, r.file))
		if err != nil {
			return nil, err
		}
		at, err := r.find(data)
		if err != nil {
			return nil, err
		}
		switch {
		case at == nil:
			problems = append(problems, fmt.Sprintf("%s: missing %s", r.file, strings.Join(r.path, ".")))
		case at.value != r.prefix+version:
			problems = append(problems, fmt.Sprintf("%s: %s: want %q as in core/VERSION, got %q", r.file, strings.Join(r.path, "."), r.prefix+version, at.value))
		}
	}
	return problems, nil
}

// repeated is the path of a member in a JSON file whose value is prefix and
// version.
type repeated struct {
	file   string
	path   []string
	prefix string
}

// span is a string in a JSON file: data[start:end], including quotes.
type span struct {
	start, end int
	value      string
}

// find locates the value, so that the rest of the file is not changed; nil if it is
// absent.
func (r repeated) find(data []byte) (*span, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	for i, name := range r.path {
		there, err := enter(d, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", r.file, strings.Join(r.path[:i+1], "."), err)
		}
		if !there {
			return nil, nil
		}
	}
	var raw json.RawMessage
	var value string
	if err := d.Decode(&raw); err != nil {
		return nil, fmt.Errorf("%s: %w", r.file, err)
	}
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", r.file, strings.Join(r.path, "."), err)
	}
	end := int(d.InputOffset())
	return &span{end - len(raw), end, value}, nil
}

// enter moves into an object, up to the value of the named member.
func enter(d *json.Decoder, name string) (bool, error) {
	token, err := d.Token()
	if err != nil {
		return false, err
	}
	if token != json.Delim('{') {
		return false, fmt.Errorf("want an object, got %v", token)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return false, err
		}
		if key == name {
			return true, nil
		}
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil {
			return false, err
		}
	}
	return false, nil
}
