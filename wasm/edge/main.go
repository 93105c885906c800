//go:build js

// Command edge is the core as a Cloudflare Worker (GOOS=js). worker.mjs starts
// the program once, and it handles one request after another; see package api.
package main

import (
	"syscall/js"

	"github.com/syumai/workers"

	"github.com/cerasum/cerasum/internal/api"
)

func main() {
	host := js.Global().Get("context")
	binding := host.Get("binding")
	c := config(host.Get("env"), binding)
	binding.Set("maxBody", c.Limits.Body)
	workers.Serve(bridge(binding, api.New(c)))
}
