package main

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"io/fs"
)

// writeTar writes a compressed tar archive. Of the file modes only executability is
// kept.
func writeTar(to io.Writer, from fs.FS) error {
	compressed, err := gzip.NewWriterLevel(to, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	err = each(from, func(path string, info fs.FileInfo, content io.Reader) error {
		mode := int64(0o644)
		if info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		header := &tar.Header{Typeflag: tar.TypeReg, Name: path, Size: info.Size(), Mode: mode, ModTime: epoch}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		_, err := io.Copy(archive, content)
		return err
	})
	if err != nil {
		return err
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return compressed.Close()
}
