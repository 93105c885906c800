// Command wordnet generates the table of irregular forms embedded in eval/rouge
// from the exception lists of WordNet 3.0 (in Debian: the package wordnet-base).
//
//	go run ./eval/rouge/wordnet -dir /usr/share/wordnet -out eval/rouge/exceptions.txt
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// lists are read in this order; a later entry replaces an earlier one.
var lists = []string{"adj.exc", "adv.exc", "noun.exc", "verb.exc"}

func main() {
	log.SetFlags(0)
	log.SetPrefix("wordnet: ")
	dir := flag.String("dir", "", "folder with WordNet's exception lists")
	out := flag.String("out", "eval/rouge/exceptions.txt", "output file")
	flag.Parse()
	if *dir == "" {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*dir, *out); err != nil {
		log.Fatal(err)
	}
}

func run(dir, out string) error {
	bases := map[string]string{}
	for _, name := range lists {
		if err := readFile(filepath.Join(dir, name), bases); err != nil {
			return err
		}
	}
	table, err := encode(bases)
	if err != nil {
		return err
	}
	return os.WriteFile(out, table, 0o644)
}

func readFile(name string, bases map[string]string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := read(f, bases); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// read reads lines of a form and its bases, of which the first counts. Forms that
// ROUGE never looks up are left out: those of several tokens or of up to three
// letters.
func read(r io.Reader, bases map[string]string) error {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 {
			continue
		}
		if len(fields) < 2 {
			return fmt.Errorf("line %d: form without a base", n)
		}
		if form := fields[0]; len(form) > 3 && isToken(form) {
			bases[form] = fields[1]
		}
	}
	return lines.Err()
}

func isToken(s string) bool {
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789") == "" && s != ""
}

// encode writes the table in the format of eval/rouge; see parseExceptions.
func encode(bases map[string]string) ([]byte, error) {
	var out bytes.Buffer
	before := ""
	for _, form := range slices.Sorted(maps.Keys(bases)) {
		one, two := shared(before, form), shared(form, bases[form])
		if max(one, two) > 'z'-'a' {
			return nil, fmt.Errorf("%s: too long for the table", form)
		}
		fmt.Fprintf(&out, "%c%s %c%s\n", 'a'+one, form[one:], 'a'+two, bases[form][two:])
		before = form
	}
	return out.Bytes(), nil
}

// shared returns the length of the common prefix.
func shared(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
