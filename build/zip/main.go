// Zip packs folders into ZIP files that depend on nothing but what is in the
// folders: names sorted, times fixed, no owners. It is how the browser
// extension is packed, so that anybody can build the same file again.
//
//	go run ./build/zip [-max BYTES] FOLDER FILE.zip [FOLDER FILE.zip …]
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
	"time"
)

// epoch is the earliest time that the format knows.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func main() {
	most := flag.Int64("max", 0, "refuse to write files of more bytes than these; 0 for no limit")
	flag.Parse()
	if flag.NArg() == 0 || flag.NArg()%2 != 0 {
		fmt.Fprintln(os.Stderr, "usage: zip [-max BYTES] FOLDER FILE.zip [FOLDER FILE.zip …]")
		os.Exit(2)
	}
	for i := 0; i < flag.NArg(); i += 2 {
		if err := pack(flag.Arg(i), flag.Arg(i+1), *most); err != nil {
			fmt.Fprintln(os.Stderr, "zip:", err)
			os.Exit(1)
		}
	}
}

// pack writes the files below folder to a ZIP file, which appears when it is
// whole. It fails where that has more than most bytes; 0 is no limit.
func pack(folder, file string, most int64) error {
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
		return fmt.Errorf("%s: %d bytes, more than the %d that are allowed", file, size, most)
	}
	if err := part.Chmod(0o644); err != nil {
		return err
	}
	if err := part.Close(); err != nil {
		return err
	}
	return os.Rename(part.Name(), file)
}

// write writes all regular files of a file system, in the order of their
// paths, compressed as well as the format allows. A link fails: what it leads
// to may not be there elsewhere.
func write(to io.Writer, from fs.FS) error {
	archive := zip.NewWriter(to)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	// WalkDir goes by the order of names.
	err := fs.WalkDir(from, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if !entry.Type().IsRegular() {
			return fmt.Errorf("%s: not a regular file", path)
		}
		header := &zip.FileHeader{Name: path, Method: zip.Deflate, Modified: epoch}
		header.SetMode(0o644)
		entryWriter, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		file, err := from.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		_, err = io.Copy(entryWriter, file)
		return err
	})
	if err != nil {
		return err
	}
	return archive.Close()
}
