//go:build js

// Command page is the core as a WebAssembly program for a browser's worker
// (GOOS=js). The worker's script sets globalThis.cerasumHost = { post } before
// it starts the program; the program then sets cerasumHost.receive, which the
// script calls with every message of the page, and calls cerasumHost.post with
// every message to it. Each request is answered before receive returns. The
// messages are those of package protocol.
package main

import (
	"context"
	"syscall/js"

	"github.com/cerasum/cerasum/wasm/internal/kernel"
	"github.com/cerasum/cerasum/wasm/internal/protocol"
)

func main() {
	host := js.Global().Get("cerasumHost")
	if host.Type() != js.TypeObject {
		panic("the worker's script has not set globalThis.cerasumHost")
	}
	kernel.Use()
	post := func(message any) { host.Call("post", toValue(message)) }
	var server protocol.Server
	// Go returns from a callback to JavaScript only when every goroutine is
	// idle, so that no second message is received meanwhile.
	host.Set("receive", js.FuncOf(func(_ js.Value, args []js.Value) any {
		request, err := read(args)
		if err != nil {
			post(protocol.Malformed(err))
			return nil
		}
		post(server.Handle(context.Background(), request, post))
		return nil
	}))
	select {} // the program lives as long as its worker
}
