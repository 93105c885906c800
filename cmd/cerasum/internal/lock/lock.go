// Package lock keeps two processes from the same work.
//
// Start with [Acquire], which waits for the other, or with [Try], which does not.
package lock

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// ErrLocked says that another holds the lock.
var ErrLocked = errors.New("locked")

// A Lock is held on a file, and given back by the system when the process
// ends, however that comes about: a lock file that was left behind locks no
// one.
type Lock struct{ file *os.File }

// Acquire waits for the lock; waiting is called once if another has it. It makes
// the folder that the file is in.
func Acquire(ctx context.Context, name string, waiting func()) (*Lock, error) {
	for {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return nil, fmt.Errorf("cannot lock %s: %w", name, err)
		}
		l, err := Try(name)
		if err == nil {
			return l, nil
		}
		// The folder may have been removed in this moment.
		if !errors.Is(err, ErrLocked) && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("cannot lock %s: %w", name, err)
		}
		if waiting != nil {
			waiting()
			waiting = nil
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Try locks, or gives [ErrLocked] where another process has the lock.
func Try(name string) (*Lock, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := lockFile(f); err != nil {
		f.Close()
		return nil, err
	}
	// Who held it before may have removed the file: then this locks nothing.
	mine, err := f.Stat()
	if err == nil {
		var there fs.FileInfo
		if there, err = os.Stat(name); err == nil && os.SameFile(mine, there) {
			return &Lock{f}, nil
		}
	}
	f.Close()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return nil, ErrLocked
}

// Release gives the lock back. The file goes while the lock is held, so that
// no one can hold a lock on a file that another has replaced; where an open
// file cannot be removed it stays, which does no harm.
func (l *Lock) Release() {
	_ = os.Remove(l.file.Name())
	_ = l.file.Close()
}
