//go:build unix

package main

import (
	"context"
	"io"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A named pipe that nobody writes to keeps the open waiting, not the program.
func TestPipeWithoutWriter(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	code := make(chan int)
	go func() { code <- run(ctx, []string{"summarize", pipe}, nil, io.Discard, io.Discard) }()
	select {
	case c := <-code:
		t.Fatalf("ended with %d before anyone wrote", c)
	case <-time.After(50 * time.Millisecond):
	}
	cancel()
	select {
	case c := <-code:
		if c != exitInterrupted {
			t.Errorf("exit code %d, want %d", c, exitInterrupted)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("still waiting after it was cancelled")
	}
}
