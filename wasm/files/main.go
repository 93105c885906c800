//go:build js

// Command files is package files as a WebAssembly program for the page's Worker that
// reads files (GOOS=js), and guesses the encodings of texts. The Worker's script sets
// globalThis.cerasumFiles = { decode } before it starts the program; decode(bytes, label)
// returns a text, with U+FFFD for what is invalid, or throws. The program sets
// cerasumFiles.guess(bytes), which returns a label, and cerasumFiles.read(bytes, name),
// which returns
//
//	{ problem } | { documents: [{ title, source, date, pages, text }], members: [{ name, data } | { name, problem }], left, unread, reason }
package main

import (
	"errors"
	"fmt"
	"syscall/js"

	"github.com/cerasum/cerasum/internal/charset"
	"github.com/cerasum/cerasum/internal/files"
)

func main() {
	host := js.Global().Get("cerasumFiles")
	if host.Type() != js.TypeObject {
		panic("the worker's script has not set globalThis.cerasumFiles")
	}
	host.Set("guess", js.FuncOf(func(_ js.Value, args []js.Value) any {
		data := make([]byte, args[0].Length())
		js.CopyBytesToGo(data, args[0])
		return charset.Guess(data, func(data []byte, name string) string {
			return host.Call("decode", bytesOf(data), name).String()
		})
	}))
	host.Set("read", js.FuncOf(func(_ js.Value, args []js.Value) any {
		data := make([]byte, args[0].Length())
		js.CopyBytesToGo(data, args[0])
		content, err := files.Read(data, args[1].String(), func(data []byte, label string) (text string, err error) {
			// decode throws if it does not know the label.
			defer func() {
				if r := recover(); r != nil {
					err = fmt.Errorf("%v", r)
				}
			}()
			return host.Call("decode", bytesOf(data), label).String(), nil
		})
		if err != nil {
			return problemOf(err)
		}
		documents := make([]any, len(content.Documents))
		for i, d := range content.Documents {
			pages := make([]any, len(d.Pages))
			for k, page := range d.Pages {
				pages[k] = page
			}
			documents[i] = map[string]any{"title": d.Title, "source": d.Source, "date": d.Date, "pages": pages, "text": d.Text}
		}
		members := make([]any, len(content.Members))
		for i, m := range content.Members {
			member := map[string]any{"data": bytesOf(m.Data)}
			if m.Err != nil {
				member = problemOf(m.Err)
			}
			member["name"] = m.Name
			members[i] = member
		}
		result := map[string]any{"documents": documents, "members": members, "left": content.Left, "unread": content.Unread}
		if content.Unread > 0 {
			result["reason"] = problemOf(content.Reason)["problem"]
		}
		return result
	}))
	select {} // the program lives as long as its worker
}

func problemOf(err error) map[string]any {
	var e *files.Error
	if !errors.As(err, &e) {
		panic(err) // not an error of package files
	}
	return map[string]any{"problem": string(e.Problem)}
}

func bytesOf(data []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(array, data)
	return array
}
