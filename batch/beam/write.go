package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"path"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/internal/records"
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
	Output   string
	Shards   int
	counters counters
}

// ProcessElement writes a file under a temporary name and renames it, where the
// file system can: an interrupted worker never leaves an incomplete file. What
// killed workers left under temporary names is removed by the attempt that
// succeeds.
func (w *write) ProcessElement(ctx context.Context, shard int, lines func(*string) bool) (err error) {
	begun := time.Now()
	defer func() {
		var counts batch.Counts
		counts.Time(batch.Write, begun)
		w.counters.add(ctx, &counts)
	}()
	name := shardName(w.Output, shard, w.Shards)
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer fs.Close()
	renamer, renames := fs.(filesystem.Renamer)
	remover, removes := fs.(filesystem.Remover)
	if !renames || !removes {
		return writeFile(ctx, fs, name, lines)
	}
	to := fmt.Sprintf("%s.%08x.tmp", name, rand.Uint32())
	// Also after a panic, with which Beam ends an iteration that fails.
	defer func() { _ = remover.Remove(ctx, to) }()
	if err := writeFile(ctx, fs, to, lines); err != nil {
		return err
	}
	if err := renamer.Rename(ctx, to, name); err != nil {
		return err
	}
	// An attempt that is still writing one of these fails and is repeated. The names
	// of other files may begin with this one, as that of the bad lines does.
	left, err := fs.List(ctx, literal(name)+".????????.tmp")
	for _, file := range left {
		_ = remover.Remove(ctx, file)
	}
	return err
}

// literal returns a pattern that matches only the name.
func literal(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(name)
}

func writeFile(ctx context.Context, fs filesystem.Interface, name string, lines func(*string) bool) error {
	out, err := fs.OpenWrite(ctx, name)
	if err != nil {
		return err
	}
	if of := strings.TrimSuffix(name, path.Ext(name)); path.Ext(name) == ".tmp" {
		name = strings.TrimSuffix(of, path.Ext(of)) // as it will be called
	}
	err = writeAs(out, name, lines)
	return errors.Join(err, out.Close())
}

// writeAs writes the lines in the format that the name asks for.
func writeAs(out io.Writer, name string, lines func(*string) bool) error {
	if !records.Converts(name) {
		return writeLines(out, lines)
	}
	r, w := io.Pipe()
	converted := make(chan error, 1)
	go func() {
		err := records.Convert(out, name, r)
		r.CloseWithError(err) // the lines need not be read any more
		converted <- err
	}()
	// Also after a panic: the other end must not wait.
	defer w.CloseWithError(io.ErrUnexpectedEOF)
	err := writeLines(w, lines)
	w.CloseWithError(err)
	return errors.Join(err, <-converted)
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
