//go:build js

package main

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"
	"syscall/js"
	"time"

	"github.com/cerasum/cerasum/internal/api"
)

// config reads the variables of wrangler.jsonc; an invalid number is ignored.
func config(env, binding js.Value) api.Config {
	variable := func(name string) string {
		if v := env.Get(name); v.Type() == js.TypeString {
			return v.String()
		}
		return ""
	}
	whole := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(variable(name)); err == nil && n > 0 {
			return n
		}
		return otherwise
	}
	l := api.DefaultLimits
	return api.Config{
		Limits: api.Limits{
			Body: whole("MAX_BODY_BYTES", l.Body), Documents: whole("MAX_DOCUMENTS", l.Documents), Sentences: whole("MAX_SENTENCES", l.Sentences),
			Time:  time.Duration(whole("MAX_MILLISECONDS", int(l.Time.Milliseconds()))) * time.Millisecond,
			Steps: whole("MAX_STEPS", l.Steps),
		},
		Origins: strings.Fields(variable("CORS_ORIGINS")),
		Limited: func(*http.Request) bool { return binding.Get("limited").Truthy() },
		Retry:   whole("RETRY_AFTER_SECONDS", 60),
	}
}

// bridge passes bodies in one piece. worker.mjs reads the request's body,
// binding.body, before it calls the program. The response's body is one array,
// not a stream: a stream belongs to one request but the program serves all of
// them, and the library ends the program when the first stream ends.
func bridge(binding js.Value, h http.Handler) http.Handler {
	array := js.Global().Get("Uint8Array")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body []byte
		if given := binding.Get("body"); given.InstanceOf(array) {
			body = make([]byte, given.Length())
			js.CopyBytesToGo(body, given)
			binding.Set("body", nil)
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		if err := fault(binding.Get("fault").String()); err != nil {
			r.Body = io.NopCloser(failing{err})
		}
		whole := &answer{header: w.Header(), status: http.StatusOK}
		h.ServeHTTP(whole, r)
		w.WriteHeader(whole.status)
		out := array.New(len(whole.body))
		js.CopyBytesToJS(out, whole.body)
		w.(rawWriter).WriteRawJSBody(out)
	})
}

// fault converts the error that worker.mjs had with a body, or with an earlier
// program that processed it.
func fault(name string) error {
	switch name {
	case "":
		return nil
	case "long":
		return &http.MaxBytesError{}
	case "busy":
		return api.ErrBusy
	case "heavy":
		return api.ErrHeavy
	}
	return io.ErrUnexpectedEOF
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// rawWriter is an additional method of the library's ResponseWriter.
type rawWriter interface{ WriteRawJSBody(js.Value) }

// answer is a ResponseWriter that buffers the response.
type answer struct {
	header http.Header
	status int
	body   []byte
}

func (a *answer) Header() http.Header    { return a.header }
func (a *answer) WriteHeader(status int) { a.status = status }
func (a *answer) Write(p []byte) (int, error) {
	a.body = append(a.body, p...)
	return len(p), nil
}
