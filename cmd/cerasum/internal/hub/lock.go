package hub

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// errLocked says that another holds the lock.
var errLocked = errors.New("locked")

// A lock is held on a file, and given back by the system when the process
// ends, however that comes about: a lock file that was left behind locks no
// one.
type lock struct{ file *os.File }

// acquire waits for the lock; waiting is called once if another has it.
func acquire(ctx context.Context, name string, waiting func()) (*lock, error) {
	for {
		l, err := tryLock(name)
		if err == nil {
			return l, nil
		}
		if !errors.Is(err, errLocked) {
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

func tryLock(name string) (*lock, error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errLocked // its folder has just been removed
	}
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
			return &lock{f}, nil
		}
	}
	f.Close()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return nil, errLocked
}

// release gives the lock back. The file goes while the lock is held, so that
// no one can hold a lock on a file that another has replaced; where an open
// file cannot be removed it stays, which does no harm.
func (l *lock) release() {
	_ = os.Remove(l.file.Name())
	_ = l.file.Close()
}
