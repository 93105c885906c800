//go:build js

// Command crash shakes hands like the core and dies of the first request after
// that, in the way the first document asks for: what no recover catches and the
// client must survive.
package main

import "syscall/js"

func main() {
	host := js.Global().Get("cerasumHost")
	requests := make(chan js.Value, 1)
	host.Set("receive", js.FuncOf(func(_ js.Value, args []js.Value) any {
		requests <- args[0]
		return nil
	}))
	for request := range requests {
		if request.Get("kind").String() == "hello" {
			host.Call("post", map[string]any{"kind": "hello", "protocol": request.Get("protocol"), "version": "crash"})
			continue
		}
		switch request.Get("documents").Index(0).Get("text").String() {
		case "panic":
			panic("the bow doors were open")
		case "stack":
			sink(0)
		case "memory":
			var hoard [][]byte
			for {
				hoard = append(hoard, make([]byte, 64<<20))
			}
		case "exit":
			return
		case "nonsense":
			host.Call("post", map[string]any{"kind": "summary", "id": request.Get("id"), "summary": 5})
		case "other":
			host.Call("post", map[string]any{"kind": "closed", "id": 1000})
		}
	}
}

func sink(n int) int { return sink(n+1) + 1 }
