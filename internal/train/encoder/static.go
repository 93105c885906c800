package encoder

import (
	"context"
	"io"
	"math"
	"runtime"
	"sync"

	"github.com/cerasum/cerasum/internal/onnx"
	"github.com/cerasum/cerasum/internal/tokenizer"
	"github.com/cerasum/cerasum/internal/train/vocabulary"
)

// Static is a static encoder, computed without a model runtime and equivalent to its
// ONNX file. It is a core.Encoder.
type Static struct {
	// Table is V × D, row-major; Scales has V numbers: the vector of token i is
	// Scales[i] · Table[i].
	Table  []int8
	Scales []float32
	// Tokenizer of the texts.
	Tokenizer *tokenizer.Tokenizer
	pieces    []vocabulary.Piece
	dims      int
}

// quantize quantizes each row to bytes with its own scale.
func quantize(table []float32, dims int, t *tokenizer.Tokenizer, pieces []vocabulary.Piece) *Static {
	s := &Static{Table: make([]int8, len(table)), Scales: make([]float32, len(table)/dims), Tokenizer: t, pieces: pieces, dims: dims}
	for i := range s.Scales {
		if i == 0 {
			continue // the unknown token is zero
		}
		row := table[i*dims : (i+1)*dims]
		top := float32(0)
		for _, x := range row {
			top = max(top, float32(math.Abs(float64(x))))
		}
		if top == 0 {
			continue
		}
		s.Scales[i] = top / 127
		for k, x := range row {
			s.Table[i*dims+k] = int8(math.RoundToEven(float64(x / top * 127)))
		}
	}
	return s
}

// Name returns the name of the encoder.
func (s *Static) Name() string { return "static" }

// Dimensions returns the length of an embedding.
func (s *Static) Dimensions() int { return s.dims }

// Embed returns len(texts) × Dimensions numbers, each text's at unit length; texts
// without known characters are all zeros. progress may be nil.
func (s *Static) Embed(ctx context.Context, texts []string, progress func(done, total int)) ([]float32, error) {
	out := make([]float32, len(texts)*s.dims)
	const chunk = 256
	for from := 0; from < len(texts); from += chunk {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(len(texts), from+chunk)
		var group sync.WaitGroup
		workers := runtime.GOMAXPROCS(0)
		for w := range workers {
			group.Add(1)
			go func() {
				defer group.Done()
				for i := from + w; i < to; i += workers {
					s.embedTo(out[i*s.dims:(i+1)*s.dims], texts[i])
				}
			}()
		}
		group.Wait()
		if progress != nil {
			progress(to, len(texts))
		}
	}
	return out, nil
}

func (s *Static) embedTo(dst []float32, text string) {
	for _, id := range s.Tokenizer.EncodeMax(text, MaxTokens) {
		row, scale := s.Table[int(id)*s.dims:(int(id)+1)*s.dims], s.Scales[id]
		for k, x := range row {
			dst[k] += scale * float32(x)
		}
	}
	norm := float32(math.Sqrt(float64(dot(dst, dst))))
	norm = max(norm, onnx.StaticEpsilon)
	for k := range dst {
		dst[k] /= norm
	}
}

// WriteModel writes model.onnx.
func (s *Static) WriteModel(w io.Writer, metadata map[string]string) error {
	return onnx.WriteStatic(w, s.Table, s.Scales, s.dims, metadata)
}

// WriteTokenizer writes tokenizer.json.
func (s *Static) WriteTokenizer(w io.Writer) error { return WriteTokenizer(w, s.pieces) }
