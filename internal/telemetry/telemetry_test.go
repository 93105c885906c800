package telemetry

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cerasum/cerasum/batch"
)

// TestClose: metrics are exported although the endpoint of traces does not answer.
func TestClose(t *testing.T) {
	defer func(d time.Duration) { patience = d }(patience)
	patience = time.Second
	release := make(chan struct{})
	var metrics atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/traces" {
			<-release
			return
		}
		metrics.Add(1)
	}))
	defer server.Close()
	defer close(release)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.URL)
	telemetry, err := Open(t.Context(), "test", func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	ctx, span := telemetry.Start(t.Context(), "batch")
	counts := &batch.Counts{}
	counts.LeaveOut(batch.Malformed)
	telemetry.Count(ctx, counts)
	span.End(false)
	if err := telemetry.Close(t.Context()); err == nil {
		t.Error("no error about the endpoint that does not answer")
	}
	if metrics.Load() == 0 {
		t.Error("the metrics are lost")
	}
}
