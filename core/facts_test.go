package core

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSamplesStateTheirFacts: the default summary of each sample of the page states
// what an editor would not leave out. testdata/facts.json lists the facts of each
// sample, each as regular expressions of which one must match the summary. Case does
// not matter; without (?s), one sentence has to match. Facts that the method does not
// find yet are marked as missing: the mark has to go when it does.
func TestSamplesStateTheirFacts(t *testing.T) {
	facts := map[string][]struct {
		Fact    string
		Any     []string
		Missing bool
	}{}
	readJSON(t, filepath.Join("testdata", "facts.json"), &facts)
	samples, err := filepath.Glob(filepath.Join("..", "web", "demo", "samples", "*.json"))
	if err != nil || len(samples) != len(facts) {
		t.Fatalf("%d samples, facts of %d, %v", len(samples), len(facts), err)
	}
	for _, path := range samples {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		t.Run(name, func(t *testing.T) {
			var sample struct{ Documents []Document }
			readJSON(t, path, &sample)
			s, err := Summarize(t.Context(), sample.Documents, Options{})
			if err != nil {
				t.Fatal(err)
			}
			everything := inLines(t, sample.Documents)
			if len(facts[name]) == 0 {
				t.Error("no facts")
			}
			for _, f := range facts[name] {
				said := false
				for _, p := range f.Any {
					re := regexp.MustCompile("(?i)" + p)
					said = said || re.MatchString(s.Text)
					if !re.MatchString(everything) {
						t.Errorf("no document says %q", p)
					}
				}
				if said == f.Missing {
					t.Errorf("states that %s: %v, want %v", f.Fact, said, !f.Missing)
				}
			}
			if t.Failed() {
				t.Log(s.Text)
			}
		})
	}
}

// inLines returns all sentences of the documents, one per line.
func inLines(t *testing.T, documents []Document) string {
	t.Helper()
	s, err := Open(t.Context(), documents, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(s.Texts(), "\n")
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}
