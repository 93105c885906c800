package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// progress shows one line on a terminal, overwritten as work proceeds. It is safe
// for concurrent use.
type progress struct {
	mu    sync.Mutex
	w     io.Writer
	on    bool
	shown bool
	last  time.Time
}

// show replaces the line, at most ten times a second.
func (p *progress) show(stage string, done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.on || time.Since(p.last) < 100*time.Millisecond {
		return
	}
	p.last, p.shown = time.Now(), true
	line := stage
	if total > 1 {
		line = fmt.Sprintf("%s %d/%d", stage, done, total)
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s …", line)
}

// clear removes the line.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
