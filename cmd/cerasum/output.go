package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// output is where a command's result goes: standard output, or a file that
// changes only when all is written.
type output struct {
	io.Writer
	file   *os.File // nil for standard output and devices
	rename string   // what the file is to be called
	close  func() error
}

// openOutput opens a file for the result; an empty name is standard output.
func openOutput(name string, stdout io.Writer) (*output, error) {
	if name == "" || name == "-" {
		return &output{Writer: stdout}, nil
	}
	// A link keeps pointing where it does: its target is replaced.
	if to, err := filepath.EvalSymlinks(name); err == nil {
		name = to
	}
	mode := fs.FileMode(0o666)
	switch info, err := os.Stat(name); {
	case err == nil && info.IsDir():
		return nil, hinted{fmt.Errorf("%s is a folder", name), "give --output the name of a file"}
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &output{Writer: f, close: f.Close}, nil
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	temporary := fmt.Sprintf("%s.%08x.tmp", name, rand.Uint32())
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		// The name that the user gave says more than that of the temporary.
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return nil, hinted{fmt.Errorf("cannot write %s: %w", name, err), "name a file in a folder that exists and that you may write to"}
	}
	return &output{Writer: f, file: f, rename: name}, nil
}

// commit makes what was written the file's content.
func (o *output) commit() error {
	if o.close != nil {
		return o.close()
	}
	if o.file == nil {
		return nil
	}
	err := o.file.Sync()
	if e := o.file.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(o.file.Name(), o.rename)
	}
	if err != nil {
		return errors.Join(err, os.Remove(o.file.Name()))
	}
	o.file = nil
	return nil
}

// discard leaves the file as it was. After commit it does nothing.
func (o *output) discard() {
	if o.file == nil {
		return
	}
	// The command has failed already, with an error that says more.
	_ = o.file.Close()
	_ = os.Remove(o.file.Name())
}
