package records

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"

	"github.com/klauspost/compress/zstd"
)

// maxWindow limits what a zstd stream may make its reader keep; the format's own
// tools refuse more, too, unless they are told otherwise.
const maxWindow = 128 << 20

// Compression returns "gzip" or "zstd" for data that begins as they do, and "" for others.
func Compression(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return "gzip"
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return "zstd"
	}
	return ""
}

// Inflate returns the decompressed data of gzip and zstd, whatever the file's name,
// and other data unchanged.
func Inflate(r io.Reader) (io.ReadCloser, error) {
	b := bufio.NewReaderSize(r, 256<<10)
	// An input shorter than that is not compressed; other errors recur when it is
	// read.
	head, _ := b.Peek(4)
	switch Compression(head) {
	case "gzip":
		return gzip.NewReader(b)
	case "zstd":
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		return z.IOReadCloser(), nil
	}
	return io.NopCloser(b), nil
}
