package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// translator translates lines with a user-supplied command and caches the
// translations in a file: one JSON array [line, translation] per line.
type translator struct {
	command string
	cache   *os.File
	known   map[string]string
}

// openTranslator reads the cache; an empty name selects the command's file in the
// user's cache folder.
func (a *app) openTranslator(command, cache string) (*translator, error) {
	if cache == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return nil, hinted{err, "name a file with --translation-cache"}
		}
		sum := sha256.Sum256([]byte(command))
		cache = filepath.Join(base, "cerasum", fmt.Sprintf("translations-%x.jsonl", sum[:8]))
		if err := os.MkdirAll(filepath.Dir(cache), 0o777); err != nil {
			return nil, err
		}
	}
	f, err := os.OpenFile(cache, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	t := &translator{command: command, cache: f, known: map[string]string{}}
	end, err := t.load()
	if err == nil {
		err = f.Truncate(end)
	}
	if err == nil {
		_, err = f.Seek(end, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", cache, err), f.Close())
	}
	return t, nil
}

// load reads the cache and returns the end of its last complete line.
func (t *translator) load() (end int64, err error) {
	r := bufio.NewReader(t.cache)
	for number := 1; ; number++ {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return end, nil
		}
		if err != nil {
			return 0, err
		}
		var pair []string
		if json.Unmarshal(line, &pair) != nil || len(pair) != 2 {
			return 0, hinted{fmt.Errorf("line %d: want [line, translation]", number), "remove the file, or name another one with --translation-cache"}
		}
		t.known[pair[0]] = pair[1]
		end += int64(len(line))
	}
}

func (t *translator) Close() error { return t.cache.Close() }

// translate returns translations, and runs the command once for all lines that
// are not cached.
func (t *translator) translate(ctx context.Context, lines []string) ([]string, error) {
	var missing []string
	for _, l := range lines {
		if _, ok := t.known[l]; !ok {
			missing = append(missing, l)
		}
	}
	if len(missing) > 0 {
		answers, err := t.ask(ctx, missing)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		for i, l := range missing {
			t.known[l] = answers[i]
			if err := e.Encode([2]string{l, answers[i]}); err != nil {
				return nil, err
			}
		}
		if _, err := t.cache.Write(b.Bytes()); err != nil {
			return nil, err
		}
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = t.known[l]
	}
	return out, nil
}

// ask runs the command once: it must output as many lines as it reads.
func (t *translator) ask(ctx context.Context, lines []string) ([]string, error) {
	shell := []string{"sh", "-c"}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/C"}
	}
	cmd := exec.CommandContext(ctx, shell[0], shell[1], t.command)
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		said := stderr.String()
		return nil, fmt.Errorf("translate command: %w: %s", err, strings.TrimSpace(said[max(0, len(said)-500):]))
	}
	answers := strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n")
	if len(answers) != len(lines) {
		return nil, hinted{fmt.Errorf("translate command: want %d lines, got %d", len(lines), len(answers)), "the command must output one line per input line"}
	}
	for i, s := range answers {
		answers[i] = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	}
	return answers, nil
}
