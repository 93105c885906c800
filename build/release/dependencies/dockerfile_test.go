package dependencies

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// TestDockerfile: the image's build, which nothing else here runs, has what
// "npm ci" reads of each workspace, Go that go.mod takes, and bases that are
// pinned to a version.
func TestDockerfile(t *testing.T) {
	file := read(t, "Dockerfile")
	var top struct {
		Workspaces []string
		Engines    struct{ Node string }
	}
	if err := json.Unmarshal([]byte(read(t, "package.json")), &top); err != nil {
		t.Fatal(err)
	}
	for _, folder := range top.Workspaces {
		if line := "COPY " + folder + "/package.json " + folder + "/\n"; !strings.Contains(file, line) {
			t.Errorf("the Dockerfile lacks %q", line)
		}
	}
	pin := func(name string) string {
		m := regexp.MustCompile(`(?m)^ARG ` + name + `=(\d+\.\d+)\.\d+$`).FindStringSubmatch(file)
		if m == nil {
			t.Fatalf("the Dockerfile pins no %s", name)
		}
		return m[1]
	}
	if version := pin("GO"); !strings.Contains(read(t, "go.mod"), "\ngo "+version+".") {
		t.Errorf("the Dockerfile takes Go %s, go.mod another", version)
	}
	if major, _, _ := strings.Cut(pin("NODE"), "."); !strings.HasPrefix(top.Engines.Node, ">="+major+".") {
		t.Errorf("the Dockerfile takes Node.js %s, package.json %s", major, top.Engines.Node)
	}
	// The scripts that look for Node.js, and fetch it.
	oldest := strings.TrimPrefix(top.Engines.Node, ">=")
	fetched := regexp.MustCompile(`(?m)^ARG NODE=(.+)$`).FindStringSubmatch(file)[1]
	for _, want := range [][2]string{{"build/check-tools.sh", "need_node=" + oldest}, {"build/node.sh", "need=" + oldest}, {"build/node.sh", "version=" + fetched}} {
		if !strings.Contains(read(t, want[0]), "\n"+want[1]+"\n") {
			t.Errorf("%s lacks %s", want[0], want[1])
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^FROM (\S+)`).FindAllStringSubmatch(file, -1) {
		if m[1] != "scratch" && !regexp.MustCompile(`:\$\{(GO|NODE)\}-`).MatchString(m[1]) {
			t.Errorf("%s is pinned to no version", m[1])
		}
	}
	if !strings.Contains(file, "\nUSER 65532:65532\n") || !strings.Contains(file, "\nHEALTHCHECK ") {
		t.Error("the image has no user of its own, or no health check")
	}
}
