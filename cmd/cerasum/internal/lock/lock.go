// Package lock prevents two processes from doing the same work.
package lock

import (
	"errors"
	"io/fs"
	"os"

	"github.com/gofrs/flock"
)

// ErrLocked is returned by [Try] if another process holds the lock.
var ErrLocked = errors.New("locked")

// A Lock is held on a file. The operating system releases it when the process
// ends, even after a crash: a stale lock file locks nothing.
type Lock struct{ file *flock.Flock }

// Try acquires the lock, or returns [ErrLocked] if another process holds it. The folder
// of the file must exist.
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
