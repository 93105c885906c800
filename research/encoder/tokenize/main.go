// Tokenize writes the token ids of each line of its input, as uint32, little-endian: the
// number of ids of the line, then these. train.py and evaluate.py read it, so that there is
// one tokenizer.
//
//	go run ./research/encoder/tokenize -vocabulary vocabulary.bin < texts.txt > texts.ids
package main

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/cerasum/cerasum/internal/unigram"
)

func main() {
	file := flag.String("vocabulary", "vocabulary.bin", "vocabulary file")
	flag.Parse()
	if err := run(*file, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "tokenize:", err)
		os.Exit(1)
	}
}

func run(file string, in io.Reader, out io.Writer) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	t, err := unigram.Read(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	r, w := bufio.NewReaderSize(in, 1<<20), bufio.NewWriterSize(out, 1<<20)
	var ids []int32
	for {
		line, err := r.ReadString('\n')
		if err == io.EOF && line == "" {
			return w.Flush()
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return cmp.Or(err, w.Flush())
		}
		ids = t.Append(append(ids[:0], 0), strings.TrimSuffix(line, "\n"))
		ids[0] = int32(len(ids) - 1)
		if err := binary.Write(w, binary.LittleEndian, ids); err != nil {
			return err
		}
	}
}
