package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/lock"
)

// nameFiles determines the output files, refuses names that would overwrite a
// corpus or another output file, and locks the output against other runs.
func (j *batchJob) nameFiles(corpora []string) error {
	if j.badName == "-" {
		return usage(hinted{errors.New("--bad -: want a file, got standard output"), "name a file"})
	}
	var written []string
	if j.name != "" {
		if j.badName == "" {
			j.badName = j.name + ".bad.jsonl"
		}
		// A symbolic link is kept: its target is replaced.
		if to, err := filepath.EvalSymlinks(j.name); err == nil {
			j.name = to
		}
		if info, err := os.Stat(j.name); err == nil && !info.Mode().IsRegular() {
			return hinted{fmt.Errorf("%s is not a regular file", j.name), "name a file, or omit --output"}
		}
		written = append(written, j.name, j.partName(), j.placeName(), j.placeName()+".tmp", j.lockName(), j.convertedName())
	}
	if j.badName != "" {
		info, err := os.Stat(j.badName)
		if err == nil && info.IsDir() {
			return hinted{fmt.Errorf("--bad: %s is a folder", j.badName), "name a file"}
		}
		j.badDevice = err == nil && !info.Mode().IsRegular()
		for _, name := range written {
			if sameFile(name, j.badName) {
				return usage(fmt.Errorf("--bad %s: already used by --output", j.badName))
			}
		}
		if !j.badDevice {
			written = append(written, j.badName)
		}
	}
	for _, corpus := range corpora {
		for _, name := range written {
			if sameFile(name, corpus) {
				return usage(hinted{fmt.Errorf("%s is an input and would be overwritten", corpus), "name other files with --output and --bad"})
			}
		}
	}
	if j.name == "" {
		return nil
	}
	return j.lock()
}

func (j *batchJob) lockName() string { return j.name + ".lock" }

// lock refuses to write files that another run is writing.
func (j *batchJob) lock() error {
	l, err := lock.Try(j.lockName())
	switch {
	case err == nil:
		j.locks = append(j.locks, l)
		return nil
	case errors.Is(err, lock.ErrLocked):
		return hinted{fmt.Errorf("another run is writing %s", j.name), "wait for it, or choose another --output"}
	case errors.Is(err, errors.ErrUnsupported):
		j.app.warn(fmt.Sprintf("%s cannot be locked: make sure that no other run writes it", j.name))
		return nil
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return hinted{fmt.Errorf("cannot write %s: %w", j.name, err), "name a file in an existing, writable folder"}
}

// sameFile reports whether two names refer to the same file, which need not exist.
func sameFile(a, b string) bool {
	one, errA := os.Stat(a)
	two, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(one, two)
	}
	return absolute(a) == absolute(b)
}

// absolute returns an absolute path in which the links of the file's folder are
// resolved.
func absolute(name string) string {
	if full, err := filepath.Abs(name); err == nil {
		name = full
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		name = filepath.Join(folder, filepath.Base(name))
	}
	return name
}

// syncFolder flushes the directory entries of a file's folder to disk where supported.
func syncFolder(name string) error {
	folder, err := os.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	// Not every operating system and file system supports this.
	_ = folder.Sync()
	return folder.Close()
}
