package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/internal/text"
)

// emit takes one sentence of a language.
type emit func(language, sentence string) error

// readLines calls fn with each line of a gzip file.
func readLines(path string, fn func(line string) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	r := bufio.NewReaderSize(z, 1<<20)
	for n := 1; ; n++ {
		line, err := r.ReadString('\n')
		if line = strings.TrimSuffix(line, "\n"); line != "" {
			if err := fn(line); err != nil {
				return fmt.Errorf("%s:%d: %w", path, n, err)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
}

// readParallel reads objects with a key per language. Longer keys ("document")
// are no languages.
func readParallel(path string, out emit) error {
	return readLines(path, func(line string) error {
		var row map[string]string
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			return err
		}
		keys := make([]string, 0, len(row))
		for key := range row {
			if len(key) == 2 {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		for _, key := range keys {
			if err := out(key, row[key]); err != nil {
				return err
			}
		}
		return nil
	})
}

// readPairs reads language TAB language TAB sentence TAB sentence. A sentence
// stands in many pairs; it is counted once for its language.
func readPairs(path string, out emit) error {
	seen := map[[2]string]struct{}{}
	return readLines(path, func(line string) error {
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			return fmt.Errorf("want 4 fields, got %d", len(f))
		}
		for i := range 2 {
			key := [2]string{f[i], f[i+2]}
			if _, ok := seen[key]; ok {
				continue
			}
			seen[key] = struct{}{}
			if err := out(f[i], f[i+2]); err != nil {
				return err
			}
		}
		return nil
	})
}

// readArticles reads objects with whole texts in "documents".
func readArticles(path, language string, out emit) error {
	return readLines(path, func(line string) error {
		var row struct {
			Documents []string `json:"documents"`
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			return err
		}
		for _, doc := range row.Documents {
			for _, s := range text.Split(doc, language) {
				if err := out(language, s.Text); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
