package house

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// markdown returns the Markdown files of the repository by path.
func markdown(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err // d may be nil
		}
		switch name := d.Name(); {
		case d.IsDir() && (name == "node_modules" || name == "testdata" || name == "dist" || name == "out" || name == "shared" || strings.HasPrefix(name, ".") && name != ".."):
			return filepath.SkipDir
		case filepath.Ext(name) == ".md":
			b, err := os.ReadFile(path)
			files[filepath.Clean(path)] = string(b)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var (
	codeBlock = regexp.MustCompile("(?s)```.*?```")
	link      = regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"`)
	heading   = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	notAnchor = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	// makeCall is a command in a sentence, or on a line of a code block.
	makeCall = regexp.MustCompile("(?m)(?:`|^(?:    )?)make ([a-z][a-z-]*)(?:`|$| +#| [A-Z]+=)")
)

// anchors returns the anchors that forges give the headings of a file.
func anchors(text string) map[string]bool {
	found, times := map[string]bool{}, map[string]int{}
	for _, m := range heading.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, ""), -1) {
		a := strings.ReplaceAll(strings.ToLower(notAnchor.ReplaceAllString(m[1], "")), " ", "-")
		if n := times[a]; n > 0 {
			found[fmt.Sprintf("%s-%d", a, n)] = true
		} else {
			found[a] = true
		}
		times[a]++
	}
	return found
}

func TestLinks(t *testing.T) {
	files, links := markdown(t), 0
	for file, text := range files {
		for _, m := range link.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, ""), -1) {
			to := m[1] + m[2]
			if strings.Contains(to, "://") {
				continue
			}
			links++
			path, anchor, _ := strings.Cut(to, "#")
			target := file
			if path != "" {
				target = filepath.Join(filepath.Dir(file), path)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s: no such file", file, to)
			} else if other, ok := files[target]; ok && anchor != "" && !anchors(other)[anchor] {
				t.Errorf("%s: %s: no such heading", file, to)
			}
		}
	}
	if links < 100 {
		t.Errorf("got %d links, want at least 100", links)
	}
}

func TestMakeTargetsInDocs(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for file, text := range markdown(t) {
		for _, m := range makeCall.FindAllStringSubmatch(text, -1) {
			calls++
			if !strings.Contains(string(makefile), "\n"+m[1]+":") {
				t.Errorf("%s: make %s: no such target", file, m[1])
			}
		}
	}
	if calls < 50 {
		t.Errorf("got %d commands, want at least 50", calls)
	}
}
