package pdfium

import (
	"context"
	"errors"
	"testing"
)

// TestEngineOfEndedContext: an engine that cannot be used is closed, as the caller gets
// none to close.
func TestEngineOfEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if e, err := newEngine(ctx); e != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v, want no engine and that the context is canceled", e, err)
	}
}
