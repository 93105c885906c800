// Package api is the HTTP interface for summaries: JSON in, JSON out; errors
// are problems as in RFC 9457.
//
// Start with [New]. openapi.json, which it serves, describes the interface. No
// part of a request is stored or logged. The Worker (wasm/edge) and "cerasum serve
// --api" serve it.
package api

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/core"
)

// countsKey is the key of the counts in the context of a request.
type countsKey struct{}

// WithCounts returns a context of a request for a summary that adds to counts what
// is done.
func WithCounts(ctx context.Context, counts *batch.Counts) context.Context {
	return context.WithValue(ctx, countsKey{}, counts)
}

func countsOf(ctx context.Context) *batch.Counts {
	if c, ok := ctx.Value(countsKey{}).(*batch.Counts); ok {
		return c
	}
	return &batch.Counts{}
}

// Config of [New].
type Config struct {
	Limits Limits
	// Origins whose pages may read the responses (CORS), such as
	// "https://news.example"; "*" means all. None: only pages of the same
	// origin.
	Origins []string
	// Limited, if not nil, reports whether the client has exceeded its rate
	// limit.
	Limited func(*http.Request) bool
	// Retry is the number of seconds after which such a client may retry.
	Retry int
	// Encoder, if not nil, computes embeddings for requests without them.
	Encoder Encoder
	// Enter, if not nil, is called when a body has been read, before the work on
	// it. It may wait for its turn, and returns a function to call after the work,
	// or [ErrBusy].
	Enter func(context.Context) (leave func(), err error)
}

// Encoder computes embeddings. It is called from several goroutines.
type Encoder interface {
	// Supports reports whether summaries of a method, auto if it is empty, get what
	// they need: embeddings, and weights if it requires them.
	Supports(method string) bool
	// Prepare adds to the session and the options what their method uses.
	Prepare(ctx context.Context, s *core.Session, o *core.Options) error
}

// Errors with which a host ends the reading of a body: other requests leave no
// room for it, or processing it has exhausted the memory.
var (
	ErrBusy  = errors.New("server busy")
	ErrHeavy = errors.New("out of memory while processing the body")
)

//go:embed openapi.json
var description []byte

// server is the handler.
type server struct {
	Config
	routes map[string]route
}

// route handles the requests for a path: GET, or POST with JSON.
type route struct {
	get  func() ([]byte, error)
	post func(context.Context, []byte) ([]byte, error)
	// summarizes says that a request is a cluster, which is counted.
	summarizes bool
}

func (r route) allow() string {
	if r.post != nil {
		return "POST, OPTIONS"
	}
	return "GET, HEAD, OPTIONS"
}

// New returns the handler of all routes.
func New(c Config) http.Handler {
	s := &server{Config: c}
	s.Origins = slices.Clone(c.Origins)
	for i, origin := range s.Origins {
		s.Origins[i] = normalOrigin(origin)
	}
	s.routes = map[string]route{
		"/healthz":      {get: s.health},
		"/openapi.json": {get: func() ([]byte, error) { return description, nil }},
		"/v1/methods":   {get: s.methods},
		"/v1/sentences": {post: s.sentences},
		"/v1/select":    {post: s.choose},
		"/v1/summarize": {post: s.summarize, summarizes: true},
	}
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		// The message of the panic is omitted: it may quote the text.
		if recover() != nil {
			if s.routes[r.URL.Path].summarizes {
				countsOf(r.Context()).LeaveOut(batch.Failed)
			}
			write(w, r, http.StatusInternalServerError, ContentType, errInternal.JSON())
		}
	}()
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	s.share(w, r)
	body, err := s.answer(w, r)
	switch {
	case err == nil && body == nil: // a preflight
		w.WriteHeader(http.StatusNoContent)
	case err == nil:
		write(w, r, http.StatusOK, "application/json", body)
	default:
		p := refusal(err)
		if p.Status == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "1")
		}
		write(w, r, p.Status, ContentType, p.JSON())
	}
}

func write(w http.ResponseWriter, r *http.Request, status int, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		// Fails if the client has disconnected.
		_, _ = w.Write(body)
	}
}

// share sets the CORS headers, so that pages of the configured origins can read
// the response.
func (s *server) share(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if len(s.Origins) == 0 {
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		return
	}
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Access-Control-Expose-Headers", "Retry-After, X-Request-Id")
	if slices.Contains(s.Origins, "*") {
		h.Set("Access-Control-Allow-Origin", "*")
		return
	}
	h.Set("Vary", "Origin")
	if origin := r.Header.Get("Origin"); slices.Contains(s.Origins, origin) {
		h.Set("Access-Control-Allow-Origin", origin)
	}
}

// normalOrigin returns an origin as browsers send it: in lower case, without the
// default port and without the slash that people often write.
func normalOrigin(origin string) string {
	origin = strings.ToLower(strings.TrimSuffix(origin, "/"))
	for scheme, port := range map[string]string{"http://": ":80", "https://": ":443"} {
		if strings.HasPrefix(origin, scheme) {
			origin = strings.TrimSuffix(origin, port)
		}
	}
	return origin
}

func (s *server) answer(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	route, ok := s.routes[r.URL.Path]
	if !ok {
		return nil, &Problem{Type: "not-found", Title: "Not found", Status: http.StatusNotFound,
			Detail: "want one of " + strings.Join(slices.Sorted(maps.Keys(s.routes)), ", ")}
	}
	w.Header().Set("Allow", route.allow())
	switch {
	case r.Method == http.MethodOptions:
		h := w.Header()
		if h.Get("Access-Control-Allow-Origin") != "" {
			h.Set("Access-Control-Allow-Methods", route.allow())
			h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, X-Request-Id")
			h.Set("Access-Control-Max-Age", "86400")
		}
		return nil, nil
	case route.get != nil && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		return route.get()
	case route.post == nil || r.Method != http.MethodPost:
		return nil, NotAllowed(route.allow())
	}
	if s.Limited != nil && s.Limited(r) {
		w.Header().Set("Retry-After", itoa(s.Retry))
		return nil, &Problem{Type: "too-many-requests", Title: "Too many requests", Status: http.StatusTooManyRequests,
			Detail: "ask again later; Retry-After says in how many seconds"}
	}
	answer, err := s.work(w, r, route)
	// A client that left is counted by nobody.
	if err != nil && route.summarizes && r.Context().Err() == nil {
		countsOf(r.Context()).LeaveOut(reasonFor(err))
	}
	return answer, err
}

// work reads the body of a request and answers it.
func (s *server) work(w http.ResponseWriter, r *http.Request, route route) ([]byte, error) {
	begun := time.Now()
	body, err := s.read(w, r)
	if err != nil {
		return nil, err
	}
	if route.summarizes {
		countsOf(r.Context()).Time(batch.Read, begun)
	}
	if s.Enter != nil {
		leave, err := s.Enter(r.Context())
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	// The timer ends what waits, such as an encoder; newDeadline ends computation.
	ctx, cancel := context.WithTimeout(r.Context(), s.Limits.Time)
	defer cancel()
	return route.post(newDeadline(ctx, s.Limits), body)
}

// read returns the body of a request, which must be JSON in UTF-8.
func (s *server) read(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	unsupported := func(detail string) error {
		w.Header().Set("Accept-Post", "application/json")
		return &Problem{Type: "unsupported-media-type", Title: "Unsupported media type", Status: http.StatusUnsupportedMediaType, Detail: detail}
	}
	kind, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if charset := parameters["charset"]; err != nil || kind != "application/json" || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return nil, unsupported("want the header Content-Type: application/json")
	}
	for _, coding := range r.Header.Values("Content-Encoding") {
		if !strings.EqualFold(strings.TrimSpace(coding), "identity") {
			return nil, unsupported("want a body without Content-Encoding")
		}
	}
	var b bytes.Buffer
	if r.ContentLength > 0 {
		// No more than this before anything arrives: clients can declare any length.
		b.Grow(min(int(r.ContentLength), s.Limits.Body, 64<<10) + bytes.MinRead)
	}
	_, err = b.ReadFrom(http.MaxBytesReader(nil, r.Body, int64(s.Limits.Body)))
	body := b.Bytes()
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		return nil, &Problem{Type: "body-too-large", Title: "Body too large", Status: http.StatusRequestEntityTooLarge,
			Detail: "want at most " + itoa(s.Limits.Body) + " bytes", Limit: s.Limits.Body}
	case errors.Is(err, ErrBusy):
		return nil, err
	case errors.Is(err, ErrHeavy):
		return nil, &Problem{Type: "too-heavy", Title: "Memory limit exceeded", Status: http.StatusUnprocessableEntity, Field: "documents",
			Detail: "send fewer or shorter documents, or choose a quicker method"}
	case err != nil:
		return nil, &Problem{Type: "bad-request", Title: "Incomplete body", Status: http.StatusBadRequest, Detail: "the body ended too early"}
	case !utf8.Valid(body):
		return nil, malformed("", errors.New("the body is not UTF-8"))
	}
	return body, nil
}

// reply encodes a value as JSON.
func reply(v any) ([]byte, error) { return batch.Marshal(v) }
