// Audit checks all dependencies of this repository against databases of known
// vulnerabilities, and fails if it finds any. An unreachable database is reported,
// but is an error only with -required.
//
//	go run ./build/release/audit [-required] [-db URL] GOVULNCHECK
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// outcome is the output of one program that queries a database.
type outcome struct {
	stdout, stderr []byte
	code           int // -1: failed to start
}

// check is one query of one database.
type check struct {
	title, database string
	dir             string
	env, argv       []string
	judge           func(outcome) verdict
}

// verdict is the result of a check.
type verdict struct {
	found   []string // vulnerabilities that affect this repository: fail
	notes   []string // other vulnerabilities, for information
	away    string   // why the database was unreachable
	trouble error    // the check itself failed: fail
}

func main() {
	required := flag.Bool("required", false, "fail if a database is unreachable")
	db := flag.String("db", "", "URL of another database for govulncheck")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: audit [-required] [-db URL] GOVULNCHECK, (in the repository root)")
		os.Exit(2)
	}
	if !audit(os.Stdout, checks(flag.Arg(0), *db), run, *required) {
		os.Exit(1)
	}
}

// checks lists the queries. The WebAssembly targets are queried separately, since
// their files differ by target; Beam is a module of its own.
func checks(govulncheck, db string) []check {
	asks := []string{govulncheck, "-format", "json"}
	if db != "" {
		asks = append(asks, "-db", db)
	}
	vulndb := func(title, dir string, env []string, packages ...string) check {
		return check{title, "the Go vulnerability database", dir, env, append(asks[:len(asks):len(asks)], packages...), judgeGo}
	}
	return []check{
		vulndb("Go", ".", nil, "./..."),
		vulndb("Go in the page and at the edge", ".", []string{"GOOS=js", "GOARCH=wasm"}, "./core/...", "./wasm/..."),
		vulndb("Go, the Beam module", "batch/beam", nil, "./..."),
		// No tolerance for what users install, a little for build and test tools.
		{"npm, what is installed with the packages", "npm's advisory database", ".", nil, []string{"npm", "audit", "--json", "--omit=dev"}, judgeNPM("info")},
		{"npm, with what builds and tests", "npm's advisory database", ".", nil, []string{"npm", "audit", "--json"}, judgeNPM("moderate")},
	}
}

// audit runs the checks and reports the results; false means failure. A database
// that was unreachable once is not queried again.
func audit(w io.Writer, checks []check, run func(check) outcome, required bool) bool {
	good := true
	gone := map[string]string{}
	for _, c := range checks {
		v := verdict{away: gone[c.database]}
		if v.away == "" {
			v = c.judge(run(c))
			gone[c.database] = v.away
		}
		switch {
		case v.trouble != nil:
			good = false
			fmt.Fprintf(w, "audit: %s: failed: %v\n", c.title, v.trouble)
		case v.away != "":
			good = good && !required
			fmt.Fprintf(w, "audit: %s: not checked: %s is unreachable (%s)\n", c.title, c.database, v.away)
		case len(v.found) > 0:
			good = false
			fmt.Fprintf(w, "audit: %s: known vulnerabilities: %d\n", c.title, len(v.found))
		default:
			fmt.Fprintf(w, "audit: %s: no known vulnerabilities\n", c.title)
		}
		for _, f := range v.found {
			fmt.Fprintf(w, "  %s\n", f)
		}
		for _, f := range v.notes {
			fmt.Fprintf(w, "  for information: %s\n", f)
		}
	}
	return good
}

func run(c check) outcome {
	cmd := exec.Command(c.argv[0], c.argv[1:]...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), c.env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return outcome{stdout.Bytes(), stderr.Bytes(), 0}
	case errors.As(err, &exit):
		return outcome{stdout.Bytes(), stderr.Bytes(), exit.ExitCode()}
	}
	return outcome{nil, []byte(err.Error()), -1}
}

// lastLine returns the last line of a program's error output.
func lastLine(stderr []byte) string {
	lines := strings.Split(strings.TrimSpace(string(stderr)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
