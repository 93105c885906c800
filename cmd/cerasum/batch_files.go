package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/lock"
)

// nameFiles settles what a run writes, refuses what would destroy a corpus or
// another of its own files, and locks it against other runs.
func (j *batchJob) nameFiles(corpora []string) error {
	if j.badName == "-" {
		return usage(hinted{errors.New("--bad -: bad lines need a file of their own"), "name one"})
	}
	var written []string
	if j.name != "" {
		if j.badName == "" {
			j.badName = j.name + ".bad.jsonl"
		}
		// A link keeps pointing where it does: its target is replaced.
		if to, err := filepath.EvalSymlinks(j.name); err == nil {
			j.name = to
		}
		if info, err := os.Stat(j.name); err == nil && !info.Mode().IsRegular() {
			return hinted{fmt.Errorf("%s is no ordinary file", j.name), "name a file, or leave --output out"}
		}
		written = append(written, j.name, j.partName(), j.placeName(), j.placeName()+".tmp", j.lockName())
	}
	if j.badName != "" {
		info, err := os.Stat(j.badName)
		if err == nil && info.IsDir() {
			return hinted{fmt.Errorf("--bad: %s is a folder", j.badName), "name a file"}
		}
		j.badDevice = err == nil && !info.Mode().IsRegular()
		for _, name := range written {
			if sameFile(name, j.badName) {
				return usage(fmt.Errorf("--bad %s: the summaries are written there", j.badName))
			}
		}
		if !j.badDevice {
			written = append(written, j.badName)
		}
	}
	for _, corpus := range corpora {
		for _, name := range written {
			if sameFile(name, corpus) {
				return usage(hinted{fmt.Errorf("%s is a corpus, and would be written over", corpus), "name other files with --output and --bad"})
			}
		}
	}
	if j.name == "" {
		return nil
	}
	return j.lock()
}

func (j *batchJob) lockName() string { return j.name + ".lock" }

// lock refuses to write where another run does.
func (j *batchJob) lock() error {
	l, err := lock.Try(j.lockName())
	switch {
	case err == nil:
		j.locks = append(j.locks, l)
		return nil
	case errors.Is(err, lock.ErrLocked):
		return hinted{fmt.Errorf("another run is writing %s", j.name), "wait for it, or choose another --output"}
	case errors.Is(err, errors.ErrUnsupported):
		j.app.warn(fmt.Sprintf("%s cannot be locked here: see that no other run writes it", j.name))
		return nil
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return hinted{fmt.Errorf("cannot write %s: %w", j.name, err), "name a file in a folder that exists and that you may write to"}
}

// sameFile says whether two names are of one file, which need not be there yet.
func sameFile(a, b string) bool {
	one, errA := os.Stat(a)
	two, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(one, two)
	}
	return absolute(a) == absolute(b)
}

// absolute is a name from the root on, with links on the way to its folder
// followed.
func absolute(name string) string {
	if full, err := filepath.Abs(name); err == nil {
		name = full
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		name = filepath.Join(folder, filepath.Base(name))
	}
	return name
}

// syncFolder puts the names in a file's folder on disk, where the system can.
func syncFolder(name string) error {
	folder, err := os.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	// Not every system and file system knows how; a name is then as safe as it
	// makes it.
	_ = folder.Sync()
	return folder.Close()
}
