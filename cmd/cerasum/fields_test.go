package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// odd is a corpus of 12 records with unknown fields, one of which is misspelt.
func odd() []byte {
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, `{"id": %d, "url": "https://example.org/%d", "documnets": [], "documents": [{"text": "The dam broke. The mayor left.", "tags": [%d]}], "references": ["The dam broke."]}`+"\n", i, i, i)
	}
	return []byte(b.String())
}

func TestUnknownFields(t *testing.T) {
	corpus := file(t, "odd.jsonl", odd())
	counts := []string{
		`cerasum: warning: ignored field "documnets" in 12 records: did you mean "documents"?`,
		`cerasum: warning: ignored field "url" in 12 records`, `cerasum: warning: ignored field "documents[].tags" in 12 records`,
	}
	commands := map[string][]string{
		"batch":     {"batch", corpus, "--budget", "1s"},
		"summarize": {"summarize", corpus, "--budget", "1s", "--format", "json"},
		"explain":   {"explain", corpus, "--budget", "1s", "--format", "json"},
		"evaluate":  {"evaluate", "--dataset", corpus, "--methods", "lead", "--state", ""},
	}
	for name, args := range commands {
		t.Run(name, func(t *testing.T) {
			a := cli(t, nil, args...).want(t, exitOK, counts...)
			if n := strings.Count(a.stderr, "warning"); n != len(counts) {
				t.Errorf("%d warnings, want %d:\n%s", n, len(counts), a.stderr)
			}
			if strings.Contains(a.stdout, "documnets") {
				t.Errorf("stdout: %s", a.stdout)
			}
			if quiet := cli(t, nil, append(args, "--quiet")...).want(t, exitOK); quiet.stderr != "" {
				t.Errorf("quiet: %s", quiet.stderr)
			}
			cli(t, nil, append(args, "--strict")...).want(t, exitFailed, "unknown field")
			if name == "evaluate" {
				return
			}
			kept := cli(t, nil, append(args, "--keep-fields")...).want(t, exitOK)
			if kept.stderr != "" {
				t.Errorf("kept: %s", kept.stderr)
			}
			lines := strings.Split(strings.TrimSpace(kept.stdout), "\n")
			var line struct {
				URL       string
				Documnets []any
				Documents []struct{ Tags []int }
			}
			if err := json.Unmarshal([]byte(lines[3]), &line); err != nil || len(lines) != 12 {
				t.Fatalf("%d lines, %v", len(lines), err)
			}
			if line.URL != "https://example.org/3" || line.Documnets == nil || len(line.Documents) != 1 || line.Documents[0].Tags[0] != 3 {
				t.Errorf("%s", lines[3])
			}
		})
	}
	cli(t, nil, "summarize", corpus, "--keep-fields").want(t, exitUsage, "--keep-fields", "--format json")
	cli(t, nil, "batch", corpus, "--keep-fields", "--strict").want(t, exitUsage, "--keep-fields")
	// What a run makes depends on the flags: another one does not resume it.
	out := filepath.Join(t.TempDir(), "out.jsonl")
	cli(t, nil, "batch", corpus, "--budget", "1s", "--output", out, "--keep-fields").want(t, exitOK)
	if got := string(mustRead(t, out)); strings.Count(got, `"documnets":[]`) != 12 {
		t.Errorf("%s", got)
	}
}

func TestManyUnknownFields(t *testing.T) {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, `{"field%d": 1, "documents": ["The dam broke."]}`+"\n", i)
	}
	a := cli(t, strings.NewReader(b.String()), "batch", "-").want(t, exitOK, "ignored 20 other fields")
	if n := strings.Count(a.stderr, "warning"); n != maxFields+1 {
		t.Errorf("%d warnings:\n%s", n, a.stderr)
	}
}
