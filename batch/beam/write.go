package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// writeShards writes each line to the file of its number: textio would send all of
// them to one worker.
func writeShards(scope beam.Scope, output string, shards int, lines beam.PCollection) {
	scope = scope.Scope("write")
	numbers := make([]any, shards)
	for i := range numbers {
		numbers[i] = i
	}
	// Creates files that get no lines, too.
	begun := beam.ParDo(scope, &begin{}, beam.Create(scope, numbers...))
	all := beam.Flatten(scope, lines, begun)
	beam.ParDo0(scope, &write{Output: output, Shards: shards}, beam.GroupByKey(scope, all))
}

// shardOf returns the file of a line. It depends only on the line's position, so
// that a line processed twice goes to the same file.
func shardOf(l *Line, shards int) int {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s\n%d", l.File, l.Number)
	return int(h.Sum32() % uint32(shards))
}

type begin struct{}

// ProcessElement emits an empty line, which [write] omits.
func (*begin) ProcessElement(shard int, emit func(int, string)) { emit(shard, "") }

type write struct {
	Output string
	Shards int
}

// ProcessElement writes a file under a temporary name and renames it, where the
// file system can: an interrupted worker never leaves an incomplete file.
func (w *write) ProcessElement(ctx context.Context, shard int, lines func(*string) bool) (err error) {
	name := shardName(w.Output, shard, w.Shards)
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer fs.Close()
	to := name
	renamer, renames := fs.(filesystem.Renamer)
	if renames {
		to = fmt.Sprintf("%s.%08x.tmp", name, rand.Uint32())
	}
	out, err := fs.OpenWrite(ctx, to)
	if err != nil {
		return err
	}
	err = writeLines(out, lines)
	if err = errors.Join(err, out.Close()); err != nil || !renames {
		return err
	}
	return renamer.Rename(ctx, to, name)
}

func writeLines(out io.Writer, lines func(*string) bool) error {
	b := bufio.NewWriterSize(out, 1<<20)
	var line string
	for lines(&line) {
		if line == "" {
			continue
		}
		if _, err := b.WriteString(line); err != nil {
			return err
		}
		if err := b.WriteByte('\n'); err != nil {
			return err
		}
	}
	return b.Flush()
}
