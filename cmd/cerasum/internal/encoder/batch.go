package encoder

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A runtime compiles a graph for each input shape, so shapes are rounded up:
// tokens to one of the steps of roundTokens, texts to a power of two. Padding is
// masked.
const (
	// batchTokens limits texts × tokens of a batch, and with it memory and the
	// delay of a cancellation.
	batchTokens = 4096
	// maxBatch limits the texts of a batch.
	maxBatch = 64
)

// roundTokens returns the number of tokens that texts of n tokens are padded to:
// multiples of 8 up to 64, then steps of an eighth of the next lower power of two.
func roundTokens(n int) int {
	step := 8
	for n > 8*step {
		step *= 2
	}
	return max(step, (n+step-1)/step*step)
}

// roundTexts returns the number of rows that a batch of n texts is padded to.
func roundTexts(n int) int {
	r := 1
	for r < n {
		r *= 2
	}
	return r
}

// batch is a group of texts of similar length that run through the model together.
type batch struct {
	texts  []int // indices
	rows   int   // number of texts, padded
	tokens int   // per row, padded
}

// plan sorts texts by length and groups them into batches. Texts without tokens
// are left out: their embeddings are zeros.
func plan(ids [][]int32) []batch {
	order := make([]int, 0, len(ids))
	for k := range ids {
		if len(ids[k]) > 0 {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(ids[b]) - len(ids[a]) })
	var batches []batch
	for len(order) > 0 {
		// The longest text comes first and determines the shape.
		tokens := roundTokens(len(ids[order[0]]))
		most := min(maxBatch, max(1, roundTexts(batchTokens/tokens+1)/2))
		n := 1
		for n < len(order) && n < most && roundTokens(len(ids[order[n]])) == tokens {
			n++
		}
		batches = append(batches, batch{texts: order[:n], rows: roundTexts(n), tokens: tokens})
		order = order[n:]
	}
	return batches
}

// encode tokenizes texts on all processors.
func (m *Model) encode(ctx context.Context, texts []string) ([][]int32, error) {
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
					ids[k] = m.tokens.EncodeMax(m.text(texts[k]), m.maxTokens)
				}
			}
		})
	}
	wg.Wait()
	return ids, ctx.Err()
}

// text returns the text for the tokenizer.
func (m *Model) text(s string) string {
	s = strings.TrimSpace(m.prefix + s)
	if m.lower {
		s = strings.ToLower(s)
	}
	return s
}

// run writes the embeddings of a batch to their rows of out.
func (m *Model) run(b batch, ids [][]int32, out []float32) error {
	input, mask := make([]int64, b.rows*b.tokens), make([]int64, b.rows*b.tokens)
	for row := range b.rows {
		at := row * b.tokens
		if row >= len(b.texts) {
			mask[at] = 1 // some models return NaN for a fully masked row
			continue
		}
		for t, id := range ids[b.texts[row]] {
			input[at+t], mask[at+t] = int64(id), 1
		}
	}
	values, width, err := m.forward(input, mask, b.rows, b.tokens)
	if err != nil {
		return err
	}
	for row, k := range b.texts {
		to := out[k*m.dimensions : (k+1)*m.dimensions]
		if m.pooling == nil {
			if width != m.dimensions {
				return fmt.Errorf("%w: output: want %d dimensions, got %d", ErrFolder, m.dimensions, width)
			}
			copy(to, values[row*width:])
		} else {
			v := make([]float32, width*len(m.pooling.modes))
			m.pooling.pool(v, values[row*b.tokens*width:(row+1)*b.tokens*width], len(ids[k]), width)
			for _, s := range m.steps {
				v = s.apply(v)
			}
			copy(to, v)
		}
		for d, x := range to {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return &TextError{k, fmt.Errorf("%w: embedding dimension %d: want a finite number, got %v", ErrFolder, d, x)}
			}
		}
	}
	return nil
}

// forward runs the model and checks the shape of the output: rows × width, or
// rows × tokens × width if pooling follows.
func (m *Model) forward(input, mask []int64, rows, tokens int) (values []float32, width int, err error) {
	values, shape, err := m.session.run(input, mask, rows, tokens)
	if err != nil {
		return nil, 0, err
	}
	want := []int{rows, tokens}
	if m.ports.sentence() {
		want = []int{rows}
	}
	if len(shape) != len(want)+1 || !slices.Equal(shape[:len(want)], want) || shape[len(want)] < 1 {
		return nil, 0, fmt.Errorf("%w: output %s: want the shape %s×dimensions, got %v", ErrFolder, m.ports.output, times(want), shape)
	}
	width = shape[len(want)]
	if len(values) != width*rows*tokens && !(m.ports.sentence() && len(values) == width*rows) {
		return nil, 0, fmt.Errorf("%w: output %s: %d numbers in the shape %v", ErrFolder, m.ports.output, len(values), shape)
	}
	return values, width, nil
}

func times(shape []int) string {
	return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(shape)), "×"), "[]")
}

// probe runs one text and returns the width of the model's vectors.
func (m *Model) probe(ids []int32) (int, error) {
	tokens := roundTokens(len(ids))
	input, mask := make([]int64, tokens), make([]int64, tokens)
	for t, id := range ids {
		input[t], mask[t] = int64(id), 1
	}
	_, width, err := m.forward(input, mask, 1, tokens)
	return width, err
}

// TextError is an error about one of the texts.
type TextError struct {
	Text int // its index
	err  error
}

func (e *TextError) Error() string { return fmt.Sprintf("text %d: %v", e.Text+1, e.err) }

func (e *TextError) Unwrap() error { return e.err }

// runAll runs the batches, several in parallel. progress is called on the calling
// goroutine.
func (m *Model) runAll(ctx context.Context, ids [][]int32, out []float32, progress func(done, total int)) error {
	batches := plan(ids)
	done := len(ids)
	for _, b := range batches {
		done -= len(b.texts)
	}
	progress(done, len(ids))
	outer := ctx
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue, results := make(chan batch), make(chan int)
	var wg sync.WaitGroup
	for range min(m.session.parallel(), len(batches)) {
		wg.Go(func() {
			for b := range queue {
				if err := m.run(b, ids, out); err != nil {
					cancel(fmt.Errorf("%s: %w", m.onnx, err))
					return
				}
				select {
				case results <- len(b.texts):
				case <-ctx.Done():
					return
				}
			}
		})
	}
	// Wait for running batches: they write to out, and the model may be closed
	// after this returns.
	defer wg.Wait()
	defer close(queue)
	for waiting := 0; ctx.Err() == nil && (len(batches) > 0 || waiting > 0); {
		var next chan<- batch
		var b batch
		if len(batches) > 0 {
			next, b = queue, batches[0]
		}
		select {
		case next <- b:
			batches = batches[1:]
			waiting++
		case n := <-results:
			waiting--
			done += n
			progress(done, len(ids))
		case <-ctx.Done():
		}
	}
	if outer.Err() != nil {
		return outer.Err()
	}
	return context.Cause(ctx) // nil if nothing failed
}
