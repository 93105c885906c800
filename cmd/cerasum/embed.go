package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/encoder"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/ingest"
	"github.com/cerasum/cerasum/cmd/cerasum/internal/terminal"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/jsonl"
	"github.com/spf13/cobra"
)

// Formats of embeddings.
const (
	embedLines = "jsonl"
	embedJSON  = "json"
	embedNumpy = "npy"
	embedRaw   = "f32"
)

var embedFormats = []string{embedLines, embedJSON, embedNumpy, embedRaw}

// embedChunk is the number of texts held in memory: enough to form batches of
// similar length.
const embedChunk = 8192

type embedFlags struct {
	encoder                       encoderFlags
	jsonl                         bool
	format, output, progressShown string
}

func (a *app) embedCommand() *cobra.Command {
	var f embedFlags
	cmd := &cobra.Command{
		Use:   "embed [FILE|-]...",
		Short: "Compute embeddings of texts",
		Long: `Write one embedding per line of the files, in order and including empty lines,
so that row k belongs to line k. "-", or no argument when input is piped in, is
standard input. Files may be gzipped. With --jsonl, each non-blank line is a JSON
object with a member "text"; other members are ignored.

Formats:
  jsonl  an array of numbers on each line (default)
  json   one array of arrays
  npy    a NumPy file: float32, texts × dimensions
  f32    raw float32, little-endian, row by row

Texts longer than the encoder's limit are truncated. A line that cannot be read
ends the command, since later rows would not match their lines.`,
		Example: `  cerasum embed --encoder default sentences.txt > embeddings.jsonl
  cerasum embed --jsonl --format npy --output embeddings.npy texts.jsonl.gz
  echo "A storm broke the roof." | cerasum embed`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.embed(cmd, args, f) },
	}
	fs := cmd.Flags()
	fs.StringVarP(&f.encoder.name, "encoder", "e", "default", "encoder: "+encoderForms)
	fs.BoolVar(&f.jsonl, "jsonl", false, "read JSON Lines objects with a member \"text\"")
	fs.StringVarP(&f.format, "format", "f", embedLines, "output format: jsonl, json, npy or f32")
	fs.StringVarP(&f.output, "output", "o", "", "output file, replaced only on success (default: standard output)")
	fs.StringVar(&f.progressShown, "progress", "auto", "show progress: auto (on a terminal), always or never")
	f.encoder.add(cmd)
	complete(cmd, "format", embedFormats...)
	complete(cmd, "progress", shows...)
	return cmd
}

func (a *app) embed(cmd *cobra.Command, args []string, f embedFlags) error {
	ctx := cmd.Context()
	if _, err := oneOf("format", f.format, embedFormats); err != nil {
		return err
	}
	show, err := oneOf("progress", f.progressShown, shows)
	if err != nil {
		return err
	}
	a.progress.on = !a.quiet && (show == "always" || show == "auto" && a.err.Interactive)
	if len(args) == 0 {
		if terminal.Of(a.stdin).Interactive {
			return usage(errors.Join(cmd.Usage(), hinted{errors.New("no input"), "name files, or pipe texts in"}))
		}
		args = []string{"-"}
	}
	if f.output == "" && a.out.Interactive && (f.format == embedNumpy || f.format == embedRaw) {
		return usage(hinted{fmt.Errorf("--format %s: refusing to write binary data to a terminal", f.format), "name a file with --output"})
	}
	out, err := openOutput(f.output, a.stdout)
	if err != nil {
		return err
	}
	defer out.discard()
	m, err := openEncoder(f.encoder)
	if err != nil {
		return err
	}
	defer m.Close()
	e := &embedding{app: a, model: m, w: newEmbeddingWriter(f.format, out, m.Dimensions())}
	// The lines are read as they are, whatever they hold.
	var missing error
	loader := &ingest.Loader{
		Stdin: a.stdin, Format: ingest.JSONL, Corpora: true,
		UserAgent: "cerasum/" + core.Version, Warn: a.warn, Bad: func(err error) { missing = errors.Join(missing, err) },
	}
	read := e.lines
	if f.jsonl {
		read = e.objects
	}
	inputs, err := loader.Load(ctx, args)
	if err = errors.Join(err, missing); err != nil {
		return err
	}
	for _, stream := range inputs.Streams {
		r, err := stream.Open()
		if err != nil {
			return err
		}
		if e.name = stream.Name; e.name == "-" {
			e.name = "standard input"
		}
		err = errors.Join(read(ctx, r), r.Close())
		if err == nil {
			err = e.flush(ctx)
		}
		if err != nil {
			return err
		}
	}
	if err := e.w.finish(); err != nil {
		return err
	}
	return out.commit()
}

// embedding is one run of the command.
type embedding struct {
	*app
	model *encoder.Model
	w     *embeddingWriter
	name  string // of the current file
	texts []string
	at    []int // line number of each text
	done  int   // texts written
}

// lines reads one text per line.
func (e *embedding) lines(ctx context.Context, r io.Reader) error {
	br := bufio.NewReaderSize(r, 256<<10)
	for number := 1; ; number++ {
		line, err := br.ReadBytes('\n')
		switch {
		case errors.Is(err, io.EOF) && len(line) == 0:
			return nil
		case err != nil && !errors.Is(err, io.EOF):
			return e.bad(number, err)
		case len(line) > jsonl.MaxLine:
			return e.bad(number, fmt.Errorf("want at most %d MiB per line", jsonl.MaxLine>>20))
		}
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		text := strings.TrimRight(string(line), "\r\n")
		if i := strings.IndexFunc(text, func(r rune) bool { return r == '\uFFFD' }); i >= 0 && text != strings.ToValidUTF8(text, "") {
			return e.bad(number, errors.New("invalid UTF-8"))
		}
		if err := e.add(ctx, text, number); err != nil {
			return err
		}
	}
}

// objects reads JSON Lines.
func (e *embedding) objects(ctx context.Context, r io.Reader) error {
	lines := jsonl.NewReader(r)
	for {
		raw, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, jsonl.ErrLine):
			return e.bad(lines.Line(), err)
		case err != nil:
			return e.bad(lines.Line()+1, err)
		}
		var o struct {
			Text *string `json:"text"`
		}
		if err := json.Unmarshal(raw, &o); err != nil {
			return e.bad(lines.Line(), err)
		}
		if o.Text == nil {
			return e.bad(lines.Line(), errors.New("text: missing"))
		}
		if err := e.add(ctx, *o.Text, lines.Line()); err != nil {
			return err
		}
	}
}

// bad adds the file and the line to an error.
func (e *embedding) bad(line int, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%s:%d: %w", e.name, line, err)
}

func (e *embedding) add(ctx context.Context, text string, line int) error {
	e.texts, e.at = append(e.texts, text), append(e.at, line)
	if len(e.texts) < embedChunk {
		return nil
	}
	return e.flush(ctx)
}

// flush embeds and writes the pending texts.
func (e *embedding) flush(ctx context.Context) error {
	if len(e.texts) == 0 {
		return ctx.Err()
	}
	values, err := e.model.Embed(ctx, e.texts, func(done, _ int) { e.progress.show(fmt.Sprintf("embed %d", e.done+done), 0, 0) })
	if err != nil {
		var t *encoder.TextError
		if errors.As(err, &t) {
			return e.bad(e.at[t.Text], err)
		}
		return err
	}
	e.done += len(e.texts)
	e.texts, e.at = e.texts[:0], e.at[:0]
	return e.w.write(values)
}

// embeddingWriter writes embeddings.
type embeddingWriter struct {
	format  string
	w       *bufio.Writer
	dims    int
	rows    int
	pending []float32 // the header of npy holds the number of rows
}

func newEmbeddingWriter(format string, w io.Writer, dims int) *embeddingWriter {
	return &embeddingWriter{format: format, w: bufio.NewWriter(w), dims: dims}
}

// write writes rows. Errors of the buffer are returned by the flush.
func (w *embeddingWriter) write(values []float32) error {
	switch w.format {
	case embedNumpy:
		w.pending = append(w.pending, values...)
		w.rows += len(values) / w.dims
		return nil
	case embedRaw:
		w.numbers(values)
	default:
		for row := range slices.Chunk(values, w.dims) {
			switch {
			case w.format == embedLines:
			case w.rows == 0:
				w.w.WriteString("[")
			default:
				w.w.WriteString(",\n")
			}
			w.w.Write(appendRow(nil, row))
			if w.format == embedLines {
				w.w.WriteByte('\n')
			}
			w.rows++
		}
	}
	return w.w.Flush()
}

// numbers writes little-endian float32.
func (w *embeddingWriter) numbers(values []float32) {
	var b [4]byte
	for _, v := range values {
		binary.LittleEndian.PutUint32(b[:], math.Float32bits(v))
		w.w.Write(b[:])
	}
}

// appendRow appends a JSON array with the fewest digits that identify each float32.
func appendRow(b []byte, row []float32) []byte {
	for i, v := range row {
		if i == 0 {
			b = append(b, '[')
		} else {
			b = append(b, ',')
		}
		b = strconv.AppendFloat(b, float64(v), 'g', -1, 32)
	}
	return append(b, ']')
}

// finish writes the rest.
func (w *embeddingWriter) finish() error {
	switch w.format {
	case embedJSON:
		if w.rows == 0 {
			w.w.WriteString("[")
		}
		w.w.WriteString("]\n")
	case embedNumpy:
		w.w.Write(numpyHeader(w.rows, w.dims))
		w.numbers(w.pending)
	}
	return w.w.Flush()
}

// numpyHeader returns a header of version 1.0 of the npy format: magic, length,
// and a dictionary padded to a multiple of 64 bytes.
func numpyHeader(rows, columns int) []byte {
	d := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", rows, columns)
	const before = 10
	d += strings.Repeat(" ", (64-(before+len(d)+1)%64)%64) + "\n"
	head := append([]byte("\x93NUMPY\x01\x00"), byte(len(d)), byte(len(d)>>8))
	return append(head, d...)
}
