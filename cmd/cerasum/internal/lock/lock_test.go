package lock

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	if _, err := Try(filepath.Join(name, "a")); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("without a folder: %v", err)
	}
	first, err := Try(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Try(name); !errors.Is(err, ErrLocked) {
		t.Errorf("a second lock: %v", err)
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
