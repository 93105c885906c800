// Package lock prevents two processes from doing the same work.
//
// Start with [Acquire], which waits for the lock, or [Try], which does not.
package lock

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// ErrLocked is returned by [Try] if another process holds the lock.
var ErrLocked = errors.New("locked")

// A Lock is held on a file. The operating system releases it when the process
// ends, even after a crash: a stale lock file locks nothing.
type Lock struct{ file *flock.Flock }

// Acquire waits for the lock; waiting is called once if another process holds
// it. It creates the folder of the file.
func Acquire(ctx context.Context, name string, waiting func()) (*Lock, error) {
	for {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return nil, fmt.Errorf("cannot lock %s: %w", name, err)
		}
		l, err := Try(name)
		if err == nil {
			return l, nil
		}
		// The folder may just have been removed.
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

// Try acquires the lock, or returns [ErrLocked] if another process holds it.
func Try(name string) (*Lock, error) {
	f := flock.New(name, flock.SetFlag(os.O_RDWR|os.O_CREATE), flock.SetPermissions(0o666))
	locked, err := f.TryLock()
	if err != nil {
		return nil, err
	}
	if !locked {
		return nil, ErrLocked
	}
	// The previous holder may have removed the file, and another process may
	// have created a new one: a lock on the old file locks nothing.
	held, err := f.Stat()
	if err == nil {
		var current fs.FileInfo
		if current, err = os.Stat(name); err == nil && os.SameFile(held, current) {
			return &Lock{f}, nil
		}
	}
	_ = f.Close()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return nil, ErrLocked
}

// Release releases the lock. It removes the file first, so that no process can
// hold a lock on a file that another has replaced. Where an open file cannot be
// removed, it stays, which is harmless.
func (l *Lock) Release() {
	_ = os.Remove(l.file.Path())
	_ = l.file.Close()
}
