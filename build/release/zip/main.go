// Zip packs folders into reproducible archives: sorted names, fixed times, no
// owners. It packs the browser extension and the release files, so that anybody can
// build the same files again. The archive's format follows its extension: .zip,
// .tar.gz or .tgz.
//
//	go run ./build/release/zip [-max BYTES] FOLDER FILE [FOLDER FILE …]
package main

import (
	"archive/zip"
	"compress/flate"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// epoch is the earliest time in the ZIP format.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func main() {
	most := flag.Int64("max", 0, "maximum size of an archive in bytes (0: no limit)")
	flag.Parse()
	if flag.NArg() == 0 || flag.NArg()%2 != 0 {
		fmt.Fprintln(os.Stderr, "usage: zip [-max BYTES] FOLDER FILE [FOLDER FILE …]")
		os.Exit(2)
	}
	for i := 0; i < flag.NArg(); i += 2 {
		if err := pack(flag.Arg(i), flag.Arg(i+1), *most); err != nil {
			fmt.Fprintln(os.Stderr, "zip:", err)
			os.Exit(1)
		}
	}
}

// writerFor returns the archive writer for the file's extension.
func writerFor(file string) (func(io.Writer, fs.FS) error, error) {
	switch {
	case strings.HasSuffix(file, ".zip"):
		return writeZip, nil
	case strings.HasSuffix(file, ".tar.gz"), strings.HasSuffix(file, ".tgz"):
		return writeTar, nil
	}
	return nil, fmt.Errorf("%s: want a name ending in .zip, .tar.gz or .tgz", file)
}

// pack writes the files below folder to an archive, atomically. It fails if the
// archive has more than most bytes; 0 is no limit.
func pack(folder, file string, most int64) error {
	write, err := writerFor(file)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(file), ".zip-*")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	defer part.Close()
	if err := write(part, os.DirFS(folder)); err != nil {
		return fmt.Errorf("%s: %w", folder, err)
	}
	size, err := part.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if most > 0 && size > most {
		return fmt.Errorf("%s: want at most %d bytes, got %d", file, most, size)
	}
	if err := part.Chmod(0o644); err != nil {
		return err
	}
	if err := part.Close(); err != nil {
		return err
	}
	return os.Rename(part.Name(), file)
}

// each calls add for all regular files of a file system, in path order. Links are
// errors: their targets may not exist elsewhere.
func each(from fs.FS, add func(path string, info fs.FileInfo, content io.Reader) error) error {
	// WalkDir visits files in lexical order.
	return fs.WalkDir(from, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if !entry.Type().IsRegular() {
			return fmt.Errorf("%s: not a regular file", path)
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		file, err := from.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		return add(path, info, file)
	})
}

// writeZip uses the best compression of the format. All files get the same mode.
func writeZip(to io.Writer, from fs.FS) error {
	archive := zip.NewWriter(to)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	err := each(from, func(path string, _ fs.FileInfo, content io.Reader) error {
		header := &zip.FileHeader{Name: path, Method: zip.Deflate, Modified: epoch}
		header.SetMode(0o644)
		entry, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		_, err = io.Copy(entry, content)
		return err
	})
	if err != nil {
		return err
	}
	return archive.Close()
}
