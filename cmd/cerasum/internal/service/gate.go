package service

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/cerasum/cerasum/internal/api"
)

// gate limits how many requests are computed at once and how many wait.
type gate struct {
	running chan struct{}
	waiting atomic.Int64
	queue   int64
	wait    time.Duration
}

func newGate(concurrent, queue int, wait time.Duration) *gate {
	return &gate{running: make(chan struct{}, concurrent), queue: int64(queue), wait: wait}
}

// enter waits for a place. It returns [api.ErrBusy] if the queue is full or does
// not move.
func (g *gate) enter(ctx context.Context) (leave func(), err error) {
	leave = func() { <-g.running }
	select {
	case g.running <- struct{}{}:
		return leave, nil
	default:
	}
	defer g.waiting.Add(-1)
	if g.waiting.Add(1) > g.queue {
		return nil, api.ErrBusy
	}
	timer := time.NewTimer(g.wait)
	defer timer.Stop()
	select {
	case g.running <- struct{}{}:
		return leave, nil
	case <-timer.C:
		return nil, api.ErrBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
