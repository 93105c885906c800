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

// output is the destination of a command's result: standard output, or a file
// that is replaced only when everything is written.
type output struct {
	io.Writer
	file   *os.File // nil for standard output and devices
	rename string   // final name of the file
	close  func() error
}

// writeOutput opens the output as openOutput does, and keeps what write has written if it
// returns no error.
func writeOutput(name string, stdout io.Writer, write func(io.Writer) error) error {
	out, err := openOutput(name, stdout)
	if err != nil {
		return err
	}
	defer out.discard()
	if err := write(out); err != nil {
		return err
	}
	return out.commit()
}

// openOutput opens the output; an empty name or - is standard output.
func openOutput(name string, stdout io.Writer) (*output, error) {
	if name == "" || name == "-" {
		return &output{Writer: stdout}, nil
	}
	// A symbolic link is kept: its target is replaced.
	if to, err := filepath.EvalSymlinks(name); err == nil {
		name = to
	}
	mode := fs.FileMode(0o666)
	switch info, err := os.Stat(name); {
	case err == nil && info.IsDir():
		return nil, hinted{fmt.Errorf("%s is a folder", name), "name a file with --output"}
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
		// Report the name that the user gave, not the temporary one.
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return nil, hinted{fmt.Errorf("cannot write %s: %w", name, err), "name a file in an existing, writable folder"}
	}
	return &output{Writer: f, file: f, rename: name}, nil
}

// commit renames the file to its final name.
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

// discard removes the temporary file. After commit it is a no-op.
func (o *output) discard() {
	if o.file == nil {
		return
	}
	// The command has already failed with a more useful error.
	_ = o.file.Close()
	_ = os.Remove(o.file.Name())
}
