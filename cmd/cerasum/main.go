// Command cerasum summarizes many documents at once by quoting them. Run
// "cerasum help" for usage; docs/architecture.md describes how it works.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal shuts down gracefully; a second one ends the program at
	// once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
