package lock

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a", "lock")
	if _, err := Try(name); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("without a folder: %v", err)
	}
	first, err := Acquire(t.Context(), name, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Try(name); !errors.Is(err, ErrLocked) {
		t.Errorf("a second lock: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	waited := 0
	if _, err := Acquire(ctx, name, func() { waited++ }); !errors.Is(err, context.DeadlineExceeded) || waited != 1 {
		t.Errorf("%v, told %d times", err, waited)
	}
	first.Release()
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is left: %v", err)
	}
	// A file that a killed process left locks no one.
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := Try(name)
	if err != nil {
		t.Fatal(err)
	}
	again.Release()
}
