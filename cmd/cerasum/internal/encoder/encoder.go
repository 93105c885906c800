// Package encoder computes embeddings of texts: with the shipped transformer
// ([OpenShipped]), or with a folder that holds any sentence-transformers export ([Open]).
//
// The shipped one reads ids from internal/unigram and runs in onnxruntime, where its
// library is there and the program is built with cgo, else in Go (gomlx, the backend of
// hugot). A folder runs in hugot alone.
package encoder

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Options of [OpenShipped] and [Open].
type Options struct {
	// Name for messages and reports; empty means the folder's name.
	Name string
	// Languages that the shipped encoder supports.
	Languages []string
	// ORTLibrary is the path of the onnxruntime library that runs the shipped encoder.
	// Empty means the one beside the program, or Go if there is none that works.
	ORTLibrary string
}

var (
	// ErrFolder is wrapped by errors about a folder that is not a valid encoder.
	ErrFolder = errors.New("no usable encoder")
	// ErrLibrary is wrapped by errors about Options.ORTLibrary.
	ErrLibrary = errors.New("no usable onnxruntime library")
)

// Model is a loaded encoder. It is safe for concurrent use until Close.
type Model struct {
	name, fingerprint string
	languages         []string
	dimensions        int
	network           network
}

// network computes embeddings.
type network interface {
	// begin prepares texts. It returns the number of tokens of each, 0 where the embedding
	// is zero.
	begin(ctx context.Context, texts []string, question bool) (tokens []int, run runBatch, err error)
	runtime() string
	parallel() int // number of batches to run in parallel
	close() error
}

// runBatch returns the embeddings of a batch, of any length.
type runBatch func(ctx context.Context, b batch) ([][]float32, error)

// Name returns the name for messages and reports.
func (m *Model) Name() string { return m.name }

// Dimensions returns D, the length of an embedding.
func (m *Model) Dimensions() int { return m.dimensions }

// Languages returns the ISO 639-1 tags of the supported languages; nil if unknown.
func (m *Model) Languages() []string { return m.languages }

// Fingerprint returns a hexadecimal SHA-256 of everything that the embeddings
// depend on.
func (m *Model) Fingerprint() string { return m.fingerprint }

// Runtime returns what runs the model: "onnxruntime 1.30.0" or "pure Go".
func (m *Model) Runtime() string { return m.network.runtime() }

// Close frees the model. A second call is a no-op.
func (m *Model) Close() error {
	if m.network == nil {
		return nil
	}
	n := m.network
	m.network = nil
	return n.close()
}

// Embed returns len(texts) × Dimensions numbers, row-major, one row of unit length per
// text; zeros for a text without tokens. Texts of similar length run through the model
// together; progress, which may be nil, counts texts. Embed returns ctx.Err() soon after
// the context ends, and an error that names the text if an embedding is not finite.
func (m *Model) Embed(ctx context.Context, texts []string, progress func(done, total int)) ([]float32, error) {
	return m.embed(ctx, texts, false, progress)
}

// EmbedQuestion returns the embedding of a question or search words, to compare with
// those of texts.
func (m *Model) EmbedQuestion(ctx context.Context, question string) ([]float32, error) {
	return m.embed(ctx, []string{question}, true, nil)
}

func (m *Model) embed(ctx context.Context, texts []string, question bool, progress func(done, total int)) ([]float32, error) {
	if m.network == nil {
		return nil, fmt.Errorf("%s: %w: encoder is closed", m.name, ErrFolder)
	}
	if progress == nil {
		progress = func(int, int) {}
	}
	tokens, run, err := m.network.begin(ctx, texts, question)
	if err != nil {
		return nil, err
	}
	out := make([]float32, len(texts)*m.dimensions)
	write := func(ctx context.Context, b batch) error {
		rows, err := run(ctx, b)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		for i, k := range b.texts {
			if err := unit(out[k*m.dimensions:(k+1)*m.dimensions], rows[i]); err != nil {
				return &TextError{k, fmt.Errorf("%s: %w: %w", m.name, ErrFolder, err)}
			}
		}
		return nil
	}
	if err := runAll(ctx, tokens, m.network.parallel(), write, progress); err != nil {
		return nil, err
	}
	return out, nil
}

// unit sets dst to v scaled to unit length; zeros stay zeros.
func unit(dst, v []float32) error {
	if len(v) != len(dst) {
		return fmt.Errorf("want %d dimensions, got %d", len(dst), len(v))
	}
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return errors.New("embedding is not finite")
	}
	if sum == 0 {
		return nil
	}
	scale := 1 / math.Sqrt(sum)
	for d, x := range v {
		dst[d] = float32(float64(x) * scale)
	}
	return nil
}

// TextError is an error about one of the texts.
type TextError struct {
	Text int // its index
	err  error
}

func (e *TextError) Error() string { return fmt.Sprintf("text %d: %v", e.Text+1, e.err) }

func (e *TextError) Unwrap() error { return e.err }
