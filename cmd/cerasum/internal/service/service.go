// Package service serves the HTTP interface of package api as a server of its
// own: it limits what is received and computed at once, checks a token, counts,
// and logs requests without their content.
//
// Start with [New].
package service

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/cerasum/cerasum/batch"
	"github.com/cerasum/cerasum/internal/api"
	"github.com/cerasum/cerasum/internal/telemetry"
)

// Config of [New]. All limits must be set.
type Config struct {
	// API is the configuration of the interface, without Enter.
	API api.Config
	// Token, if not empty, is required of all requests but those for health and
	// the description.
	Token string
	// Answers, if not nil, reports whether the server answers for the host name of a
	// request. Health and readiness are answered for any: probes use addresses.
	Answers func(*http.Request) bool
	// Concurrent requests are computed at once; Queue more wait, each for at
	// most Wait. Others are answered with 503.
	Concurrent, Queue int
	Wait              time.Duration
	// Room is the number of bytes of all bodies in memory.
	Room int64
	// Log, if not nil, gets a line per request.
	Log *slog.Logger
	// Telemetry, if not nil, gets the counters, and a span per request.
	Telemetry *telemetry.Telemetry
}

// Service is the handler.
type Service struct {
	Config
	api      http.Handler
	gate     *gate
	room     *room
	metrics  *metrics
	expected [sha256.Size]byte // of the token
}

// New returns the service.
func New(c Config) *Service {
	s := &Service{Config: c, gate: newGate(c.Concurrent, c.Queue, c.Wait), room: &room{limit: max(c.Room, int64(c.API.Limits.Body))}, expected: sha256.Sum256([]byte(c.Token))}
	c.API.Enter = s.gate.enter
	s.api = api.New(c.API)
	s.metrics = newMetrics(s)
	return s
}

// Handles reports whether a request is for the service.
func Handles(r *http.Request) bool {
	switch r.URL.Path {
	case "/healthz", "/readyz", "/metrics", "/openapi.json":
		return true
	}
	return strings.HasPrefix(r.URL.Path, "/v1/")
}

// ServeHTTP answers a request that [Handles] accepts.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begun := time.Now()
	id := requestID(r)
	w.Header().Set("X-Request-Id", id)
	in := &body{ReadCloser: r.Body, most: int64(s.API.Limits.Body), room: s.room}
	defer in.release()
	r.Body = in
	out := &recorder{ResponseWriter: w, status: http.StatusOK}
	var span *telemetry.Span
	if strings.HasPrefix(routeOf(r), "/v1/") { // probes would be most of the spans
		r, span = s.Telemetry.Request(r, known(r.Method), routeOf(r))
	}
	counts := batch.Counts{Lap: span.Lap()}
	s.answer(out, r.WithContext(api.WithCounts(r.Context(), &counts)), in)
	if r.Context().Err() != nil {
		out.status = statusGone
	}
	passed := time.Since(begun)
	s.metrics.count(r, out.status, passed)
	s.metrics.add(&counts)
	s.Telemetry.Count(r.Context(), &counts)
	span.Counts(&counts)
	span.Answered(out.status)
	if s.Log != nil {
		fields := []slog.Attr{slog.String("id", id), slog.String("method", known(r.Method)), slog.String("route", routeOf(r)),
			slog.Int("status", out.status), slog.Float64("milliseconds", float64(passed.Microseconds())/1000), slog.Int64("received", in.length), slog.Int64("sent", out.length)}
		if trace := span.TraceID(); trace != "" {
			fields = append(fields, slog.String("trace", trace))
		}
		s.Log.LogAttrs(r.Context(), slog.LevelInfo, "request", fields...)
	}
}

func (s *Service) answer(w http.ResponseWriter, r *http.Request, in *body) {
	const getOnly = "GET, HEAD"
	gets := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch path := r.URL.Path; {
	case s.Answers != nil && path != "/healthz" && path != "/readyz" && !s.Answers(r):
		refuse(w, &api.Problem{Type: "misdirected", Title: "Misdirected request", Status: http.StatusMisdirectedRequest, Detail: "this server does not answer for this host name; cerasum serve --allow-host names others"})
	case path == "/readyz" && gets:
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write([]byte("{\"status\":\"ready\"}\n")) // fails if the client has disconnected
	case path != "/healthz" && path != "/readyz" && path != "/openapi.json" && (path == "/metrics" || r.Method != http.MethodOptions) && !s.admits(r):
		w.Header().Set("WWW-Authenticate", "Bearer")
		refuse(w, &api.Problem{Type: "unauthorized", Title: "Unauthorized", Status: http.StatusUnauthorized, Detail: "want the header Authorization: Bearer TOKEN with the server's token"})
	case path == "/readyz" || path == "/metrics" && !gets:
		w.Header().Set("Allow", getOnly)
		refuse(w, api.NotAllowed(getOnly))
	case path == "/metrics":
		s.metrics.handler.ServeHTTP(w, r)
	default:
		// A declared length saves reading what would be refused.
		in.declared(r.ContentLength)
		s.api.ServeHTTP(w, r)
	}
}

// admits compares the token in constant time.
func (s *Service) admits(r *http.Request) bool {
	if s.Token == "" {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	given := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return subtle.ConstantTimeCompare(given[:], s.expected[:]) == 1 && strings.EqualFold(scheme, "bearer")
}

func refuse(w http.ResponseWriter, p *api.Problem) {
	h := w.Header()
	h.Set("Content-Type", api.ContentType)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(p.Status)
	_, _ = w.Write(p.JSON()) // fails if the client has disconnected
}

// statusGone stands for an answer that no client was there to read, as in nginx.
const statusGone = 499

// usable are the ids of clients that are passed on.
var usable = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// requestID returns the client's id of a request, or a new one.
func requestID(r *http.Request) string {
	if id := r.Header.Get("X-Request-Id"); usable.MatchString(id) {
		return id
	}
	var b [8]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// routeOf returns a path that is known, so that logs and metrics hold nothing of
// the client's choice.
func routeOf(r *http.Request) string {
	switch r.URL.Path {
	case "/healthz", "/readyz", "/metrics", "/openapi.json", "/v1/methods", "/v1/sentences", "/v1/select", "/v1/summarize":
		return r.URL.Path
	}
	return "other"
}

func known(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions:
		return method
	}
	return "other"
}

// recorder notes the status and the length of a response.
type recorder struct {
	http.ResponseWriter
	status int
	length int64
}

func (w *recorder) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	w.length += int64(n)
	return n, err
}

// Unwrap is for http.ResponseController.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
