//go:build js

// Command page is the core as a WebAssembly program for a browser's worker
// (GOOS=js). The worker's script sets globalThis.cerasumHost = { post } before
// it starts the program; the program then sets cerasumHost.receive, which the
// script calls with every message of the page, and calls cerasumHost.post with
// every message to it. Requests are answered one after another. The messages
// are those of package protocol.
package main

import (
	"context"
	"syscall/js"

	"github.com/cerasum/cerasum/wasm/internal/kernel"
	"github.com/cerasum/cerasum/wasm/internal/protocol"
)

// waiting is how many requests may wait for the one in progress. The client
// sends the next one when it has the answer, so one is enough for it.
const waiting = 64

func main() {
	host := js.Global().Get("cerasumHost")
	if host.Type() != js.TypeObject {
		panic("the worker's script has not set globalThis.cerasumHost")
	}
	kernel.Use()
	post := func(message any) { host.Call("post", toValue(message)) }
	requests := make(chan any, waiting)
	host.Set("receive", js.FuncOf(func(_ js.Value, args []js.Value) any {
		request, err := read(args)
		if err != nil {
			post(protocol.Malformed(err))
			return nil
		}
		// A callback must not block: the program would stand still.
		select {
		case requests <- request:
		default:
			post(protocol.Malformed(errBusy))
		}
		return nil
	}))
	var server protocol.Server
	for request := range requests {
		post(server.Handle(context.Background(), request, post))
	}
}
