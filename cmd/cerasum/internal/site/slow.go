package site

import (
	"net/http"
	"time"
)

// LimitWrites disconnects a client when a write of a response has taken as long as
// limit: the client stalls. One that is slow gets the whole response.
func LimitWrites(h http.Handler, limit time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(&limited{w, http.NewResponseController(w), limit}, r)
	})
}

// limited hides ReadFrom of the response, which would write a file at once.
type limited struct {
	http.ResponseWriter
	control *http.ResponseController
	limit   time.Duration
}

func (w *limited) Write(p []byte) (int, error) {
	if err := w.control.SetWriteDeadline(time.Now().Add(w.limit)); err != nil {
		return 0, err
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap is for [http.ResponseController].
func (w *limited) Unwrap() http.ResponseWriter { return w.ResponseWriter }
