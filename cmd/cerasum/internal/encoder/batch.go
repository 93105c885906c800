package encoder

import (
	"context"
	"slices"
	"sync"
)

// batchTokens limits texts × tokens of a batch, and with it memory and the delay of a
// cancellation.
const batchTokens = 512

// batch is a group of texts of similar length that run through the model together.
type batch struct {
	texts  []int // indices
	tokens int   // of the longest
}

// plan sorts texts by length and groups them into batches. Texts without tokens
// are left out: their embeddings are zeros.
func plan(tokens []int) []batch {
	order := make([]int, 0, len(tokens))
	for k, n := range tokens {
		if n > 0 {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return tokens[b] - tokens[a] })
	var batches []batch
	for len(order) > 0 {
		// The longest text comes first.
		longest := tokens[order[0]]
		n := min(len(order), max(1, batchTokens/longest))
		batches = append(batches, batch{texts: order[:n], tokens: longest})
		order = order[n:]
	}
	return batches
}

// runAll runs the batches, several in parallel. progress is called on the calling
// goroutine.
func runAll(ctx context.Context, tokens []int, parallel int, run func(context.Context, batch) error, progress func(done, total int)) error {
	batches := plan(tokens)
	done := len(tokens)
	for _, b := range batches {
		done -= len(b.texts)
	}
	progress(done, len(tokens))
	outer := ctx
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue, results := make(chan batch), make(chan int)
	var wg sync.WaitGroup
	for range min(parallel, len(batches)) {
		wg.Go(func() {
			for b := range queue {
				if err := run(ctx, b); err != nil {
					cancel(err)
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
	// Wait for running batches: the model may be closed after this returns.
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
			progress(done, len(tokens))
		case <-ctx.Done():
		}
	}
	if outer.Err() != nil {
		return outer.Err()
	}
	return context.Cause(ctx) // nil if nothing failed
}
