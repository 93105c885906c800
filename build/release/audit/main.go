// Audit asks the databases of known vulnerabilities about everything that this
// repository depends on. It fails on what they know; where a database cannot be
// reached it says so and passes, unless -required is given.
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

// outcome is what one program that asks a database left behind.
type outcome struct {
	stdout, stderr []byte
	code           int // -1: it did not start
}

// check is one question to one database.
type check struct {
	title, database string
	dir             string
	env, argv       []string
	judge           func(outcome) verdict
}

// verdict is what came of it.
type verdict struct {
	found   []string // known vulnerabilities that concern this repository: fail
	told    []string // those that do not, or hardly: for the reader
	away    string   // why the database could not be asked
	trouble error    // the check itself is broken: fail
}

func main() {
	required := flag.Bool("required", false, "fail where a database cannot be reached, too")
	db := flag.String("db", "", "another database for govulncheck")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: audit [-required] [-db URL] GOVULNCHECK, in the repository's root")
		os.Exit(2)
	}
	if !audit(os.Stdout, checks(flag.Arg(0), *db), run, *required) {
		os.Exit(1)
	}
}

// checks lists the questions. What runs in the page is one of its own, for its
// files differ by target; Beam is a module of its own.
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
		// What others install gets no leeway; what only builds and tests, a little.
		{"npm, what is installed with the packages", "npm's advisory database", ".", nil, []string{"npm", "audit", "--json", "--omit=dev"}, judgeNPM("info")},
		{"npm, with what builds and tests", "npm's advisory database", ".", nil, []string{"npm", "audit", "--json"}, judgeNPM("moderate")},
	}
}

// audit puts the questions and writes the answers; false is a failure. A
// database that was away once is not asked again.
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
			fmt.Fprintf(w, "audit: %s: not checked: %s cannot be reached (%s)\n", c.title, c.database, v.away)
		case len(v.found) > 0:
			good = false
			fmt.Fprintf(w, "audit: %s: known vulnerabilities: %d\n", c.title, len(v.found))
		default:
			fmt.Fprintf(w, "audit: %s: no known vulnerability\n", c.title)
		}
		for _, f := range v.found {
			fmt.Fprintf(w, "  %s\n", f)
		}
		for _, f := range v.told {
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

// lastLine is the end of what a program complained of, for one line.
func lastLine(stderr []byte) string {
	lines := strings.Split(strings.TrimSpace(string(stderr)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
