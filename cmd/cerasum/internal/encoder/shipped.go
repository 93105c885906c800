package encoder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cerasum/cerasum/internal/unigram"
)

// Files of the shipped encoder.
const (
	graphFile      = "encoder.onnx"
	vocabularyFile = "vocabulary.bin"
)

// shipped is the transformer in models/encoder.
type shipped struct {
	tokenizer *unigram.Tokenizer
	session   session
}

// session is a graph loaded in a runtime. It is safe for concurrent use.
type session interface {
	// run feeds ids and mask, rows × tokens, and returns the output, rows × tokens × D.
	run(ids, mask []int64, rows, tokens int) ([]float32, error)
	// round returns the shape that a batch is padded to.
	round(rows, tokens int) (int, int)
	runtime() string
	parallel() int
	close() error
}

// OpenShipped loads the encoder in models/encoder.
func OpenShipped(files fs.FS, o Options) (*Model, error) {
	pieces, err := fs.ReadFile(files, vocabularyFile)
	if err != nil {
		return nil, err
	}
	graph, err := fs.ReadFile(files, graphFile)
	if err != nil {
		return nil, err
	}
	s := &shipped{}
	if s.tokenizer, err = unigram.Read(pieces); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", vocabularyFile, ErrFolder, err)
	}
	s.session, err = openSession(graph, o.ORTLibrary)
	if errors.Is(err, ErrLibrary) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", graphFile, ErrFolder, firstLine(err.Error()))
	}
	sum := sha256.New()
	sum.Write(pieces)
	sum.Write(graph)
	m := &Model{name: o.Name, languages: o.Languages, fingerprint: hex.EncodeToString(sum.Sum(nil)), network: s}
	values, err := s.session.run([]int64{unigram.BOS, unigram.EOS}, []int64{1, 1}, 1, 2)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w: %w", graphFile, ErrFolder, err), m.Close())
	}
	m.dimensions = len(values) / 2
	return m, nil
}

// openSession uses the library that was named, or the one beside the program if it
// works, or Go.
func openSession(graph []byte, library string) (session, error) {
	if library != "" {
		return openORT(graph, library)
	}
	if library = besideProgram(); library != "" {
		if s, err := openORT(graph, library); err == nil {
			return s, nil
		}
	}
	return openGo(graph)
}

func (s *shipped) runtime() string { return s.session.runtime() }
func (s *shipped) parallel() int   { return s.session.parallel() }
func (s *shipped) close() error    { return s.session.close() }

func (s *shipped) begin(ctx context.Context, texts []string, question bool) ([]int, runBatch, error) {
	ids, err := s.encode(ctx, texts, question)
	if err != nil {
		return nil, nil, err
	}
	tokens := make([]int, len(texts))
	for k := range ids {
		tokens[k] = len(ids[k])
	}
	before := s.tokenizer.Before(question)
	return tokens, func(_ context.Context, b batch) ([][]float32, error) { return s.run(b, ids, before) }, nil
}

// encode returns the ids of each text, none for a text without any of its own. It runs on
// all processors.
func (s *shipped) encode(ctx context.Context, texts []string, question bool) ([][]int32, error) {
	ids := make([][]int32, len(texts))
	var wg sync.WaitGroup
	var next atomic.Int64
	const chunk = 16
	for range min(runtime.GOMAXPROCS(0), len(texts)/chunk+1) {
		wg.Go(func() {
			for ctx.Err() == nil {
				from := int(next.Add(chunk)) - chunk
				if from >= len(texts) {
					return
				}
				for k := from; k < min(from+chunk, len(texts)); k++ {
					ids[k] = s.tokenizer.Input(nil, texts[k], question)
				}
			}
		})
	}
	wg.Wait()
	return ids, ctx.Err()
}

// run returns the sums of the vectors of the texts' own tokens, which follow the first
// ones and precede EOS.
func (s *shipped) run(b batch, ids [][]int32, before int) ([][]float32, error) {
	rows, tokens := s.session.round(len(b.texts), b.tokens)
	input, mask := make([]int64, rows*tokens), make([]int64, rows*tokens)
	for i := range input {
		input[i] = unigram.PAD
	}
	for row, k := range b.texts {
		for t, id := range ids[k] {
			input[row*tokens+t], mask[row*tokens+t] = int64(id), 1
		}
	}
	values, err := s.session.run(input, mask, rows, tokens)
	if err != nil {
		return nil, err
	}
	width := len(values) / (rows * tokens)
	out := make([][]float32, len(b.texts))
	for row, k := range b.texts {
		out[row] = make([]float32, width)
		for t := before; t < len(ids[k])-1; t++ {
			for d, v := range values[(row*tokens+t)*width:][:width] {
				out[row][d] += v
			}
		}
	}
	return out, nil
}

// recovered turns a panic into an error, in a deferred call: the runtimes panic
// on unsupported graphs.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("running the model failed: %s", firstLine(fmt.Sprint(r)))
	}
}

// firstLine drops the stack trace of some errors, and the name of the function
// that panicked.
func firstLine(message string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(message), "\n")
	if _, why, ok := strings.Cut(first, "panicked: "); ok {
		return why
	}
	return first
}
